// Browsers: the module by URL, and calls that carry nothing of the page. For keys of the user's own;
// never ship a provider's key.
import {classify as classifyAnywhere, createGateway as createAnywhere} from '../index.mjs';
import {createNormalizer as normalizerAnywhere, normalizeStream as streamAnywhere} from '../normalize.mjs';

export {ConfigError, ExchangeLost, createCore, faultLine} from '../index.mjs';

/** Compiles shunt.wasm from a URL (the package's own by default). */
export async function loadModule(url = new URL('../dist/shunt.wasm', import.meta.url)) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Servers that do not know the type of .wasm are common enough to read the bytes instead.
  if (response.headers.get('content-type') === 'application/wasm')
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

const anonymousFetch = (url, init) =>
    fetch(url, {...init, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' });

export async function createGateway(config, options = {}) {
  return createAnywhere(config, {
    fetch: anonymousFetch,
    ...options,
    wasm: options.wasm ?? (await loadModule()),
  });
}

let packaged; // a promise; one that failed is not kept

function packagedModule() {
  packaged ??= loadModule();
  packaged.catch(() => (packaged = undefined));
  return packaged;
}

export async function classify(given, options = {}) {
  return classifyAnywhere(given, {...options, wasm: options.wasm ?? (await packagedModule()) });
}

export async function createNormalizer(options) {
  return normalizerAnywhere({...options, wasm: options.wasm ?? (await packagedModule()) });
}

export async function normalizeStream(response, options) {
  return streamAnywhere(response, {...options, wasm: options.wasm ?? (await packagedModule()) });
}
