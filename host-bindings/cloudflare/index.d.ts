// Types of the Workers entry.
import type { GatewayOptions, StateOfCatalog, Store } from '../index.js';

export * from '../index.js';

type WithEnv<F> = F extends (given: infer G) => void
  ? (given: G, env: Record<string, unknown>) => void
  : never;

export interface WorkerOptions extends Omit<
  GatewayOptions,
  'env' | 'wasm' | 'onRecord' | 'onAlert' | 'onLog' | 'onFault' | 'record' | 'store'
> {
  onRecord?: WithEnv<NonNullable<GatewayOptions['onRecord']>>;
  onAlert?: WithEnv<NonNullable<GatewayOptions['onAlert']>>;
  onLog?: WithEnv<NonNullable<GatewayOptions['onLog']>>;
  onFault?: WithEnv<NonNullable<GatewayOptions['onFault']>>;
  record?: WithEnv<NonNullable<GatewayOptions['record']>>;
  store?: (state: StateOfCatalog, env: Record<string, unknown>) => Store;
}

/**
 * The Durable Object that keeps shared health and grants leases: export it from the Worker, bind it as
 * SHUNT_STATE, and name it under `new_sqlite_classes` of a migration.
 */
export class ShuntState {
  constructor(context: unknown, env: unknown);
  fetch(request: Request): Promise<Response>;
  alarm(): Promise<void>;
}

/** A whole Worker: configuration from the binding SHUNT_CONFIG, keys from the bindings it names. */
export function createWorker(
  wasm: WebAssembly.Module,
  options?: WorkerOptions,
): {
  fetch(
    request: Request,
    env: Record<string, unknown>,
    context: { waitUntil(promise: Promise<unknown>): void },
  ): Promise<Response>;
  /** For cron triggers: upkeep and active checks. */
  scheduled(
    event: unknown,
    env: Record<string, unknown>,
    context: { waitUntil(promise: Promise<unknown>): void },
  ): Promise<void>;
};
