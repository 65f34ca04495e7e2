// The simulated providers themselves: every row of the table plays, in every dialect, and the log tells what
// was asked.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {behaviours} from './behaviours.mjs';
import {sha256} from './content.mjs';
import {playRecorded, recordsOf} from './recorded.mjs';
import {createProvider} from './server.mjs';

const kAsks = {
  openai: ['/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'one two three' }] }],
  responses: ['/v1/responses', { model: 'm', input: 'one two three' }],
  anthropic:
      ['/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'one two three' }] }],
  gemini: [
    '/v1beta/models/m:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'one two three' }] }] },
  ],
};
// In this dialect the path says whether to stream.
const streaming = (path) => path.replace(':generateContent', ':streamGenerateContent?alt=sse');

async function ask(provider, more = {}, limit_ms = 5000) {
  const [path, body] = kAsks[provider.dialect];
  const seen = { status: 0, body: '', ended: 'clean' };
  try {
    const response = await fetch(provider.url + (more.stream ? streaming(path) : path), {
      method: 'POST',
      headers: { authorization: 'Bearer sk-hidden', 'x-api-key': 'sk-hidden' },
      body: JSON.stringify({...body, ...more }),
      signal: AbortSignal.timeout(limit_ms),
    });
    seen.status = response.status;
    seen.headers = response.headers;
    const decoder = new TextDecoder();
    for await (const chunk of response.body) seen.body += decoder.decode(chunk, { stream: true });
  } catch (error) {
    seen.ended = error.name === 'TimeoutError' ? 'hang' : 'broken';
  }
  return seen;
}

// What a caller sees of each row: status and end; the same for streams and plain answers.
const kSeen = {
  bad_request: [400, 'clean'],
  content_refused: [400, 'clean'],
  unauthorized: [401, 'clean'],
  out_of_quota: [429, 'clean'],
  error_500: [500, 'clean'],
  html_502: [502, 'clean'],
  error_503: [503, 'clean'],
  overloaded_529: [529, 'clean'],
  stall_no_head: [0, 'hang'],
  stall_no_event: [200, 'hang'],
  stall_mid: [200, 'hang'],
  reset_before_head: [0, 'broken'],
  close_before_head: [0, 'broken'],
  reset_after_head: [200, 'broken'],
  reset_mid: [200, 'broken'],
};
const seen_of = (name) => kSeen[name] ?? [name.startsWith('limited_') ? 429 : 200, 'clean'];

for (const dialect of Object.keys(kAsks)) {
  test(`every row plays: ${dialect}`, async () => {
    const provider = await createProvider({ dialect });
    for (const name of Object.keys(behaviours)) {
      const [status, ended] = seen_of(name);
      for (const stream of [true, false]) {
        provider.next({ name, ms: 1 });
        const seen = await ask(provider, { stream }, ended === 'hang' ? 150 : 5000);
        assert.deepEqual([seen.status, seen.ended], [status, ended], `${name} ${stream}`);
        assert.equal(provider.calls.at(-1).played, name);
      }
    }
    await provider.close();
  });

  test(`shapes of a healthy stream say the same: ${dialect}`, async () => {
    const provider = await createProvider({ dialect });
    const bodies = {};
    for (const name
             of ['ok', 'slow_drip', 'late_head', 'small_chunks', 'one_chunk', 'split_utf8', 'crlf',
                 'comments']) {
      provider.next({ name, ms: 1 });
      const { body } = await ask(provider, { stream: true });
      bodies[name] = body.replaceAll('\r', '').replaceAll(': keep-alive\n\n', '');
    }
    for (const [name, body] of Object.entries(bodies)) assert.equal(body, bodies.ok, name);
    await provider.close();
  });
}

test('the log says what was asked, and no secret', async () => {
  const provider = await createProvider({ watch: ['sk-hidden', 'sk-other'] });
  await ask(provider, { stream: true });
  const [call] = provider.calls;
  assert.equal(call.path, '/v1/chat/completions');
  assert.equal(call.body.messages[0].content, 'one two three');
  assert.equal(call.headers.authorization, `sha256:${sha256('Bearer sk-hidden')}`);
  assert.equal(call.leaks, 1);
  const told = await (await fetch(`${provider.url}/__calls`)).text();
  assert.ok(!told.includes('sk-hidden'));
  assert.equal(JSON.parse(told).length, 1);
  await provider.close();
});

test('a caller that leaves is seen at once', async () => {
  const provider = await createProvider({ script: 'stall_mid' });
  const left_at = performance.timeOrigin + performance.now() + 150;
  await ask(provider, { stream: true }, 150);
  assert.ok(await provider.until((calls) => calls[0].aborted));
  assert.ok(Math.abs(provider.calls[0].aborted_at - left_at) < 100);
  await provider.close();
});

test('scripts: next() first, then the list, whose last stays', async () => {
  const provider = await createProvider({ script: ['error_500', 'ok'] });
  provider.next('error_503');
  const statuses = [];
  for (let i = 0; i < 4; ++i) statuses.push((await ask(provider)).status);
  assert.deepEqual(statuses, [503, 500, 200, 200]);
  await provider.close();
});

test('a recorded exchange comes out byte for byte', async () => {
  const body = Buffer.from('data: {"a":"é"}\n\ndata: [DONE]\n\n');
  const record = {
    response: {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'content-length': '99' },
      body_base64: body.toString('base64'),
      chunk_sizes: [13, 0, body.length - 13],
    },
  };
  const provider = await createProvider({ script: { plan: playRecorded(record) } });
  assert.equal((await ask(provider)).body, body.toString());
  await provider.close();
});

test('the project\'s own recordings play: the cut one is cut again', async () => {
  const trace = readFileSync(new URL('../traces/openai.cut.jsonl', import.meta.url), 'utf8');
  const [stream] = recordsOf(trace);
  const provider = await createProvider({ script: { plan: playRecorded(stream, { end: stream.end }) } });
  const { body, ended } = await ask(provider, { stream: true });
  assert.equal(body, Buffer.from(stream.response.body_base64, 'base64').toString());
  assert.equal(ended, 'clean');
  assert.ok(body.startsWith('data: {') && !body.includes('[DONE]'));
  await provider.close();
});
