// The small parts of the effect loop: transport faults by runtime, held bodies, headers and keys, who
// may stand in the open.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {HeldBody, Upload, bodyOf, join, partsOf} from '../../host-bindings/bodies.mjs';
import {effectOps, inputOps, kinds} from '../../host-bindings/core.mjs';
import {faultOf, transportFaults} from '../../host-bindings/faults.mjs';
import {isLoopback, isOpen} from '../../host-bindings/guard.mjs';
import {authorise, clientLines, credentialsOf, keyOf, providerLines, targetOf} from '../../host-bindings/headers.mjs';
import {storeResults} from '../../host-bindings/stores/keeper.mjs';
import {fromBase64, toBase64} from '../../host-bindings/trace.mjs';
import {Timer} from '../../host-bindings/timer.mjs';

const source = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Enumerators of a C++ enum, in order. */
function enumerators(text, name) {
  const body = new RegExp(`enum class ${name}[^{]*{([^}]*)}`).exec(text)[1].replace(/\/\/.*$/gm, '');
  return body.split(',').map((each) => each.trim().split(/\s*=/)[0]).filter(Boolean);
}

test('names and numbers are those of the C++ side', () => {
  const abi = source('targets/abi/abi.h');
  assert.deepEqual(inputOps, enumerators(abi, 'InputOp'));
  assert.deepEqual(effectOps.slice(1), enumerators(abi, 'EffectOp'));
  const io = source('core/exchange/io.h');
  assert.deepEqual(kinds, enumerators(io, 'Kind'));
  assert.deepEqual(storeResults, enumerators(io, 'StoreResult'));
  assert.deepEqual(transportFaults, enumerators(source('core/canonical/failure.h'), 'TransportFault'));
});

const failed = (cause) => Object.assign(new TypeError('fetch failed'), { cause });
const coded = (code, message = code) => Object.assign(new Error(message), { code });
const kFaults = [
  // undici in Node
  [failed(coded('ENOTFOUND', 'getaddrinfo ENOTFOUND a.example')), false, 'dns'],
  [failed(coded('EAI_AGAIN')), false, 'dns'],
  [failed(coded('ECONNREFUSED')), false, 'refused'],
  [
    failed(Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: undefined })),
    false,
    'refused',
  ],
  [failed(coded('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error')), false, 'connect_timeout'],
  [failed(coded('ECONNRESET', 'read ECONNRESET')), false, 'reset'],
  [failed(coded('UND_ERR_SOCKET', 'other side closed')), false, 'reset'],
  [
    Object.assign(new TypeError('terminated'), { cause: coded('UND_ERR_SOCKET', 'other side closed') }),
    true,
    'truncated',
  ],
  [Object.assign(new TypeError('terminated'), { cause: coded('ECONNRESET') }), true, 'reset'],
  [failed(coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH')), true, 'truncated'],
  [failed(coded('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error')), false, 'response_timeout'],
  [failed(coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')), false, 'tls'],
  [failed(coded('ERR_TLS_CERT_ALTNAME_INVALID')), false, 'tls'],
  [failed(coded('HPE_INVALID_CONSTANT', 'Expected HTTP/')), false, 'protocol'],
  [failed(coded('EMFILE', 'too many open files')), false, 'own_limit'],
  // workerd
  [new Error('Network connection lost.'), false, 'reset'],
  [new Error('Too many subrequests.'), false, 'own_limit'],
  [new Error('Response closed due to connection limit'), true, 'own_limit'],
  // Deno, Bun, browsers
  [
    new TypeError(
        'error sending request: client error (Connect): tcp connect error: Connection refused',
        ),
    false,
    'refused',
  ],
  [
    new TypeError('error sending request: dns error: failed to lookup address information'),
    false,
    'dns',
  ],
  [new TypeError('error reading a body from connection'), true, 'truncated'],
  [
    coded('ConnectionRefused', 'Unable to connect. Is the computer able to access the url?'),
    false,
    'refused',
  ],
  [new TypeError('Failed to fetch'), false, 'other'],
  [new TypeError('network error'), true, 'reset'],
  ['not even an error', false, 'other'],
];
test('each runtime says in its own words how a transport broke', () => {
  for (const [error, inBody, wanted] of kFaults) {
    const { fault, text } = faultOf(error, { inBody });
    assert.equal(transportFaults[fault], wanted, text);
    assert.ok(text.length > 0 && text.length <= 500);
  }
});

test('a held body gives any range without copying, and forgets what is released', () => {
  const held = new HeldBody();
  const whole = Uint8Array.from({ length: 100 }, (_, i) => i);
  const chunks = [10, 0, 1, 29, 60].map(
      ((at) => (size) => whole.subarray(at, (at += size)))(0),
  );
  for (const chunk of chunks) held.push(chunk);
  for (let begin = 0; begin <= 100; ++begin) {
    for (let end = begin; end <= 100; ++end) {
      const parts = held.range(begin, end - begin);
      assert.deepEqual(join(parts), whole.slice(begin, end));
      for (const part of parts) assert.equal(part.buffer, whole.buffer);
    }
  }
  held.releaseTo(11);
  assert.equal(held.heldBytes, 89);
  assert.deepEqual(join(held.range(11, 20)), whole.slice(11, 31));
  held.releaseTo(100);
  assert.equal(held.heldBytes, 0);
  held.push(whole);
  assert.deepEqual(join(held.range(150, 2)), whole.slice(50, 52));
  held.release();
  held.push(whole);
  assert.equal(held.heldBytes, 0);
});

test('literals and ranges make the body of an attempt, small ones joined, large ones in pieces', async () => {
  const held = new HeldBody();
  held.push(new TextEncoder().encode('{"model":"a","rest":1}'));
  const pieces = [{ bytes: new TextEncoder().encode('{"model":"b"') }, { offset: 12, length: 10 }];
  const { body } = bodyOf(partsOf(pieces, held));
  assert.equal(new TextDecoder().decode(body), '{"model":"b","rest":1}');
  const large = [new Uint8Array(2 << 20).fill(1), new Uint8Array(3).fill(2)];
  const blob = bodyOf(large).body; // no FixedLengthStream here
  assert.equal(blob.size, (2 << 20) + 3);
});

test('an upload says when it is full, and when there is room', async () => {
  const upload = new Upload();
  assert.equal(upload.room(), undefined);
  upload.push([new Uint8Array(300 * 1024), new Uint8Array(0)]);
  const room = upload.room();
  assert.ok(room instanceof Promise);
  const reader = upload.body.getReader();
  assert.equal((await reader.read()).value.length, 300 * 1024);
  await room;
  upload.end();
  assert.equal((await reader.read()).done, true);
});

test('no credential of the client and nothing of one connection goes to the core', () => {
  const client = new Headers({
    authorization: 'Bearer x',
    'x-api-key': 'x',
    'x-goog-api-key': 'x',
    cookie: 'x',
    'proxy-authorization': 'x',
    'cf-connecting-ip': '1.2.3.4',
    'x-forwarded-for': '1.2.3.4',
    'x-shunt-route': 'chat',
    'anthropic-beta': 'b',
    traceparent: '\u00e9',
  });
  assert.equal(clientLines(client), 'anthropic-beta: b\nx-shunt-route: chat\n');
  const answered = new Headers({
    'content-encoding': 'gzip',
    'content-length': '5',
    'set-cookie': 'x',
    'retry-after': '2',
  });
  assert.equal(providerLines(answered), 'retry-after: 2\n');
  const long = new Headers(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x-${i}`, 'v'.repeat(1000)])),
  );
  assert.ok(providerLines(long).length <= 32 * 1024);
});

test('a key in the query is a credential, and no part of the target', () => {
  const cases = {
    '/v1/models?a=b%20c&&key=s%2Be&d': ['/v1/models?a=b%20c&d', 's+e'],
    '/v1/models?key=x': ['/v1/models', 'x'],
    '/v1/models?monkey=x': ['/v1/models?monkey=x', undefined],
    '/v1/models': ['/v1/models', undefined],
  };
  for (const [url, [target, key]] of Object.entries(cases))
    assert.deepEqual(targetOf(`https://g.example${url}`), { target, key });
  const all = { authorization: 'Bearer a', 'x-api-key': ' b', 'x-goog-api-key': 'c' };
  assert.deepEqual(credentialsOf(new Headers(all), 'd'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(credentialsOf(new Headers()), []);
});

const lineOf = (more) => ({
  auth: 'bearer',
  auth_name: 'authorization',
  keys: ['A', 'B'],
  client_key: false,
  ...more,
});
test('a key comes from its slot and goes where the provider looks for it', () => {
  const env = { A: 'one', B: 'two & more' };
  assert.deepEqual(keyOf(lineOf(), 1, env), { key: 'two & more' });
  assert.deepEqual(keyOf(lineOf({ keys: ['C'] }), 0, env), { missing: 'C' });
  for (const pasted of ['', ' ', 'sk-one\nsk-two', 'sk-“smart”'])
    assert.deepEqual(keyOf(lineOf({ keys: ['P'] }), 0, { P: pasted }), { missing: 'P' });
  assert.deepEqual(keyOf(lineOf({ keys: ['P'] }), 0, { P: ' sk-one\n' }), { key: 'sk-one' });
  assert.deepEqual(keyOf(lineOf({ client_key: true, keys: [] }), 0, env, 'mine'), { key: 'mine' });
  assert.ok(keyOf(lineOf({ client_key: true, keys: [] }), 0, env).missing);
  assert.deepEqual(keyOf(lineOf({ auth: 'none' }), 0, env), {});
  const put = (line) => {
    const headers = new Headers();
    const url = authorise(line, 'two & more', 'https://p.example/v1', headers);
    return { url, ...Object.fromEntries(headers) };
  };
  assert.deepEqual(put(lineOf()), { url: 'https://p.example/v1', authorization: 'Bearer two & more' });
  assert.deepEqual(put(lineOf({ auth: 'header', auth_name: 'x-api-key' })), {
    url: 'https://p.example/v1',
    'x-api-key': 'two & more',
  });
  assert.deepEqual(put(lineOf({ auth: 'query', auth_name: 'key' })), {
    url: 'https://p.example/v1?key=two+%26+more',
  });
});

test('a gateway with keys and without clients is for loopback', () => {
  const deployments = [lineOf()];
  assert.equal(isOpen({ clients: [], deployments }), true);
  assert.equal(isOpen({ clients: [{ id: 'web' }], deployments }), false);
  assert.equal(isOpen({ clients: [], deployments: [lineOf({ client_key: true, keys: [] })] }), false);
  for (const name of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]', '::1', 'a.localhost'])
    assert.ok(isLoopback(name), name);
  for (const name of ['0.0.0.0', '127.0.0.1.example', 'localhost.example', '10.0.0.1', ''])
    assert.ok(!isLoopback(name), name);
});

test('base64 both ways, at every length', () => {
  for (let length = 0; length < 70; ++length) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) & 0xff);
    assert.equal(toBase64(bytes), Buffer.from(bytes).toString('base64'));
    assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
  }
});

// ---- the timer ----

test(
    'a timer rings although the clock stands, and not before its time though it was armed for less',
    async () => {
      const began = performance.now();
      const rung = await new Promise((resolve) => {
        const timer = new Timer(() => 1000, () => resolve(performance.now() - began));
        timer.arm(1030);
        timer.arm(1090); // leaves the armed one as it is
      });
      assert.ok(rung >= 85, `after ${rung} ms`);
      assert.ok(rung < 2000, `after ${rung} ms`);
    });

test('a timer that is told of an earlier time, or of a clock set back, is armed anew', async () => {
  let now = 5_000_000;
  const began = performance.now();
  const rung = await new Promise((resolve) => {
    const timer = new Timer(() => now, () => resolve(performance.now() - began));
    timer.arm(now + 60_000);
    now -= 3_600_000;
    timer.arm(now + 40);
  });
  assert.ok(rung >= 35 && rung < 2000, `after ${rung} ms`);
});
