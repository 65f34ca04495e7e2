// Requests that wait for a slot, in real workerd, where nobody may touch another request's streams, calls and
// timers: each is woken by the end of the one before it, in order of priority.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {connect} from 'node:net';
import {after, before, test} from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {startWorker} from '../../scripts/lib/worker.mjs';
import {createProvider} from '../providers/server.mjs';
import {provider_config} from './support/lines.mjs';
import {now} from './support/traffic.mjs';

const kPriorities = ['low', 'normal', 'high'];
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

let one;
let worker;
before(async () => {
  one = await createProvider();
  worker = await startWorker({
    config: {
      providers: { p: provider_config(one, ['KEY']) },
      deployments: [{ id: 'a', provider: 'p', model: 'm' }],
      routes: { chat: { deployments: ['a'] } },
      limits: { concurrency: 1 },
      clients: kPriorities.map((id) => ({ id, key_sha256: sha256(id), priority: id })),
    },
    env: { KEY: 'sk' },
  });
});
after(async () => {
  await worker?.close();
  await one?.close();
});

const body_of = (name, stream) =>
    JSON.stringify({ model: 'chat', stream, messages: [{ role: 'user', content: name }] });

/** One request of a client, whose text names it; {status, text, at}: when its answer was whole. */
async function request(client, name, { stream = true } = {}) {
  const response = await fetch(`${worker.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client}` },
    body: body_of(name, stream),
  });
  return { status: response.status, text: await response.text(), at: now() };
}

/** The same on a connection that can be reset, which the runtime hears of at once. */
function leaver(client, name) {
  const { hostname, port } = new URL(worker.url);
  const body = body_of(name, true);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${client}`;
  socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return socket;
}

const names = () => one.calls.map(({ body }) => body.messages[0].content);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

for (const stream of [true, false]) {
  const kind = stream ? 'streams' : 'plain answers';
  test(
      `five at once, one at a time: all are answered, the highest first, each at once: ${kind}`,
      async (t) => {
        one.calls.length = 0;
        one.script({ name: 'late_head', ms: 300 });
        const flow = [request('low', 'first', { stream })];
        assert.ok(await one.until((calls) => calls.length === 1));
        for (const [client, name] of [
                 ['low', 'low'], ['normal', 'normal'], ['high', 'high 1'], ['high', 'high 2']]) {
          flow.push(request(client, name, { stream }));
          await pause(40);
        }
        const answers = await Promise.all(flow);
        assert.ok(answers.every(({ status }) => status === 200), JSON.stringify(answers));
        assert.deepEqual(names(), ['first', 'high 1', 'high 2', 'normal', 'low']);
        const gaps = one.calls.slice(1).map(({ at }, i) => at - one.calls[i].ended_at);
        t.diagnostic(
            `begun ${gaps.map((ms) => ms.toFixed(1)).join(', ')} ms after the end of the one before`);
        assert.ok(gaps.every((ms) => ms > -5), `two at a time: ${gaps}`);
        // A waiter's own timer looks again each 250 ms: a median far below it is no chance. Over real
        // sockets, and a machine that has more to do.
        assert.ok(median(gaps) < 110, `${gaps}`);
      });
}

test('a waiter whose client leaves, and one who leaves with the slot, keep nobody waiting', async () => {
  one.calls.length = 0;
  one.script({ name: 'late_head', ms: 400 });
  const first = leaver('low', 'first');
  assert.ok(await one.until((calls) => calls.length === 1));
  const gone = leaver('high', 'gone');
  await pause(100);
  const last = request('low', 'last');
  await pause(100);
  gone.resetAndDestroy();
  await pause(20);
  first.resetAndDestroy();
  assert.equal((await last).status, 200);
  assert.deepEqual(names(), ['first', 'last']);
  assert.ok(one.calls[0].aborted);
});

test('a storm of waiters is served one by one, and the log of the runtime is clean', async () => {
  one.calls.length = 0;
  one.script('ok');
  const flow =
      Array.from({ length: 40 }, (_, i) => request(kPriorities[i % 3], `${i}`, { stream: i % 2 > 0 }));
  const answers = await Promise.all(flow);
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(one.calls.length, 40);
  const calls = one.calls.toSorted((a, b) => a.at - b.at);
  for (let i = 1; i < calls.length; ++i) assert.ok(calls[i].at >= calls[i - 1].ended_at - 5, 'two at a time');
  assert.doesNotMatch(worker.log(), /different request|never generate|hung|RuntimeError|Uncaught|Error:/);
});
