// The Worker in real workerd, as it is deployed: its modules, the built shunt.wasm, the flags of
// wrangler.toml.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {request as httpRequest} from 'node:http';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {answerOf, ask, chunkOf, configOf, finish, post, provider, sse, until,} from '../bindings/support.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bindings = join(root, 'host-bindings');
const wasmFile = process.env.SHUNT_WASM ?? join(root, 'build/wasi/shunt.wasm');
const installed = existsSync(join(bindings, 'node_modules/miniflare'));
const skip = installed ? false : 'miniflare is not installed (scripts/dev setup edge)';
const toml = readFileSync(join(root, 'wrangler.toml'), 'utf8');

/** worker.mjs first; paths as they stand in the package, so relative imports resolve. */
function modules() {
  const sources = ['cloudflare', '.', 'stores'].flatMap(
      (folder) => readdirSync(join(bindings, folder))
                      .filter((name) => name.endsWith('.mjs') && name !== 'pack.mjs')
                      .sort((a, b) => (b === 'worker.mjs') - (a === 'worker.mjs'))
                      .map((name) => join(bindings, folder, name)),
  );
  return [
    ...sources.map((path) => ({ type: 'ESModule', path, contents: readFileSync(path, 'utf8') })),
    { type: 'CompiledWasm', path: join(bindings, 'dist/shunt.wasm'), contents: readFileSync(wasmFile) },
  ];
}

async function worker(vars) {
  const { Miniflare } = createRequire(join(bindings, 'package.json'))('miniflare');
  const miniflare = new Miniflare({
    modules: modules(),
    modulesRoot: bindings,
    compatibilityDate: /^compatibility_date = "(.*)"/m.exec(toml)[1],
    compatibilityFlags: JSON.parse(/^compatibility_flags = (.*)$/m.exec(toml)[1]),
    bindings: vars,
    cf: false,
    host: '127.0.0.1',
    port: 0,
  });
  const url = String(await miniflare.ready).replace(/\/$/, '');
  return { url, miniflare };
}

const closing = [];
let calm;
let moody;
let slow;
let gone;
let url;
before(async () => {
  if (skip) return;
  calm = await provider((_, response, { body }) => {
    if (!JSON.parse(body).stream) return response.end(answerOf('plain'));
    sse(response).write(chunkOf('hello'));
    setTimeout(() => response.end(chunkOf(' there') + finish), 20);
  });
  moody = await provider((request, response, { body }) => {
    const [{ content }] = JSON.parse(body).messages;
    if (content === 'reset') return request.socket.resetAndDestroy();
    if (content === 'cut') {
      sse(response).write(chunkOf('half'));
      return setTimeout(() => response.destroy(), 20);
    }
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"overloaded"}}');
  });
  slow = await provider((_, response) => {
    const timer = setInterval(() => response.write(chunkOf('on and on')), 10);
    response.once('close', () => clearInterval(timer));
    sse(response);
  });
  gone = await provider(() => {});
  await gone.close();
  // A line of its own for each failure: no test sees the health another one left behind.
  const config = configOf([moody.url, calm.url, slow.url, gone.url, moody.url, moody.url]);
  const after = (line) => ({ deployments: [line, { id: 'line1', priority: 9 }] });
  config.routes = {
    chat: { deployments: ['line1'] },
    status: after('line0'),
    reset: after('line4'),
    cut: after('line5'),
    refused: after('line3'),
    slow: { deployments: ['line2'] },
  };
  config.cors = { origins: ['https://app.example'] };
  const made = await worker({ SHUNT_CONFIG: JSON.stringify(config), KEY: 'sk-worker' });
  url = made.url;
  closing.push(() => made.miniflare.dispose(), ...[calm, moody, slow].map(({ close }) => close));
});
after(async () => {
  for (const close of closing) await close();
});

test('a streamed chat goes through, with the key from the bindings', { skip }, async () => {
  const response = await post(url, ask('hi'));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type'), /^text\/event-stream/);
  const text = await response.text();
  assert.match(text, /hello[^]*there[^]*\[DONE\]/);
  assert.equal(calm.calls.at(-1).headers.authorization, 'Bearer sk-worker');
});

test('a plain answer goes through', { skip }, async () => {
  const answer = await (await post(url, ask('hi', { stream: false }))).json();
  assert.equal(answer.choices[0].message.content, 'plain');
});

for (const [what, model] of [
         ['an error status', 'status'],
         ['a reset', 'reset'],
         ['a refused connection', 'refused'],
]) {
  test(`${what} leads to the next line`, { skip }, async () => {
    const response = await post(url, ask(model, { model }));
    assert.match(await response.text(), /hello/);
    assert.equal(response.headers.get('x-shunt-deployment'), 'line1');
    assert.equal(response.headers.get('x-shunt-attempts'), '2');
  });
}

test('a stream cut after content ends with an error event', { skip }, async () => {
  const text = await (await post(url, ask('cut', { model: 'cut' }))).text();
  assert.match(text, /half[^]*"error"/);
  assert.doesNotMatch(text, /hello/);
});

test('preflight, health and models are answered by the Worker itself', { skip }, async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${url}/v1/chat/completions`, { method: 'OPTIONS', headers });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example');
  assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: 'ok' });
  const { data } = await (await fetch(`${url}/v1/models`)).json();
  assert.deepEqual(data.map(({ id }) => id).sort(), [
    'chat',
    'cut',
    'refused',
    'reset',
    'slow',
    'status',
  ]);
});

test('a client that leaves in mid-stream has its provider call aborted', { skip }, async () => {
  const before = slow.calls.length;
  const target = new URL(`${url}/v1/chat/completions`);
  const incoming = await new Promise((resolve) => {
    httpRequest(target, { method: 'POST' }, resolve).end(ask('hi', { model: 'slow' }));
  });
  await new Promise((resolve) => incoming.once('data', resolve));
  const left = performance.now();
  incoming.destroy();
  await until(() => slow.calls[before].closed !== undefined);
  assert.ok(slow.calls[before].closed - left < 300, `${slow.calls[before].closed - left} ms`);
});

test('an image of 5 MB reaches the provider whole, its length stated', { skip }, async () => {
  const data = 'A'.repeat(5 * 1024 * 1024);
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }];
  const response = await post(url, ask('', { stream: false, messages: [{ role: 'user', content }] }));
  assert.equal(response.status, 200);
  const call = calm.calls.at(-1);
  assert.equal(Number(call.headers['content-length']), call.body.length);
  assert.ok(call.body.length > data.length);
});

test('twenty requests at once share one core and do not disturb each other', { skip }, async () => {
  const texts = await Promise.all(
      Array.from({ length: 20 }, async () => (await post(url, ask('hi'))).text()),
  );
  for (const text of texts) assert.match(text, /hello[^]*there[^]*\[DONE\]/);
});

test(
    'a Worker with keys and no clients answers on loopback only; a body over its limit is sent on',
    { skip },
    async () => {
      const config = configOf([calm.url], { limits: { body_buffer_bytes: 65536 } });
      const made = await worker({ SHUNT_CONFIG: config, KEY: 'sk-worker' });
      closing.push(() => made.miniflare.dispose());
      const image = {
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${'A'.repeat(3 << 20)}` },
      };
      const answered = await post(made.url, ask('', { messages: [{ role: 'user', content: [image] }] }));
      assert.match(await answered.text(), /hello[^]*there/);
      assert.ok(calm.calls.at(-1).body.length > 3 << 20);
      assert.equal(calm.calls.at(-1).headers['transfer-encoding'], 'chunked');
      assert.equal((await fetch(`${made.url}/healthz`)).status, 200);
      const response = await made.miniflare.dispatchFetch('https://shunt.example.workers.dev/v1/models');
      assert.equal(response.status, 403);
      assert.match(await response.text(), /clients/);
    },
);

test('wrangler bundles it without a network', { skip, timeout: 120000 }, () => {
  const wrangler = join(
      dirname(createRequire(join(bindings, 'package.json')).resolve('wrangler/package.json')),
      'bin/wrangler.js',
  );
  const arguments_ = [
    wrangler,
    'deploy',
    '--dry-run',
    '-c',
    'wrangler.toml',
    '--outdir',
    'build/worker',
  ];
  const env = {...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /Total Upload: .* gzip/);
});
