// Several Worker services in one workerd, which share one store as isolates and machines do: a Durable Object
// by scriptName, or one KV namespace, with or without flaws in front. Knows the bindings' names and
// miniflare's options.
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {Miniflare, workerOptions} from '../../../scripts/lib/worker.mjs';

const flawed = fileURLToPath(new URL('../flawed_store.mjs', import.meta.url));

const entry = (flaws) => `
  import wasm from '../dist/shunt.wasm';
  import { createWorker } from './gateway.mjs';
  import { boundStore } from './stores.mjs';
  import { flawedStore } from '../../tests/edge/flawed_store.mjs';
  export { ShuntState } from '../stores/durable_object.mjs';
  const flaws = async (env) => (await env.FLAWS.fetch('http://flaws/')).json();
  const flawed = (state, env) => flawedStore(boundStore(env)(state), () => flaws(env));
  export default createWorker(wasm, { onRecord() {}, onLog() {}${flaws ? ', store: flawed' : ''} });`;

/**
 * `names`: of the services; the first holds the Durable Object. `flaws`: an object of flawed_store.mjs, read
 * at each call, so the test may change it in mid-traffic; none = the store as it is. `persist`: a directory
 * that outlives the workerd. `bindings`: what is bound of 'kv' and 'durable_object'. Gives {urls, log, tick,
 * kv, close}; `tick(name)` fires the cron trigger of one.
 */
export async function startIsolates(
    {names = ['one', 'two'], config, env = {}, flaws, persist, bindings = ['kv', 'durable_object']}) {
  const lines = [];
  const options = workerOptions(entry(flaws));
  options.modules.push({ type: 'ESModule', path: flawed, contents: readFileSync(flawed, 'utf8') });
  const object = (name) => ({
    className: 'ShuntState',
    useSQLite: true,
    ...(name === names[0] ? {} : { scriptName: names[0] }),
  });
  const worker = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    durableObjectsPersist: persist ? `${persist}/objects` : false,
    kvPersist: persist ? `${persist}/kv` : false,
    workers:
        names.map((name) => ({
                    ...options,
                    name,
                    bindings: {...env, SHUNT_CONFIG: JSON.stringify(config) },
                    kvNamespaces: bindings.includes('kv') ? { SHUNT_KV: 'shared' } : {},
                    durableObjects: bindings.includes('durable_object') ? { SHUNT_STATE: object(name) } : {},
                    serviceBindings: {
                      FLAWS: () => new Response(JSON.stringify(flaws ?? {})),
                    },
                    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
                  })),
    handleRuntimeStdio: (stdout, stderr) => {
      for (const stream of [stdout, stderr])
        createInterface({ input: stream }).on('line', (line) => lines.push(line));
    },
  });
  await worker.ready;
  const url = async (name) => (await worker.unsafeGetDirectURL(name)).href.replace(/\/$/, '');
  return {
    urls: await Promise.all(names.map(url)),
    log: () => lines.join('\n'),
    tick: async (name) => (await worker.getWorker(name)).scheduled(),
    kv: () => worker.getKVNamespace('SHUNT_KV', names[0]),
    close: () => worker.dispose(),
  };
}
