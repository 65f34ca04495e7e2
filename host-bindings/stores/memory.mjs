// A store of this process alone: what stands in where none is shared, and a test's. Every store is
// { get(key) -> Uint8Array | undefined, put(key, bytes), lease(key, ttl_ms) -> boolean,
// take(key, {amount, per_minute, burst}) -> {granted, wait_ms} }, at once or by a promise, and may throw.
// Documents are opaque: a put replaces, it never merges.
import {takeShare} from './quota.mjs';

/** `now`: milliseconds, by which leases end. */
export function memoryStore({now = Date.now} = {}) {
  const documents = new Map();
  const leases = new Map(); // key -> when it ends
  const quotas = new Map(); // key -> bucket
  const expire = () => {
    for (const [key, end] of leases) {
      if (end <= now()) leases.delete(key);
    }
  };
  return {
    get: (key) => documents.get(key),
    put: (key, bytes) => void documents.set(key, bytes.slice()),
    lease(key, ttl_ms) {
      expire();
      if (leases.has(key)) return false;
      leases.set(key, now() + ttl_ms);
      return true;
    },
    take(key, share) {
      const { bucket, granted, wait_ms } = takeShare(quotas.get(key), now(), share);
      quotas.set(key, bucket);
      return { granted, wait_ms };
    },
  };
}
