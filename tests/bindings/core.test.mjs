// The boundary from the host's side: records in and out, growth, faults of the configuration, and life
// after a trap.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ConfigError, ExchangeLost, bytesOf, createCore, readAttempt, textOf,} from '../../host-bindings/core.mjs';
import {ask, chunkOf, configOf, finish, wasm} from './support.mjs';

const kUrls = ['http://127.0.0.1:1/v1', 'http://127.0.0.1:2/v1'];
const kSeed = {
  low: 7,
  high: 9
};
const kWall = 1_800_000_000_000;

function configured(options, more) {
  const core = createCore(wasm, options);
  core.configure(JSON.stringify(configOf(kUrls, more)));
  return core;
}

/** An exchange whose request has been taken in; `effects` is what the last input led to. */
function begun(core, now = 1000, body = ask('hi')) {
  const handle = core.open(kSeed);
  const tell = (op, fields) => core.poll(handle, now, { op, ...fields });
  tell('request_arrived', { t: kWall + now, payload: bytesOf('POST\n/v1/chat/completions\n\n') });
  tell('request_bytes', { payload: bytesOf(body) });
  return { handle, tell, effects: tell('request_ended') };
}

const of = (effects, op) => effects.find((effect) => effect.op === op);
const json_head = {
  stream: 1,
  a: 200,
  payload: bytesOf('content-type: text/event-stream\n')
};

test('a request becomes an attempt with URL, headers and pieces of the body', () => {
  const { effects } = begun(configured());
  const start = of(effects, 'start_attempt');
  assert.deepEqual([start.stream, start.a, start.b], [1, 0, 0]);
  const { url, headers, pieces, more } = readAttempt(start.payload);
  assert.equal(url, `${kUrls[0]}/chat/completions`);
  assert.match(headers, /^content-type: application\/json$/m);
  assert.ok(pieces.some(({ bytes }) => bytes && textOf(bytes).includes('model-0')));
  assert.ok(
      pieces.some(({ length }) => length > 0),
      'what the client wrote is named by range',
  );
  assert.equal(more, false);
  assert.equal(effects.at(-1).op, 'timer');
  assert.ok(Number.isFinite(effects.at(-1).t));
});

test('every fault of the configuration is told with its place', () => {
  const core = createCore(wasm);
  const text = '{\n  "providers": { "p": { "preset": "openai", "keyz": ["K"] } },\n  "deploymnts": [] }';
  assert.throws(
      () => core.configure(text),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, /keyz/);
        assert.match(error.message, /:2:\d+: found/);
        assert.match(error.message, /did you mean .*deployments/);
        assert.ok(error.faults.length >= 2);
        return true;
      },
  );
  core.configure(JSON.stringify(configOf(kUrls))); // a corrected one is taken
});

test('an unchanged chunk is forwarded as the host gave it, without a copy', () => {
  const { tell } = begun(configured());
  tell('head_arrived', json_head);
  const chunk = bytesOf(chunkOf('one'));
  tell('bytes_arrived', { stream: 1, payload: chunk });
  const next = bytesOf(chunkOf('two'));
  const sent = of(tell('bytes_arrived', { stream: 1, payload: next }), 'send_bytes');
  assert.equal(sent.a, 1);
  assert.equal(sent.payload.buffer, next.buffer);
  assert.equal(textOf(sent.payload), chunkOf('two'));
});

test('a closed exchange cannot be polled', () => {
  const core = configured();
  const { handle, tell } = begun(core);
  core.close(handle);
  assert.throws(() => tell('timer_fired'), ExchangeLost);
  core.close(handle); // again: ignored
});

test('memory may grow in mid-stream: views are made anew', () => {
  const core = configured();
  const { tell } = begun(core);
  tell('head_arrived', json_head);
  const before = core.memory().reserved;
  const text = [];
  const relay = (word) => {
    const sent = of(
        tell('bytes_arrived', { stream: 1, payload: bytesOf(chunkOf(word)) }),
        'send_bytes',
    );
    text.push(textOf(sent.payload));
  };
  relay('before');
  // Many nodes, each kept in the core's index of the body: this is what grows.
  const messages = Array.from({ length: 9000 }, (_, i) => ({ role: 'user', content: `word ${i}` }));
  begun(core, 1001, ask('', { messages }));
  assert.ok(core.memory().reserved > before, 'memory has grown');
  relay('after');
  assert.deepEqual(
      text.map((each) => /"content":"(\w+)"/.exec(each)[1]),
      ['before', 'after'],
  );
});

test('a payload above 64 KB is fed in slices and comes out whole', () => {
  const { tell } = begun(configured());
  tell('head_arrived', json_head);
  const words = Array.from({ length: 3000 }, (_, i) => chunkOf(`word ${i}`)).join('');
  const effects = tell('bytes_arrived', { stream: 1, payload: bytesOf(words) });
  const sent = effects.filter(({ op }) => op === 'send_bytes').map(({ payload }) => textOf(payload));
  assert.equal(sent.join(''), words);
});

test('after a trap each request in flight ends at its own next event, and health is kept', () => {
  const traps = [];
  const core = configured({ onTrap: (error) => traps.push(error) });
  // The first line refuses its key: it is latched, which is health worth keeping.
  const first = begun(core);
  first.tell('head_arrived', {
    stream: 1,
    a: 401,
    payload: bytesOf('content-type: application/json\n'),
  });
  const error = '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}';
  first.tell('bytes_arrived', { stream: 1, payload: bytesOf(error) });
  const moved = first.tell('attempt_ended', { stream: 1 });
  assert.equal(of(moved, 'start_attempt').a, 1, 'the second line was asked instead');

  const bystander = begun(core);
  const culprit = begun(core);
  assert.throws(() => culprit.tell('attempt_broke', { stream: 1, a: 99 }), ExchangeLost);
  assert.equal(traps.length, 1);
  assert.ok(traps[0] instanceof WebAssembly.RuntimeError);
  assert.throws(() => bystander.tell('timer_fired'), ExchangeLost);
  assert.throws(() => culprit.tell('timer_fired'), ExchangeLost);
  assert.equal(traps.length, 1, 'nobody else traps');
  core.close(bystander.handle); // a handle of the lost instance: ignored

  const next = begun(core, 1100);
  assert.equal(of(next.effects, 'start_attempt').a, 1, 'the latched line is still out');
});

test('a snapshot carries health to another core; garbage is refused', () => {
  const core = configured();
  const { tell } = begun(core);
  tell('head_arrived', { stream: 1, a: 401, payload: bytesOf('') });
  tell('attempt_ended', { stream: 1 });
  const bytes = core.snapshot(2000, kWall + 2000);
  const other = configured();
  assert.equal(other.load(bytesOf('garbage'), 5, kWall + 2000), false);
  assert.equal(other.load(bytes, 5, kWall + 2000), true);
  assert.deepEqual(core.plan(0, 1, 2000), [{ deployment: 1, slot: 0 }]);
  assert.deepEqual(other.plan(0, 1, 5), [{ deployment: 1, slot: 0 }]);
});

test('a recorded trace replays to the same effects', () => {
  const lines = [];
  const core = configured({ record: (line) => lines.push(line) });
  const { handle, tell, effects } = begun(core, 1000, ask('a lone \ud83d\ude00 and 中文'));
  const seen = [...effects, ...tell('head_arrived', json_head)];
  // A character split between two chunks: its bytes are no UTF-8 by themselves.
  const bytes = bytesOf(chunkOf('中') + finish);
  const cut = bytes.findIndex((byte) => byte > 0x7f) + 1;
  seen.push(...tell('bytes_arrived', { stream: 1, payload: bytes.subarray(0, cut) }));
  seen.push(...tell('bytes_arrived', { stream: 1, payload: bytes.subarray(cut) }));
  core.close(handle);

  const rows = lines.map((line) => JSON.parse(line));
  assert.equal(rows[0].trace, 'shunt-trace/1');
  assert.deepEqual(rows[1], { x: 1, open: { seed: '0000000900000007' } });
  assert.deepEqual(rows.at(-1), { x: 1, close: true });
  const again = createCore(wasm);
  again.configure(JSON.stringify(rows[0].config));
  const replayed = again.open(kSeed);
  const got = rows.filter(({ op }) => op).flatMap(({ now, p = '', p64, ...input }) => {
    const payload = p64 ? new Uint8Array(Buffer.from(p64, 'base64')) : bytesOf(p);
    const all = again.poll(replayed, now, {...input, payload });
    return input.op.startsWith('request_') && input.op !== 'request_ended' ? [] : all;
  });
  assert.deepEqual(got, seen);
});
