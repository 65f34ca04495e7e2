// Failures as clients meet them, through the Worker in workerd: one clean answer while another line can give
// it, an honest error where none can, and protected lines left alone. Providers are simulated; what they were
// asked is the proof.
import assert from 'node:assert/strict';
import {connect} from 'node:net';
import {after, before, describe, test} from 'node:test';
import {sha256} from '../providers/content.mjs';
import {clients} from './support/clients.mjs';
import {startLines} from './support/lines.mjs';
import {Anthropic, OpenAI} from './support/sdks.mjs';

const kQuestion = {
  text: 'Who answers when the first cannot?'
};
const kOther = {
  openai: 'anthropic',
  anthropic: 'openai'
};
const kDialects = Object.keys(kOther);
const kQuick = {
  timeouts: { first_byte_ms: 400, first_token_ms: 800, idle_ms: 400 }
};

// What the first line does before any content came, and how the record calls it.
const kBeforeContent = {
  limited_seconds: 'RATE_LIMITED',
  limited_silent: 'RATE_LIMITED',
  out_of_quota: 'QUOTA_INSUFFICIENT',
  unauthorized: 'AUTH_FAILURE',
  error_500: 'TEMPORARY',
  html_502: 'TEMPORARY',
  error_503: 'TEMPORARY',
  overloaded_529: 'TEMPORARY',
  reset_before_head: 'EXTERNAL_NETWORK',
  close_before_head: 'EXTERNAL_NETWORK',
  reset_after_head: 'EXTERNAL_NETWORK',
  stall_no_head: 'EXTERNAL_NETWORK',
  stall_no_event: 'EXTERNAL_NETWORK',
  error_body_200: 'TEMPORARY',
  error_first: 'TEMPORARY',
  empty: 'EXTERNAL_NETWORK',
  comments_only: 'EXTERNAL_NETWORK',
};
const kPlainToo =
    ['limited_seconds', 'error_500', 'overloaded_529', 'reset_before_head', 'error_body_200', 'empty', 'cut'];
const kWaits = [
  'limited_seconds',
  'limited_date',
  'limited_ms',
  'limited_reset',
  'limited_sentence',
  'limited_retry_info',
];
const kTrips = ['error_500', 'overloaded_529', 'reset_before_head', 'error_body_200', 'error_first', 'empty'];
const kOpenMs = 2000;
const kAfterContent = ['cut', 'reset_mid', 'stall_mid', 'error_mid'];

const each = (names, row) => names.flatMap((name) => kDialects.map((dialect) => row(name, dialect)));
const pair = (dialect, more) => ({ lines: { a: dialect, b: kOther[dialect] }, ...more });
const kRoutes = Object.fromEntries([
  ...each(
      Object.keys(kBeforeContent),
      (name, dialect) => [`${name}.${dialect}`, pair(dialect, { route: kQuick })]),
  ...each(kPlainToo, (name, dialect) => [`plain.${name}.${dialect}`, pair(dialect)]),
  ...each(kAfterContent, (name, dialect) => [`after.${name}.${dialect}`, pair(dialect, { route: kQuick })]),
  ...each(
      ['broken', 'fault', 'refused', 'gone', 'reset', 'keys'],
      (name, dialect) => [`${name}.${dialect}`, pair(dialect)]),
  ...kWaits.map((name) => [`wait.${name}`, pair('openai')]),
  ['breaker', pair('openai')],
  ...kTrips.map((name) => [`breaker.${name}`, pair('openai', {
                             line: { breaker: { consecutive_failures: 3, open_ms: kOpenMs } }
                           })]),
]);

let world;
before(async () => {
  world = await startLines(kRoutes);
});
after(() => world?.close());

const ask = (dialect, route, stream = true) =>
    clients[dialect].ask({ url: world.url, key: 'client', model: route, question: kQuestion, stream });
const direct = (provider, model, stream = true) =>
    clients[provider.dialect].ask({ url: provider.url, key: 'direct', model, question: kQuestion, stream });

const kPaths = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages'
};

function request_of(dialect, route, stream = true) {
  const messages = [{ role: 'user', content: kQuestion.text }];
  const headers = { 'content-type': 'application/json', authorization: 'Bearer client' };
  return {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: route, stream, max_tokens: 50, messages })
  };
}

/** The whole answer as it came: status, headers, text. */
async function raw(dialect, route, stream = true) {
  const response = await fetch(world.url + kPaths[dialect], {
    ...request_of(dialect, route, stream),
    signal: AbortSignal.timeout(15000),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const clock = () => performance.timeOrigin + performance.now();
const counts = ({ a, b }) => [a.calls.length, b.calls.length];

// ---- before content: another line answers ----

async function fails_over(route, name, dialect, stream) {
  const { a, b } = world.providers[route];
  a.next(name);
  const expected = await direct(b, 'model-b', stream);
  b.calls.length = 0;
  assert.deepEqual(await ask(dialect, route, stream), expected);
  assert.deepEqual(counts({ a, b }), [1, 1]);
  assert.equal(a.calls[0].played, name);
  const { attempts } = await world.worker.recorded((record) => record.route === route);
  const seen = attempts.map(({ deployment, outcome, verdict }) => [deployment, outcome, verdict?.class]);
  const failed = kBeforeContent[name] ?? 'EXTERNAL_NETWORK';
  assert.deepEqual(seen[0].slice(2), [failed]);
  assert.deepEqual(seen[1], [`b@${route}`, 'success', undefined]);
}

for (const name of Object.keys(kBeforeContent)) {
  for (const dialect of kDialects) {
    test(
        `${name}: the ${dialect} client sees one clean stream`,
        () => fails_over(`${name}.${dialect}`, name, dialect, true));
  }
}
for (const name of kPlainToo) {
  for (const dialect of kDialects) {
    test(
        `${name}: the ${dialect} client sees one clean answer`,
        () => fails_over(`plain.${name}.${dialect}`, name, dialect, false));
  }
}

// ---- lines that are out ----

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

describe('after a 429', { concurrency: true }, () => {
  for (const name of kWaits) {
    test(`${name}: nobody touches the line inside its wait`, async () => {
      const route = `wait.${name}`;
      const { a, b } = world.providers[route];
      const wait_ms = 2000;
      a.next({ name, wait_s: wait_ms / 1000 });
      await raw('openai', route);
      const until = a.calls[0].ended_at + wait_ms;
      while (clock() < until - 200) {
        await raw('openai', route);
        await sleep(100);
      }
      assert.equal(a.calls.length, 1);
      assert.ok(b.calls.length > 3);
      // And then it is asked again: a wait is no ban. A date has whole seconds, so it may end a second later.
      await sleep(1300);
      const { headers } = await raw('openai', route);
      assert.equal(headers.get('x-shunt-deployment'), `a@${route}`);
    });
  }
});

describe('after the third failure', { concurrency: true }, () => {
  for (const name of kTrips) {
    test(
        `${name}: nobody touches the line while its breaker is open, and then one probe ends it`,
        async () => {
          const route = `breaker.${name}`;
          const { a, b } = world.providers[route];
          a.next(name, name, name);
          for (let i = 0; i < 3; ++i) assert.equal((await raw('openai', route)).status, 200);
          const opened = clock();
          while (clock() < opened + kOpenMs - 300) {
            assert.equal((await raw('openai', route)).headers.get('x-shunt-deployment'), `b@${route}`);
            await sleep(100);
          }
          assert.equal(a.calls.length, 3);
          assert.ok(b.calls.length > 5);
          await sleep(500);
          const { headers } = await raw('openai', route);
          assert.equal(headers.get('x-shunt-deployment'), `a@${route}`);
          assert.match(headers.get('x-shunt-reason'), /probe/);
        });
  }
});

test('by default the breaker opens for a minute, whatever the three failures were', async () => {
  const { a, b } = world.providers.breaker;
  a.next('error_500', 'reset_before_head', 'error_first');
  for (let i = 0; i < 12; ++i) assert.equal((await raw('openai', 'breaker')).status, 200);
  assert.deepEqual(counts({ a, b }), [3, 12]);
});

// ---- after content: no silent end, no second line ----

const kErrorOf = {
  openai: OpenAI.APIError,
  anthropic: Anthropic.APIError
};
const kTerminator = {
  openai: '[DONE]',
  anthropic: 'message_stop'
};

for (const name of kAfterContent) {
  for (const dialect of kDialects) {
    test(`${name}: the ${dialect} client gets its own dialect's error event`, async () => {
      const route = `after.${name}.${dialect}`;
      const { a, b } = world.providers[route];
      a.next(name, name);
      const { status, text } = await raw(dialect, route);
      assert.equal(status, 200);
      assert.ok(text.includes('said'), 'the content before the cut');
      assert.ok(!text.includes(kTerminator[dialect]), 'no clean end');
      const last = text.trimEnd().split('\n\n').at(-1);
      if (dialect === 'openai')
        assert.match(last, /^data: \{"error":\{/);
      else
        assert.match(last, /^event: error\ndata: \{"type":"error","error":\{/);
      await assert.rejects(ask(dialect, route), kErrorOf[dialect]);
      assert.deepEqual(counts({ a, b }), [2, 0]);
    });
  }
}

for (const dialect of kDialects) {
  test(`a frame that is no JSON harms no ${dialect} client`, async () => {
    const { a, b } = world.providers[`broken.${dialect}`];
    const expected = await direct(a, 'model-a');
    a.calls.length = 0;
    a.next('broken_frame');
    assert.deepEqual(await ask(dialect, `broken.${dialect}`), expected);
    assert.deepEqual(counts({ a, b }), [1, 0]);
  });

  // ---- the caller's own matter ----

  for (const [route, name] of [['fault', 'bad_request'], ['refused', 'content_refused'], ]) {
    test(`${name}: no second provider hears of it (${dialect})`, async () => {
      const { a, b } = world.providers[`${route}.${dialect}`];
      a.next(name);
      await assert.rejects(ask(dialect, `${route}.${dialect}`), (error) => {
        assert.ok(error instanceof kErrorOf[dialect]);
        assert.equal(error.status, 400);
        return true;
      });
      assert.deepEqual(counts({ a, b }), [1, 0]);
    });
  }

  test(`${dialect} clients that leave in mid-stream stop the provider at once`, async () => {
    const route = `gone.${dialect}`;
    const { a, b } = world.providers[route];
    const delays = [];
    for (let i = 0; i < 3; ++i) {
      a.next({ name: 'slow_drip', ms: 30 });
      const left = new AbortController();
      const response =
          await fetch(world.url + kPaths[dialect], {...request_of(dialect, route), signal: left.signal });
      await response.body.getReader().read();
      const at = clock();
      left.abort();
      assert.ok(await a.until((calls) => calls[i]?.aborted), 'the provider saw its caller leave');
      delays.push(a.calls[i].aborted_at - at);
    }
    // The middle one: other work on this machine may hold up one of them.
    assert.ok(delays.sort((x, y) => x - y)[1] < 100, `aborted after ${delays.map(Math.round)} ms`);
    assert.equal(b.calls.length, 0);
    // Nobody is blamed: the line is still the first choice.
    assert.equal((await raw(dialect, route)).headers.get('x-shunt-deployment'), `a@${route}`);
  });

  // A silent connection tells a Worker of a reset only: a FIN shows itself at the next write.
  for (const [when, name, heard] of [
           ['before the first byte', 'stall_no_head', () => true],
           ['after the first byte, the provider silent', 'stall_mid', (text) => text.includes('data: ')],
  ]) {
    test(`${dialect} clients that reset ${when}, stop the provider at once`, async () => {
      const route = `reset.${dialect}`;
      const { a } = world.providers[route];
      const call = a.calls.length;
      a.next(name);
      const { hostname, port } = new URL(world.url);
      const { body } = request_of(dialect, route);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      const head = `POST ${kPaths[dialect]} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${
          Buffer.byteLength(body)}`;
      socket.write(`${head}\r\n\r\n${body}`);
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      assert.ok(await a.until((calls) => calls.length === call + 1, 5000), 'the provider was called');
      for (let i = 0; i < 100 && !heard(text); ++i) await sleep(20);
      assert.ok(heard(text));
      const at = clock();
      socket.resetAndDestroy();
      assert.ok(await a.until((calls) => calls[call].aborted), 'the provider saw its caller leave');
      const delay = a.calls[call].aborted_at - at;
      assert.ok(delay < 100, `aborted after ${Math.round(delay)} ms`);
    });
  }

  // ---- secrets ----

  test(`no key leaves, whatever the providers say (${dialect})`, async () => {
    const route = `keys.${dialect}`;
    const { a, b } = world.providers[route];
    const echo = ({ key }, status) => ({
      plan: {
        status,
        headers: { 'content-type': 'application/json', 'x-echo': key },
        chunks: [JSON.stringify(
            { error: { message: `Incorrect API key provided: ${key}. Look it up.`, type: 'x' } })],
        end: 'clean',
      },
    });
    let seen = '';
    for (const status of [400, 401, 500]) {
      for (const stream of [true, false]) {
        a.next(echo(a, status));
        b.next(echo(b, status));
        const { headers, text } = await raw(dialect, route, stream);
        seen += `${[...headers].join('\n')}\n${text}\n`;
      }
    }
    assert.ok(a.calls.length > 0 && b.calls.length > 0);
    const told = JSON.stringify(world.worker.records) + world.worker.log();
    assert.ok(world.worker.records.length > 0);
    for (const secret of world.keys) assert.ok(!seen.includes(secret) && !told.includes(secret));
  });
}

test('each provider saw its own key and no other', () => {
  const all = Object.values(world.providers).flatMap((lines) => Object.values(lines));
  const shown = {
    openai: (key) => ({ authorization: `sha256:${sha256(`Bearer ${key}`)}` }),
    anthropic: (key) => ({ 'x-api-key': `sha256:${sha256(key)}` }),
  };
  const direct_ones = ['direct', 'Bearer direct'].map((key) => `sha256:${sha256(key)}`);
  for (const { dialect, key, calls } of all) {
    for (const { leaks, headers } of calls) {
      const { authorization, 'x-api-key': api_key } = headers;
      if (direct_ones.includes(authorization ?? api_key)) continue;
      assert.equal(leaks, 0);
      assert.deepEqual(
          JSON.parse(JSON.stringify({ authorization, 'x-api-key': api_key })), shown[dialect](key));
    }
  }
});
