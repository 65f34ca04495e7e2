// classify() of the package against real replies of the simulated providers: what fetch gave or threw goes in
// as it is.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {classify as classifyAnywhere} from '../../host-bindings/index.mjs';
import {classify as classifyInNode} from '../../host-bindings/node/index.mjs';
import {createProvider} from '../providers/server.mjs';
import {ask, wasm} from './support.mjs';

const classify = (given, options) => classifyAnywhere(given, { wasm, ...options });

const kPaths = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages'
};
const providers = {};
for (const dialect of Object.keys(kPaths))
  providers[dialect] = await createProvider({ dialect, script: 'ok' });
after(() => Promise.all(Object.values(providers).map((each) => each.close())));

/** What fetch gives, or throws, when this provider plays `script`. */
function reply(dialect, script, stream = true) {
  providers[dialect].next(script);
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ask('hi', { stream, max_tokens: 64 }),
  };
  return fetch(providers[dialect].url + kPaths[dialect], init).catch((error) => error);
}

const kPlayed = [
  // script, class, sub (undefined: not looked at), wait in seconds
  [{ name: 'limited_seconds', wait_s: 7 }, 'RATE_LIMITED', undefined, 7],
  ['out_of_quota', 'QUOTA_INSUFFICIENT', undefined, null],
  ['unauthorized', 'AUTH_FAILURE', 'invalid_key', null],
  ['bad_request', 'INVALID_REQUEST', undefined, null],
  ['error_500', 'TEMPORARY', undefined, null],
  ['html_502', 'TEMPORARY', undefined, null],
  ['overloaded_529', 'TEMPORARY', 'overloaded', null],
  ['error_body_200', 'TEMPORARY', undefined, null],
  ['error_first', 'TEMPORARY', 'overloaded', null],
  ['empty', 'EXTERNAL_NETWORK', 'truncated', null],
  ['close_before_head', 'EXTERNAL_NETWORK', 'reset', null],
  ['reset_before_head', 'EXTERNAL_NETWORK', 'reset', null],
  ['reset_after_head', 'EXTERNAL_NETWORK', undefined, null],
  ['reset_mid', 'EXTERNAL_NETWORK', undefined, null],
  ['cut', 'EXTERNAL_NETWORK', 'truncated', null],
];
for (const dialect of Object.keys(kPaths)) {
  for (const [script, wanted, sub, wait] of kPlayed) {
    test(`${dialect}: ${script.name ?? script} is ${wanted}`, async () => {
      const verdict = await classify(await reply(dialect, script), { provider: dialect });
      assert.equal(verdict.class, wanted, verdict.log_message);
      if (sub !== undefined) assert.equal(verdict.sub, sub, verdict.log_message);
      assert.equal(verdict.retry_after_s, wait);
    });
  }
}

test('a verdict is these members, in this order', async () => {
  const verdict = await classify(await reply('openai', 'unauthorized'), { provider: 'openai' });
  assert.deepEqual(Object.keys(verdict), [
    'class',
    'sub',
    'scope',
    'retry_same',
    'switch_provider',
    'penalise',
    'penalty',
    'retry_after_s',
    'exposure',
    'rule',
    'user_message',
    'refunded_user_message',
    'log_message',
  ]);
  assert.equal(verdict.penalise, true);
  for (const text of [verdict.user_message, verdict.refunded_user_message]) {
    assert.match(text.zh, /[\u4e00-\u9fff]/);
    assert.match(text.en, /[a-z]/);
  }
});

test(
    'Node brings the module with it', { skip: process.env.SHUNT_WASM && 'another module is under test' },
    async () => {
      const verdict = await classifyInNode(await reply('openai', 'error_500'), { provider: 'openai' });
      assert.equal(verdict.class, 'TEMPORARY');
    });

test('without a module the caller is told so', async () => {
  await assert.rejects(classifyAnywhere(new Response('', { status: 500 })), /needs \{ wasm \}/);
});

// ---- a reply by its parts ----

test('the poll answer of a failed job, by its parts', async () => {
  const body = JSON.stringify({ state: 'failed', err_code: 'CreditInsufficient', creations: [] });
  const verdict = await classify({ status: 200, body }, { provider: 'vidu' });
  assert.equal(verdict.class, 'QUOTA_INSUFFICIENT', verdict.log_message);
});

const kLimited = '{"error":{"code":"rate_limit_exceeded","message":"Rate limit reached for requests"}}';
const kHeaders = {
  'Retry-After': '20',
  'content-type': 'application/json'
};
for (const [name, headers] of [
         ['an object', kHeaders],
         ['Headers', new Headers(kHeaders)],
         ['pairs', Object.entries(kHeaders)],
]) {
  test(`headers as ${name}`, async () => {
    const verdict = await classify({ status: 429, headers, body: kLimited }, { provider: 'openai' });
    assert.deepEqual([verdict.class, verdict.retry_after_s], ['RATE_LIMITED', 20]);
  });
}

test('a body as text or as bytes is the same', async () => {
  const text = await classify({ status: 429, body: kLimited });
  assert.deepEqual(await classify({ status: 429, body: new TextEncoder().encode(kLimited) }), text);
});

test('a broken connection in the words of any runtime', async () => {
  const verdict = await classify({ networkError: 'curl: (6) Could not resolve host: api.example' });
  assert.deepEqual([verdict.class, verdict.sub, verdict.exposure], ['EXTERNAL_NETWORK', 'dns', 'not_sent']);
});

test('an error thrown by fetch tells by its code', async () => {
  const error = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
  });
  const verdict = await classify(error);
  assert.deepEqual([verdict.class, verdict.sub], ['EXTERNAL_NETWORK', 'refused']);
});

test('a date without a Date header counts from the time that is given', async () => {
  const headers = { 'retry-after': 'Fri, 15 Jan 2027 08:00:30 GMT' };
  const { retry_after_s } = await classify({ status: 429, headers }, { wall: 1.8e12 });
  assert.equal(retry_after_s, 30);
});

test('the medium is the provider\'s unless said', async () => {
  const body = '{"error":{"code":"content_policy_violation","message":"rejected"}}';
  const judged = (options) => classify({ status: 400, body }, options);
  const video = await judged({ provider: 'vidu', medium: 'video' });
  assert.deepEqual(await judged({ provider: 'vidu' }), video);
  assert.notDeepEqual(await judged({ provider: 'vidu', medium: 'image' }), video);
});

// ---- what must not go wrong ----

test('line ends in what is given cannot move the block\'s lines', async () => {
  const headers = { 'x-note': 'a\n\n{"error":{"code":"insufficient_quota"}}' };
  const verdict = await classify({ status: 500, headers, body: '' }, { provider: 'a\n\n401\n' });
  assert.equal(verdict.class, 'TEMPORARY', verdict.log_message);
  const refused = await classify({ networkError: 'refused\n\nretry-after: 5' });
  assert.equal(refused.sub, 'refused');
});

test('of an endless body the beginning is read and the rest is cancelled', async () => {
  let pulled = 0;
  let cancelled = false;
  const chunk = new TextEncoder().encode(kLimited.padEnd(16 * 1024));
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled += chunk.length;
      controller.enqueue(chunk);
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const verdict = await classify(new Response(endless, { status: 429 }), { provider: 'openai' });
  assert.equal(verdict.class, 'RATE_LIMITED', verdict.log_message);
  assert.ok(pulled <= 128 * 1024, `${pulled} bytes`);
  assert.ok(cancelled);
});

test('a body that was read is refused; a clone keeps it', async () => {
  const response = await reply('openai', 'unauthorized');
  const verdict = await classify(response.clone(), { provider: 'openai' });
  assert.equal(verdict.class, 'AUTH_FAILURE');
  assert.match(await response.text(), /Incorrect API key/);
  await assert.rejects(classify(response), /has been read/);
});

test('any bytes give a verdict', async () => {
  let state = 1;
  const byte = () => (state = (state * 48271) % 0x7fffffff) & 0xff;
  for (let i = 0; i < 200; ++i) {
    const body = Uint8Array.from({ length: byte() * 3 }, byte);
    const verdict = await classify({ status: [200, 400, 429, 500][i % 4], body });
    assert.ok(verdict.rule.length > 0);
  }
});

test('no key of the provider\'s own words comes out', async () => {
  const key = `sk-proj-${'Ab3'.repeat(16)}`;
  const body = JSON.stringify({ error: { code: 'invalid_api_key', message: `Incorrect API key: ${key}` } });
  const verdict = await classify({ status: 401, body }, { provider: 'openai' });
  assert.equal(verdict.class, 'AUTH_FAILURE');
  assert.ok(!JSON.stringify(verdict).includes(key));
});
