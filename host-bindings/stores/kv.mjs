// Cloudflare KV as a store: eventually consistent, one write a second for each key, no compare-and-set, so
// no leases. Knows the binding's interface, not what is stored.

const kLeastGap = 1000; // between two writes of one key; more are answered with 429
// The least that KV allows. A read before it is over is answered from the nearest cache.
const kCacheSeconds = 30;

/** `namespace`: the binding. */
export function kvStore(namespace, {now = Date.now} = {}) {
  const free = new Map(); // key -> when it may be written again
  return {
    async get(key) {
      const bytes = await namespace.get(key, { type: 'arrayBuffer', cacheTtl: kCacheSeconds });
      return bytes === null ? undefined : new Uint8Array(bytes);
    },
    async put(key, bytes) {
      const wait = (free.get(key) ?? 0) - now();
      free.set(key, now() + Math.max(0, wait) + kLeastGap);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      await namespace.put(key, bytes);
    },
    lease() {
      throw new Error('KV cannot grant leases');
    },
    take() {
      throw new Error('KV cannot share quotas out');
    },
  };
}
