// shunt-trace/1: what one engine was told, as JSON lines that replay it. Knows records, not what they
// mean.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function toBase64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}

export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const hex32 = (word) => (word >>> 0).toString(16).padStart(8, '0');

/** As text where it is UTF-8, which people can read; else as base64. */
function payloadFields(bytes) {
  if (bytes.length === 0) return {};
  try {
    return { p: strict.decode(bytes) };
  } catch {
    return { p64: toBase64(bytes) };
  }
}

export class TraceWriter {
  #write;
  #header;

  constructor(write) {
    this.#write = write;
  }

  /**
   * A new engine begins. The document stays byte for byte what it was (its hash stands in records): as
   * it is where it fits a line, else as a string. The line is written with the first exchange, for a
   * snapshot may come in between.
   */
  engine(config, snapshot) {
    const fits = !/[\r\n]/.test(config) && config.startsWith('{') && config.endsWith('}');
    const document = fits ? config : JSON.stringify(config);
    this.#header = `{"trace":"shunt-trace/1","config":${document},"snapshot":"${toBase64(snapshot)}"}`;
  }

  #line(fields) {
    if (this.#header !== undefined) this.#write(this.#header);
    this.#header = undefined;
    this.#write(JSON.stringify(fields));
  }

  open(x, { low, high }, kind) {
    const seed = hex32(high) + hex32(low);
    this.#line({ x, open: kind === 'request' ? { seed } : { seed, kind } });
  }

  input(x, now, { op, stream, a, b, t }, payload) {
    // What is zero is left out.
    const given = Object.fromEntries(Object.entries({ stream, a, b, t }).filter(([, value]) => value));
    this.#line({ x, now, op, ...given, ...payloadFields(payload) });
  }

  close(x) {
    this.#line({ x, close: true });
  }
}
