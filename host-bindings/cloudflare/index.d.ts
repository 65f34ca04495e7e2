// Types of the Workers entry.
import type { GatewayOptions } from '../index.js';

export * from '../index.js';

type WithEnv<F> = F extends (given: infer G) => void
  ? (given: G, env: Record<string, unknown>) => void
  : never;

export interface WorkerOptions extends Omit<
  GatewayOptions,
  'env' | 'wasm' | 'onRecord' | 'onAlert' | 'onLog' | 'onFault' | 'record'
> {
  onRecord?: WithEnv<NonNullable<GatewayOptions['onRecord']>>;
  onAlert?: WithEnv<NonNullable<GatewayOptions['onAlert']>>;
  onLog?: WithEnv<NonNullable<GatewayOptions['onLog']>>;
  onFault?: WithEnv<NonNullable<GatewayOptions['onFault']>>;
  record?: WithEnv<NonNullable<GatewayOptions['record']>>;
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
};
