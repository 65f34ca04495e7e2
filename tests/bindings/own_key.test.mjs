// "keys": "client": the caller's own key goes to the provider that takes it, in the form it takes, and
// nowhere else.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {after, test} from 'node:test';
import {createGateway, serve} from '../../host-bindings/node/index.mjs';
import {answerOf, ask, provider, wasm} from './support.mjs';

const kOwn = 'sk-the-callers-own-key-0123456789';
const kOurs = 'sk-the-key-of-the-gateway';
const closing = [];
after(() => Promise.all(closing.map((close) => close())));

const answers = {
  openai_chat: answerOf('mine'),
  anthropic_messages: JSON.stringify({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'mine' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  gemini_generate: JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text: 'mine' }] }, finishReason: 'STOP' }],
  }),
};

/**
 * A gateway over lines {id: {dialect, own, status}}; each route of the same name, and "both" over all of
 * them.
 */
async function gatewayOver(lines, more = {}) {
  const config = { providers: {}, deployments: [], routes: {}, ...more };
  const calls = {};
  for (const [id, { dialect = 'openai_chat', own = true, status = 200 }] of Object.entries(lines)) {
    const made = await provider((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? answers[dialect] : '{"error":{"message":"no","code":"invalid_api_key"}}');
    });
    closing.push(made.close);
    calls[id] = made.calls;
    config.providers[id] = { dialect, base_url: made.url, keys: own ? 'client' : ['KEY'] };
    config.deployments.push({ id, provider: id, model: 'm' });
    config.routes[`r-${id}`] = { deployments: [id] };
  }
  config.routes.both = { deployments: Object.keys(lines).map((id, i) => ({ id, priority: i + 1 })) };
  const seen = [];
  const see = (line) => seen.push(String(line));
  const gateway = createGateway(config, {
    wasm,
    env: { KEY: kOurs },
    onRecord: see,
    onAlert: see,
    onLog: see,
    onFault: see,
    record: see,
  });
  const server = await serve(gateway, { port: 0 });
  closing.push(async () => {
    server.server.closeAllConnections();
    await server.close();
  });
  const post = (model, headers) => fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: ask('hello', { model, stream: false }),
  });
  return { calls, post, seen };
}

const inHeaders = ({ headers, url }) => Object.entries(headers)
                                            .filter(([, value]) => String(value).includes(kOwn))
                                            .map(([name, value]) => `${name}: ${value}`)
                                            .concat(url.includes(kOwn) ? [url] : []);

test('the key goes on in the provider\'s own form, however the caller sent it', async () => {
  const { calls, post, seen } = await gatewayOver({
    chat: {},
    claude: { dialect: 'anthropic_messages' },
    gemini: { dialect: 'gemini_generate' },
  });
  const forms = {
    chat: `authorization: Bearer ${kOwn}`,
    claude: `x-api-key: ${kOwn}`,
    gemini: `x-goog-api-key: ${kOwn}`
  };
  for (const sent
           of [{ authorization: `Bearer ${kOwn}` }, { 'x-api-key': kOwn }, { 'x-goog-api-key': kOwn }]) {
    for (const [id, form] of Object.entries(forms)) {
      const response = await post(`r-${id}`, sent);
      assert.equal(response.status, 200);
      assert.equal((await response.json()).choices[0].message.content, 'mine');
      assert.deepEqual(inHeaders(calls[id].at(-1)), [form]);
    }
  }
  assert.equal(calls.chat.length + calls.claude.length + calls.gemini.length, 9);
  assert.ok(seen.length >= 9, 'there are records');
  assert.ok(!seen.join('\n').includes(kOwn), 'nothing that was written down holds the key');
});

test('another provider never gets it: that one is called with the gateway\'s', async () => {
  const { calls, post, seen } = await gatewayOver({ mine: { status: 500 }, ours: { own: false } });
  const response = await post('both', { authorization: `Bearer ${kOwn}` });
  assert.equal(response.status, 200);
  assert.equal(calls.mine.at(-1).headers.authorization, `Bearer ${kOwn}`);
  assert.equal(calls.ours.at(-1).headers.authorization, `Bearer ${kOurs}`);
  assert.deepEqual(inHeaders(calls.ours.at(-1)), []);
  assert.ok(!seen.join('\n').includes(kOwn));
});

test('a caller without a key is told so; the line is neither called nor blamed', async () => {
  const { calls, post, seen } = await gatewayOver({ mine: {} });
  for (let i = 0; i < 5; ++i) {
    const response = await post('r-mine');
    assert.equal(response.status, 401);
    const { error } = await response.json();
    assert.match(error.message, /own key/);
    assert.equal(error.shunt.sub, 'own_key');
  }
  assert.equal(calls.mine.length, 0);
  assert.equal(
      (await post('r-mine', { 'x-api-key': 'sk-cl\u00e9' })).status, 401, 'no header can carry it on');
  const response = await post('r-mine', { authorization: `Bearer ${kOwn}` });
  assert.equal(response.status, 200, 'five such requests took nothing from the line');
  assert.ok(!seen.some((line) => /no usable key/.test(line)), 'nor does it trouble the operator');
});

test('a key that the provider refuses is the caller\'s trouble, not the line\'s', async () => {
  const { calls, post } = await gatewayOver({ mine: { status: 401 } });
  for (let i = 0; i < 8; ++i) {
    const { status } = await post('r-mine', { authorization: `Bearer wrong-${i}` });
    assert.equal(status, 401);
  }
  assert.equal(calls.mine.length, 8, 'each was asked');
});

test('beside the gateway\'s own clients the first credential that is not theirs goes on', async () => {
  const key = 'the-clients-key-here';
  const { calls, post } = await gatewayOver({ mine: {} }, {
    clients: [{ id: 'web', key_sha256: createHash('sha256').update(key).digest('hex') }],
  });
  assert.equal((await post('r-mine', { authorization: `Bearer ${kOwn}` })).status, 401, 'no client of ours');
  const both = await post('r-mine', { authorization: `Bearer ${key}`, 'x-api-key': kOwn });
  assert.equal(both.status, 200);
  assert.deepEqual(inHeaders(calls.mine.at(-1)), [`authorization: Bearer ${kOwn}`]);
  const none = await post('r-mine', { authorization: `Bearer ${key}` });
  assert.equal(none.status, 401);
  assert.match((await none.json()).error.message, /own key/);
  assert.equal(calls.mine.length, 1);
});
