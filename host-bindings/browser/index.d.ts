// Types of the browser entry.
import type { Gateway, GatewayOptions, NormalizeOptions, Normalizer } from '../index.js';

export {
  ConfigError,
  ExchangeLost,
  classify,
  createCore,
  faultLine,
  normalizeStream,
} from '../index.js';
export type * from '../index.js';

export function loadModule(url?: string | URL): Promise<WebAssembly.Module>;

/** As everywhere, but the module may still have to be loaded. */
export function createGateway(config: string | object, options?: GatewayOptions): Promise<Gateway>;

/** As everywhere, but the module may still have to be loaded. */
export function createNormalizer(options: NormalizeOptions): Promise<Normalizer>;
