// One provider's answer in another dialect, for those who call providers themselves: bytes in, bytes out.
// Knows no dialect; the core translates.
import {bytesOf, createCore} from './core.mjs';

const kSliceBytes = 64 * 1024; // what the core takes at once
const kNoBytes = new Uint8Array(0);
const kWhiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);

const kDialects = 'Dialects are named openai_chat, openai_responses, anthropic_messages, gemini_generate; ' +
    'some providers\' own, such as bedrock_converse or cohere_chat, can be read.';

const oneLine = (text) => String(text ?? '').replace(/[\r\n]+/g, ' ');
const cores = new WeakMap(); // by module; translating needs no configuration, so one serves everybody

function coreOf(wasm) {
  if (!(wasm instanceof WebAssembly.Module))
    throw new TypeError('normalizing needs { wasm }: the compiled shunt.wasm (a WebAssembly.Module)');
  if (!cores.has(wasm)) cores.set(wasm, createCore(wasm));
  return cores.get(wasm);
}

/** One that is forgotten before its end gives back what it holds in the core. */
const abandoned = globalThis.FinalizationRegistry && new FinalizationRegistry((close) => {
                    try {
                      close();
                    } catch {
                      // its core is gone, and what it held with it
                    }
                  });

function joined(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Takes the bytes of an answer in dialect `from` and gives those of dialect `to`, at once: nothing is
 * awaited. Options: `provider`, `contentType`, `id`, `model`, `created`, `wasm`; index.d.ts says more.
 */
export function createNormalizer(options) {
  const { from, to, provider, contentType, id = 'normalized', model = 'unknown', wasm } = options;
  const core = coreOf(wasm);
  const block = bytesOf([from, to, provider, contentType, id, model].map(oneLine).join('\n'));
  const handle = core.openNormalizer(block, options.created ?? Date.now() / 1000);
  if (handle === undefined)
    throw new TypeError(`normalizing: nothing reads "${from}" or writes "${to}". ${kDialects}`);
  let ended = false;

  function take(bytes, last) {
    if (ended) throw new TypeError('normalizing: this answer has ended');
    ended = last;
    const parts = [];
    let at = 0;
    do {
      const slice = bytes.subarray(at, at + kSliceBytes);
      at += kSliceBytes;
      parts.push(core.normalize(handle, slice, last && at >= bytes.length));
    } while (at < bytes.length);
    return joined(parts);
  }

  const normalizer = {
    feed: (bytes) => take(bytes, false),
    end: (bytes = kNoBytes) => take(bytes, true),
  };
  abandoned?.register(normalizer, () => !ended && core.normalize(handle, kNoBytes, true));
  return normalizer;
}

const beginsJson = (bytes) => bytes.find((byte) => !kWhiteSpace.has(byte)) === 0x7b;

/**
 * A Response whose body is `response`'s in dialect `to`: a stream as it comes, a plain answer whole. One that
 * is no answer (its status is no 2xx) is given back as it is; `classify` reads those. A stream that is cut
 * ends in the dialect's own error event.
 */
export async function normalizeStream(response, options) {
  if (!response.ok || !response.body) return response;
  if (response.bodyUsed) throw new TypeError('normalizing: this body has been read; give response.clone()');
  const contentType = options.contentType ?? response.headers.get('content-type') ?? '';
  const normalizer = createNormalizer({...options, contentType });
  const reader = response.body.getReader();

  /** The next bytes for the client; undefined: the answer is over. */
  let over = false;
  async function next() {
    while (!over) {
      let read;
      try {
        read = await reader.read();
      } catch {
        read = { done: true }; // what has come is all there is: a cut
      }
      over = read.done;
      const bytes = over ? normalizer.end() : normalizer.feed(read.value);
      if (bytes.length > 0) return bytes;
    }
    return undefined;
  }

  const first = await next();
  const headers = new Headers({
    'content-type': first && beginsJson(first) ? 'application/json' : 'text/event-stream; charset=utf-8',
  });
  let held = first;
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const bytes = held ?? (await next());
        held = undefined;
        if (bytes)
          controller.enqueue(bytes);
        else
          controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
    cancel(reason) {
      if (!over) normalizer.end();
      over = true;
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers });
}
