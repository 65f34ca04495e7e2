// The project's own recordings, fed to the WebAssembly core again: every exchange comes to one end, twice the
// same, byte for byte.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {test} from 'node:test';
import {createCore} from '../../host-bindings/core.mjs';
import {wasmFile} from '../../host-bindings/node/index.mjs';
import {behaviours} from '../providers/behaviours.mjs';

const kDirectory = new URL('../traces/', import.meta.url);
const wasm = new WebAssembly.Module(readFileSync(wasmFile()));
const kWaiting = 'waiting.jsonl'; // requests that wait for each other
const names = readdirSync(kDirectory).filter((name) => name.endsWith('.jsonl') && name !== kWaiting);

/** Effects of every exchange, in order: x -> [{op, stream, a, b, t, payload}]. */
function replay(trace) {
  const [header, ...lines] = trace.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  assert.equal(header.trace, 'shunt-trace/1');
  const core = createCore(wasm);
  core.configure(JSON.stringify(header.config));
  const handles = new Map();
  const effects = new Map();
  for (const { x, now, open, close, p, p64, ...input } of lines) {
    if (open) {
      const seed = BigInt(`0x${open.seed}`);
      handles.set(x, core.open({ low: Number(seed & 0xffffffffn), high: Number(seed >> 32n) }, open.kind));
      effects.set(x, []);
    } else if (close) {
      core.close(handles.get(x));
    } else {
      const payload = p64 === undefined ? new TextEncoder().encode(p ?? '') : Buffer.from(p64, 'base64');
      effects.get(x).push(...core.poll(handles.get(x), now, {...input, payload }));
    }
  }
  return { handles, effects };
}

test('there is a recording of every behaviour in both dialects', () => {
  const wanted = ['anthropic', 'openai'].flatMap(
      (dialect) => Object.keys(behaviours).map((name) => `${dialect}.${name}.jsonl`));
  assert.deepEqual(names.toSorted?.() ?? [...names].sort(), wanted.sort());
});

for (const name of names) {
  test(`${name} comes to one end, twice the same`, () => {
    const trace = readFileSync(new URL(name, kDirectory), 'utf8');
    const { handles, effects } = replay(trace);
    assert.equal(effects.size, 2);
    for (const [x, list] of effects) {
      const count = (op) => list.filter((effect) => effect.op === op).length;
      assert.equal(count('send_head'), 1);
      assert.equal(count('send_end'), 1);
      assert.equal(count('emit') >= 1, true);
      assert.ok(handles.get(x).finished);
    }
    assert.deepEqual(replay(trace).effects, effects);
  });
}

test('requests that wait for each other, with a shared quota: all come to an end, twice the same', () => {
  const trace = readFileSync(new URL(kWaiting, kDirectory), 'utf8');
  const told = trace.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  for (const op of ['woken', 'store_answered', 'timer_fired'])
    assert.ok(told.some((line) => line.op === op), op);
  const { handles, effects } = replay(trace);
  const requests = told.filter(({ open }) => open && !open.kind).map(({ x }) => x);
  const statuses = requests.map((x) => {
    const list = effects.get(x);
    assert.equal(list.filter(({ op }) => op === 'send_end').length, 1);
    assert.ok(handles.get(x).finished);
    return list.find(({ op }) => op === 'send_head').a;
  });
  assert.ok(statuses.includes(200) && statuses.includes(429), `${statuses}`);
  const all = [...effects.values()].flat().map(({ op }) => op);
  for (const op of ['wake', 'store_take', 'store_get']) assert.ok(all.includes(op), op);
  assert.deepEqual(replay(trace).effects, effects);
});
