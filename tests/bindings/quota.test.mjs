// Shares of a quota: the arithmetic against a slow count of its own, the stores that use it, and what of a
// store's answer reaches the core.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {bytesOf, textOf} from '../../host-bindings/core.mjs';
import {Keeper} from '../../host-bindings/stores/keeper.mjs';
import {kvStore} from '../../host-bindings/stores/kv.mjs';
import {memoryStore} from '../../host-bindings/stores/memory.mjs';
import {takeShare} from '../../host-bindings/stores/quota.mjs';

const k600 = {
  amount: 6,
  per_minute: 600,
  burst: 60
};

/** Draws from 0 to below `n`, the same for the same seed. */
function dice(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

test('a new bucket is full, then it gives what has been refilled', () => {
  let bucket;
  const take = (now, amount) => {
    const taken = takeShare(bucket, now, {...k600, amount });
    bucket = taken.bucket;
    return [taken.granted, taken.wait_ms];
  };
  assert.deepEqual(take(1000, 50), [50, 0]);
  assert.deepEqual(take(1000, 50), [10, 0]);
  assert.deepEqual(take(1000, 1), [0, 100]);
  assert.deepEqual(take(1099, 1), [0, 1]);
  assert.deepEqual(take(1100, 1), [1, 0]);
  assert.deepEqual(take(1450, 6), [3, 0]); // half a token stays
  assert.deepEqual(take(1500, 6), [1, 0]);
  assert.deepEqual(take(60000, 100), [60, 0]); // it holds no more than a burst
});

test('never more is granted than a burst and the refill, and nothing is lost while it is asked', () => {
  for (let seed = 1; seed <= 200; ++seed) {
    const draw = dice(seed);
    const per_minute = 1 + draw(3000);
    const burst = Math.max(1, Math.floor(per_minute / 10));
    let now = 1e12;
    let begin; // the first take: it was full until then
    let bucket;
    let granted = 0n;
    let full = false; // what comes to a full bucket is lost
    for (let i = 0; i < 300; ++i) {
      now += draw(3) === 0 ? 0 : draw(Math.ceil(120000 / per_minute));
      begin ??= now;
      const before = bucket ? bucket.level + (now - bucket.at) * per_minute : 0;
      full ||= bucket !== undefined && before > burst * 60000;
      const amount = 1 + draw(burst + 3);
      const taken = takeShare(bucket, now, { amount, per_minute, burst });
      bucket = taken.bucket;
      assert.ok(Number.isSafeInteger(taken.granted) && taken.granted >= 0 && taken.granted <= amount);
      granted += BigInt(taken.granted);
      // In 60,000ths of a token, of which a millisecond refills per_minute.
      const had = BigInt(burst) * 60000n + BigInt(now - begin) * BigInt(per_minute);
      assert.ok(granted * 60000n <= had, `seed ${seed}, step ${i}`);
      if (!full) assert.equal(had - granted * 60000n, BigInt(bucket.level), `seed ${seed}, step ${i}`);
    }
  }
});

test('a wait is true: one token is there after it, and not a millisecond earlier', () => {
  const draw = dice(7);
  for (let i = 0; i < 2000; ++i) {
    const per_minute = 1 + draw(100000);
    const share = { amount: 5, per_minute, burst: Math.max(1, Math.floor(per_minute / 10)) };
    const bucket = { level: draw(60000), at: 1e12 };
    const now = 1e12 - draw(2) * draw(5000); // a clock that was set back a little stands
    const { granted, wait_ms, bucket: after } = takeShare(bucket, now, share);
    assert.equal(granted, 0);
    assert.ok(Number.isSafeInteger(wait_ms) && wait_ms >= 1);
    assert.equal(takeShare(after, now + wait_ms - 1, share).granted, 0);
    assert.ok(takeShare(after, now + wait_ms, share).granted >= 1);
  }
});

test('a clock that is set back gives nothing twice, and stops nobody for long', () => {
  const empty = { level: 0, at: 1e12 };
  const little = takeShare(empty, 1e12 - 4000, k600);
  assert.deepEqual([little.granted, little.wait_ms, little.bucket.at], [0, 4100, 1e12]);
  const hour = takeShare(empty, 1e12 - 3600000, k600);
  assert.deepEqual([hour.granted, hour.wait_ms], [0, 100]);
  assert.equal(takeShare(hour.bucket, 1e12 - 3600000 + 1000, {...k600, amount: 100 }).granted, 10);
});

test('the largest quota that a configuration allows keeps exact', () => {
  const share = { amount: 1e10, per_minute: 1e12, burst: 1e11 };
  let taken = takeShare(undefined, 1e12, share);
  for (let i = 1; i < 10; ++i) taken = takeShare(taken.bucket, 1e12, share);
  assert.deepEqual([taken.granted, taken.bucket.level], [1e10, 0]);
  assert.equal(takeShare(taken.bucket, 1e12 + 3, {...share, amount: 1e12 }).granted, 5e7);
  assert.equal(takeShare(taken.bucket, 5e12, {...share, amount: 1e12 }).granted, 1e11);
});

test('memory shares quotas out by their keys; KV says that it cannot', () => {
  let time = 1e12;
  const store = memoryStore({ now: () => time });
  assert.deepEqual(store.take('a', {...k600, amount: 59 }), { granted: 59, wait_ms: 0 });
  assert.deepEqual(store.take('a', k600), { granted: 1, wait_ms: 0 });
  assert.deepEqual(store.take('a', k600), { granted: 0, wait_ms: 100 });
  assert.deepEqual(store.take('b', k600), { granted: 6, wait_ms: 0 });
  time += 100;
  assert.deepEqual(store.take('a', k600), { granted: 1, wait_ms: 0 });
  assert.throws(() => kvStore({}).take('a', k600), /cannot share/);
});

// ---- what reaches the core ----

const kKey = 'shunt/quota/default/web/rpm';
const kTake = {
  op: 'store_take',
  a: kKey.length,
  payload: bytesOf(`${kKey}6 600 60`)
};

function keeperOver(store) {
  const faults = [];
  return {
    keeper: new Keeper(store, (error) => faults.push(`${error.message}: ${error.cause?.message}`)),
    faults
  };
}

test('a take of the core is put to the store and answered in its words', async () => {
  const asked = [];
  const { keeper, faults } = keeperOver({
    take(key, share) {
      asked.push([key, share]);
      return { granted: 0, wait_ms: 70 };
    },
  });
  const { a, payload } = await keeper.answer(kTake);
  assert.deepEqual([a, textOf(payload)], [0, '0 70']);
  assert.deepEqual(asked, [[kKey, k600]]);
  assert.deepEqual(faults, []);
});

test('a store that lies or fails has not answered, and is told of once', async () => {
  const lies = [
    undefined,
    null,
    {},
    'six',
    { granted: 6 },
    { wait_ms: 0 },
    { granted: NaN, wait_ms: 0 },
    { granted: -1, wait_ms: 0 },
    { granted: 1, wait_ms: -1 },
    { granted: 1.5, wait_ms: 0 },
    { granted: Infinity, wait_ms: 0 },
    { granted: '6', wait_ms: '0' },
    { granted: 2 ** 60, wait_ms: 0 },
    { granted: 0, wait_ms: NaN },
  ];
  let said;
  const { keeper, faults } = keeperOver({ take: () => said });
  for (said of lies) assert.deepEqual(await keeper.answer(kTake), { a: 2 }, JSON.stringify(said));
  assert.equal(faults.length, 1);
  said = { granted: 6, wait_ms: 0 };
  assert.deepEqual(await keeper.answer(kTake), { a: 0, payload: bytesOf('6 0') });
  assert.equal(faults.length, 2);
  const failing = keeperOver({ take: () => Promise.reject(new Error('out of reach')) });
  assert.deepEqual(await failing.keeper.answer(kTake), { a: 2 });
  assert.match(failing.faults[0], /out of reach/);
});

test('a store without take is told of once, beside whether it answers', async () => {
  const { keeper, faults } = keeperOver({ get: () => undefined });
  for (let i = 0; i < 3; ++i) {
    assert.deepEqual(await keeper.answer(kTake), { a: 2 });
    assert.deepEqual(await keeper.answer({ op: 'store_get', payload: bytesOf('k') }), { a: 1 });
  }
  assert.equal(faults.length, 1);
  assert.match(faults[0], /shares no quotas/);
});
