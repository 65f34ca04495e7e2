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
const names = readdirSync(kDirectory).filter((name) => name.endsWith('.jsonl'));

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
