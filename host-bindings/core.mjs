// The core as JavaScript sees it: memory and records (targets/abi/abi.h), nothing else. Performs no
// effect, reads no clock, knows no network; what a record means is drive.mjs's business.
import {TraceWriter} from './trace.mjs';

const kAbiVersion = 3;
const kSliceBytes = 64 * 1024;
const kRecordBytes = 32;
const kAttemptHeaderWords = 5;

/** By number, as in abi.h. */
export const inputOps = [
  'none',
  'request_arrived',
  'request_bytes',
  'request_ended',
  'head_arrived',
  'bytes_arrived',
  'attempt_ended',
  'attempt_broke',
  'client_paused',
  'client_ready',
  'client_gone',
  'timer_fired',
  'store_answered',
  'started',
  'woken',
];
/** What an exchange is for, by number as in io.h. */
export const kinds = ['request', 'probe', 'upkeep', 'admin'];
export const effectOps = [
  'none',
  'start_attempt',
  'attempt_body',
  'release_body',
  'abort_attempt',
  'send_head',
  'send_bytes',
  'send_end',
  'emit',
  'timer',
  'plan_line',
  'store_get',
  'store_put',
  'store_lease',
  'store_take',
  'wake',
];
const kInputNumbers = new Map(inputOps.map((name, number) => [name, number]));

// Flags of shunt_poll's result.
const kCountMask = 0xffff;
const kMore = 1 << 16;
const kDirty = 1 << 17;
const kFinished = 1 << 18;
const kUpkeep = 1 << 19;
const kStale = 1 << 31;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const kNoBytes = new Uint8Array(0);

export const bytesOf = (text) => encoder.encode(text);
export const textOf = (bytes) => decoder.decode(bytes);

/** The configuration was refused; `faults` are its located mistakes. */
export class ConfigError extends Error {
  constructor(faults) {
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
    super(`shunt.json has ${count}:\n${faults.map(faultLine).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** One fault or warning as a line: path:line:column, found, allowed, the nearest known word. */
export function faultLine({path, line, column, found, allowed, suggestion}) {
  const nearest = suggestion ? `; did you mean ${suggestion}?` : '';
  return `  ${path}:${line}:${column}: found ${found}; allowed: ${allowed}${nearest}`;
}

/**
 * The exchange is gone: its instance trapped (at this call or at another's), or it was closed. It
 * cannot go on.
 */
export class ExchangeLost extends Error {
  constructor(message, cause) {
    super(message, { cause });
    this.name = 'ExchangeLost';
  }
}

// By their numbers in an Attempt block (abi.h).
const kMethods = ['POST', 'GET', 'PUT', 'DELETE', 'PATCH'];

/**
 * The payload of start_attempt and attempt_body. A piece is {bytes} of ours or {offset, length} of the
 * client's body.
 */
export function readAttempt(payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const word = (index) => view.getUint32(index * 4, true);
  const [urlBytes, headerBytes, count, , flags] = [0, 1, 2, 3, 4].map(word);
  let at = (kAttemptHeaderWords + 3 * count) * 4;
  const take = (length) => payload.subarray(at, (at += length));
  const url = textOf(take(urlBytes));
  const headers = textOf(take(headerBytes));
  const literals = payload.subarray(at);
  const pieces = [];
  for (let i = 0; i < count; ++i) {
    const [isLiteral, offset, length] = [0, 1, 2].map((n) => word(kAttemptHeaderWords + 3 * i + n));
    pieces.push(isLiteral ? { bytes: literals.subarray(offset, offset + length) } : { offset, length });
  }
  return {
    url,
    headers,
    pieces,
    method: kMethods[flags >>> 8],
    more: (flags & 1) !== 0,
    shadow: (flags & 2) !== 0
  };
}

/** One instance: its exports, and views that are made anew when its memory has grown. */
class Instance {
  constructor(module) {
    // Emscripten's build asks for proc_exit, to say that it aborted; the WASI build asks for nothing.
    const proc_exit = (code) => {
      throw new WebAssembly.RuntimeError(`the core exited with ${code}`);
    };
    this.exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { proc_exit } }).exports;
    this.exports._initialize?.();
    const version = this.exports.shunt_abi_version();
    if (version !== kAbiVersion)
      throw new Error(`shunt.wasm speaks ABI ${version}, this package ${kAbiVersion}`);
  }

  bytes() {
    const { buffer } = this.exports.memory;
    if (this.u8?.buffer !== buffer) {
      this.u8 = new Uint8Array(buffer);
      this.view = new DataView(buffer);
    }
    return this.u8;
  }

  put(payload) {
    const address = this.exports.shunt_input(payload.length) >>> 0;
    this.bytes().set(payload, address);
  }

  /** A copy of the output arena's range. */
  output(offset, length) {
    const begin = (this.exports.shunt_output() >>> 0) + offset;
    return this.bytes().slice(begin, begin + length);
  }

  /** Writes the input record; `length` is of the payload already put. */
  ask(op, { stream = 0, a = 0, b = 0, t = 0 }, length) {
    const ring = this.exports.shunt_ring() >>> 0;
    this.bytes();
    const { view } = this;
    view.setUint32(ring, op, true);
    view.setUint32(ring + 4, stream, true);
    view.setUint32(ring + 8, a, true);
    view.setUint32(ring + 12, b, true);
    view.setUint32(ring + 16, 0, true);
    view.setUint32(ring + 20, length, true);
    view.setFloat64(ring + 24, t, true);
  }

  /** Copies `count` records out; a range of the input payload is given as the caller's own bytes. */
  records(count, payload, out) {
    const ring = this.exports.shunt_ring() >>> 0;
    this.bytes();
    const { view } = this;
    for (let i = 0; i < count; ++i) {
      const at = ring + i * kRecordBytes;
      const op = effectOps[view.getUint32(at, true)];
      const a = view.getUint32(at + 8, true);
      const offset = view.getUint32(at + 16, true);
      const length = view.getUint32(at + 20, true);
      let bytes = kNoBytes;
      if (length > 0) {
        const own = op === 'send_bytes' && a === 1;
        bytes = own ? payload.subarray(offset, offset + length) : this.output(offset, length);
      }
      out.push({
        op,
        stream: view.getUint32(at + 4, true),
        a,
        b: view.getUint32(at + 12, true),
        t: view.getFloat64(at + 24, true),
        payload: bytes,
      });
    }
    return out;
  }
}

/**
 * The engine of one isolate. After a trap it stands up again with its configuration and last snapshot.
 */
export class Core {
  #module;
  #onTrap;
  #trace;
  #instance;
  #configText;
  #snapshot = kNoBytes;
  #wallOffset = 0; // wall time less host time, as last told
  #now = 0;        // of the last poll
  #exchanges = 0;

  constructor(module, { record, onTrap } = {}) {
    this.#module = module;
    this.#onTrap = onTrap;
    this.#trace = record && new TraceWriter(record);
    this.#instance = new Instance(module);
  }

  /** Reads shunt.json; once. Returns what a host must know of it (config.h: describe_catalog). */
  configure(text) {
    const report = this.#configureInstance(text);
    if (report.faults) {
      this.#instance = new Instance(this.#module); // as if nothing had been said
      throw new ConfigError(report.faults);
    }
    this.#configText = text;
    this.#trace?.engine(text, kNoBytes);
    return report;
  }

  #configureInstance(text) {
    const document = bytesOf(text);
    this.#instance.put(document);
    const size = this.#instance.exports.shunt_configure(document.length) >>> 0;
    return JSON.parse(textOf(this.#instance.output(0, size)));
  }

  /**
   * Opens an exchange of one of the `kinds`. `seed`: {low, high}, 32 bits each. Undefined when there is no
   * room.
   */
  open(seed, kind = 'request') {
    const instance = this.#instance;
    const number = kinds.indexOf(kind);
    const id = this.#guard(instance, () => instance.exports.shunt_open(seed.low, seed.high, number) >>> 0);
    if (id === 0) return undefined;
    const handle = { instance, id, number: ++this.#exchanges, finished: false, dirty: false, upkeep: false };
    this.#trace?.open(handle.number, seed, kind);
    return handle;
  }

  /**
   * Hands in one input {op, stream, a, b, t, payload} and returns every effect it leads to, copied out.
   * `handle` then says whether the exchange is `finished`, whether a line changed its state (`dirty`), and
   * whether an `upkeep` exchange is wanted. Throws ExchangeLost when it cannot go on.
   */
  poll(handle, now, input) {
    const time = Math.floor(now);
    this.#now = time;
    if (handle.instance !== this.#instance) {
      throw new ExchangeLost(
          'the core was restarted after a fault while this request ran',
          handle.instance.trap,
      );
    }
    if (input.op === 'request_arrived' || input.op === 'started') this.#wallOffset = input.t - time;
    if (!kInputNumbers.has(input.op)) throw new TypeError(`no such input: ${input.op}`);
    const payload = input.payload ?? kNoBytes;
    const effects = [];
    handle.dirty = false;
    let begin = 0;
    do {
      const slice = payload.length <= kSliceBytes ? payload : payload.subarray(begin, begin + kSliceBytes);
      begin += kSliceBytes;
      // Of a store's answer the core must know which slice is the last.
      const part = input.op === 'store_answered' ? {...input, b: begin < payload.length ? 1 : 0 } : input;
      this.#trace?.input(handle.number, time, part, slice);
      this.#pollSlice(handle, time, part, slice, effects);
    } while (begin < payload.length);
    return effects;
  }

  #pollSlice(handle, now, input, slice, effects) {
    const instance = handle.instance;
    const dirty = this.#guard(instance, () => {
      instance.put(slice);
      instance.ask(kInputNumbers.get(input.op), input, slice.length);
      let flags;
      let all = 0;
      do {
        flags = instance.exports.shunt_poll(handle.id, now);
        if (flags & kStale) throw new ExchangeLost('no such exchange: it was closed');
        all |= flags;
        instance.records(flags & kCountMask, slice, effects);
        if (flags & kMore) instance.ask(0, {}, 0);
      } while (flags & kMore);
      handle.finished = (flags & kFinished) !== 0;
      handle.upkeep = (flags & kUpkeep) !== 0;
      return (all & kDirty) !== 0;
    });
    if (!dirty) return;
    handle.dirty = true;
    this.#snapshot = this.snapshot(now, now + this.#wallOffset);
  }

  /**
   * Forgets an exchange, finished or not, of this instance or one that is gone. Never throws: there is
   * nothing left to lose.
   */
  close(handle) {
    if (handle.instance !== this.#instance) return;
    this.#trace?.close(handle.number);
    try {
      this.#guard(handle.instance, () => handle.instance.exports.shunt_close(handle.id));
    } catch (error) {
      if (!(error instanceof ExchangeLost)) throw error;
    }
  }

  /** The health of all lines as bytes. */
  snapshot(now, wall) {
    const instance = this.#instance;
    return this.#guard(instance, () => {
      const size = instance.exports.shunt_snapshot(Math.floor(now), Math.floor(wall)) >>> 0;
      return instance.output(0, size);
    });
  }

  /** Takes health from bytes; false = refused, nothing changed. */
  load(bytes, now, wall) {
    const instance = this.#instance;
    const taken = this.#guard(instance, () => {
      instance.put(bytes);
      return instance.exports.shunt_load(bytes.length, Math.floor(now), Math.floor(wall)) !== 0;
    });
    if (!taken) return false;
    this.#snapshot = bytes.slice();
    // A trace can say so only at an engine's beginning.
    if (this.#exchanges === 0) this.#trace?.engine(this.#configText, this.#snapshot);
    return true;
  }

  /** The order in which route number `route` would be tried now: [{deployment, slot}]. */
  plan(route, seedLow, now) {
    const instance = this.#instance;
    return this.#guard(instance, () => {
      const count = instance.exports.shunt_plan(route, seedLow, Math.floor(now)) >>> 0;
      return instance.records(count, kNoBytes, []).map(({ a, b }) => ({ deployment: a, slot: b }));
    });
  }

  /** The verdict on one failed reply, told as a block (abi.h: shunt_classify); needs no configuration. */
  classify(block, wall) {
    const instance = this.#instance;
    return this.#guard(instance, () => {
      instance.put(block);
      const size = instance.exports.shunt_classify(block.length, Math.floor(wall)) >>> 0;
      return JSON.parse(textOf(instance.output(0, size)));
    });
  }

  /**
   * Opens the translation of one provider's answer by a block (abi.h: shunt_normalize_open). `created`:
   * seconds since 1970. Undefined: there is no such dialect, or nothing writes it.
   */
  openNormalizer(block, created) {
    const instance = this.#instance;
    const id = this.#guard(instance, () => {
      instance.put(block);
      return instance.exports.shunt_normalize_open(block.length, Math.floor(created)) >>> 0;
    });
    return id === 0 ? undefined : { instance, id };
  }

  /** What the answer's next bytes lead to; `last` ends it and closes the handle. */
  normalize(handle, bytes, last) {
    const { instance, id } = handle;
    if (instance !== this.#instance)
      throw new ExchangeLost('the core was restarted after a fault while this answer ran', instance.trap);
    return this.#guard(instance, () => {
      instance.put(bytes);
      const size = instance.exports.shunt_normalize(id, bytes.length, last ? 1 : 0) >>> 0;
      if (size === kStale >>> 0) throw new ExchangeLost('no such answer: it has ended');
      return instance.output(0, size);
    });
  }

  /** Bytes in use by the core, and of the memory that holds it. */
  memory() {
    const instance = this.#instance;
    const used = this.#guard(instance, () => instance.exports.shunt_memory() >>> 0);
    return { used, reserved: instance.exports.memory.buffer.byteLength };
  }

  /**
   * Whatever leaves WebAssembly by an exception leaves its instance unusable: a new one takes its
   * place.
   */
  #guard(instance, call) {
    try {
      return call();
    } catch (error) {
      if (error instanceof ExchangeLost) throw error;
      instance.trap = error;
      if (instance === this.#instance) this.#restart();
      this.#onTrap?.(error);
      throw new ExchangeLost('the core met a fault of its own at this request', error);
    }
  }

  #restart() {
    this.#instance = new Instance(this.#module);
    if (this.#configText === undefined) return;
    this.#configureInstance(this.#configText);
    const { exports } = this.#instance;
    let loaded = false;
    if (this.#snapshot.length > 0) {
      this.#instance.put(this.#snapshot);
      loaded = exports.shunt_load(this.#snapshot.length, this.#now, this.#now + this.#wallOffset) !== 0;
    }
    this.#trace?.engine(this.#configText, loaded ? this.#snapshot : kNoBytes);
  }
}

/**
 * A core over one compiled module. Options: `record(line)` gets shunt-trace/1 lines, `onTrap(error)`
 * hears of lost instances.
 */
export const createCore = (module, options) => new Core(module, options);
