// `shunt replay`: staging of recorded exchanges, traces that hold their effects, decisions against expected
// ones.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {shunt, workplace} from './command.mjs';

const write = workplace(after);

// ---- exchanges, one line each, as recordings have them ----

const event = (delta, finish = null) => `data: ${JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})}\n\n`;
const exchange = (id, response, more = {}) =>
    JSON.stringify({ id, provider: 'groq', api: 'chat.completions', stream: true, ...more, response });
const streamed = (id, text, more) => {
  const body_text = `${event({ role: 'assistant', content: text })}${event({}, 'stop')}data: [DONE]\n\n`;
  return exchange(id, { status: 200, headers: { 'content-type': 'text/event-stream' }, body_text, ...more });
};
const limited = exchange('limited', {
  status: 429,
  headers: { 'content-type': 'application/json' },
  body_text: '{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}',
});
const embeddings = exchange('vectors', { status: 200, headers: {}, body_text: '{}' }, { api: 'embeddings' });
const refused = exchange('closed', {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body_text:
      '{"error":{"message":"Invalid API Key","type":"invalid_request_error","code":"invalid_api_key"}}',
});

const recordings = write('recordings.jsonl', [streamed('fine', 'Grüße'), limited, embeddings].join('\n'));

const two_lines = write(
    'two_lines.json',
    JSON.stringify(
        {
          providers: { one: { preset: 'groq', keys: ['A'] }, two: { preset: 'deepseek', keys: ['B'] } },
          deployments: [
            { id: 'a@one', provider: 'one', model: 'm', priority: 1 },
            { id: 'b@two', provider: 'two', model: 'm', priority: 2 },
          ],
          routes: { chat: { deployments: ['a@one', 'b@two'] } },
        },
        null, 2));

const decisions = (lines) => lines.filter((line) => line.record);
const summary = (lines) => lines.at(-1);
/** What the client of a replay was sent. */
const sent = (log) =>
    Buffer.concat(log.filter(({ op }) => op === 'send_bytes').map(({ p64 }) => Buffer.from(p64, 'base64')))
        .toString();

// ---- recorded exchanges ----

test('each exchange is one attempt of its own one-line route', () => {
  const { code, lines, err } = shunt(['replay', '--json', recordings]);
  assert.equal(code, 0);
  const [fine, limit] = decisions(lines());
  assert.deepEqual([fine.result, fine.status, fine.attempts.length], ['answered', 200, 1]);
  assert.equal(fine.attempts[0].deployment, 'recorded@groq');
  assert.deepEqual([limit.result, limit.attempts.length], ['failed', 1]);
  assert.equal(limit.attempts[0].verdict.class, 'RATE_LIMITED');
  const { traces, results, differences, faults } = summary(lines());
  assert.deepEqual({ traces, results, differences, faults }, {
    traces: 2,
    results: { answered: 1, failed: 1 },
    differences: 0,
    faults: 0,
  });
  assert.match(err, /1 exchanges of "embeddings" skipped/);
});

test('a relayed stream reaches the client byte for byte, whatever the chunks', () => {
  const whole = streamed('fine', 'Grüße');
  for (const chunk of ['0', '1', '5', '64']) {
    const log = shunt(['replay', '--effects', '--chunk', chunk], whole).lines();
    assert.equal(sent(log), JSON.parse(whole).response.body_text, `chunk ${chunk}`);
  }
});

test('recorded chunk sizes are the reads that are played', () => {
  const size = Buffer.byteLength(JSON.parse(streamed('s', 'x')).response.body_text);
  const trace =
      shunt(['replay', '--as-trace'], streamed('s', 'x', { chunk_sizes: [10, 20, size - 30] })).lines();
  const reads = trace.filter(({ op }) => op === 'bytes_arrived').map(({ p }) => p.length);
  assert.deepEqual(reads, [10, 20, size - 30]);
});

test('a client of another dialect gets its own stream', () => {
  const log = shunt(['replay', '--effects', '--to', 'anthropic_messages'], streamed('fine', 'Hallo')).lines();
  assert.match(sent(log), /^event: message_start\n/);
  assert.match(sent(log), /"text_delta","text":"Hallo"/);
});

test('a chain is consecutive attempts under the configuration', () => {
  const file = write('chain.jsonl', [refused, streamed('fine', 'ok')].join('\n'));
  const { code, lines } = shunt(['replay', '--json', '--config', two_lines, '--chain', 'closed,fine', file]);
  assert.equal(code, 0);
  const [decision] = decisions(lines());
  assert.deepEqual(
      decision.attempts.map(({ deployment, status }) => [deployment, status]),
      [['a@one', 401], ['b@two', 200]]);
  assert.equal(decision.result, 'answered');
});

test('an attempt beyond the chain is refused its connection', () => {
  const { lines } = shunt(['replay', '--json', '--config', two_lines, '--chain', 'closed'], refused);
  const [decision] = decisions(lines());
  assert.equal(decision.attempts[1].verdict.class, 'EXTERNAL_NETWORK');
});

test('a chain of unknown exchanges is wrong usage', () => {
  const { code, err } = shunt(['replay', '--config', two_lines, '--chain', 'nobody'], refused);
  assert.equal(code, 2);
  assert.match(err, /no exchange "nobody"/);
});

// ---- traces ----

const trace = shunt(['replay', '--as-trace', '--effects', recordings]).out;

test('a trace written out and read again is the same trace', () => {
  assert.equal(shunt(['replay', '--as-trace', '--effects'], trace).out, trace);
  const chained = shunt(['replay', '--as-trace', '--config', two_lines, '--chain', 'fine', recordings]).out;
  assert.equal(shunt(['replay', '--as-trace'], chained).out, chained);
});

test('a configuration given as text keeps its bytes, so its hash', () => {
  const { lines } = shunt(['replay', '--json', '--config', two_lines, '--chain', 'fine', recordings]);
  const again = shunt(['replay', '--as-trace', '--config', two_lines, '--chain', 'fine', recordings]).out;
  assert.equal(decisions(shunt(['replay', '--json'], again).lines())[0].config, decisions(lines())[0].config);
});

test('--verify: the effects of the trace come again', () => {
  const { code, lines } = shunt(['replay', '--verify', '--json'], trace);
  const { compared, effects, differences } = summary(lines());
  assert.equal(code, 0);
  assert.equal(compared, effects);
  assert.equal(differences, 0);
});

const kTampered = [
  [
    'another status',
    (text) => text.replace('"op":"send_head","stream":0,"a":200', '"op":"send_head","stream":0,"a":201')
  ],
  ['an effect more', (text) => text.replace(/(.*"op":"start_attempt".*\n)/, '$1$1')],
  ['an effect less', (text) => text.replace(/.*"op":"release_body".*\n/, '')],
];
for (const [name, tamper] of kTampered) {
  test(`--verify: ${name} is a difference, with its place`, () => {
    assert.notEqual(tamper(trace), trace);
    const { code, lines } = shunt(['replay', '--verify', '--json'], tamper(trace));
    assert.equal(code, 1);
    const found = lines().filter(({ difference }) => difference);
    assert.equal(found.length, 1, 'the first of a trace: the rest would follow from it');
    assert.match(found[0].at, /^standard input:\d+$/);
  });
}

test('--verify without effects to compare with is not taken for success', () => {
  const { code, err } = shunt(['replay', '--verify', recordings]);
  assert.equal(code, 1);
  assert.match(err, /no effects to compare/);
});

// ---- expected decisions ----

const expected = write('expected.jsonl', shunt(['replay', '--json', recordings]).out);

test('--expect: the same decisions at other times are the same', () => {
  assert.equal(shunt(['replay', '--chunk', '3', '--expect', expected, recordings]).code, 0);
});

test('--expect: another decision is shown where it differs', () => {
  const { code, lines } =
      shunt(['replay', '--json', '--expect', expected], [streamed('fine', 'x'), refused].join('\n'));
  assert.equal(code, 1);
  const [difference] = lines().filter((line) => line.difference);
  assert.match(difference.at, /^decision 2: \/attempts\/0\//);
});

test('--expect: a decision more or less differs', () => {
  assert.equal(shunt(['replay', '--expect', expected], limited).code, 1);
  assert.equal(shunt(['replay', '--expect', expected], [trace, trace].join('')).code, 1);
});

// ---- faults of the input ----

const kHeader = trace.slice(0, trace.indexOf('\n') + 1);
const kOpen = '{"x":1,"open":{"seed":"0000000000000001"}}\n';
const kFaults = [
  ['neither trace nor exchange', 'hello\n', /1: the line is no recorded exchange/],
  ['an op nobody knows', `${kHeader}${kOpen}{"x":1,"now":1,"op":"fly"}\n`, /3: "fly" is no op/],
  ['an input without a time', `${kHeader}${kOpen}{"x":1,"op":"client_gone"}\n`, /3: "now" is missing/],
  [
    'a time beyond the clock', `${kHeader}${kOpen}{"x":1,"now":1e300,"op":"client_gone"}\n`,
    /3: "now" is no time/
  ],
  [
    'a fault nobody knows', `${kHeader}${kOpen}{"x":1,"now":1,"op":"attempt_broke","stream":1,"a":99}\n`,
    /3: "a" is no/
  ],
  [
    'a payload that is no base64', `${kHeader}${kOpen}{"x":1,"now":1,"op":"request_bytes","p64":"*"}\n`,
    /3: base64/
  ],
  [
    'an exchange that is not open', `${kHeader}{"x":2,"now":1,"op":"client_gone"}\n`,
    /2: exchange 2 is not open/
  ],
  ['an exchange opened twice', `${kHeader}${kOpen}${kOpen}`, /3: exchange 1 is already open/],
  [
    'a configuration with faults', '{"trace":"shunt-trace/1","config":{"routs":{}},"snapshot":""}\n',
    /refused/
  ],
  [
    'a snapshot that is none', kHeader.replace('"snapshot":""', '"snapshot":"AAAA"'),
    /the snapshot is refused/
  ],
  ['another version', '{"trace":"shunt-trace/9","config":{}}\n', /1: "trace" is not "shunt-trace\/1"/],
];
for (const [name, text, words] of kFaults) {
  test(`${name}: exit 1 and the line`, () => {
    const { code, err } = shunt(['replay'], text);
    assert.equal(code, 1, err);
    assert.match(err, words);
  });
}

for (const to of ['openai_chat', 'openai_responses', 'anthropic_messages', 'gemini_generate']) {
  test(`a client that speaks ${to} may stand in front of any recording`, () => {
    const one = write(`fine_${to}.jsonl`, streamed('fine', 'Grüße'));
    const { code, lines } = shunt(['replay', '--effects', '--to', to, one]);
    assert.equal(code, 0);
    assert.ok(sent(lines()).includes('Grüße'), sent(lines()));
  });
}

// ---- kinds of exchange ----

const kept_in_store = JSON.stringify({
  ...JSON.parse('{"providers":{"one":{"preset":"groq","keys":["A"]}}}'),
  deployments: [{ id: 'a@one', provider: 'one', model: 'm' }],
  state: { store: 'kv' },
});
const opened_as = (name, kind) => write(name, [
  `{"trace":"shunt-trace/1","config":${kept_in_store},"snapshot":""}`,
  JSON.stringify({ x: 1, open: { seed: '0000000000000001', ...kind } }),
  '{"x":1,"now":5,"op":"started","t":1800000000000}',
].join('\n'));

test('a trace says of which kind an exchange is', () => {
  const ops = (file) => shunt(['replay', '--effects', file]).lines().map(({ op }) => op);
  assert.ok(ops(opened_as('upkeep.jsonl', { kind: 'upkeep' })).includes('store_get'));
  assert.ok(!ops(opened_as('request.jsonl', {})).includes('store_get'));
  const { code, err } = shunt(['replay', '--effects', opened_as('other.jsonl', { kind: 'nap' })]);
  assert.equal(code, 1);
  assert.match(err, /"kind" is not request, probe, upkeep or admin/);
});
