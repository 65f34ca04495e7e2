// A gateway from a configuration: the core, who may call, and where the keys are. Runtime entries
// (node/, browser/, cloudflare/) add only what differs.
import {isAdminPath, refuseAdmin} from './admin.mjs';
import {createCore} from './core.mjs';
import {drive} from './drive.mjs';
import {chooseStore, withoutStore} from './stores/choose.mjs';
import {Keeper} from './stores/keeper.mjs';
import {Upkeep} from './upkeep.mjs';

export {classify} from './classify.mjs';
export {createNormalizer, normalizeStream} from './normalize.mjs';
export {ConfigError, ExchangeLost, createCore, faultLine} from './core.mjs';

/** Monotonic where the runtime has such a clock, and the same for all requests of an isolate. */
const hostNow = () => performance.timeOrigin + performance.now();

/** A core that has read the configuration, and the store that this asks for. */
function configured(config, { wasm, record, store: given }, onFault) {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const make = (document) => {
    const core = createCore(wasm, { record, onTrap: onFault });
    return { core, catalog: core.configure(document) };
  };
  const made = make(text);
  const { store, missing } = chooseStore(made.catalog.state, given);
  if (!missing) return {...made, store };
  onFault(missing);
  return {...make(withoutStore(text)), store };
}

/** The operator's token, by the name that the configuration gives it. */
function adminToken({ admin_token: name }, env, onFault) {
  if (name === undefined) return undefined;
  const token = env[name]?.trim();
  if (!token) onFault(new Error(`"admin" names the secret ${name}, which is not set: /admin is closed`));
  return token;
}

/**
 * config: shunt.json as text or as an object. Options: `wasm` (a WebAssembly.Module), `env` (name ->
 * secret), `fetch`, `store`, `onRecord(json)`, `onAlert(json)`, `onLog(json)`, `onFault(error)`,
 * `record(line)`; index.d.ts says more.
 */
export function createGateway(config, options = {}) {
  const { wasm, env = {}, onFault = (error) => console.error(error) } = options;
  if (!(wasm instanceof WebAssembly.Module)) {
    throw new TypeError('createGateway needs { wasm }: the compiled shunt.wasm (a WebAssembly.Module)');
  }
  const { core, catalog, store } = configured(config, options, onFault);
  const host = {
    core,
    lines: catalog.deployments,
    clients: new Map(catalog.clients.map(({ id, key_sha256 }) => [key_sha256, id])),
    env,
    store: new Keeper(store, onFault),
    asleep: new Map(), // handle's id -> {work, wake}: what waits for a slot
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    now: options.now ?? hostNow,
    wall: options.wall ?? Date.now,
    sizedBody: options.sizedBody,
    onRecord: options.onRecord,
    onAlert: options.onAlert,
    onLog: options.onLog ?? ((json) => console.log(json)),
    onFault,
  };
  host.upkeep = new Upkeep(host);
  const token = adminToken(catalog, env, onFault);
  const running = new Set();
  const underWayIn = (context) => (over) => {
    running.add(over);
    over.then(() => running.delete(over));
    context?.waitUntil?.(over);
  };
  let closed = false;
  return {
    core,
    catalog,
    async fetch(request, context) {
      if (closed) return new Response('This gateway is closed.\n', { status: 503 });
      const underWay = underWayIn(context);
      if (!isAdminPath(new URL(request.url).pathname)) return drive(host, request, underWay);
      return (await refuseAdmin(request.headers, token)) ?? drive(host, request, underWay, 'admin');
    },
    async upkeep(context) {
      if (!closed) await host.upkeep.turn(underWayIn(context));
    },
    async close() {
      closed = true;
      host.upkeep.stop();
      await Promise.all(running);
    },
  };
}
