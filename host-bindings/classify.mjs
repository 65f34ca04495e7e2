// Any provider's failure, read for what it is: what there is of it goes to the core, which judges.
// Knows no rules.
import {join} from './bodies.mjs';
import {bytesOf, createCore} from './core.mjs';
import {faultOf, transportFaults} from './faults.mjs';
import {providerLines} from './headers.mjs';

const kBodyBytes = 64 * 1024; // limits::kErrorBodyBytes: the core reads no more
const kNoBytes = new Uint8Array(0);

const oneLine = (text) => String(text).replace(/[\r\n]+/g, ' ');

/** The beginning of a stream, and what broke it; the rest is told not to come. */
async function headOf(stream) {
  const parts = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    while (length < kBodyBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    reader.cancel().catch(() => {});
    return { body: join(parts) };
  } catch (networkError) {
    return { body: join(parts), networkError };
  }
}

async function failureOf(given) {
  if (given instanceof Error) return { networkError: given };
  if (!(given instanceof Response)) return given;
  if (given.bodyUsed) throw new TypeError('classify: this body has been read; give response.clone()');
  const { status, headers, body } = given;
  return { status, headers, ...(body ? await headOf(body) : {}) };
}

/** The core's number and the runtime's words; an Error tells more than its text. */
function transportOf(error, inBody) {
  if (error === undefined || error === null) return { fault: 0, text: '' };
  if (error instanceof Error) return faultOf(error, { inBody });
  return { fault: transportFaults.indexOf('other'), text: String(error) };
}

const pairsOf = (headers = []) => {
  const pairs = typeof headers[Symbol.iterator] === 'function' ? [...headers] : Object.entries(headers);
  return pairs.map(([name, value]) => [name, oneLine(value)]);
};

/** The block that shunt_classify reads (targets/abi/abi.h). */
function blockOf({ status, headers, body, networkError }, { provider = '', medium = '' }) {
  const { fault, text } = transportOf(networkError, Boolean(status));
  const known = [oneLine(provider), medium, status ?? 0, fault, oneLine(text)];
  const head = bytesOf(`${known.join('\n')}\n${providerLines(pairsOf(headers ?? []))}\n`);
  const content = typeof body === 'string' ? bytesOf(body) : (body ?? kNoBytes);
  return join([head, content.subarray(0, kBodyBytes)]);
}

const cores = new WeakMap(); // by module; judging needs no configuration, so one serves everybody

function coreOf(wasm) {
  if (!(wasm instanceof WebAssembly.Module))
    throw new TypeError('classify needs { wasm }: the compiled shunt.wasm (a WebAssembly.Module)');
  if (!cores.has(wasm)) cores.set(wasm, createCore(wasm));
  return cores.get(wasm);
}

/**
 * given: a Response (its body is read, up to 64 KB), what fetch threw, or {status, headers, body,
 * networkError}. Options: `provider`, `medium`, `wasm`, `wall`; index.d.ts says more.
 */
export async function classify(given, options = {}) {
  const core = coreOf(options.wasm);
  return core.classify(blockOf(await failureOf(given), options), options.wall ?? Date.now());
}
