// Requests that wait for a slot, in Node against real local servers: each is woken by the end of the one
// before it, in order of priority; who leaves makes room; and a trace of it all replays.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {memoryStore} from '../../host-bindings/stores/memory.mjs';
import {toBase64} from '../../host-bindings/trace.mjs';
import {effect_log, instantiate} from '../conformance/replay_trace.mjs';
import {flawedStore} from '../edge/flawed_store.mjs';
import {answerOf, ask, chunkOf, finish, gatewayOver as servedOver, pause, post, provider, sse, until, wasm,} from './support.mjs';

const kKeys = {
  high: 'key-of-high',
  low: 'key-of-low'
};
const closing = [];
after(() => Promise.all(closing.map((close) => close())));

/** A provider whose answers come when the test says so; `order` has the texts it was asked, as they came. */
async function held() {
  const order = [];
  const open = [];
  const one = await provider((_, response, { body }) => {
    const { messages, stream } = JSON.parse(body);
    order.push(messages[0].content);
    open.push({ response, stream });
  });
  closing.push(one.close);
  const answer = () => {
    const { response, stream } = open.shift();
    if (stream)
      sse(response).end(chunkOf('yes') + finish);
    else
      response.end(answerOf('yes'));
    return performance.now();
  };
  return {...one, order, open, answer };
}

const gatewayOver = (url, limits, { more = {}, ...options } = {}) =>
    servedOver(closing, [url], { config: { limits, ...more }, ...options });

/** A request and when its answer was there. */
async function asked(url, text, more, options) {
  const response = await post(url, ask(text, more), options);
  await response.text();
  return { status: response.status, at: performance.now() };
}

const key = (name) => ({ headers: { authorization: `Bearer ${kKeys[name]}` } });
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const kClients = {
  clients: Object.entries(kKeys).map(([id, secret]) => ({ id, key_sha256: sha256(secret), priority: id }))
};

test('one at a time: the next starts within milliseconds of the end of the one before', async (t) => {
  const one = await held();
  const starts = [];
  const ends = [];
  const { url } = await gatewayOver(one.url, { concurrency: 1 }, {
    onRecord: () => ends.push(performance.now()),
    fetch(target, init) {
      starts.push(performance.now());
      return fetch(target, init);
    },
  });
  for (const stream of [true, false]) {
    const flow = [asked(url, 'first', { stream })];
    await until(() => one.open.length === 1);
    for (const text of ['second', 'third', 'fourth']) {
      flow.push(asked(url, text, { stream }));
      await pause(40); // a waiter's own timer looks again each 250 ms: none of them is near
    }
    assert.equal(one.open.length, 1);
    for (let i = 0; i < 4; ++i) {
      await until(() => one.open.length === 1);
      one.answer();
    }
    assert.deepEqual((await Promise.all(flow)).map(({ status }) => status), [200, 200, 200, 200]);
    assert.deepEqual(one.order.splice(0), ['first', 'second', 'third', 'fourth']);
  }
  await until(() => ends.length === 8);
  const waits = [1, 2, 3, 5, 6, 7].map((i) => starts[i] - ends[i - 1]).sort((a, b) => a - b);
  t.diagnostic(`after ${waits.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  assert.ok(waits[3] < 10, `${waits}`); // a busy machine may hold up one or two
});

test('who has the higher priority goes first, inside a class who came first', async () => {
  const one = await held();
  const { url } = await gatewayOver(one.url, { concurrency: 1 }, { more: kClients });
  const flow = [asked(url, 'first', {}, key('low'))];
  await until(() => one.open.length === 1);
  const come = async (text, name, headers = {}) => {
    flow.push(asked(url, text, {}, { headers: {...key(name).headers, ...headers } }));
    await pause(30);
  };
  await come('low 1', 'low');
  await come('high 1', 'high');
  await come('low 2', 'low');
  await come('lowered', 'high', { 'x-shunt-priority': 'low' });
  await come('high 2', 'high');
  await come('not raised', 'low', { 'x-shunt-priority': 'high' });
  for (let i = 0; i < 7; ++i) {
    await until(() => one.open.length === 1);
    one.answer();
  }
  await Promise.all(flow);
  assert.deepEqual(one.order, ['first', 'high 1', 'high 2', 'low 1', 'low 2', 'lowered', 'not raised']);
});

test('a client that leaves while it waits is asked of nobody, and keeps nobody waiting', async () => {
  const one = await held();
  const { url, records } = await gatewayOver(one.url, { concurrency: 1 });
  const first = asked(url, 'first');
  await until(() => one.open.length === 1);
  const leave = new AbortController();
  const second = post(url, ask('second'), { signal: leave.signal });
  second.catch(() => {});
  await pause(50);
  const third = asked(url, 'third');
  await pause(50);
  leave.abort();
  await until(() => records.length === 1);
  assert.equal(records[0].result, 'client_gone');
  assert.deepEqual(records[0].attempts, []);
  one.answer();
  await until(() => one.open.length === 1, 200);
  one.answer();
  assert.deepEqual([(await first).status, (await third).status], [200, 200]);
  assert.deepEqual(one.order, ['first', 'third']);
});

test('the one that has the slot leaves: the next is woken', async () => {
  const one = await held();
  const { url } = await gatewayOver(one.url, { concurrency: 1 });
  const leave = new AbortController();
  const first = post(url, ask('first'), { signal: leave.signal });
  first.catch(() => {});
  await until(() => one.open.length === 1);
  const second = asked(url, 'second');
  await pause(50);
  one.open.length = 0;
  leave.abort();
  await until(() => one.open.length === 1, 200);
  one.answer();
  assert.equal((await second).status, 200);
});

test('close waits for those who wait: each still gets its turn, and nobody else is taken', async () => {
  const one = await held();
  const { gateway, url } = await gatewayOver(one.url, { concurrency: 1 });
  const flow = [asked(url, 'first')];
  await until(() => one.open.length === 1);
  flow.push(asked(url, 'second'), asked(url, 'third'));
  await pause(50);
  let closed = false;
  const closes = gateway.close().then(() => (closed = true));
  assert.equal((await asked(url, 'late')).status, 503);
  for (let i = 0; i < 3; ++i) {
    await until(() => one.open.length === 1);
    assert.equal(closed, false);
    one.answer();
  }
  assert.deepEqual((await Promise.all(flow)).map(({ status }) => status), [200, 200, 200]);
  await closes;
  assert.deepEqual(one.order.toSorted(), ['first', 'second', 'third']);
});

test('a full queue answers 429 at once, and who has waited as long as allowed is told', async () => {
  const one = await held();
  const { url } = await gatewayOver(one.url, { concurrency: 1, queue: { size: 1, max_wait_ms: 300 } });
  const first = asked(url, 'first');
  await until(() => one.open.length === 1);
  const waits = post(url, ask('second'));
  await pause(30);
  const refused = await post(url, ask('third'));
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  const began = performance.now();
  assert.equal((await waits).status, 429);
  assert.ok(performance.now() - began < 1000);
  one.answer();
  assert.equal((await first).status, 200);
  assert.deepEqual(one.order, ['first']);
});

test('after a trap nobody waits for a slot that its lost core had given', async () => {
  const one = await held();
  const faults = [];
  const { gateway, url } = await gatewayOver(one.url, { concurrency: 1 }, { onFault: (e) => faults.push(e) });
  const lost = ['first', 'second'].map((text) => asked(url, text).catch(() => ({ status: 'broken' })));
  await until(() => one.open.length === 1);
  await pause(50);
  const { core } = gateway;
  const culprit = core.open({ low: 1, high: 1 });
  assert.throws(() => core.poll(culprit, performance.timeOrigin, { op: 'attempt_broke', a: 99 }));
  assert.equal(faults.length, 1);
  one.open.length = 0;
  const flow = ['third', 'fourth'].map((text) => asked(url, text)); // their handles have ids of the lost ones
  for (let i = 0; i < 2; ++i) {
    await until(() => one.open.length === 1, 200);
    one.answer();
  }
  assert.deepEqual((await Promise.all(flow)).map(({ status }) => status), [200, 200]);
  assert.equal((await lost[1]).status, 502);
});

test(
    'a store that hangs, fails or lies about quotas leaves the limit to this isolate, within 50 ms',
    async (t) => {
      const [one] = [await provider((_, response) => response.end(answerOf('yes')))];
      closing.push(one.close);
      const [web] = kClients.clients;
      const more = { state: { store: 'durable_object' }, clients: [{...web, limits: { rpm: 100 } }] };
      for (const trouble of [{ hangs: 1 }, { fails: 1 }, { garbage: 1 }]) {
        const faults = [];
        const { url } = await gatewayOver(one.url, undefined, {
          more,
          store: flawedStore(memoryStore(), trouble),
          onFault: (error) => faults.push(error.message),
        });
        const began = performance.now();
        const answers = await Promise.all(
            Array.from({ length: 20 }, () => asked(url, 'hi', { stream: false }, key('high'))));
        const took = performance.now() - began;
        const served = answers.filter(({ status }) => status === 200).length;
        t.diagnostic(
            `${JSON.stringify(trouble)}: ${served} of 20 served, all answered in ${took.toFixed(0)} ms`);
        assert.ok(answers.every(({ status }) => status === 200 || status === 429));
        assert.ok(served >= 10 && served <= 13, `${served}: a burst of 10, and what is refilled meanwhile`);
        assert.ok(took < 1500, `${took} ms`);
        if (!trouble.hangs) assert.match(faults.join('\n'), /^the store does not answer/);
      }
    });

// ---- a trace of it ----

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env.SHUNT_BUILD ?? join(root, 'build');

/** What is recorded, with every effect behind its input, as `shunt replay --verify` reads it. */
function withEffects({ gateway, lines }) {
  const { core } = gateway;
  const poll = core.poll.bind(core);
  core.poll = (handle, now, input) => {
    const effects = poll(handle, now, input);
    for (const { op, stream, a, b, t, payload } of effects)
      lines.push(JSON.stringify({ x: handle.number, op, stream, a, b, t, p64: toBase64(payload) }));
    return effects;
  };
}

test('a trace of waiting, waking and shared quotas replays with the same effects', async (t) => {
  const one = await held();
  const lines = [];
  const [web] = kClients.clients;
  const more = {
    state: { store: 'durable_object' },
    clients: [{...web, limits: { rpm: 60 } }],
  };
  const { gateway, url } = await gatewayOver(
      one.url,
      { concurrency: 1 },
      { more, store: memoryStore(), record: (line) => lines.push(line) },
  );
  withEffects({ gateway, lines });
  // A burst of 6 is what the quota holds: the rest is refused.
  const flow = Array.from({ length: 9 }, (_, i) => asked(url, `${i}`, { stream: i % 2 > 0 }, key('high')));
  let over = false;
  Promise.all(flow).then(() => (over = true));
  await pause(400); // those who wait look again by their own timers
  while (!over) {
    if (one.open.length > 0) one.answer();
    await pause(5);
  }
  const statuses = (await Promise.all(flow)).map(({ status }) => status);
  assert.ok(statuses.filter((status) => status === 200).length >= 6, `${statuses}`);
  assert.ok(statuses.includes(429), `${statuses}`);
  await gateway.close();
  const said = (op) => lines.filter((line) => JSON.parse(line).op === op).length;
  for (const op of ['store_take', 'wake', 'woken', 'timer_fired', 'store_answered'])
    assert.ok(said(op) > 0, `no ${op} in the trace`);
  const text = lines.map((line) => `${line}\n`).join('');
  const shunt = join(built, 'native/shunt');
  const replay = (...words) => spawnSync(shunt, ['replay', ...words], { input: text, encoding: 'utf8' });
  const { status, stdout, stderr } = replay('--verify');
  assert.equal(status, 0, `${stdout}${stderr}`);
  const compared = Number(/effects compared: (\d+)/.exec(stdout + stderr)?.[1]);
  t.diagnostic(`${compared} effects`);
  assert.ok(compared > 100);
  const log = effect_log(await instantiate(wasm), text);
  assert.equal(log, replay('--effects').stdout);
});
