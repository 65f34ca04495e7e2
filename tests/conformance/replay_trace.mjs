// Feeds a shunt-trace/1 to a WebAssembly build and returns its effect log, byte for byte what `shunt replay
// --effects` prints. Knows the boundary (targets/abi/abi.h) and the format; needs nothing of its host.

// By number, as the boundary has them.
const kInputs = [
  ...['none', 'request_arrived', 'request_bytes', 'request_ended', 'head_arrived', 'bytes_arrived'],
  ...['attempt_ended', 'attempt_broke', 'client_paused', 'client_ready', 'client_gone', 'timer_fired'],
  ...['store_answered', 'started', 'woken'],
];
const kEffects = [
  ...['', 'start_attempt', 'attempt_body', 'release_body', 'abort_attempt', 'send_head', 'send_bytes'],
  ...['send_end', 'emit', 'timer', 'plan_line', 'store_get', 'store_put', 'store_lease', 'store_take',
      'wake'],
];
const kKinds = ['request', 'probe', 'upkeep', 'admin'];
const kSendBytes = kEffects.indexOf('send_bytes');
const kRecordBytes = 32;
const kCount = 0xffff;
const kMore = 1 << 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const from_base64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

function to_base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

/** The host's side of one instance: addresses are taken anew after each call, for memory may grow in any. */
class Host {
  constructor(exports) {
    this.core = exports;
    this.handles = new Map();
  }

  put(bytes) {
    const at = this.core.shunt_input(bytes.length);
    new Uint8Array(this.core.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  output(off, len) {
    return new Uint8Array(this.core.memory.buffer, this.core.shunt_output() + off, len);
  }

  begin({ document, snapshot }, lines) {
    this.core.shunt_reset();
    this.handles.clear();
    const len = this.core.shunt_configure(this.put(encoder.encode(document)));
    const report = decoder.decode(this.output(0, len));
    if (report.startsWith('{"faults":')) throw new Error(`the configuration is refused: ${report}`);
    if (!snapshot) return;
    const first = lines.find((line) => line.op === 'request_arrived');
    const len_in = this.put(from_base64(snapshot));
    if (!this.core.shunt_load(len_in, first?.now ?? 0, first?.t ?? 0))
      throw new Error('the snapshot is refused');
  }

  open({ x, open }) {
    const word = (digits) => Number.parseInt(digits, 16);
    const kind = kKinds.indexOf(open.kind ?? 'request');
    const handle = this.core.shunt_open(word(open.seed.slice(8)), word(open.seed.slice(0, 8)), kind);
    this.handles.set(x, handle);
  }

  close({ x }) {
    this.core.shunt_close(this.handles.get(x));
    this.handles.delete(x);
  }

  /** Hands in one input; calls `log` with a line for each effect. */
  poll({ x, now, op, stream = 0, a = 0, b = 0, t = 0, p, p64 }, log) {
    const payload = p64 === undefined ? encoder.encode(p ?? '') : from_base64(p64);
    let words = [kInputs.indexOf(op), stream, a, b, 0, this.put(payload)];
    for (let flags = kMore; flags & kMore; words = [0, 0, 0, 0, 0, 0], t = 0) {
      const ring = this.core.shunt_ring();
      new Uint32Array(this.core.memory.buffer, ring, 6).set(words);
      new DataView(this.core.memory.buffer).setFloat64(ring + 24, t, true);
      flags = this.core.shunt_poll(this.handles.get(x), now);
      for (let i = 0; i < (flags & kCount); i += 1) log(this.effect(x, payload, i));
    }
  }

  effect(x, input, index) {
    const at = this.core.shunt_ring() + index * kRecordBytes;
    const [op, stream, a, b, off, len] = new Uint32Array(this.core.memory.buffer, at, 6);
    const t = new DataView(this.core.memory.buffer).getFloat64(at + 24, true);
    const bytes = op === kSendBytes && a === 1 ? input.subarray(off, off + len) : this.output(off, len);
    return JSON.stringify({ x, op: kEffects[op], stream, a, b, t, p64: to_base64(bytes) });
  }
}

/** An instance of either build; the emscripten one asks for proc_exit, which it calls only when it aborts. */
export async function instantiate(module) {
  const exit = (code) => {
    throw new Error(`proc_exit(${code})`);
  };
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: { proc_exit: exit } });
  instance.exports._initialize();
  return instance.exports;
}

/** The configuration byte for byte: a string holds it, an object is it. */
function document_of(header, row) {
  if (typeof header.config === 'string') return header.config;
  return row.slice(row.indexOf('"config":') + '"config":'.length, row.lastIndexOf(',"snapshot":'));
}

/** `text` may hold several traces, each from its own header on. Effects recorded in it are passed over. */
export function effect_log(exports, text) {
  const traces = [];
  for (const row of text.split('\n').filter((line) => line.trim() !== '')) {
    const line = JSON.parse(row);
    if (line.trace)
      traces.push({ header: {...line, document: document_of(line, row) }, lines: [] });
    else
      traces.at(-1).lines.push(line);
  }
  const host = new Host(exports);
  const log = [];
  for (const { header, lines } of traces) {
    host.begin(header, lines);
    for (const line of lines) {
      if (line.open)
        host.open(line);
      else if (line.close)
        host.close(line);
      else if (kInputs.includes(line.op))
        host.poll(line, (effect) => log.push(`${effect}\n`));
    }
  }
  return log.join('');
}
