// What people write against the package, as a compiler sees it: never run. `tsc --strict` takes it all, and
// refuses each line that is marked.
import {
  ConfigError,
  ExchangeLost,
  classify,
  createCore,
  createGateway,
  createNormalizer,
  faultLine,
  normalizeStream,
} from 'shunt';
import type { Catalog, Effect, Gateway, Handle, Store, Verdict } from 'shunt';
import { ShuntState, createWorker } from 'shunt/cloudflare';
import { serve, wasmFile } from 'shunt/node';

const kept = new Map<string, Uint8Array>();
const store: Store = {
  get: (key) => kept.get(key),
  put: async (key, bytes) => void kept.set(key, bytes),
  lease: () => true,
};

export const gateway: Gateway = createGateway(
  { deployments: [] },
  { env: { KEY: 'k' }, store, onRecord: (json) => JSON.parse(json), onFault: console.error },
);
createGateway('{}', { store: (state) => (state.store === 'kv' ? store : store) });

export async function answers(request: Request): Promise<Response> {
  const catalog: Catalog = gateway.catalog;
  await gateway.upkeep({ waitUntil: () => undefined });
  return catalog.deployments.length > 0 ? gateway.fetch(request) : new Response(null, { status: 404 });
}

export async function judged(): Promise<string> {
  const replies = [
    new Response('{}', { status: 429 }),
    new TypeError('fetch failed'),
    { status: 500, body: 'oops', headers: { 'retry-after': '3' } },
  ];
  let said = '';
  for (const reply of replies) {
    const verdict: Verdict = await classify(reply, { provider: 'openai', medium: 'image' });
    if (verdict.class === 'RATE_LIMITED' && verdict.retry_after_s !== null) said += verdict.retry_after_s;
    said += verdict.user_message.zh + verdict.refunded_user_message.en;
  }
  return said;
}

export function told(module: WebAssembly.Module): Effect[] {
  const core = createCore(module, { record: (line) => line.length });
  const handle: Handle | undefined = core.open({ low: 1, high: 2 }, 'upkeep');
  if (!handle) throw new ExchangeLost('no room');
  return core.poll(handle, 5, { op: 'started', t: Date.now() });
}

export async function translated(response: Response): Promise<Uint8Array> {
  const other: Response = await normalizeStream(response, { from: 'bedrock_converse', to: 'openai_chat' });
  const normalizer = createNormalizer({ from: 'gemini_generate', to: 'anthropic_messages', model: 'm' });
  const head = normalizer.feed(new Uint8Array(await other.arrayBuffer()));
  return head.length > 0 ? head : normalizer.end();
}

export async function served(): Promise<void> {
  const { url, close } = await serve(gateway, { port: 0 });
  console.log(url, wasmFile());
  await close();
}

export function faults(error: unknown): string[] {
  return error instanceof ConfigError ? error.faults.map(faultLine) : [];
}

export { ShuntState };
export default createWorker({} as WebAssembly.Module, {
  onRecord: (json, env) => console.log(json, env.NAME),
  store: (_, env) => env.STORE as Store,
});

// @ts-expect-error a configuration is text or an object
createGateway(7);
// @ts-expect-error no such medium
void classify(new Error('x'), { medium: 'smell' });
// @ts-expect-error a store that cannot grant says so by throwing, not by leaving it out
createGateway({}, { store: { get: () => undefined, put: () => undefined } });
// @ts-expect-error no such input
void ((core: ReturnType<typeof createCore>, handle: Handle) => core.poll(handle, 0, { op: 'nap' }));
// @ts-expect-error nothing writes what only providers speak
createNormalizer({ from: 'openai_chat', to: 'cohere_chat' });
