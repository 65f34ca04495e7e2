// One health among isolates, in real workerd: two Worker services over one Durable Object or one KV
// namespace, with a store in every kind of trouble. What the providers were asked, and by whom, is the proof.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, describe, test} from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {until} from '../bindings/support.mjs';
import {startIsolates} from './support/isolates.mjs';
import {askOnce, linesFor, markOf, now, operate, traffic} from './support/traffic.mjs';

const kMarks = ['1', '2'];
const kWait = {
  name: 'limited_seconds',
  wait_s: 60
};
// Beside what the store itself takes: a call to it, and two seconds' worth of a busy machine.
const kSlackMs = 700;

const closing = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

/** Two lines behind two isolates. */
async function world({ state, line, more, ...options }) {
  const lines = await linesFor(['a', 'b'], { state, line, more });
  const isolates = await startIsolates({...lines, ...options });
  closing.push(lines.close, isolates.close);
  return {...lines.providers, ...isolates };
}

const both = (urls) => {
  const flows = urls.map((url, i) => traffic(url, kMarks[i]));
  closing.push(...flows.map(({ stop }) => () => stop().catch(() => {}))); // a test may fail in mid-traffic
  return { stop: async () => (await Promise.all(flows.map((flow) => flow.stop()))).flat() };
};

const all_answered = (answers) => {
  assert.ok(answers.length > 0);
  for (const { status, text, ms } of answers)
    assert.ok(status === 200 && ms < 1900, `${status} ${ms} ${text}`);
};

/**
 * Both carry traffic; line a then states a wait to one of them. Returns {answers, after_ms}: how long after
 * that a was last asked by the other.
 */
async function learnt({ urls, a }, { watch_ms, before = () => {} }) {
  const flow = both(urls);
  await until(() => kMarks.every((mark) => a.calls.some((call) => markOf(call) === mark)), 5000);
  before();
  a.next(kWait);
  const limited = () => a.calls.find(({ played }) => played === kWait.name);
  await until(limited);
  await pause(watch_ms);
  const answers = await flow.stop();
  const learner = markOf(limited());
  const last = a.calls.filter((call) => markOf(call) !== learner).at(-1).at;
  const others = answers.filter(({ at }) => at > limited().at + watch_ms - 1000);
  assert.ok(others.length >= 2 * 5, `${others.length} requests in the last second`);
  const own = a.calls.filter((call) => markOf(call) === learner).at(-1).at;
  assert.ok(own - limited().at < 300, `its own isolate still asked after ${own - limited().at} ms`);
  return { answers, after_ms: last - limited().at };
}

test('a cooldown that one isolate learnt is honoured by the other within 2 s: Durable Object', async (t) => {
  const shared = await world({ state: { store: 'durable_object' }, bindings: ['durable_object'] });
  const { answers, after_ms } = await learnt(shared, { watch_ms: 3500 });
  t.diagnostic(`after ${Math.round(after_ms)} ms`);
  all_answered(answers);
  assert.ok(after_ms < 2000, `${after_ms} ms`);
});

describe('KV with flaws in front', () => {
  const flaws = {};
  const become = (next) => {
    for (const name of Object.keys(flaws)) delete flaws[name];
    Object.assign(flaws, next);
  };
  const state = { store: 'kv', refresh_ms: 1000, staleness_ms: 3000 };
  const start = () => world({ state, flaws, bindings: ['kv'] });

  test('a cooldown is known within the lag and one refresh', async (t) => {
    become({ lag_ms: 3000, least_gap_ms: 1000 });
    const { answers, after_ms } = await learnt(await start(), { watch_ms: 6000 });
    t.diagnostic(`after ${Math.round(after_ms)} ms`);
    all_answered(answers);
    assert.ok(after_ms < 3000 + 1000 + kSlackMs, `${after_ms} ms`);
  });

  test('lost, doubled and overtaken writes, failures and garbage only delay the news', async () => {
    become({
      seed: 5,
      lost: 0.4,
      doubled: 0.3,
      reordered: 0.3,
      overtaken_ms: 500,
      least_gap_ms: 1000,
      fails: 0.1,
      garbage: 0.1,
      slow_ms: 100,
    });
    const { answers, after_ms } = await learnt(await start(), { watch_ms: 9000 });
    all_answered(answers);
    assert.ok(after_ms < 8000, `${after_ms} ms`);
  });

  test('a store that fails, hangs, crawls or talks garbage in mid-traffic loses no request', async () => {
    become({});
    const { urls, a, log } = await start();
    const flow = both(urls);
    for (const trouble of [{ fails: 1 }, { hangs: 1 }, { slow_ms: 6000 }, { garbage: 1 }]) {
      await pause(500);
      become(trouble);
      a.next('error_500', { name: 'limited_seconds', wait_s: 1 });
      await pause(1500);
    }
    become({});
    await pause(2500);
    all_answered(await flow.stop());
    assert.match(log(), /the store does not answer/);
    assert.match(log(), /the store answers again/);
    assert.doesNotMatch(log(), /RuntimeError|unreachable/);
  });

  test('what somebody else wrote under the key is thrown away', async () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 131) % 256);
    const shared = await world({ state, bindings: ['kv'] });
    const kv = await shared.kv();
    for (const each of [bytes, bytes.subarray(0, 0), new TextEncoder().encode('SHR1 and more')]) {
      await kv.put('shunt/health/default', each);
      all_answered([await askOnce(shared.urls[0]), await askOnce(shared.urls[1])]);
      await pause(1100);
    }
    const { answers, after_ms } = await learnt(shared, { watch_ms: 3000 });
    all_answered(answers);
    assert.ok(after_ms < 2000 + kSlackMs, `${after_ms} ms`);
    assert.doesNotMatch(shared.log(), /RuntimeError|unreachable/);
  });
});

for (const [store, state] of Object.entries({
       durable_object: { refresh_ms: 500 },
       kv: { refresh_ms: 500, staleness_ms: 1000 },
     })) {
  test(`a latched line stays out over a restart until one reset: ${store}`, async () => {
    const persist = mkdtempSync(join(tmpdir(), 'shunt-state-'));
    closing.push(() => rmSync(persist, { recursive: true }));
    const lines = await linesFor(['a', 'b'], {
      state: { store, ...state },
      line: { breaker: { preset: 'latched' } },
    });
    const { a } = lines.providers;
    closing.push(lines.close);
    a.next('error_500', 'error_500', 'error_500');
    const first = await startIsolates({...lines, persist });
    for (let i = 0; i < 3; ++i) assert.equal((await askOnce(first.urls[0], '1')).line, 'b');
    assert.equal(a.calls.length, 3);
    await pause(1500);
    await first.close();

    const second = await startIsolates({...lines, persist });
    closing.push(second.close);
    for (const url of second.urls) await (await fetch(`${url}/healthz`)).text();
    await pause(500); // no request waits for the store, so the first may come before its answer
    const before = both(second.urls);
    await pause(1500);
    const answers = await before.stop();
    all_answered(answers);
    assert.ok(answers.every(({ line }) => line === 'b'));
    assert.equal(a.calls.length, 3);

    const flow = both(second.urls);
    const reset = await operate(second.urls[1], '/admin/providers/a/reset');
    const at = now();
    assert.equal(reset.status, 200, JSON.stringify(reset.body));
    await until(
        () => kMarks.every((mark) => a.calls.some((call) => markOf(call) === mark && call.at > at)), 4000);
    all_answered(await flow.stop());
  });
}

test('a cron trigger hears of a line that is out, asks it, and all learn that it is well', async () => {
  const { urls, a, tick } = await world({
    state: { store: 'durable_object' },
    more: { active_checks: { every_s: 1, per_hour: 100 } },
  });
  a.next('error_500', 'error_500', 'error_500');
  for (let i = 0; i < 4; ++i) assert.equal((await askOnce(urls[0], '1')).line, 'b');
  assert.equal(a.calls.length, 3);
  await pause(1500);
  // Who holds no lease probes by lot, one time in eight.
  for (let i = 0; i < 100 && a.calls.length === 3; ++i) {
    tick('two').catch(() => {});
    await pause(40);
  }
  const [, , , asked] = a.calls;
  assert.equal(asked?.body.max_tokens, 1);
  assert.deepEqual(asked.body.messages, [{ role: 'user', content: 'ping' }]);
  const flow = both(urls);
  await until(() => kMarks.every((mark) => a.calls.slice(3).some((call) => markOf(call) === mark)), 4000);
  all_answered(await flow.stop());
});

test('a store without its binding is told with what to add, and the gateway works on memory', async () => {
  const alone = await world({ state: { store: 'kv' }, names: ['alone'], bindings: [] });
  assert.equal((await askOnce(alone.urls[0])).line, 'a');
  await until(() => alone.log().includes('[[kv_namespaces]]'));
  const { body } = await operate(alone.urls[0], '/admin/providers', { method: 'GET' });
  assert.equal(body.isolate_only, true);
});
