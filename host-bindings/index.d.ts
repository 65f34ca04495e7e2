// Types of the npm package, for every runtime.

/** A fault or warning of shunt.json, where it stands. */
export interface ConfigFault {
  path: string;
  line: number;
  column: number;
  found: string;
  allowed: string;
  /** The nearest known word, or "". */
  suggestion: string;
  warning?: true;
}

/** Thrown when shunt.json is refused; the message lists every fault. */
export class ConfigError extends Error {
  readonly faults: ConfigFault[];
}

/** Thrown by Core.poll when an exchange cannot go on: its instance is gone, or it was closed. */
export class ExchangeLost extends Error {}

export function faultLine(fault: ConfigFault): string;

/** One line (deployment) as the host needs to know it. */
export interface Line {
  id: string;
  provider: string;
  auth: 'none' | 'bearer' | 'header' | 'query' | (string & {});
  auth_name: string;
  /** Names of the secrets that hold its keys. */
  keys: string[];
  /** The caller's own key is passed on. */
  client_key: boolean;
  headers: Record<string, string>;
}

export interface Catalog {
  /** SHA-256 of the configuration's bytes; stands in every record. */
  hash: string;
  deployments: Line[];
  clients: { id: string; key_sha256: string }[];
  cors: { origins: string[] };
  warnings: ConfigFault[];
}

export interface CoreOptions {
  /** Gets every line of a shunt-trace/1: what the core was told, in order, enough to replay it. */
  record?: (line: string) => void;
  /** Hears of an instance that trapped; another has taken its place. */
  onTrap?: (error: unknown) => void;
}

export type InputOp =
  | 'none'
  | 'request_arrived'
  | 'request_bytes'
  | 'request_ended'
  | 'head_arrived'
  | 'bytes_arrived'
  | 'attempt_ended'
  | 'attempt_broke'
  | 'client_paused'
  | 'client_ready'
  | 'client_gone'
  | 'timer_fired';

export type EffectOp =
  | 'start_attempt'
  | 'attempt_body'
  | 'release_body'
  | 'abort_attempt'
  | 'send_head'
  | 'send_bytes'
  | 'send_end'
  | 'emit'
  | 'timer';

export interface Input {
  op: InputOp;
  stream?: number;
  a?: number;
  b?: number;
  t?: number;
  payload?: Uint8Array;
}

export interface Effect {
  op: EffectOp;
  stream: number;
  a: number;
  b: number;
  t: number;
  payload: Uint8Array;
}

/** An open exchange. `finished` once it is over: close it. */
export interface Handle {
  readonly number: number;
  readonly finished: boolean;
}

/** The core itself: records in, records out. Times are milliseconds. */
export interface Core {
  configure(text: string): Catalog;
  open(seed: { low: number; high: number }): Handle | undefined;
  poll(handle: Handle, now: number, input: Input): Effect[];
  close(handle: Handle): void;
  /** Health of all lines as bytes, for another instance. */
  snapshot(now: number, wall: number): Uint8Array;
  /** False: the bytes are no snapshot, nothing changed. */
  load(bytes: Uint8Array, now: number, wall: number): boolean;
  /** The order in which a route's lines would be tried now. */
  plan(route: number, seedLow: number, now: number): { deployment: number; slot: number }[];
  memory(): { used: number; reserved: number };
}

export function createCore(module: WebAssembly.Module, options?: CoreOptions): Core;

export interface GatewayOptions {
  /** Secrets by the names that the configuration gives them. Node: process.env by default. */
  env?: Record<string, unknown>;
  /** The compiled shunt.wasm. Optional where the package brings it: Node, Workers, browsers. */
  wasm?: WebAssembly.Module;
  /** Makes the calls to providers. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * One decision record (JSON) per request: who was asked, what went wrong, why. No content, no keys.
   */
  onRecord?: (json: string) => void;
  onAlert?: (json: string) => void;
  /** Log lines, when the configuration asks for them. console.log by default. */
  onLog?: (json: string) => void;
  /** Faults of the gateway itself; each ends only the requests it touched. console.error by default. */
  onFault?: (error: unknown) => void;
  record?: (line: string) => void;
  /** Monotonic milliseconds, the same for all requests of the process or isolate. */
  now?: () => number;
  /** Milliseconds since 1970. */
  wall?: () => number;
}

export interface Gateway {
  /** Answers one request. Give the Worker's execution context where there is one. */
  fetch(request: Request, context?: { waitUntil?(promise: Promise<unknown>): void }): Promise<Response>;
  /** Takes no further request; settles when those under way are done. */
  close(): Promise<void>;
  readonly core: Core;
  readonly catalog: Catalog;
}

/** `config`: shunt.json as text or as an object. Throws ConfigError. */
export function createGateway(config: string | object, options?: GatewayOptions): Gateway;
