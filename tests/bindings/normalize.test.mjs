// normalizeStream and feed: any provider's answer in another dialect, read again by the official SDKs.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {createNormalizer, normalizeStream} from '../../host-bindings/index.mjs';
import {wasm} from './support.mjs';

const require = createRequire(new URL('../../host-bindings/package.json', import.meta.url));
const { OpenAI } = require('openai');
const { Anthropic } = require('@anthropic-ai/sdk');
const data = process.env.SHUNT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

const bytesOf = (text) => new TextEncoder().encode(text);
const textOf = (bytes) => new TextDecoder().decode(bytes);

// ---- what comes in ----

const event = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const kAnthropic = event('message_start', {
                     message: {
                       id: 'msg_1',
                       type: 'message',
                       role: 'assistant',
                       model: 'claude',
                       content: [],
                       usage: { input_tokens: 3, output_tokens: 1 }
                     },
                   }) +
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Grüße' } }) +
    event('content_block_stop', { index: 0 }) +
    event('content_block_start',
          { index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} } }) +
    event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '{"x":1}' } }) +
    event('content_block_stop', { index: 1 }) +
    event('message_delta',
          { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } }) +
    event('message_stop', {});

const kWhole = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});

function translate(bytes, options, size = bytes.length) {
  const normalizer = createNormalizer({ wasm, created: 1, ...options });
  let out = '';
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += size)
    out += decoder.decode(normalizer.feed(bytes.subarray(at, at + size)), { stream: true });
  return out + decoder.decode(normalizer.end());
}

// ---- the official readers ----

const reply = (body) => async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });

async function read_by_openai(body) {
  const client =
      new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:1', fetch: reply(body), maxRetries: 0 });
  const stream = client.chat.completions.stream({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    stream_options: { include_usage: true },
  });
  const { choices: [choice], usage } = await stream.finalChatCompletion();
  return {
    text: choice.message.content ?? '',
    calls: (choice.message.tool_calls ?? []).map((call) => [call.function.name, call.function.arguments]),
    finish: choice.finish_reason,
    usage: [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0],
  };
}

const kFinishOf = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  compaction: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

async function read_by_anthropic(body) {
  const client =
      new Anthropic({ apiKey: 'none', baseURL: 'http://127.0.0.1:1', fetch: reply(body), maxRetries: 0 });
  const stream =
      client.messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] });
  const message = await stream.finalMessage();
  const of = (type) => message.content.filter((block) => block.type === type);
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = message.usage;
  return {
    text: of('text').map(({ text }) => text).join(''),
    calls: of('tool_use').map(({ name, input }) => [name, JSON.stringify(input)]),
    finish: kFinishOf[message.stop_reason] ?? message.stop_reason,
    usage:
        [input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0), output_tokens],
  };
}

const kReaders = {
  openai_chat: read_by_openai,
  anthropic_messages: read_by_anthropic
};

// ---- tests ----

test('fed in any pieces it gives the same, at once', () => {
  const bytes = bytesOf(kAnthropic);
  const options = { from: 'anthropic_messages', to: 'openai_chat' };
  const whole = translate(bytes, options);
  assert.ok(whole.includes('"content":"Grüße"') && whole.endsWith('data: [DONE]\n\n'));
  for (const size of [1, 2, 7, 64]) assert.equal(translate(bytes, options, size), whole);
  const normalizer = createNormalizer({ wasm, ...options });
  normalizer.feed(bytesOf(kAnthropic.slice(0, kAnthropic.indexOf('event: content_block_stop'))));
  normalizer.end();
  assert.throws(() => normalizer.feed(bytes), /has ended/);
});

test('a stream that is cut ends in an error of the dialect, never cleanly', () => {
  const half = bytesOf(kAnthropic.slice(0, kAnthropic.indexOf('event: message_delta')));
  const chat = translate(half, { from: 'anthropic_messages', to: 'openai_chat' });
  assert.match(chat, /"error":\{.*ended early/);
  assert.ok(!chat.includes('finish_reason":"stop"'));
  const gemini = translate(half, { from: 'anthropic_messages', to: 'gemini_generate' });
  assert.match(gemini, /"error":\{/);
});

test(
    'a Response becomes a Response: streams as they come, plain answers whole, errors as they are',
    async () => {
      const options = { from: 'anthropic_messages', to: 'openai_chat', wasm };
      const stream = await normalizeStream(new Response(kAnthropic), options);
      assert.match(stream.headers.get('content-type'), /^text\/event-stream/);
      assert.deepEqual(await read_by_openai(stream.body), {
        text: 'Grüße',
        calls: [['f', '{"x":1}']],
        finish: 'tool_calls',
        usage: [3, 9],
      });
      const plain = await normalizeStream(
          new Response(kWhole), { from: 'openai_chat', to: 'anthropic_messages', wasm });
      assert.equal(plain.headers.get('content-type'), 'application/json');
      assert.deepEqual((await plain.json()).content, [{ type: 'text', text: 'Hi' }]);
      const failed = new Response('{"error":{}}', { status: 429 });
      assert.equal(await normalizeStream(failed, options), failed);
    });

test('a body that breaks while it is read, or whose reader leaves, is heard of at once', async () => {
  let left;
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(bytesOf(kAnthropic.slice(0, 700))),
    pull: (controller) => controller.error(new Error('reset')),
    cancel: (reason) => (left = reason),
  });
  const options = { from: 'anthropic_messages', to: 'openai_chat', wasm };
  assert.match(await (await normalizeStream(new Response(broken), options)).text(), /ended early/);
  const slow = new ReadableStream({
    start: (controller) => controller.enqueue(bytesOf(kAnthropic.slice(0, 900))),
    cancel: (reason) => (left = reason),
  });
  await (await normalizeStream(new Response(slow), options)).body.cancel('enough');
  assert.equal(left, 'enough');
});

test('what nothing reads or writes is refused with the names there are', () => {
  assert.throws(() => createNormalizer({ from: 'smoke', to: 'openai_chat', wasm }), /"smoke".*openai_chat/);
  assert.throws(() => createNormalizer({ from: 'openai_chat', to: 'cohere_chat', wasm }), /cohere_chat/);
  assert.throws(() => createNormalizer({ from: 'openai_chat', to: 'openai_chat' }), /wasm/);
});

/** [name, dialect, provider, bytes, what is right] of every labelled stream. */
function labelled() {
  const rows = [];
  for (const file of ['streams/index.jsonl', 'streams/trap_cases.jsonl']) {
    for (const line of readFileSync(join(data, file), 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line);
      const bytes = row.file ? readFileSync(join(data, 'streams/bodies', row.file)) : bytesOf(row.input);
      if (!row.optional && row.dialect !== 'zhipu_v3')
        rows.push([row.name, row.dialect, row.provider, bytes, row]);
    }
  }
  return rows;
}

const meaning = (text) => {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return text;
  }
};

for (const [to, read] of Object.entries(kReaders)) {
  test(
      `the official ${to} reader takes every labelled stream, translated, and finds the same in it`,
      { skip: !existsSync(join(data, 'streams')) && 'no labelled streams here' }, async () => {
        let taken = 0;
        for (const [name, from, provider, bytes, row] of labelled()) {
          const { expected } = row;
          const body = translate(new Uint8Array(bytes), { from, to, provider });
          const whole = !body.startsWith('data:') && !body.startsWith('event:') && !body.startsWith(':');
          if (whole) continue; // a plain answer or an error's
          // An answer that ended in a provider's own error has a word for it in one of the two.
          const told = expected.finish !== 'error' || to === 'openai_chat';
          // Workers AI's own streams never say why they end.
          const said = expected.finish || from === 'workers_ai_native';
          if (expected.error || !said || !told) {
            await assert.rejects(read(body), undefined, `${name}: ${body.slice(-400)}`);
            continue;
          }
          // What is not JSON, as a custom tool's input, has no form there.
          const plain =
              (expected.tool_calls ?? []).every((call) => typeof meaning(call.arguments) !== 'string');
          if (!plain && to === 'anthropic_messages') continue;
          const got = await read(body).catch((error) => assert.fail(`${name}: ${error.message}`));
          const refusal = to === 'anthropic_messages' ? (expected.refusal ?? '') : '';
          assert.equal(got.text, (expected.text ?? '') + refusal, name);
          const calls = (expected.tool_calls ?? []).map((call) => [call.name, meaning(call.arguments)]);
          assert.deepEqual(got.calls.map(([called, text]) => [called, meaning(text)]), calls, name);
          if (!refusal)
            assert.equal(got.finish, expected.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'), name);
          const { prompt, completion } = expected.usage ?? {};
          assert.deepEqual(got.usage, [prompt ?? 0, completion ?? 0], name);
          taken += 1;
        }
        assert.ok(taken > 150, `${taken} streams`);
      });
}
