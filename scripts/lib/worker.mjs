// Starts the Worker in real workerd on this machine, under miniflare: as deployed, except that what it emits
// comes back here. Knows the files of the Worker and miniflare's options, not what the Worker does.
import {closeSync, openSync, readFileSync, readdirSync, writeSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {wasmFile} from '../../host-bindings/node/index.mjs';
import {root} from './tree.mjs';

export const {Miniflare} = createRequire(join(root, 'host-bindings/package.json'))('miniflare');

// As in wrangler.toml.
const setting = (name) => JSON.parse(
    new RegExp(`^${name} = (.*)$`, 'm').exec(readFileSync(join(root, 'wrangler.toml'), 'utf8'))[1]);

/** Miniflare's options for the Worker's modules, behind an entry of one's own (a module in cloudflare/). */
export function workerOptions(entry) {
  const home = join(root, 'host-bindings');
  const files =
      ['', 'cloudflare/', 'stores/']
          .flatMap((directory) => readdirSync(join(home, directory)).map((name) => directory + name))
          .filter((name) => name.endsWith('.mjs') && name !== 'pack.mjs');
  return {
    modules: [
      { type: 'ESModule', path: join(home, 'cloudflare/local.mjs'), contents: entry },
      ...files.map((name) => ({ type: 'ESModule', path: join(home, name) })),
      { type: 'CompiledWasm', path: join(home, 'dist/shunt.wasm'), contents: readFileSync(wasmFile()) },
    ],
    modulesRoot: root,
    compatibilityDate: setting('compatibility_date'),
    compatibilityFlags: setting('compatibility_flags'),
  };
}

/** What it emits goes to standard output, behind a word that says which it is. */
const telling = (record) => `
    import wasm from '../dist/shunt.wasm';
    import { createWorker } from './gateway.mjs';
    export { ShuntState } from '../stores/durable_object.mjs';
    const say = (word) => (text) => console.log(word + ' ' + text);
    const hooks = { onRecord: say('record'), onAlert: say('alert'), onLog: say('log') };
    export default createWorker(wasm, ${record ? '{ ...hooks, record: say(\'trace\') }' : 'hooks'});`;

/**
 * config: shunt.json as text or object; env: name -> secret. `record`: a file for shunt-trace/1 lines.
 * `on_record`, `on_alert`, `on_output(line)`: hear what the Worker says, as it says it. Gives {url, records,
 * recorded(test), log(), close()}.
 */
export async function startWorker({config, env = {}, port = 0, record, on_record, on_alert, on_output} = {}) {
  const records = [];
  const lines = [];
  const waiting = new Set();
  const trace = record && openSync(record, 'w');
  const listeners = {
    record: (text) => {
      const decision = JSON.parse(text);
      records.push(decision);
      on_record?.(decision);
      for (const check of waiting) check(decision);
    },
    alert: (text) => on_alert?.(JSON.parse(text)),
    trace: (text) => writeSync(trace, `${text}\n`), // at once: miniflare ends the process on Ctrl-C
  };
  const hear = (line) => {
    const [, word, text] = /^(\w+) (.*)$/s.exec(line) ?? [];
    if (word !== 'trace') lines.push(line);
    if (listeners[word])
      listeners[word](text);
    else
      on_output?.(line);
  };
  const worker = new Miniflare({
    ...workerOptions(telling(record)),
    durableObjects: { SHUNT_STATE: { className: 'ShuntState', useSQLite: true } }, // as in wrangler.toml
    bindings: {...env, SHUNT_CONFIG: typeof config === 'string' ? config : JSON.stringify(config) },
    host: '127.0.0.1',
    port,
    cf: false, // or it asks the network for a sample
    handleRuntimeStdio: (stdout, stderr) => {
      for (const stream of [stdout, stderr]) createInterface({ input: stream }).on('line', hear);
    },
  });
  const url = (await worker.ready).href.replace(/\/$/, '');
  return {
    url,
    records,
    /** The first record that passes `test`, now or within `ms`; then undefined. */
    recorded: (test, ms = 3000) => new Promise((resolve) => {
      const finish = (record) => {
        clearTimeout(timer);
        waiting.delete(check);
        resolve(record);
      };
      const check = (record) => test(record) && finish(record);
      const timer = setTimeout(() => finish(undefined), ms);
      waiting.add(check);
      const known = records.find(test);
      if (known) finish(known);
    }),
    log: () => lines.join('\n'),
    close: async () => {
      await worker.dispose();
      if (trace) closeSync(trace);
    },
  };
}
