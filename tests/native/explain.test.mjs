// `shunt explain`: every candidate in or out with its reason, for people and for machines.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {bytesOf, createCore} from '../../host-bindings/core.mjs';
import {root, shunt, workplace} from './command.mjs';

const write = workplace(after);
const kWall = 1_800_000_000_000;
const text = JSON.stringify({
  providers: {
    p: { dialect: 'openai_chat', base_url: 'http://127.0.0.1:1/v1', keys: ['P'] },
    q: { dialect: 'anthropic_messages', base_url: 'http://127.0.0.1:2', keys: ['Q'] },
  },
  deployments: [
    { id: 'a@p', provider: 'p', model: 'm', capabilities: ['chat'] },
    { id: 'b@q', provider: 'q', model: 'n', priority: 2 },
    { id: 'c@q', provider: 'q', model: 'o', priority: 3, weight: 5, region: 'us' },
  ],
  routes: {
    chat: { deployments: ['a@p', 'b@q', 'c@q'] },
    kept: { deployments: ['a@p'] },
    one: { deployments: ['a@p'], last_line: 'protect' },
    ...Object.fromEntries([
      'cost_aware', 'performance_first', 'score', 'success_degrade', 'least_busy', 'weight_order'
    ].map((strategy) => [strategy, { deployments: ['a@p', 'c@q'], strategy }])),
  },
});
const config = write('shunt.json', text);
const asks = (model, content = 'hi') =>
    JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content }] });
const explain = (body, ...more) => shunt(['explain', '--config', config, '--request', '-', ...more], body);
const kImage = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];

// Health of an engine whose first line was asked `times` and answered so each time.
function snapshot_after(status, headers, times) {
  const wasm = readFileSync(join(process.env.SHUNT_BUILD ?? join(root, 'build'), 'wasi/shunt.wasm'));
  const core = createCore(new WebAssembly.Module(wasm));
  core.configure(text);
  for (let i = 0; i < times; ++i) {
    const handle = core.open({ low: i, high: 0 });
    const tell = (op, fields) => core.poll(handle, 1000, { op, ...fields });
    tell('request_arrived', { t: kWall, payload: bytesOf('POST\n/v1/chat/completions\n\n') });
    tell('request_bytes', { payload: bytesOf(asks('kept')) });
    tell('request_ended');
    tell('head_arrived', { stream: 1, a: status, payload: bytesOf(headers) });
    tell('attempt_ended', { stream: 1 });
    tell('client_gone');
  }
  return core.snapshot(1000, kWall);
}
const limited = snapshot_after(429, 'retry-after: 42\n', 1);
const broken = snapshot_after(500, '', 3);

test('all lines are well: the first by priority is called', () => {
  const { code, out } = explain(asks('chat'));
  assert.equal(code, 0);
  const [head, ...rows] = out.trimEnd().split('\n');
  assert.equal(head, 'chat: a@p, key 1 is called first: drawn by weight, inside the best priority');
  assert.deepEqual(rows.map((row) => row.trim().split(/\s+/).slice(0, 4)), [
    ['1.', 'a@p', 'in', 'well'],
    ['2.', 'b@q', 'in', 'well'],
    ['3.', 'c@q', 'in', 'well'],
  ]);
});

test('for machines: one object a candidate, in configuration order', () => {
  const [a, b, c] = explain(asks('chat', kImage), '--json', '--header', 'x-shunt-exclude: b@q').lines();
  assert.deepEqual([a.id, a.in, a.place, a.cause], ['a@p', false, null, 'incapable']);
  assert.deepEqual([b.id, b.in, b.cause, b.reason], ['b@q', false, 'excluded', 'the request excludes it']);
  assert.deepEqual([c.id, c.in, c.place, c.weight], ['c@q', true, 1, 5]);
});

// What each strategy looked at, in words and as numbers.
const kNumbers = [
  ['weight_order', /^the largest weight first/, 'priority 1, weight 1'],
  ['cost_aware', /^the cheapest for this request/, 'priority 1, weight 1, cost '],
  [
    'performance_first', /the sooner first token/,
    'priority 1, weight 1, time to first token not known, 0 under way'
  ],
  ['score', /^the highest weight x success/, 'priority 1, weight 1, success 100 %, p90 not known'],
  ['success_degrade', /^by priority, lines of little success behind/, 'priority 1, weight 1, success 100 %'],
  ['least_busy', /^the fewest calls under way/, 'priority 1, weight 1, 0 under way'],
];
for (const [strategy, how, why] of kNumbers) {
  test(`${strategy}: the numbers that it used stand with each line`, () => {
    const [head, first] = explain(asks(strategy)).out.split('\n');
    assert.match(head.split('is called first: ')[1], how);
    assert.ok(first.includes(`(${why}`), first);
    const [a, c] = explain(asks(strategy), '--json').lines();
    assert.equal(a.strategy, strategy);
    assert.ok(a.why.startsWith(why), a.why);
    assert.match(c.why, /weight 5.*, region us, local$/);
    assert.deepEqual(
        [a.success, a.in_flight, a.p90_ms, a.ttft_micros, a.role, a.region, c.region],
        [1, 0, 0, 0, 0, '', 'us']);
    assert.equal(typeof a.cost_nanos, 'number');
  });
}

test('a snapshot: a wait is told with what is left of it, as bytes and in base64', () => {
  for (const bytes of [limited, Buffer.from(limited).toString('base64') + '\n']) {
    const [a, b] = explain(asks('chat'), '--json', '--snapshot', write('health', bytes)).lines();
    assert.deepEqual([a.in, a.cause, a.left_ms], [false, 'cooldown', 42_000]);
    assert.match(a.reason, /for 42\.0 s more$/);
    assert.deepEqual([b.in, b.place], [true, 1]);
  }
});

test('the last line is kept, or probed where the route protects it', () => {
  const health = ['--snapshot', write('broken', broken)];
  const [kept] = explain(asks('kept'), '--json', ...health).lines();
  assert.deepEqual([kept.in, kept.kept, kept.state, kept.cause], [true, true, 'out', 'breaker']);
  const [one] = explain(asks('one'), '--json', ...health).lines();
  assert.deepEqual([one.in, one.kept, one.cause], [false, false, 'breaker']);
});

test('nobody is called: exit 1 and what the client would read', () => {
  const wait = explain(asks('one'), '--snapshot', write('limited', limited));
  assert.equal(wait.code, 1);
  assert.match(wait.out, /^one: nobody is called, the answer is 503: Every line/);
  const nobody = explain(asks('nobody'));
  assert.equal(nobody.code, 1);
  assert.match(nobody.out, /the answer is 404: There is no route/);
});

test('what cannot be read: a fault of the configuration is 1, a missing file is 2', () => {
  const bad = write('bad.json', '{"routes": 7}');
  assert.equal(shunt(['explain', '--config', bad, '--request', '-'], asks('chat')).code, 1);
  assert.equal(shunt(['explain', '--config', '/no/such/file', '--request', '-'], asks('chat')).code, 2);
  const { code, err } = explain(asks('chat'), '--snapshot', write('garbage', 'garbage'));
  assert.equal(code, 1);
  assert.match(err, /no snapshot/);
  assert.equal(shunt(['explain', '--config', config]).code, 2);
});
