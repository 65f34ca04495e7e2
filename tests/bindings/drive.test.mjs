// The effect loop in Node against real local servers: streaming, failover, leaving clients, slow
// clients, large bodies, traps.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {request as httpRequest} from 'node:http';
import {after, test} from 'node:test';
import {createGateway} from '../../host-bindings/node/index.mjs';
import {answerOf, ask, chunkOf, configOf, finish, gatewayOver as servedOver, pause, post, provider, settled, sse, until, wasm,} from './support.mjs';

const kKey = 'sk-the-key-of-the-gateway';
const closing = [];
after(() => Promise.all(closing.map((close) => close())));

async function providers(...handlers) {
  const all = await Promise.all(
      handlers.map((handle) => (Array.isArray(handle) ? provider(...handle) : provider(handle))),
  );
  closing.push(...all.map(({ close }) => close));
  return all;
}

const gatewayOver = (urls, options) => servedOver(closing, urls, { key: kKey, ...options });

const streams = (text) => (_, response) => {
  sse(response).write(chunkOf(text));
  response.end(finish);
};
const says = (status, body) => (_, response) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body);
};

test('a stream goes through as it comes, with the key of the gateway and none of the client', async () => {
  let go;
  const waiting = new Promise((resolve) => (go = resolve));
  const [one] = await providers(async (_, response) => {
    sse(response).write(chunkOf('first'));
    await waiting;
    response.end(chunkOf('second') + finish);
  });
  const { url } = await gatewayOver([one.url]);
  const headers = {
    authorization: 'Bearer the-clients-own',
    'x-api-key': 'another',
    cookie: 'a=b',
    traceparent: '00-ab-cd-01',
  };
  const response = await post(url, ask('hi'), { headers });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  assert.match((await reader.read()).value, /first/); // before the provider has said more
  go();
  let rest = '';
  for (let part; !(part = await reader.read()).done;) rest += part.value;
  assert.ok(rest.endsWith('data: [DONE]\n\n'));
  const [{ headers: sent, body }] = one.calls;
  assert.equal(sent.authorization, `Bearer ${kKey}`);
  assert.equal(sent.traceparent, '00-ab-cd-01');
  assert.equal(sent.cookie ?? sent['x-api-key'], undefined);
  assert.equal(JSON.parse(body).model, 'model-0');
});

test('a failed line is left for the next: refused connection, reset, error status, missing key', async () => {
  const gone = await provider(() => {});
  await gone.close();
  const reset = await providers((request) => request.socket.resetAndDestroy());
  const failing = await providers(says(500, '{"error":{"message":"boom"}}'));
  for (const first of [gone.url, reset[0].url, failing[0].url]) {
    const [second] = await providers(streams('rescued'));
    const { url, records } = await gatewayOver([first, second.url]);
    const response = await post(url, ask('hi'));
    assert.match(await response.text(), /rescued/);
    assert.equal(response.headers.get('x-shunt-deployment'), 'line1');
    assert.equal(records[0].attempts.length, 2);
  }
  const [never, second] = await providers(streams('never'), streams('rescued'));
  const config = configOf([never.url, second.url]);
  config.providers.p0.keys = ['NOT_SET'];
  const { url, records } = await gatewayOver([], { config });
  assert.match(await (await post(url, ask('hi'))).text(), /rescued/);
  assert.equal(records[0].attempts[0].verdict.class, 'AUTH_FAILURE');
  assert.equal(never.calls.length, 0);
});

test('a stream cut after content ends with an error event, never like a clean end', async () => {
  const [one] = await providers((_, response) => {
    sse(response).write(chunkOf('half'));
    setTimeout(() => response.destroy(), 20);
  });
  const { url, records } = await gatewayOver([one.url]);
  const text = await (await post(url, ask('hi'))).text();
  assert.match(text, /half/);
  assert.match(text, /"error"/);
  assert.equal(records[0].result, 'broken');
  assert.equal(records[0].attempts[0].verdict.sub, 'truncated');
});

test(
    'a client that leaves has its provider call aborted within 100 ms, before the head and in mid-stream',
    async () => {
      const [silent, talking] = await providers(
          () => {},
          (_, response) => {
            const timer = setInterval(() => response.write(chunkOf('on and on')), 5);
            response.once('close', () => clearInterval(timer));
            sse(response);
          },
      );
      for (const one of [silent, talking]) {
        const { url, records } = await gatewayOver([one.url]);
        const leave = new AbortController();
        const asked = post(url, ask('hi'), { signal: leave.signal });
        asked.catch(() => {});
        await until(() => one.calls.length === 1);
        if (one === talking) await (await asked).body.getReader().read();
        await pause(50);
        const left = performance.now();
        leave.abort();
        await until(() => one.calls[0].closed !== undefined);
        assert.ok(one.calls[0].closed - left < 100, `${one.calls[0].closed - left} ms`);
        await until(() => records.length === 1);
        assert.equal(records[0].result, 'client_gone');
      }
    });

test('a slow client holds the provider back: 50 MB pass with flat memory', async () => {
  const kTotal = 50 * 1024 * 1024;
  const event = chunkOf('x'.repeat(16 * 1024));
  let written = 0;
  const [one] = await providers(async (_, response) => {
    sse(response);
    while (written < kTotal && !response.destroyed) {
      written += event.length;
      if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end(finish);
  });
  const { url, gateway } = await gatewayOver([one.url]);
  const target = new URL(`${url}/v1/chat/completions`);
  const incoming = await new Promise((resolve) => {
    httpRequest(target, { method: 'POST' }, resolve).end(ask('hi'));
  });
  incoming.pause();
  const ahead = await settled(() => written); // the provider stands still while nobody reads
  assert.ok(ahead < kTotal / 2, `${ahead} bytes were taken ahead`); // most by the system's own buffers
  let received = 0;
  let peak = 0;
  for await (const part of incoming) {
    received += part.length;
    peak = Math.max(peak, gateway.core.memory().reserved);
  }
  assert.ok(received > kTotal);
  assert.ok(peak < 4 * 1024 * 1024, `${peak} bytes of core memory`);
});

const pictureOf = (megabytes) => 'A'.repeat(megabytes * 1024 * 1024);
const picture = pictureOf(20);
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const withPicture = (base64 = picture) => {
  const content = [
    { type: 'text', text: 'what is this' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
  ];
  return ask('', { stream: false, messages: [{ role: 'user', content }] });
};

test(
    'a body of 20 MB is held by the host and sent again, its length stated; the core stays small',
    async () => {
      const [busy, one] = await providers(
          says(503, '{"error":{"message":"overloaded"}}'),
          says(200, answerOf('a cat')),
      );
      const { url, gateway } = await gatewayOver([busy.url, one.url]);
      const response = await post(url, withPicture());
      assert.equal((await response.json()).choices[0].message.content, 'a cat');
      for (const { calls } of [busy, one]) {
        assert.equal(Number(calls[0].headers['content-length']), calls[0].body.length);
        const { image_url } = JSON.parse(calls[0].body).messages[0].content[1];
        assert.equal(hashOf(image_url.url), hashOf(`data:image/png;base64,${picture}`));
      }
      assert.ok(gateway.core.memory().reserved < 4 * 1024 * 1024);
    });

test('a body too large to hold is sent on while it arrives, as fast as the provider takes it', async () => {
  let taken = 0;
  let go;
  const waiting = new Promise((resolve) => (go = resolve));
  const [one] = await providers([
    async (request, response) => {
      await waiting;
      for await (const part of request) taken += part.length;
      says(200, answerOf('a cat'))(request, response);
    },
    { early: true },
  ]);
  const { url, gateway } = await gatewayOver([one.url], {
    config: { limits: { body_buffer_bytes: 1024 * 1024 } },
  });
  const body = Buffer.from(withPicture(pictureOf(40))); // beside it, what the system buffers is little
  let sent = 0;
  const pull = (controller) => {
    if (sent === body.length) return controller.close();
    controller.enqueue(body.subarray(sent, (sent = Math.min(body.length, sent + 65536))));
  };
  const answered = post(url, new ReadableStream({ pull }), {
    duplex: 'half',
    headers: { 'content-length': String(body.length) },
  });
  await until(() => one.calls.length === 1);
  const ahead = await settled(() => sent);
  assert.ok(ahead < body.length / 2, `${ahead} bytes were read ahead of a provider that takes none`);
  go();
  assert.equal((await (await answered).json()).choices[0].message.content, 'a cat');
  assert.ok(taken > body.length - 100);
  assert.ok(gateway.core.memory().reserved < 4 * 1024 * 1024);
});

test(
    'clients are told apart by the hash of their key; a stranger is refused before anybody is called',
    async () => {
      const [one] = await providers(streams('for friends'));
      const clients = [{ id: 'web', key_sha256: createHash('sha256').update('open-sesame').digest('hex') }];
      const { url, records } = await gatewayOver([one.url], { config: { clients } });
      assert.equal((await post(url, ask('hi'))).status, 401);
      assert.equal(
          (await post(url, ask('hi'), { headers: { authorization: 'Bearer wrong' } })).status,
          401,
      );
      assert.equal(one.calls.length, 0);
      for (const headers
               of [{ authorization: 'Bearer open-sesame' }, { 'x-api-key': 'open-sesame' },
                   { 'x-goog-api-key': 'open-sesame' }]) {
        assert.match(await (await post(url, ask('hi'), { headers })).text(), /for friends/);
      }
      assert.equal(records.at(-1).client, 'web');
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
    });

test('"keys": "client" passes the caller\'s own key on', async () => {
  const [one] = await providers(streams('yours'));
  const config = configOf([one.url]);
  config.providers.p0.keys = 'client';
  const { url } = await gatewayOver([], { config });
  await (await post(url, ask('hi'), { headers: { authorization: 'Bearer my-own' } })).text();
  assert.equal(one.calls[0].headers.authorization, 'Bearer my-own');
});

test('a trap ends the requests in flight each at its next event, the next request is served', async () => {
  let go;
  const waiting = new Promise((resolve) => (go = resolve));
  const [one] = await providers(async (request, response, { body }) => {
    if (JSON.parse(body).messages[0].content === 'quick') return streams('well again')(request, response);
    sse(response).write(chunkOf('half'));
    await waiting;
    response.end(chunkOf('the rest') + finish);
  });
  const traps = [];
  const { url, gateway } = await gatewayOver([one.url], { onFault: (error) => traps.push(error) });
  const caught = await post(url, ask('slow'));
  const { core } = gateway;
  const culprit = core.open({ low: 1, high: 1 });
  assert.throws(() => core.poll(culprit, performance.timeOrigin, { op: 'attempt_broke', a: 99 }));
  assert.equal(traps.length, 1);
  go();
  await assert.rejects(caught.text()); // the connection breaks: no clean end
  assert.match(await (await post(url, ask('quick'))).text(), /well again/);
});

test('an answer that is whole and a request without a body keep the connection usable', async () => {
  const [one] = await providers(says(200, answerOf('plain')));
  const { url } = await gatewayOver([one.url]);
  const plain = await (await post(url, ask('hi', { stream: false }))).json();
  assert.equal(plain.choices[0].message.content, 'plain');
  assert.equal((await fetch(`${url}/v1/models`, { method: 'HEAD' })).status, 200);
  assert.equal(
      (await fetch(`${url}/nowhere`, { method: 'POST', body: 'x'.repeat(300000) })).status,
      404,
  );
  assert.equal((await fetch(`${url}/v1/models`)).status, 200);
});

test('an idle connection outlives that of a load balancer before the gateway', async () => {
  const { url } = await gatewayOver(['http://127.0.0.1:9']);
  const headers = await new Promise((resolve, reject) => {
    const asked = { headers: { connection: 'keep-alive' } };
    const request = httpRequest(`${url}/healthz`, asked, (response) => {
      response.resume();
      resolve(response.headers);
    });
    request.once('error', reject);
    request.end();
  });
  const seconds = Number(/timeout=(\d+)/.exec(headers['keep-alive'])[1]);
  assert.ok(seconds > 60, `closed after ${seconds} s`);
});

test('a gateway that knows no clients hears only who asked for this machine by its own name', async () => {
  const [one] = await providers(says(200, '{}'));
  const { url } = await gatewayOver([one.url]);
  const statusFor = (host) => new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/healthz`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', reject);
    request.end();
  });
  for (const host of ['localhost', '127.0.0.1:8787', '[::1]:1', 'shunt.localhost:80'])
    assert.equal(await statusFor(host), 200, host);
  for (const host of ['evil.example', 'evil.example:8787', '127.0.0.1.evil.example', 'localhost.evil'])
    assert.equal(await statusFor(host), 403, host);
});

// Route "chat" over the first two lines, under this policy.
const routed = (urls, route) =>
    ({...configOf(urls), routes: { chat: { deployments: ['line0', 'line1'], ...route } } });

test('of two calls under way the first to begin answers, and the other is broken off', async () => {
  let slow = false;
  const [one, two] = await providers(
      (_, response) => {
        if (slow) return sse(response).write(': at work\n\n');
        sse(response).write(chunkOf('from one'));
        response.end(finish);
      },
      streams('from two'),
  );
  const config = routed([one.url, two.url], { hedge: { after: 'p95_ttft', budget: 1 } });
  const { url, records } = await gatewayOver([], { config });
  for (let i = 0; i < 100; i += 10) // a hedge is not made before enough is known
    await Promise.all(Array.from({ length: 10 }, async () => (await post(url, ask('hi'))).text()));
  await until(() => records.length === 100);
  slow = true;
  const response = await post(url, ask('hi'));
  assert.equal(await response.text(), chunkOf('from two') + finish);
  assert.equal(response.headers.get('x-shunt-deployment'), 'line1');
  assert.equal(response.headers.get('x-shunt-attempts'), '2');
  assert.match(response.headers.get('x-shunt-reason'), /^hedge after \d+ ms: line0 was slow to begin$/);
  const [lost] = one.calls.slice(-1);
  await until(() => lost.closed !== undefined);
  assert.equal(lost.whole, false);
  await until(() => records.length === 101);
  assert.deepEqual(
      records[100].attempts.map(({ purpose, outcome }) => [purpose, outcome]),
      [['main', 'neutral'], ['hedge', 'success']]);
});

test(
    'a shadow is sent a copy once the answer begins; nobody waits for it, and waitUntil covers it',
    async () => {
      let go;
      const waiting = new Promise((resolve) => (go = resolve));
      const [one, two, three] = await providers(
          streams('for you'),
          streams('never'),
          async (_, response) => {
            sse(response).write(chunkOf('from the shadow'));
            await waiting;
            response.end(finish);
          },
      );
      const config = routed([one.url, two.url, three.url], { shadow: { deployment: 'line2', share: 1 } });
      const records = [];
      const gateway = createGateway(config, {
        wasm,
        env: { KEY: kKey },
        onRecord: (json) => records.push(JSON.parse(json)),
      });
      const under_way = [];
      let over = false;
      const request =
          new Request('http://localhost/v1/chat/completions', { method: 'POST', body: ask('hi') });
      const response = await gateway.fetch(request, { waitUntil: (promise) => under_way.push(promise) });
      assert.equal(await response.text(), chunkOf('for you') + finish);
      Promise.all(under_way).then(() => (over = true));
      await until(() => three.calls.length === 1);
      assert.equal(JSON.parse(three.calls[0].body).model, 'model-2');
      assert.deepEqual(JSON.parse(three.calls[0].body).messages, JSON.parse(one.calls[0].body).messages);
      await pause(50);
      assert.equal(over, false);
      assert.deepEqual(records.map(({ record }) => record), ['shunt-record/1']);
      go();
      await until(() => over);
      const [main, shadow] = records;
      assert.equal(shadow.record, 'shunt-shadow/1');
      assert.equal(shadow.id, main.id);
      assert.equal(shadow.outcome, 'success');
      assert.equal(three.calls[0].closed !== undefined, true);
    });

test('a client that does not read holds its own answer back and no shadow', async () => {
  const event = chunkOf('x'.repeat(16 * 1024));
  let written = 0;
  const [one, two, three] = await providers(
      async (_, response) => {
        sse(response);
        while (written < 40 * 1024 * 1024 && !response.destroyed) {
          written += event.length;
          if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
        }
        response.end(finish);
      },
      streams('never'),
      async (_, response) => {
        let seen;
        do {
          seen = written;
          await pause(200);
        } while (seen !== written); // the answer stands still
        sse(response).write(event);
        await pause(20);
        response.end(finish);
      },
  );
  const config = routed([one.url, two.url, three.url], { shadow: { deployment: 'line2', share: 1 } });
  const { url, records } = await gatewayOver([], { config });
  const incoming = await new Promise((resolve) => {
    httpRequest(new URL(`${url}/v1/chat/completions`), { method: 'POST' }, resolve).end(ask('hi'));
  });
  incoming.pause();
  await until(() => records.length === 1, 5000); // the shadow's, while the client has not read a byte
  assert.equal(records[0].record, 'shunt-shadow/1');
  assert.equal(records[0].outcome, 'success');
  assert.ok(written < 40 * 1024 * 1024);
  incoming.destroy();
  await until(() => records.length === 2);
  assert.equal(records[1].result, 'client_gone');
});
