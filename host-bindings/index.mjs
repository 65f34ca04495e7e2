// A gateway from a configuration: the core, who may call, and where the keys are. Runtime entries
// (node/, browser/, cloudflare/) add only what differs.
import {createCore} from './core.mjs';
import {drive} from './drive.mjs';

export {classify} from './classify.mjs';
export {ConfigError, ExchangeLost, createCore, faultLine} from './core.mjs';

/** Monotonic where the runtime has such a clock, and the same for all requests of an isolate. */
const hostNow = () => performance.timeOrigin + performance.now();

/**
 * config: shunt.json as text or as an object. Options: `wasm` (a WebAssembly.Module), `env` (name ->
 * secret), `fetch`, `onRecord(json)`, `onAlert(json)`, `onLog(json)`, `onFault(error)`, `record(line)`;
 * index.d.ts says more.
 */
export function createGateway(config, options = {}) {
  const { wasm, record, onFault = (error) => console.error(error) } = options;
  if (!(wasm instanceof WebAssembly.Module)) {
    throw new TypeError('createGateway needs { wasm }: the compiled shunt.wasm (a WebAssembly.Module)');
  }
  const core = createCore(wasm, { record, onTrap: onFault });
  const catalog = core.configure(typeof config === 'string' ? config : JSON.stringify(config));
  const host = {
    core,
    lines: catalog.deployments,
    clients: new Map(catalog.clients.map(({ id, key_sha256 }) => [key_sha256, id])),
    env: options.env ?? {},
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    now: options.now ?? hostNow,
    wall: options.wall ?? Date.now,
    sizedBody: options.sizedBody,
    onRecord: options.onRecord,
    onAlert: options.onAlert,
    onLog: options.onLog ?? ((json) => console.log(json)),
    onFault,
  };
  const running = new Set();
  let closed = false;
  return {
    core,
    catalog,
    async fetch(request, context) {
      if (closed) return new Response('This gateway is closed.\n', { status: 503 });
      return drive(host, request, (over) => {
        running.add(over);
        over.then(() => running.delete(over));
        context?.waitUntil?.(over);
      });
    },
    async close() {
      closed = true;
      await Promise.all(running);
    },
  };
}
