// One client's quota over all isolates, in real workerd: two Worker services share a Durable Object and get
// twice what the client may ask. What the provider was asked, by the minute, is the proof. It takes two
// minutes and hardly a processor: the runner has it go beside all others.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {after, test} from 'node:test';
import {setTimeout as pause} from 'node:timers/promises';
import {answerOf, ask, provider} from '../bindings/support.mjs';
import {startIsolates} from './support/isolates.mjs';
import {now} from './support/traffic.mjs';

const kKey = 'key-of-web';
const kPerMinute = 600;
const kPerSecond = 20; // twice of it, over both
const kSeconds = 125;
const kMinute = 60000;

const closing = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

const config_of = (url) => ({
  providers: { p: { dialect: 'openai_chat', base_url: url, keys: ['KEY'] } },
  deployments: [{ id: 'a', provider: 'p', model: 'm' }],
  routes: { chat: { deployments: ['a'] } },
  clients: [{
    id: 'web',
    key_sha256: createHash('sha256').update(kKey).digest('hex'),
    limits: { rpm: kPerMinute },
  }],
  state: { store: 'durable_object' },
});

/** {at, ms, status, wait}: `at` is when it was sent. */
async function request(url) {
  const at = now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${kKey}` },
    body: ask('May I?', { stream: false }),
  });
  await response.text();
  const { status, headers } = response;
  return { at, ms: now() - at, status, wait: headers.get('retry-after') };
}

/** So many a second in turn, by the clock: a late one is not left out. */
async function load(urls) {
  const began = now();
  const sent = [];
  while (sent.length < kSeconds * kPerSecond) {
    const due = began + (sent.length * 1000) / kPerSecond;
    if (due > now()) await pause(due - now());
    sent.push(request(urls[sent.length % urls.length]));
  }
  return { began, answers: await Promise.all(sent) };
}

test('two Workers over one Durable Object admit 600 a minute, within 2 %', async (t) => {
  const calls = [];
  const one = await provider((_, response) => {
    calls.push(now());
    response.setHeader('content-type', 'application/json');
    response.end(answerOf('yes'));
  });
  closing.push(one.close);
  const isolates = await startIsolates({
    config: config_of(one.url),
    env: { KEY: 'sk' },
    bindings: ['durable_object'],
  });
  closing.push(isolates.close);
  const { began, answers } = await load(isolates.urls);

  const within = (from, span) => calls.filter((at) => at >= began + from && at < began + from + span).length;
  const later = [];
  for (let from = kMinute; from + kMinute <= kSeconds * 1000; from += 1000) later.push(within(from, kMinute));
  const served = answers.filter(({ status }) => status === 200).length;
  const slow = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  t.diagnostic(`asked ${answers.length}, answered ${served}, the provider was asked ${calls.length} times`);
  t.diagnostic(`first minute ${within(0, kMinute)}, later ones ${later.join(' ')}`);
  t.diagnostic(`answers after ${Math.round(slow[slow.length >> 1])} ms, 1 % after ${
      Math.round(slow[Math.floor(slow.length * 0.99)])} ms or more`);

  assert.equal(calls.length, served);
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  assert.ok(answers.every(({ status, wait }) => status === 200 || Number(wait) >= 1));
  assert.ok(later.length > 0);
  for (const admitted of later) assert.ok(Math.abs(admitted - kPerMinute) <= 0.02 * kPerMinute, `${later}`);
  // Its burst, and one of each isolate's own where the object was slow to answer at first.
  assert.ok(within(0, kMinute) <= 1.3 * kPerMinute * 1.02, `${within(0, kMinute)} in the first minute`);
  assert.doesNotMatch(isolates.log(), /different request|RuntimeError|unreachable/);
});
