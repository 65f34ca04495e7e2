// Stores without a runtime of their own: memory, KV over a fake namespace, the flawed one, which of them a
// gateway takes, and how an effect of the core becomes an answer.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {boundStore} from '../../host-bindings/cloudflare/stores.mjs';
import {bytesOf, textOf} from '../../host-bindings/core.mjs';
import {chooseStore, withoutStore} from '../../host-bindings/stores/choose.mjs';
import {Keeper} from '../../host-bindings/stores/keeper.mjs';
import {kvStore} from '../../host-bindings/stores/kv.mjs';
import {memoryStore} from '../../host-bindings/stores/memory.mjs';
import {flawedStore} from '../edge/flawed_store.mjs';

const kKey = 'shunt/health/default';

/** A clock that a test turns. */
function clock() {
  let time = 1e12;
  return { now: () => time, pass: (ms) => (time += ms) };
}

/** What a KV binding does, and when it was written. */
function namespace() {
  const values = new Map();
  const written = [];
  return {
    written,
    async get(key, { type }) {
      assert.equal(type, 'arrayBuffer');
      return values.get(key)?.slice().buffer ?? null;
    },
    async put(key, bytes) {
      written.push(performance.now());
      values.set(key, bytes);
    },
  };
}

test('memory keeps bytes, and grants a lease to one until it ends', () => {
  const { now, pass } = clock();
  const store = memoryStore({ now });
  assert.equal(store.get(kKey), undefined);
  const bytes = new Uint8Array([1, 0, 255]);
  store.put(kKey, bytes);
  bytes[0] = 9;
  assert.deepEqual([...store.get(kKey)], [1, 0, 255]);
  assert.equal(store.lease('a', 100), true);
  assert.equal(store.lease('a', 100), false);
  assert.equal(store.lease('b', 100), true);
  pass(100);
  assert.equal(store.lease('a', 100), true);
});

test('KV keeps bytes, writes one key once a second and grants nothing', async () => {
  const below = namespace();
  const store = kvStore(below);
  assert.equal(await store.get(kKey), undefined);
  await Promise.all([
    store.put(kKey, bytesOf('first')),
    store.put(kKey, bytesOf('second')),
    store.put('other', bytesOf('at once')),
  ]);
  assert.equal(textOf(await store.get(kKey)), 'second');
  const [first, other, second] = below.written;
  assert.ok(other - first < 200 && second - first >= 995, `${below.written}`);
  assert.throws(() => store.lease('a', 100));
});

test('an effect of the core is answered whatever the store does, and its fall is told once', async () => {
  const faults = [];
  let down = false;
  const below = memoryStore();
  const keeper = new Keeper(
      {
        ...below,
        get: (key) => {
          if (down) throw new Error('out of reach');
          return below.get(key);
        },
      },
      (error) => faults.push(`${error.message}: ${error.cause?.message}`),
  );
  const get = { op: 'store_get', payload: bytesOf(kKey) };
  assert.deepEqual(await keeper.answer(get), { a: 1 });
  const put = { op: 'store_put', a: kKey.length, payload: bytesOf(`${kKey}what is known`) };
  assert.deepEqual(await keeper.answer(put), { a: 0 });
  assert.deepEqual(await keeper.answer(get), { a: 0, payload: bytesOf('what is known') });
  const lease = { op: 'store_lease', t: 1000, payload: bytesOf('shunt/probe/default/a') };
  assert.deepEqual(await keeper.answer(lease), { a: 0 });
  assert.deepEqual(await keeper.answer(lease), { a: 1 });
  down = true;
  assert.deepEqual(await keeper.answer(get), { a: 2 });
  assert.deepEqual(await keeper.answer(get), { a: 2 });
  down = false;
  await keeper.answer(get);
  assert.equal(faults.length, 2);
  assert.match(faults[0], /does not answer.*out of reach/);
  assert.match(faults[1], /answers again/);
});

test('the store that the configuration names is taken, else memory with what is missing', () => {
  const own = memoryStore();
  assert.equal(chooseStore({ store: 'file', shard: 'a' }, own).store, own);
  assert.equal(chooseStore({ store: 'file', shard: 'a' }, ({ shard }) => shard === 'a' && own).store, own);
  const memory = chooseStore({ store: 'memory', shard: 'a' }, own);
  assert.ok(memory.store !== own && memory.missing === undefined);
  assert.match(chooseStore({ store: 'kv', shard: 'a' }).missing.message, /names the store "kv".*`store`/);
  for (const [store, words] of [
           ['kv', /SHUNT_KV[^]*\[\[kv_namespaces\]\][^]*binding = "SHUNT_KV"/],
           ['durable_object', /SHUNT_STATE[^]*class_name = "ShuntState"[^]*new_sqlite_classes/],
           ['file', /kv and durable_object/],
  ]) {
    const { missing } = chooseStore({ store, shard: 'a' }, boundStore({}));
    assert.match(missing.message, words);
  }
  const config = { routes: {}, state: { store: 'kv', refresh_ms: 5000 } };
  assert.deepEqual(JSON.parse(withoutStore(JSON.stringify(config))).state, { store: 'memory' });
});

test('each flaw of the flawed store is what it says, and a seed repeats it', async () => {
  const { now, pass } = clock();
  const flawed = (flaws) => flawedStore(memoryStore({ now }), flaws, { now });
  const seen = async (store) => textOf((await store.get(kKey)) ?? bytesOf('-'));
  const write = (store, text) => store.put(kKey, bytesOf(text));

  const lagging = flawed({ lag_ms: 3000 });
  await write(lagging, 'a');
  pass(2999);
  assert.equal(await seen(lagging), '-');
  pass(1);
  assert.equal(await seen(lagging), 'a');

  const losing = flawed({ lost: 1 });
  await write(losing, 'a');
  assert.equal(await seen(losing), '-');

  const doubling = flawed({ doubled: 1, overtaken_ms: 100 });
  await write(doubling, 'a');
  await write(doubling, 'b');
  pass(100);
  assert.match(await seen(doubling), /^[ab]$/);

  let flaws = { reordered: 1, overtaken_ms: 100 };
  const reordering = flawed(() => flaws);
  await write(reordering, 'old');
  flaws = {};
  await write(reordering, 'new');
  assert.equal(await seen(reordering), 'new');
  pass(100);
  assert.equal(await seen(reordering), 'old');

  const limited = flawed({ least_gap_ms: 1000 });
  await write(limited, 'a');
  await assert.rejects(write(limited, 'b'), /429/);
  pass(1000);
  await write(limited, 'c');

  await assert.rejects(seen(flawed({ fails: 1 })), /down/);
  const garbage = await Promise.all([7, 7].map((seed) => flawed({ seed, garbage: 1 }).get(kKey)));
  assert.ok(garbage[0] instanceof Uint8Array);
  assert.deepEqual(garbage[0], garbage[1]);
});
