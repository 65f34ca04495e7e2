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
  /** It is called with the caller's own key, or not at all. */
  client_key: boolean;
  headers: Record<string, string>;
}

export interface Catalog {
  /** SHA-256 of the configuration's bytes; stands in every record. */
  hash: string;
  deployments: Line[];
  clients: { id: string; key_sha256: string }[];
  cors: { origins: string[] };
  /** Where health is shared, and under which name. "memory": nowhere. */
  state: StateOfCatalog;
  /** The name of the secret that opens /admin; absent = nobody may. */
  admin_token?: string;
  /** Lines that are out are asked so often; absent = never. */
  active_checks?: { every_s: number };
  warnings: ConfigFault[];
}

export interface StateOfCatalog {
  store: 'memory' | 'kv' | 'durable_object' | 'file' | (string & {});
  shard: string;
}

type Awaitable<T> = T | Promise<T>;

/**
 * Where isolates and machines tell each other which lines are out, and share quotas out. Bytes in, bytes out;
 * a put replaces. Any call may fail or take its time: that costs freshness, never a request.
 */
export interface Store {
  get(key: string): Awaitable<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Awaitable<void>;
  /** True to one asker at a time, until `ttl_ms` is over. A store that cannot grant throws. */
  lease(key: string, ttl_ms: number): Awaitable<boolean>;
  /**
   * Up to `amount` whole tokens of a bucket that all isolates use up together: it refills `per_minute`
   * evenly, holds `burst` and is full at first. `wait_ms`: where none was granted, the time until one is
   * there. Whole numbers from 0; anything else is no answer. Without it each isolate keeps to the limits
   * alone.
   */
  take?(
    key: string,
    share: { amount: number; per_minute: number; burst: number },
  ): Awaitable<{ granted: number; wait_ms: number }>;
}

export interface CoreOptions {
  /** Gets every line of a shunt-trace/1: what the core was told, in order, enough to replay it. */
  record?: (line: string) => void;
  /** Hears of an instance that trapped; another has taken its place. */
  onTrap?: (error: unknown) => void;
}

/** What an exchange is for. */
export type Kind = 'request' | 'probe' | 'upkeep' | 'admin';

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
  | 'timer_fired'
  | 'store_answered'
  | 'started'
  | 'woken';

export type EffectOp =
  | 'start_attempt'
  | 'attempt_body'
  | 'release_body'
  | 'abort_attempt'
  | 'send_head'
  | 'send_bytes'
  | 'send_end'
  | 'emit'
  | 'timer'
  | 'store_get'
  | 'store_put'
  | 'store_lease'
  | 'store_take'
  | 'wake';

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

/**
 * An open exchange. `finished` once it is over: close it. `dirty`: a line changed its state at the last poll.
 * `upkeep`: open one of that kind.
 */
export interface Handle {
  readonly number: number;
  readonly finished: boolean;
  readonly dirty: boolean;
  readonly upkeep: boolean;
}

/** The core itself: records in, records out. Times are milliseconds. */
export interface Core {
  configure(text: string): Catalog;
  /** `kind`: a request when left out. */
  open(seed: { low: number; high: number }, kind?: Kind): Handle | undefined;
  poll(handle: Handle, now: number, input: Input): Effect[];
  close(handle: Handle): void;
  /** Health of all lines as bytes, for another instance. */
  snapshot(now: number, wall: number): Uint8Array;
  /** False: the bytes are no snapshot, nothing changed. */
  load(bytes: Uint8Array, now: number, wall: number): boolean;
  /** The order in which a route's lines would be tried now. */
  plan(route: number, seedLow: number, now: number): { deployment: number; slot: number }[];
  /** The verdict on one failed reply, told as a block; `classify` below makes one of anything. */
  classify(block: Uint8Array, wall: number): Verdict;
  memory(): { used: number; reserved: number };
}

export function createCore(module: WebAssembly.Module, options?: CoreOptions): Core;

export type ErrorClass =
  | 'CONTENT_POLICY'
  | 'RATE_LIMITED'
  | 'QUOTA_INSUFFICIENT'
  | 'AUTH_FAILURE'
  | 'PROVIDER_UNAVAILABLE'
  | 'INVALID_REQUEST'
  | 'EXTERNAL_NETWORK'
  | 'TEMPORARY'
  | 'EMPTY_CONTENT'
  | 'UNKNOWN';

/** A text for people, in Chinese and English; it holds no key, no address and no raw body. */
export interface UserText {
  zh: string;
  en: string;
}

/** What a failure is, and what may be done next. */
export interface Verdict {
  class: ErrorClass;
  /** "rpm", "context_length", "overloaded"…; null where the class says it all. */
  sub: string | null;
  /** What it says something about. */
  scope: 'request' | 'deployment' | 'key' | 'model' | 'provider' | 'region' | 'own_host';
  /** An unchanged repeat there can succeed, after `retry_after_s` where one is stated. */
  retry_same: boolean;
  /** Another provider may serve the unchanged request. */
  switch_provider: boolean;
  /** It counts as a failure of the line: penalty "normal" or "long". */
  penalise: boolean;
  penalty: 'none' | 'cooldown' | 'weak' | 'normal' | 'long';
  /** As the provider states it, uncapped; null = it states none. */
  retry_after_s: number | null;
  /** How far the request got. */
  exposure: 'not_sent' | 'rejected' | 'maybe_executed' | 'partially_delivered';
  /** The row of the rules that decided. */
  rule: string;
  user_message: UserText;
  /** For work that was paid for and has been refunded. */
  refunded_user_message: UserText;
  log_message: string;
}

/** A failure whose parts are at hand: a status, or what broke the connection, or both. */
export interface FailedReply {
  status?: number | null;
  headers?: Headers | Record<string, string> | [string, string][];
  body?: string | Uint8Array | null;
  /** What fetch or reading the body threw, or a runtime's words for it. */
  networkError?: unknown;
}

export interface ClassifyOptions {
  /** Who answered: a preset's name or an alias. Without it the general rules judge. */
  provider?: string;
  /** What was asked for, which the user's texts name. By the provider's name when left out. */
  medium?: 'text' | 'image' | 'video' | 'audio';
  /** The compiled shunt.wasm. Optional where the package brings it: Node, Workers, browsers. */
  wasm?: WebAssembly.Module;
  /** Milliseconds since 1970, for dates in a reply without a Date header. Now by default. */
  wall?: number;
}

/**
 * Judges a reply that is known to have failed or is suspect: a Response (up to 64 KB of its body are
 * read, the rest is cancelled; give a clone to keep it), what fetch threw, or the parts of a reply.
 * Any bytes give a verdict.
 */
export function classify(given: Response | Error | FailedReply, options?: ClassifyOptions): Promise<Verdict>;

/** A wire API of a provider or a client. */
export type Dialect =
  | 'openai_chat'
  | 'openai_responses'
  | 'anthropic_messages'
  | 'gemini_generate'
  | ReadOnlyDialect;

/** One that only providers speak: it can be read. */
export type ReadOnlyDialect =
  | 'bedrock_converse'
  | 'cohere_chat'
  | 'ollama_chat'
  | 'dashscope_native'
  | 'workers_ai_native'
  | 'lmstudio_native'
  | 'ernie_native'
  | 'openai_completions';

export interface NormalizeOptions {
  /** What the provider speaks. */
  from: Dialect;
  /** What comes out. */
  to: Exclude<Dialect, ReadOnlyDialect>;
  /** Who answered, for its deviations: a preset's name or an alias. */
  provider?: string;
  /** Of the body; where it is not known, its first bytes tell. */
  contentType?: string;
  /** Names that stand where the provider gave none. */
  id?: string;
  model?: string;
  /** Seconds since 1970, likewise; now by default. */
  created?: number;
  /** The compiled shunt.wasm. Optional where the package brings it: Node, Workers, browsers. */
  wasm?: WebAssembly.Module;
}

/** One answer under translation. Nothing is awaited: what the bytes lead to is there at once. */
export interface Normalizer {
  /** The answer's next bytes, cut anywhere, in; what they lead to, often nothing, out. */
  feed(bytes: Uint8Array): Uint8Array;
  /** The last bytes, if any; a stream that was cut ends in the dialect's own error event. */
  end(bytes?: Uint8Array): Uint8Array;
}

/** Throws TypeError for a dialect that nothing reads or writes. */
export function createNormalizer(options: NormalizeOptions): Normalizer;

/**
 * `response` in dialect `to`: a stream as it comes, a plain answer whole. One whose status is no 2xx comes
 * back as it is: `classify` reads those.
 */
export function normalizeStream(response: Response, options: NormalizeOptions): Promise<Response>;

export interface GatewayOptions {
  /** Secrets by the names that the configuration gives them. Node: process.env by default. */
  env?: Record<string, unknown>;
  /** The compiled shunt.wasm. Optional where the package brings it: Node, Workers, browsers. */
  wasm?: WebAssembly.Module;
  /** Makes the calls to providers. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * What keeps shared health, for a configuration whose `state` names a store; or how to open it: a function
   * that throws what to do where it cannot. Workers: the bindings SHUNT_KV and SHUNT_STATE by default. When
   * it is missing, `onFault` hears of it and health stays in memory.
   */
  store?: Store | ((state: StateOfCatalog) => Store);
  /**
   * One decision record (JSON) per request: who was asked, what went wrong, why. No content, no keys. A
   * shadow's end is a record of its own ("record": "shunt-shadow/1") with the id of its request.
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
  /** Answers a request; under /admin an operator's. Give the Worker's execution context if there is one. */
  fetch(request: Request, context?: { waitUntil?(promise: Promise<unknown>): void }): Promise<Response>;
  /**
   * By the clock instead of by traffic: hears what others know and checks lines that are out. For a cron
   * trigger or a timer; requests see to the first by themselves.
   */
  upkeep(context?: { waitUntil?(promise: Promise<unknown>): void }): Promise<void>;
  /** Takes no further request; settles when those under way are done. */
  close(): Promise<void>;
  readonly core: Core;
  readonly catalog: Catalog;
}

/** `config`: shunt.json as text or as an object. Throws ConfigError. */
export function createGateway(config: string | object, options?: GatewayOptions): Gateway;
