// The same inputs give the same effects on every target, byte for byte: recorded provider traffic and the
// project's own traces, made into one trace by the native command and fed to all builds.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {effect_log, instantiate} from './replay_trace.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
// SHUNT_BUILD: where the targets are built, when it is not build/.
const built = (path) => join(process.env.SHUNT_BUILD ?? join(root, 'build'), path);
const shunt = built('native/shunt');

/** Files of `folder` whose names match; none when it does not exist. */
function found(folder, pattern) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => pattern.test(name));
  return names.sort().map((name) => join(folder, name));
}

const data = process.env.SHUNT_DATA ?? join(root, '../shared/data');
const recorded = found(join(data, 'traces'), /-(chat\.completions|messages(\.vertex)?)\.jsonl$/);
const small = recorded.filter((path) => /(groq|cerebras|azure)-|(vertex)-messages/.test(path));
const own = found(join(root, 'tests/traces'), /\.jsonl$/);

// Several attempts, pauses and timers; laid out over lines, so a trace holds it as a string.
const folder = mkdtempSync(join(tmpdir(), 'shunt-effects-'));
after(() => rmSync(folder, { recursive: true }));
const config = join(folder, 'shunt.json');
const kLines = {
  'a@one': 'one',
  'b@two': 'two'
};
writeFileSync(
    config,
    JSON.stringify(
        {
          providers: { one: { preset: 'groq', keys: ['A'] }, two: { preset: 'anthropic', keys: ['B'] } },
          deployments: Object.entries(kLines).map(([id, provider]) => ({ id, provider, model: 'm' })),
          routes: { chat: { deployments: Object.keys(kLines) } },
        },
        null,
        2,
        ),
);

// What is played: files, and how the command stages them.
const kCases = [
  { name: 'recorded exchanges, in the chunks they came in', files: recorded, options: [] },
  { name: 'recorded exchanges, 113 bytes at a time', files: small, options: ['--chunk', '113'] },
  ...['openai_chat', 'anthropic_messages'].map((dialect) => ({
                                                 name: `recorded exchanges, for a client of ${dialect}`,
                                                 files: recorded,
                                                 options: ['--to', dialect],
                                               })),
  {
    name: 'recorded exchanges, as attempts under a configuration',
    files: small,
    options: ['--config', config]
  },
  { name: 'the project\'s own traces', files: own, options: [] },
];

const kLogBytes = 1 << 30;
const native = (...words) =>
    execFileSync(shunt, words, { maxBuffer: kLogBytes, stdio: ['ignore', 'pipe', 'ignore'] });

const native_log = (input) =>
    execFileSync(shunt, ['replay', '--effects'], { input, maxBuffer: kLogBytes }).toString();

// ---- where traces are replayed ----

const compile = (target) => new WebAssembly.Module(readFileSync(built(`${target}/shunt.wasm`)));

/** Logs are megabytes: equal ones compare as one string, else the first line that differs is shown. */
function assert_same_log(got, wanted) {
  if (got === wanted) return;
  const [ours, theirs] = [got.split('\n'), wanted.split('\n')];
  const at = theirs.findIndex((line, index) => line !== ours[index]);
  const place = at < 0 ? theirs.length : at;
  assert.equal(ours[place]?.slice(0, 400), theirs[place]?.slice(0, 400), `effect ${place + 1} differs`);
  assert.fail(`effect ${place + 1} differs beyond its first 400 characters`);
}

/** Whole traces, joined to batches of some megabytes: a request to workerd has to end in reasonable time. */
function batches(text) {
  const out = [''];
  for (const trace of text.split(/^(?=\{"trace":)/m)) {
    if (out.at(-1).length > 4e6) out.push('');
    out[out.length - 1] += trace;
  }
  return out;
}

let worker;
const kMiniflare = join(root, 'host-bindings/node_modules/miniflare/dist/src/index.js');
const no_workerd = existsSync(kMiniflare) ? false : 'miniflare is not installed (scripts/dev setup edge)';

before(async () => {
  if (no_workerd) return;
  const { Miniflare } = await import(kMiniflare);
  const here = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
  worker = new Miniflare({
    compatibilityDate: '2026-01-01',
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: here('worker.mjs') },
      { type: 'ESModule', path: 'replay_trace.mjs', contents: here('replay_trace.mjs') },
      { type: 'CompiledWasm', path: 'shunt.wasm', contents: readFileSync(built('wasi/shunt.wasm')) },
    ],
  });
  await worker.ready;
});
after(() => worker?.dispose());

async function workerd_log(text) {
  let log = '';
  for (const batch of batches(text)) {
    const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body: batch });
    const body = await response.text();
    assert.equal(response.status, 200, body.slice(0, 1000));
    log += body;
  }
  return log;
}

// ---- the tests ----

for (const { name, files, options } of kCases) {
  test(name, { skip: files.length === 0 && 'no such recordings here' }, async (t) => {
    const text = native('replay', '--as-trace', ...options, ...files).toString();
    const log = native_log(text);
    assert.ok(log.length > 0, 'the trace has effects');
    t.diagnostic(`${text.match(/^\{"trace":/gm).length} traces, ${log.split('\n').length - 1} effects`);

    for (const target of ['wasi', 'emscripten']) {
      await t.test(`${target} in Node`, async () => {
        assert_same_log(effect_log(await instantiate(compile(target)), text), log);
      });
    }
    await t.test('wasi in workerd', { skip: no_workerd }, async () => {
      assert_same_log(await workerd_log(text), log);
    });
  });
}
