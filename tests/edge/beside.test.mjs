// Two calls at once for one request, in real workerd over real local providers: a hedge beside a line that is
// slow to begin, and the shadow of an answer, which nobody sees.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {startWorker} from '../../scripts/lib/worker.mjs';
import {createProvider} from '../providers/server.mjs';
import {provider_config} from './support/lines.mjs';
import {now} from './support/traffic.mjs';

const kSamples = 120; // of the time to first content; the core wants 100 before it hedges
const kShadowMs = 3000;
const kSecret = 'UNSEEN';

const lines = {};
let worker;
before(async () => {
  for (const name of ['a', 'b', 'main', 'shadow']) lines[name] = await createProvider();
  worker = await startWorker({
    config: {
      providers: Object.fromEntries(
          Object.entries(lines).map(([name, line]) => [`of-${name}`, provider_config(line, ['KEY'])])),
      deployments: Object.keys(lines).map((id) => ({ id, provider: `of-${id}`, model: `model-${id}` })),
      routes: {
        hedged: {
          deployments: [{ id: 'a', priority: 1 }, { id: 'b', priority: 2 }],
          hedge: { after: 'p95_ttft', budget: 0.5 }, // a busy machine has slow starts of its own
        },
        shadowed: { deployments: ['main'], shadow: { deployment: 'shadow', share: 1 } },
      },
    },
    env: { KEY: 'sk' },
  });
});
after(async () => {
  await worker?.close();
  await Promise.all(Object.values(lines).map((line) => line.close()));
});

/** {status, headers, text, ms}, on a connection of its own that ends with it. */
async function request(model, { stream = true, text = 'Who is there?' } = {}) {
  const at = now();
  const response = await fetch(`${worker.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { connection: 'close' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: text }] }),
  });
  const { status, headers } = response;
  return { status, headers, text: await response.text(), ms: now() - at };
}

const count = (name) => lines[name].calls.length;

test('a hedge wins: the answer is its own, and the slow one is aborted within 100 ms', async (t) => {
  for (let i = 0; i < kSamples; i += 4) await Promise.all(Array.from({ length: 4 }, () => request('hedged')));
  assert.equal(count('a'), kSamples);
  for (let round = 0; round < 2; ++round) {
    const [first, rival] = [count('a'), count('b')];
    lines.a.next({ name: 'late_head', ms: 5000, text: 'tardy' });
    lines.b.next({ name: 'ok', text: 'swift' });
    const answer = await request('hedged');
    assert.equal(answer.status, 200);
    assert.match(answer.text, /swift/);
    assert.doesNotMatch(answer.text, /tardy/);
    assert.equal(answer.headers.get('x-shunt-deployment'), 'b');
    assert.match(answer.headers.get('x-shunt-reason'), /^hedge after \d+ ms: a was slow to begin$/);
    assert.deepEqual([count('a'), count('b')], [first + 1, rival + 1]);
    const slow = lines.a.calls[first];
    const quick = lines.b.calls[rival];
    assert.ok(await lines.a.until(() => slow.aborted), 'the slow one was aborted');
    t.diagnostic(`asked ${(quick.at - slow.at).toFixed(1)} ms later, answered after ${
        answer.ms.toFixed(1)} ms, the slow one aborted ${
        (slow.aborted_at - quick.at).toFixed(1)} ms after the rival was asked`);
    assert.ok(slow.aborted_at - quick.at < 100, `${slow.aborted_at - quick.at} ms`);
    const { attempts, hedge_after_ms } =
        await worker.recorded((record) => record.id === answer.headers.get('x-shunt-request-id'));
    assert.ok(hedge_after_ms >= 1 && quick.at - slow.at >= hedge_after_ms - 20);
    assert.deepEqual(
        attempts.map(({ deployment, purpose, outcome }) => [deployment, purpose, outcome]),
        [['a', 'main', 'neutral'], ['b', 'hedge', 'success']]);
  }
});

test('the slow one answers first after all: the hedge is aborted', async () => {
  const [first, rival] = [count('a'), count('b')];
  const kLate = 1500; // later than any percentile of a busy machine
  lines.a.next({ name: 'late_head', ms: kLate, text: 'patience' });
  lines.b.next({ name: 'late_head', ms: 5000, text: 'tardy' });
  const answer = await request('hedged');
  assert.equal(answer.headers.get('x-shunt-deployment'), 'a');
  assert.deepEqual([count('a'), count('b')], [first + 1, rival + 1]);
  assert.ok(await lines.b.until(() => lines.b.calls[rival].aborted, 1000), 'the hedge was aborted');
  assert.ok(lines.b.calls[rival].aborted_at - lines.a.calls[first].at < kLate + 200);
});

for (const stream of [true, false]) {
  const kind = stream ? 'stream' : 'plain answer';
  test(`a shadow of 3 s delays nobody, is read to its end and told of: ${kind}`, async (t) => {
    const number = count('shadow');
    lines.shadow.next({ name: 'late_head', ms: kShadowMs, text: kSecret });
    const answer = await request('shadowed', { stream });
    const told = () => worker.records.filter(({ record }) => record === 'shunt-shadow/1');
    const before = told().length;
    t.diagnostic(`answered after ${answer.ms.toFixed(1)} ms`);
    assert.equal(answer.status, 200);
    assert.ok(answer.ms < 1000, `${answer.ms} ms`);
    assert.equal(answer.headers.get('x-shunt-deployment'), 'main');
    assert.ok(await lines.shadow.until((calls) => calls.length === number + 1));
    const call = lines.shadow.calls[number];
    assert.equal(call.ended_at, null, 'the client has its answer, the shadow has not ended');
    const id = answer.headers.get('x-shunt-request-id');
    const shadow = await worker.recorded(
        (record) => record.record === 'shunt-shadow/1' && record.id === id, kShadowMs + 3000);
    assert.ok(shadow, 'its record was told');
    assert.equal(told().length, before + 1);
    assert.ok(call.ended_at - call.at >= kShadowMs - 5 && !call.aborted, 'it was read to its end');
    assert.equal(JSON.stringify(shadow).includes(kSecret), false);
    assert.ok(!answer.text.includes(kSecret));
    const own = await worker.recorded((record) => record.record !== 'shunt-shadow/1' && record.id === id);
    assert.deepEqual(own.attempts.map(({ deployment }) => deployment), ['main']);
  });
}

test('a shadow that fails, and one that breaks, are told and seen by nobody', async () => {
  // Between the failures it does well, or its breaker opens and it is left alone.
  for (const name of ['error_500', 'ok', 'reset_mid', 'ok', 'reset_before_head', 'ok', 'error_first', 'ok']) {
    lines.shadow.next(name);
    const answer = await request('shadowed');
    assert.equal(answer.status, 200, name);
    const id = answer.headers.get('x-shunt-request-id');
    const shadow = await worker.recorded((record) => record.record === 'shunt-shadow/1' && record.id === id);
    const [, outcome] = /"outcome":"(\w+)"/.exec(JSON.stringify(shadow));
    assert.equal(outcome, name === 'ok' ? 'success' : 'failure', name);
  }
});

test('the log of the runtime is clean', () => {
  assert.doesNotMatch(worker.log(), /different request|never generate|RuntimeError|Uncaught|Error:/);
});
