// ShuntState in real workerd, asked through its client: bytes that come back whole, leases granted to one,
// taken away by the clock, and shares of a quota that are exact.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {Miniflare, workerOptions} from '../../scripts/lib/worker.mjs';

// A Worker that performs one call of the store.
const entry = `
  import { ShuntState, durableObjectStore } from '../stores/durable_object.mjs';
  export class Watched extends ShuntState {
    #sql;
    constructor(context, env) {
      super(context, env);
      this.#sql = context.storage.sql;
    }
    async fetch(request) {
      if (!request.url.endsWith('/count')) return super.fetch(request);
      return Response.json(this.#sql.exec('SELECT count(*) AS leases FROM leases').one());
    }
  }
  export default {
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      const shard = searchParams.get('shard');
      const key = searchParams.get('key');
      const store = durableObjectStore(env.SHUNT_STATE, shard);
      switch (pathname) {
        case '/count':
          return env.SHUNT_STATE.get(env.SHUNT_STATE.idFromName(shard)).fetch('http://object/count');
        case '/get':
          return new Response((await store.get(key)) ?? 'nothing');
        case '/put':
          return new Response(await store.put(key, new Uint8Array(await request.arrayBuffer())));
        case '/take': {
          const share = await request.json();
          return Response.json(await store.take(key, share).catch(({ message }) => ({ message })));
        }
        default:
          return Response.json(await store.lease(key, Number(searchParams.get('ttl'))));
      }
    },
  };`;

let worker;
let base;
before(async () => {
  worker = new Miniflare({
    ...workerOptions(entry),
    durableObjects: { SHUNT_STATE: { className: 'Watched', useSQLite: true } },
    host: '127.0.0.1',
    port: 0,
    cf: false,
  });
  base = await worker.ready;
});
after(() => worker.dispose());

const call = (path, parameters, body) =>
    fetch(new URL(`${path}?${new URLSearchParams(parameters)}`, base), { method: 'POST', body });
const lease = async (key, ttl, shard = 'a') => (await call('/lease', { shard, key, ttl })).json();

test('a document comes back byte for byte, in its own shard', async () => {
  const place = { shard: 'a', key: 'shunt/health/a b?#' };
  assert.equal(await (await call('/get', place)).text(), 'nothing');
  const bytes = Uint8Array.from({ length: 300000 }, (_, i) => (i * 7919) >> 3);
  await call('/put', place, new Uint8Array(5));
  await call('/put', place, bytes);
  assert.deepEqual(new Uint8Array(await (await call('/get', place)).arrayBuffer()), bytes);
  assert.equal(await (await call('/get', {...place, shard: 'b' })).text(), 'nothing');
});

test('of many who ask at once one gets the lease, and its end is kept', async () => {
  const kLease = 5000; // longer than a busy machine takes to ask
  const asked = await Promise.all(Array.from({ length: 20 }, () => lease('probe/x', kLease)));
  assert.equal(asked.filter(Boolean).length, 1);
  assert.equal(await lease('probe/y', 60000), true);
  assert.equal(await lease('probe/x', kLease), false);
  await pause(kLease);
  assert.equal(await lease('probe/x', kLease), true);
  assert.equal(await lease('probe/y', kLease), false);
});

test('an alarm clears what is over; what is not stays', async () => {
  await lease('short', 100, 'c');
  await lease('long', 60000, 'c');
  await pause(400);
  assert.deepEqual(await (await call('/count', { shard: 'c' })).json(), { leases: 1 });
});

const take = async (key, share, shard = 'q') =>
    (await call('/take', { shard, key }, JSON.stringify(share))).json();

test('of a quota no more is granted than it holds and refills, however many ask at once', async () => {
  const share = { amount: 7, per_minute: 60, burst: 60 }; // one a second
  const began = Date.now();
  const taken = await Promise.all(Array.from({ length: 40 }, () => take('client/rpm', share)));
  const sum = taken.reduce((all, { granted }) => all + granted, 0);
  const refilled = Math.floor((Date.now() - began) / 1000);
  assert.ok(sum >= 60 && sum <= 60 + refilled, `${sum}`);
  const [{ wait_ms }] = taken.filter(({ granted }) => granted === 0);
  assert.ok(Number.isSafeInteger(wait_ms) && wait_ms > 0 && wait_ms <= 1000, `${wait_ms}`);
  assert.deepEqual(await take('client/tpm', share), { granted: 7, wait_ms: 0 });
  assert.deepEqual(await take('client/rpm', share, 'another'), { granted: 7, wait_ms: 0 });
  const quick = { amount: 100, per_minute: 60000, burst: 50 };
  assert.equal((await take('quick', quick)).granted, 50);
  await pause(30);
  const { granted } = await take('quick', quick);
  assert.ok(granted >= 20 && granted <= 50, `${granted}`);
});

test('a share that is none is refused, and the store says so', async () => {
  for (const share
           of [{}, { amount: -1, per_minute: 60, burst: 6 }, { amount: 1.5, per_minute: 60, burst: 6 },
               { amount: 1, per_minute: 0, burst: 6 }, { amount: 1, per_minute: 60, burst: 1e300 }]) {
    assert.deepEqual(await take('odd', share), { message: 'the Durable Object answered 400' });
  }
  assert.equal((await take('odd', { amount: 1, per_minute: 60, burst: 6 })).granted, 1);
});
