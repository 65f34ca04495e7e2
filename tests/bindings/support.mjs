// What the tests of the bindings share: the built module, a small configuration, scripted local
// providers. Knows OpenAI's stream format.
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {createGateway, serve} from '../../host-bindings/node/index.mjs';

const built = fileURLToPath(new URL('../../build/wasi/shunt.wasm', import.meta.url));
export const wasm = new WebAssembly.Module(readFileSync(process.env.SHUNT_WASM ?? built));

export {pause};

/** Routes "chat" over lines a, b, … at these base URLs, in this order. */
export const configOf = (urls, more = {}) => ({
  providers: Object.fromEntries(
      urls.map((url, i) => [`p${i}`, {dialect: 'openai_chat', base_url: url, keys: ['KEY']}]),
      ),
  deployments: urls.map((_, i) => ({
                          id: `line${i}`,
                          provider: `p${i}`,
                          model: `model-${i}`,
                          priority: i + 1,
                        })),
  routes: {chat: {deployments: urls.map((_, i) => `line${i}`)}},
  ...more,
});

/**
 * A gateway over these providers, served on a port of its own until what it adds to `closing` is called.
 * `config`: more of it; `key`: of the providers; the rest are createGateway's options.
 */
export async function gatewayOver(closing, urls, {config, key = 'sk', ...options} = {}) {
  const records = [];
  const gateway = createGateway(configOf(urls, config), {
    wasm,
    env: { KEY: key },
    onRecord: (json) => records.push(JSON.parse(json)),
    ...options,
  });
  const server = await serve(gateway, { port: 0 });
  closing.push(async () => {
    server.server.closeAllConnections();
    await server.close();
  });
  return { gateway, records, url: server.url };
}

const head = '"id":"c1","object":"chat.completion.chunk","created":1,"model":"m"';
export const chunkOf = (text) => `data: {${head},"choices":[{"index":0,"delta":{"content":${
    JSON.stringify(text)}},"finish_reason":null}]}\n\n`;
export const finish =
    `data: {${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
export const answerOf = (text) => JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{index: 0, message: {role: 'assistant', content: text}, finish_reason: 'stop'}],
  usage: {prompt_tokens: 1, completion_tokens: 1, total_tokens: 2},
});

export const ask = (text, more = {}) =>
    JSON.stringify({model: 'chat', stream: true, messages: [{role: 'user', content: text}], ...more});

export function sse(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return response;
}

/**
 * A provider on a port of its own: `handle(request, response, body)` once the body is whole, unless
 * `early`.
 */
export async function provider(handle, {early = false} = {}) {
  const calls = [];
  const server = createServer(async (request, response) => {
    const call = { headers: request.headers, url: request.url, closed: undefined };
    calls.push(call);
    response.once('close', () => {
      call.closed = performance.now();
      call.whole = response.writableFinished;
    });
    if (early) return handle(request, response, call);
    const parts = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    call.body = Buffer.concat(parts);
    handle(request, response, call);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, calls, close };
}

export const post = (url, body, more = {}) => fetch(`${url}/v1/chat/completions`, {
  method: 'POST',
  headers: {'content-type': 'application/json'},
  body,
  ...more,
});

/** Waits until `value()` has been one and the same for `still` ms, and gives it; fails after `ms`. */
export async function settled(value, still = 400, ms = 20_000) {
  const end = performance.now() + ms;
  let seen = value();
  for (let since = performance.now(); performance.now() - since < still; await pause(10)) {
    if (performance.now() > end) throw new Error(`still changing after ${ms} ms: ${value}`);
    if (value() === seen) continue;
    seen = value();
    since = performance.now();
  }
  return seen;
}

/** Waits until `check()` holds; fails after `ms`: what goes on while the machine is busy takes longer. */
export async function until(check, ms = 10_000) {
  const end = performance.now() + ms;
  while (!check()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${check}`);
    await pause(5);
  }
}
