// Node: the module from disk, calls without undici's own time limits, and a server on this machine.
import {existsSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {fileURLToPath} from 'node:url';
import {streamOf} from '../bodies.mjs';
import {isLoopback, isOpen, kOpenAdvice} from '../guard.mjs';
import {classify as classifyAnywhere, createGateway as createAnywhere} from '../index.mjs';
import {createNormalizer as normalizerAnywhere, normalizeStream as streamAnywhere} from '../normalize.mjs';
import {errorBody} from '../refusal.mjs';
import {answer} from './answer.mjs';

export {ConfigError, ExchangeLost, createCore, faultLine} from '../index.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The packaged module; in a checkout the one that was built last. */
export function wasmFile() {
  const checkout = existsSync(file('../../targets/abi/abi.h'));
  return checkout ? file('../../build/wasi/shunt.wasm') : file('../dist/shunt.wasm');
}

let compiled;
const packagedModule = () => (compiled ??= new WebAssembly.Module(readFileSync(wasmFile())));

/**
 * undici gives up on a head after 300 s of silence, which the core's own limits allow to a plain
 * answer. Its Agent is reached through the dispatcher that fetch installs for itself.
 */
function patientAgent() {
  const installed = globalThis[Symbol.for('undici.globalDispatcher.1')];
  if (installed?.constructor?.name !== 'Agent') return undefined; // the user's own: a proxy, a mock
  return new installed.constructor({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5000 } });
}

function patientFetch() {
  let agent;
  return async (url, init) => {
    if (agent === undefined) {
      await fetch('data:,').catch(() => {}); // installs the dispatcher
      agent = patientAgent() ?? null;
    }
    return fetch(url, agent ? {...init, dispatcher: agent } : init);
  };
}

/** A large body goes as a stream of the chunks there are, its length stated. */
const sizedBody = (parts, length) => ({
  body: streamOf(parts),
  headers: { 'content-length': String(length) },
});

/** Active checks come by a timer here, which holds no process open. */
function withChecks(gateway) {
  const every_s = gateway.catalog.active_checks?.every_s;
  if (every_s === undefined) return gateway;
  const timer = setInterval(() => gateway.upkeep(), every_s * 1000).unref();
  const close = () => {
    clearInterval(timer);
    return gateway.close();
  };
  return {...gateway, close };
}

export function createGateway(config, options = {}) {
  const gateway = createAnywhere(config, {
    env: process.env,
    fetch: patientFetch(),
    sizedBody,
    ...options,
    wasm: options.wasm ?? packagedModule(),
  });
  return withChecks(gateway);
}

export const classify = async (given, options = {}) =>
    classifyAnywhere(given, {...options, wasm: options.wasm ?? packagedModule()});

/** A page whose name has been pointed at this machine sends that name, and may not spend the keys here. */
const hostOf = ({ headers }) => (headers.host ?? 'localhost').replace(/:\d*$/, '');

function turnAway(outgoing) {
  outgoing.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  outgoing.end(errorBody('no_clients', `This gateway answers on loopback only. ${kOpenAdvice}`));
}

// Longer than load balancers keep theirs (most 60 s): the side that sends next must be the one that closes,
// or it meets a reset.
const kIdleConnectionMs = 75_000;

/** Serves a gateway over HTTP, on loopback unless told otherwise. Port 0 takes a free one. */
export async function serve(gateway, {port = 8787, host = '127.0.0.1'} = {}) {
  if (!isLoopback(host) && isOpen(gateway.catalog))
    throw new Error(`This gateway may listen on loopback only. ${kOpenAdvice}`);
  const server = createServer((incoming, outgoing) => {
    if (isOpen(gateway.catalog) && !isLoopback(hostOf(incoming))) return turnAway(outgoing);
    answer(gateway, incoming, outgoing);
  });
  server.requestTimeout = 0; // large bodies over slow lines: the core has its own limit between two pieces
  server.keepAliveTimeout = kIdleConnectionMs;
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address();
  return {
    port: bound,
    url: `http://${host}:${bound}`,
    server,
    /** Takes no further request and waits for those under way. */
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export const createNormalizer = (options) =>
    normalizerAnywhere({...options, wasm: options.wasm ?? packagedModule()});

export const normalizeStream = async (response, options) =>
    streamAnywhere(response, {...options, wasm: options.wasm ?? packagedModule()});
