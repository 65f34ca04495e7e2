// Two gateways in a row, over real connections: the outer one calls the inner by the preset "shunt", the
// inner one calls providers that fail. Both together keep to the outer one's attempts and budget.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {createGateway, serve} from '../../host-bindings/node/index.mjs';
import {createProvider} from '../providers/server.mjs';
import {provider_config} from './support/lines.mjs';

const closing = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

/** A gateway on a port of its own; `calls` has what it asked its lines: {headers of the call, status}. */
async function gatewayOver(config) {
  const records = [];
  const calls = [];
  const gateway = createGateway(config, {
    env: { KEY: 'sk' },
    onRecord: (json) => records.push(JSON.parse(json)),
    onLog: () => {},
    async fetch(url, init) {
      const call = { url, headers: init.headers };
      calls.push(call);
      const response = await fetch(url, init);
      call.answer = response.headers;
      return response;
    },
  });
  const { url, server, close } = await serve(gateway, { port: 0 });
  closing.push(async () => {
    server.closeAllConnections();
    await close();
  });
  return { url, records, calls };
}

/** Providers by name with their scripts; breakers stay shut, so that every request finds every line. */
async function providersOf(scripts) {
  const all = {};
  for (const [name, script] of Object.entries(scripts)) {
    all[name] = await createProvider({ script });
    closing.push(all[name].close);
  }
  return all;
}

const kShut = {
  breaker: { consecutive_failures: 1000, open_ms: 1000 }
};

/** The inner gateway: the route "chat" over `providers`, in this order. */
const innerOver = (providers, route = {}) => gatewayOver({
  providers: Object.fromEntries(Object.entries(providers).map(
      ([name, provider]) => [`of-${name}`, provider_config(provider, ['KEY'])])),
  deployments: Object.keys(providers).map(
      (id, i) => ({ id, provider: `of-${id}`, model: 'm', priority: i + 1, ...kShut })),
  routes: { chat: { deployments: Object.keys(providers), ...route } },
});

/** The outer gateway: the inner one, then what else there is. */
const outerOver = (inner, providers = {}, route = {}) => gatewayOver({
  providers: {
    inner: { preset: 'shunt', base_url: `${inner.url}/v1` },
    ...Object.fromEntries(Object.entries(providers).map(
        ([name, provider]) => [`of-${name}`, provider_config(provider, ['KEY'])])),
  },
  deployments: [
    { id: 'inner', provider: 'inner', model: 'chat', priority: 1, ...kShut },
    ...Object.keys(providers).map((id) => ({ id, provider: `of-${id}`, model: 'm', priority: 2, ...kShut })),
  ],
  routes: { outer: { deployments: ['inner', ...Object.keys(providers)], ...route } },
});

async function request(url, model = 'outer', headers = {}) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Is anybody there?' }] }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const total = (providers) => Object.values(providers).reduce((sum, { calls }) => sum + calls.length, 0);
const left = ({ headers }) => headers.get('x-shunt-retries-left');

test('what is left travels in a header, and the inner gateway keeps to it', async () => {
  for (const attempts of [1, 2, 3]) {
    const deep = await providersOf({ a: 'error_500', b: 'error_500', c: 'error_500', d: 'error_500' });
    const inner = await innerOver(deep, { retry: { attempts: 4 } });
    const outer = await outerOver(inner, {}, { retry: { attempts } });
    const { status } = await request(outer.url);
    assert.ok(status >= 500);
    assert.equal(left(outer.calls[0]), `${attempts - 1}`);
    assert.equal(outer.calls[0].headers.get('x-shunt-attempt'), '1');
    assert.equal(inner.records[0].attempts.length, attempts);
    assert.equal(outer.calls[0].answer.get('x-shunt-attempts'), `${attempts}`);
  }
});

test('attempts at the providers stay within the outer attempts, whoever makes them', async () => {
  const deep = await providersOf({ a: 'error_500', b: 'error_500', c: 'error_500', d: 'error_500' });
  const inner = await innerOver(deep, { retry: { attempts: 4 } });
  const near = await providersOf({ y: 'error_500', z: 'error_500' });
  const outer = await outerOver(inner, near, { retry: { attempts: 4 } });
  await request(outer.url);
  assert.ok(total(deep) + total(near) <= 4, `${total(deep)} + ${total(near)} attempts`);
});

test('what the inner gateway did not use comes back', async () => {
  const deep = await providersOf({ a: 'ok' });
  const inner = await innerOver(deep);
  // A reserve of 10, which is not refilled while the test runs; requests earn nothing.
  const outer = await outerOver(inner, {}, { retry: { attempts: 3, budget: { ratio: 0, min_per_s: 1 } } });
  for (let i = 0; i < 30; ++i) assert.equal((await request(outer.url)).status, 200);
  assert.ok(outer.calls.every((call) => left(call) === '2'), outer.calls.map(left).join(' '));
});

test('under total failure both together spend no more than the outer budget', async (t) => {
  const deep = await providersOf({ a: 'error_500', b: 'error_500', c: 'error_500', d: 'error_500' });
  const inner = await innerOver(deep, { retry: { attempts: 4, budget: { ratio: 1, min_per_s: 100 } } });
  const ratio = 0.2;
  const per_s = 0.1;
  const outer = await outerOver(inner, {}, { retry: { attempts: 4, budget: { ratio, min_per_s: per_s } } });
  const began = performance.now();
  const kRequests = 60;
  const answers = [];
  for (let i = 0; i < kRequests; ++i) answers.push(await request(outer.url));
  const seconds = (performance.now() - began) / 1000;
  const further = total(deep) - kRequests;
  t.diagnostic(`${kRequests} requests, ${further} further attempts in ${seconds.toFixed(1)} s`);
  assert.ok(answers.every(({ status }) => status >= 500));
  assert.ok(further > 0);
  assert.ok(further <= ratio * kRequests + per_s * (seconds + 10), `${further}`);
  const none = outer.calls.filter((call) => left(call) === '0').length;
  assert.ok(none > kRequests / 2, `${none} calls were lent nothing`);
});

test('a budget that is spent inside is said, and the outer goes to another line instead', async () => {
  const deep = await providersOf({ a: 'error_500', b: 'error_500' });
  const none = { ratio: 0, min_per_s: 0 };
  const inner = await innerOver(deep, { retry: { attempts: 3, budget: none, failover: 0 } });
  const alone = await request(inner.url, 'chat');
  assert.equal(alone.headers.get('x-should-retry'), 'false', alone.text);
  assert.equal(total(deep), 1);

  const near = await providersOf({ z: 'ok' });
  const outer = await outerOver(inner, near, { retry: { attempts: 3 } });
  const answer = await request(outer.url);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('x-shunt-deployment'), 'z');
  assert.equal(total(deep), 2, 'asked once more, not twice');
  assert.equal(near.z.calls.length, 1);

  // Where there is no other line the outer does not repeat either.
  const lonely = await outerOver(inner, {}, { retry: { attempts: 3 } });
  const failed = await request(lonely.url);
  assert.ok(failed.status >= 500);
  assert.equal(total(deep), 3);
  assert.equal(lonely.records[0].attempts.length, 1);
});

test('no further attempt is left: what is answered says so', async () => {
  const deep = await providersOf({ a: 'error_500', b: 'ok' });
  const inner = await innerOver(deep);
  const answer = await request(inner.url, 'chat', { 'x-shunt-retries-left': '0' });
  assert.ok(answer.status >= 500);
  assert.equal(total(deep), 1);
  assert.equal(answer.headers.get('x-should-retry'), 'false');
  for (const odd of ['', '-1', 'many', '99999999999999999999', '1.5'])
    assert.ok((await request(inner.url, 'chat', { 'x-shunt-retries-left': odd })).status, odd);
});
