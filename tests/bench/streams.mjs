// scripts/dev bench streams: what a stream costs per byte, natively and in WebAssembly, beside what
// JavaScript readers of the same bytes take in the same run. Figures of another machine, or another hour of
// this one, mean nothing here: read the ratios. README.md says what stands behind each row.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createAnthropic} from '@ai-sdk/anthropic';
import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {createParser} from 'eventsource-parser';
import {Stream} from 'openai/streaming';
import {bytesOf, Core} from '../../host-bindings/core.mjs';
import {anthropic_stream, openai_stream} from './stream_samples.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env.SHUNT_BUILD ?? join(root, 'build');
if (!process.env.SHUNT_BUILD) {
  execFileSync(join(root, 'scripts/dev'), ['build', 'native'], { stdio: 'inherit' });
  for (const target of ['native', 'wasi'])
    execFileSync(
        'cmake', ['--build', join(built, target), '--target', 'bench_streams'], { stdio: 'inherit' });
}

const kBytes = Number(process.env.BENCH_BYTES ?? 8_000_000);
const kRounds = Number(process.env.BENCH_ROUNDS ?? 9);
const kSlowRounds = 2; // of the readers that take seconds
const kChunks = [16 * 1024, 64];

const folder = mkdtempSync(join(tmpdir(), 'shunt-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const sample = (name, bytes) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { name, bytes, path };
};
const openai = sample('openai', openai_stream(kBytes));
const anthropic = sample('anthropic', anthropic_stream(kBytes));

function* chunks_of(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Seconds of the best of several rounds: what the machine can do while nobody else wants it. */
async function best_of(rounds, run) {
  let best = Infinity;
  for (let i = 0; i < rounds; ++i) {
    const begin = performance.now();
    await run();
    best = Math.min(best, performance.now() - begin);
  }
  return best / 1000;
}

// ---- the core ----

const native = (what) => ({ path }, chunk) => {
  const words = [path, what, String(chunk), String(kRounds)];
  return Number(execFileSync(join(built, 'native/bench_streams'), words).toString().split(' ')[0]);
};

const module = new WebAssembly.Module(readFileSync(join(built, 'wasi/bench_streams.wasm')));
const { exports } = new WebAssembly.Instance(module);
exports._initialize();

const wasm = (what) => ({ bytes }, chunk) => {
  const address = exports.bench_stream(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, address);
  return best_of(kRounds, () => exports[`bench_${what}`](chunk));
};

const config = {
  providers: {
    openai: { dialect: 'openai_chat', base_url: 'http://127.0.0.1:1/v1', keys: ['KEY'] },
    anthropic: { dialect: 'anthropic_messages', base_url: 'http://127.0.0.1:2', keys: ['KEY'] },
  },
  deployments: [
    { id: 'openai', provider: 'openai', model: 'm' },
    { id: 'anthropic', provider: 'anthropic', model: 'm' },
  ],
  routes: { r: { deployments: ['openai'] } },
};
const core = new Core(new WebAssembly.Module(readFileSync(join(built, 'wasi/shunt.wasm'))));
core.configure(JSON.stringify(config));

/** A whole exchange through the package's own binding, as a host drives it; bytes sent to the client. */
function exchange({ name, bytes }, chunk) {
  const handle = core.open({ low: 1, high: 0 });
  const body = { model: name, stream: true, stream_options: { include_usage: true }, messages: [] };
  let sent = 0;
  let stream = 0;
  const tell = (op, more = {}) => {
    for (const effect of core.poll(handle, 1000, { op, stream, ...more })) {
      if (effect.op === 'start_attempt') stream = effect.stream;
      if (effect.op === 'send_bytes') sent += effect.payload.length;
    }
  };
  tell('request_arrived', { t: 1.8e12, payload: bytesOf('POST\n/v1/chat/completions\n\n') });
  tell('request_bytes', { payload: bytesOf(JSON.stringify(body)) });
  tell('request_ended');
  tell('head_arrived', { a: 200, payload: bytesOf('content-type: text/event-stream\n') });
  for (const payload of chunks_of(bytes, chunk)) tell('bytes_arrived', { payload });
  tell('attempt_ended');
  core.close(handle);
  if (sent < bytes.length / 2) throw new Error(`only ${sent} bytes came out`);
}
const bound = (stream, chunk) => best_of(kRounds, () => exchange(stream, chunk));

// ---- others ----

const parser = (onEvent) => ({ bytes }, chunk) => best_of(kRounds, () => {
  const decoder = new TextDecoder();
  const reader = createParser({ onEvent });
  for (const part of chunks_of(bytes, chunk)) reader.feed(decoder.decode(part, { stream: true }));
});
let sink = 0;
const framed = parser(({ data }) => sink += data.length);
const parsed = parser(({ data }) => {
  if (data !== '[DONE]') sink += JSON.parse(data).choices?.length ?? 1;
});

const response_of = ({ bytes }, chunk) => {
  const parts = chunks_of(bytes, chunk);
  const body = new ReadableStream({
    pull(controller) {
      const { value, done } = parts.next();
      done ? controller.close() : controller.enqueue(value);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};

const openai_sdk = (stream, chunk) => best_of(kSlowRounds, async () => {
  const events = Stream.fromSSEResponse(response_of(stream, chunk), new AbortController());
  for await (const event of events) sink += event.choices?.length ?? 1;
});

const prompt = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
const ai_sdk = (stream, chunk) => best_of(kSlowRounds, async () => {
  const fetch = async () => response_of(stream, chunk);
  const model = stream === openai ?
      createOpenAICompatible({ name: 'x', baseURL: 'http://127.0.0.1:1', fetch }).chatModel('m') :
      createAnthropic({ apiKey: 'x', fetch })('m');
  const { stream: parts } = await model.doStream({ prompt });
  for await (const part of parts) sink += part.type.length;
});

// ---- the table ----

const rows = [
  [openai, 'framing', 'core, native', native('framing'), 8000],
  [openai, 'framing', 'core, wasm', wasm('framing'), 4000],
  [openai, 'framing', 'eventsource-parser 4', framed],
  [anthropic, 'framing', 'core, native', native('framing'), 3500],
  [anthropic, 'framing', 'core, wasm', wasm('framing'), 3000],
  [anthropic, 'framing', 'eventsource-parser 4', framed],
  [openai, 'relay', 'core, native', native('relay'), 1200],
  [openai, 'relay', 'core, wasm', wasm('relay')],
  [openai, 'relay', 'shunt.wasm through core.mjs', bound, 500],
  [openai, 'relay', 'eventsource-parser 4 + JSON.parse', parsed],
  [openai, 'relay', 'openai SDK', openai_sdk],
  [openai, 'relay', 'ai-sdk', ai_sdk],
  [anthropic, 'to openai', 'core, native', native('translation'), 400],
  [anthropic, 'to openai', 'core, wasm', wasm('translation')],
  [anthropic, 'to openai', 'shunt.wasm through core.mjs', bound, 200],
  [anthropic, 'to openai', 'eventsource-parser 4 + JSON.parse', parsed],
  [anthropic, 'to openai', 'ai-sdk', ai_sdk],
];

const events = (bytes) => bytes.toString().split('\n\n').length - 1;
for (const { name, bytes } of [openai, anthropic])
  console.log(`${name}: ${bytes.length} bytes, ${Math.round(bytes.length / events(bytes))} an event`);

const reference = {};
for (const stream of [openai, anthropic])
  for (const chunk of kChunks) reference[stream.name + chunk] = await parsed(stream, chunk);

console.log('\nMB/s, and how often that of eventsource-parser 4 + JSON.parse on the same stream and reads');
console.log(
    `${'stream'.padEnd(10)}${'what'.padEnd(11)}${'who'.padEnd(36)}${'16 KB reads'.padStart(16)}` +
    `${'64 B reads'.padStart(16)}  budget`);
for (const [stream, what, who, run, budget] of rows) {
  let line = stream.name.padEnd(10) + what.padEnd(11) + who.padEnd(36);
  let reached = true;
  for (const chunk of kChunks) {
    const seconds = await run(stream, chunk);
    const speed = stream.bytes.length / seconds / 1e6;
    if (budget && chunk === kChunks[0]) reached = speed >= budget;
    line += `${speed.toFixed(0)} (${(reference[stream.name + chunk] / seconds).toFixed(1)})`.padStart(16);
  }
  console.log(line + (budget ? `  ${budget}${reached ? '' : ' MISSED'}` : ''));
  if (!reached) process.exitCode = 1;
}
if (sink < 0) console.log(sink);
