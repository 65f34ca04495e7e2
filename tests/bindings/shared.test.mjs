// Gateways of one process that share health through a store given to them, and those that have none.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {createGateway} from '../../host-bindings/node/index.mjs';
import {memoryStore} from '../../host-bindings/stores/memory.mjs';
import {answerOf, ask, configOf, pause, provider, until, wasm} from './support.mjs';

const closing = [];
after(() => Promise.all(closing.map((close) => close())));

/** Answers well, but first with each of `statuses`. */
async function moody(...statuses) {
  const made = await provider((_, response) => {
    const status = statuses.shift() ?? 200;
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '60' });
    response.end(status === 200 ? answerOf('well') : '{"error":{"message":"not now"}}');
  });
  closing.push(made.close);
  return made;
}

function gateway(urls, { config, ...options } = {}) {
  const faults = [];
  const made = createGateway(configOf(urls, config), {
    wasm,
    env: { KEY: 'sk-any' },
    onFault: (error) => faults.push(error.message),
    ...options,
  });
  closing.push(() => made.close());
  const request = () => new Request('http://gateway/v1/chat/completions', {
    method: 'POST',
    body: ask('hi', { stream: false }),
  });
  const line = async () => {
    const response = await made.fetch(request());
    await response.text();
    return response.headers.get('x-shunt-deployment');
  };
  return {...made, faults, line };
}

const state = {
  store: 'file',
  shard: 'mine',
  refresh_ms: 100
};

test('what one learns the other hears, through the store that both were given', async () => {
  const [one, other] = [await moody(429), await moody()];
  const asked = [];
  const store = ({ store, shard }) => {
    asked.push([store, shard]);
    return shared;
  };
  const shared = memoryStore();
  const urls = [one.url, other.url];
  const [a, b] = [1, 2].map(() => gateway(urls, { config: { state }, store }));
  assert.deepEqual(asked, [['file', 'mine'], ['file', 'mine']]);
  assert.equal(await a.line(), 'line1');
  await until(() => shared.get('shunt/health/mine') !== undefined, 4000);
  await b.line(); // it does not wait for the store; but it looks
  await pause(300);
  assert.equal(await b.line(), 'line1');
  assert.ok(one.calls.length <= 2);
});

test('without the store that it names, a gateway says so and goes on by itself', async () => {
  const one = await moody();
  const alone = gateway([one.url], { config: { state } });
  assert.equal(alone.faults.length, 1);
  assert.match(alone.faults[0], /"file".*give createGateway a `store`/);
  assert.equal(alone.catalog.state.store, 'memory');
  assert.equal(await alone.line(), 'line0');
});

test('a store that never answers holds up neither requests nor the end', async () => {
  const one = await moody();
  const never = () => new Promise(() => {});
  const stuck = gateway([one.url], { config: { state }, store: { get: never, put: never, lease: never } });
  const began = performance.now();
  assert.equal(await stuck.line(), 'line0');
  await stuck.close();
  assert.ok(performance.now() - began < 1500);
});

test('in Node active checks come by a timer', async () => {
  const [one, other] = [await moody(500, 500, 500), await moody()];
  const checked = gateway([one.url, other.url], {
    config: { active_checks: { every_s: 1, per_hour: 10 } },
  });
  for (let i = 0; i < 4; ++i) assert.equal(await checked.line(), 'line1');
  assert.equal(one.calls.length, 3);
  await until(() => one.calls.length === 4, 3000);
  assert.equal(JSON.parse(one.calls[3].body).max_tokens, 1);
  await pause(50);
  assert.equal(await checked.line(), 'line0');
});
