// The engine's own work over a core that is played: one upkeep at a time, its questions answered by the
// store, nothing that waits for it, and what a vanished one leaves.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {kinds} from '../../host-bindings/core.mjs';
import {Keeper} from '../../host-bindings/stores/keeper.mjs';
import {memoryStore} from '../../host-bindings/stores/memory.mjs';
import {bytesOf, textOf} from '../../host-bindings/core.mjs';
import {Upkeep} from '../../host-bindings/upkeep.mjs';
import {pause, until} from './support.mjs';

const kKey = bytesOf('shunt/health/default');

/**
 * A core whose exchanges do what `effects` says (undefined = they are over) and that wants upkeep when
 * `wants` says so. `heard`: every input, in order.
 */
function played({ effects, wants = () => false }) {
  const heard = [];
  const open = new Set();
  return {
    heard,
    open_now: open,
    open(_, kind) {
      const handle = { kind, finished: false, upkeep: false };
      open.add(handle);
      return handle;
    },
    poll(handle, now, input) {
      heard.push({ kind: handle.kind, ...input });
      const said = effects(handle, input, now);
      handle.finished = said === undefined;
      handle.upkeep = wants(handle);
      return said ?? [];
    },
    close: (handle) => open.delete(handle),
  };
}

function upkeepOver(core, { store = memoryStore(), now = () => performance.now() } = {}) {
  const host = { core, now, wall: () => 1e12, asleep: new Map(), onFault() {}, lines: [], env: {} };
  host.store = new Keeper(store, host.onFault);
  host.upkeep = new Upkeep(host);
  return host.upkeep;
}

const ask = {
  op: 'store_get',
  stream: 1,
  payload: kKey
};
const reads = (_, { op }) => (op === 'started' ? [ask, { op: 'timer', t: Infinity }] : undefined);

test('an upkeep asks the store and ends, and does not lead to the next', async () => {
  const store = memoryStore();
  store.put(textOf(kKey), bytesOf('what is known'));
  const core = played({ effects: reads, wants: () => true });
  const upkeep = upkeepOver(core, { store });
  await new Promise((resolve) => upkeep.wanted((over) => over.then(resolve)));
  assert.deepEqual(core.heard.map(({ kind, op }) => `${kind} ${op}`), [
    'upkeep started',
    'upkeep store_answered',
  ]);
  assert.equal(core.heard[0].t, 1e12);
  assert.equal(textOf(core.heard[1].payload), 'what is known');
  assert.equal(core.open_now.size, 0);
});

test('a timer wakes it while the store is silent', async () => {
  const core = played({
    effects: (_, { op }) => op === 'started' ? [ask, { op: 'timer', t: performance.now() + 30 }] : undefined,
  });
  const upkeep = upkeepOver(core, { store: {...memoryStore(), get: () => new Promise(() => {}) } });
  await new Promise((resolve) => upkeep.wanted((over) => over.then(resolve)));
  assert.equal(core.heard.at(-1).op, 'timer_fired');
});

test('one that vanished is given up for the next, and what still comes of it is not heard', async () => {
  let answer;
  const silent = {...memoryStore(), get: () => new Promise((resolve) => (answer ??= resolve)) };
  const core = played({ effects: reads });
  const upkeep = upkeepOver(core, { store: silent });
  upkeep.wanted(() => {});
  upkeep.wanted(() => {});
  assert.equal(core.heard.length, 2);
  assert.equal(core.open_now.size, 1);
  answer(undefined);
  await pause(10);
  assert.equal(core.heard.length, 2);
  upkeep.stop();
  assert.equal(core.open_now.size, 0);
  upkeep.wanted(() => {});
  await upkeep.turn(() => {});
  assert.equal(core.heard.length, 2);
});

test('news wakes the one that is open, and is kept alive by who brought it', async () => {
  const core = played({ effects: () => [{ op: 'timer', t: Infinity }] });
  const upkeep = upkeepOver(core);
  upkeep.news(() => assert.fail('none is open'));
  const kept = [];
  upkeep.wanted((over) => kept.push(over));
  upkeep.news((over) => kept.push(over));
  assert.deepEqual(core.heard.map(({ op }) => op), ['started', 'started']);
  assert.equal(core.open_now.size, 1);
  assert.equal(kept[0], kept[1]);
  upkeep.stop();
  await kept[0];
});

test('by the clock: upkeep first, then the lines that are out; what a probe finds is told', async () => {
  const core = played({ effects: reads, wants: ({ kind }) => kind === 'probe' });
  const upkeep = upkeepOver(core);
  await upkeep.turn(() => {});
  await until(() => core.open_now.size === 0);
  const kinds_heard = core.heard.filter(({ op }) => op === 'started').map(({ kind }) => kind);
  assert.deepEqual(kinds_heard, ['upkeep', 'probe', 'upkeep', 'upkeep']);
});

test('a core without room, or one that fails, harms nobody', async () => {
  const full = upkeepOver({ open: () => undefined });
  full.wanted(() => {});
  const faulty = upkeepOver({
    open: () => ({}),
    poll: () => {
      throw new Error('a fault');
    },
    close() {},
  });
  faulty.wanted(() => {});
  await faulty.turn(() => {});
});
