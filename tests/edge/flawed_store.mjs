// A store with every flaw that a shared one can have, in front of one without: reads that lag, writes that
// are lost, doubled or overtaken, a limit of writes, slowness, failure, garbage. What happens is a function
// of the seed and the order of the calls. Plain enough to run inside a Worker; knows nothing of documents.
//
//   const store = flawedStore(memoryStore(), { seed: 1, lag_ms: 3000, lost: 0.2 });
//
// Flaws, each off by default; they may be given by a function, asked at each call, so that a test changes
// them in mid-traffic:
//   lag_ms               a write is seen so much later
//   lost, doubled        share of writes that vanish; that are seen again up to `overtaken_ms` later
//   reordered            share of writes that are seen up to `overtaken_ms` later, over what came after them
//   overtaken_ms         (1000)
//   least_gap_ms         a second write of one key within it fails
//   slow_ms              each call takes up to so much longer
//   fails, garbage       share of calls that throw; of reads that give arbitrary bytes
//   hangs                share of calls that are never answered

// What is below keeps the last few writes of a key, each with the time from which it is seen.
const kKept = 16;
const kOvertakenMs = 1000;

/** Numbers in [0, 1): mulberry32. */
export function drawsOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const encode = (writes) => new TextEncoder().encode(JSON.stringify(writes));
const decode = (bytes) => (bytes === undefined ? [] : JSON.parse(new TextDecoder().decode(bytes)));

export function flawedStore(store, flaws, {now = Date.now} = {}) {
  const given = typeof flaws === 'function' ? flaws : () => flaws;
  let draw;
  const chance = (share = 0) => draw() < share;
  const lastWrites = new Map();

  async function meet() {
    const current = await given();
    draw ??= drawsOf(current.seed ?? 1);
    if (chance(current.hangs)) await new Promise(() => {});
    if (current.slow_ms) await new Promise((resolve) => setTimeout(resolve, draw() * current.slow_ms));
    if (chance(current.fails)) throw new Error('the store is down');
    return current;
  }

  function limit(key, least_gap_ms) {
    if (now() - (lastWrites.get(key) ?? -Infinity) < least_gap_ms) throw new Error('429 too many writes');
    lastWrites.set(key, now());
  }

  return {
    async get(key) {
      const { garbage } = await meet();
      if (chance(garbage)) return Uint8Array.from({ length: draw() * 300 }, () => draw() * 256);
      const seen = decode(await store.get(key)).filter(({ from }) => from <= now());
      const last = seen.reduce((a, b) => (b.from >= a.from ? b : a), { from: -1 });
      return last.hex === undefined ? undefined : bytesOf(last.hex);
    },
    async put(key, bytes) {
      const { lag_ms = 0, lost, doubled, reordered, overtaken_ms = kOvertakenMs, least_gap_ms = 0 } =
          await meet();
      limit(key, least_gap_ms);
      if (chance(lost)) return;
      const write = { from: now() + lag_ms, hex: hexOf(bytes) };
      const later = () => ({...write, from: write.from + draw() * overtaken_ms });
      const writes = [chance(reordered) ? later() : write];
      if (chance(doubled)) writes.push(later());
      const before = decode(await store.get(key));
      await store.put(key, encode([...before, ...writes].slice(-kKept)));
    },
    async lease(key, ttl_ms) {
      await meet();
      return store.lease(key, ttl_ms);
    },
    async take(key, share) {
      const { garbage } = await meet();
      if (chance(garbage)) return draw() < 0.5 ? { granted: -7, wait_ms: NaN } : 'garbage';
      return store.take(key, share);
    },
  };
}
