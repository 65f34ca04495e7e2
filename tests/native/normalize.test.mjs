// `shunt normalize`: a provider's answer in one form, whatever its bytes were cut into.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {shunt, workplace} from './command.mjs';

const file = workplace(after);
const normalize = (options, body) => shunt(['normalize', ...options], body);
const chat = (options, body) => normalize(['--from', 'openai_chat', ...options], body);
const chunk = (value) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (delta, finish_reason = null, index = 0) =>
    chunk({ id: 'c1', model: 'm', created: 7, choices: [{ index, delta, finish_reason }] });
const kDone = 'data: [DONE]\n\n';

const kStream = ': hello\n\n' + delta({ role: 'assistant', content: '' }) +
    delta({ reasoning_content: 'hm' }) + delta({ content: '答' }) +
    delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }] }) +
    delta({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }) + delta({}, 'stop') +
    chunk({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }) + kDone;
const kFolded = {
  text: '答',
  reasoning: 'hm',
  refusal: '',
  tool_calls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
  finish: 'tool_calls',
  finish_raw: 'stop',
  usage: { prompt: 3, completion: 4, total: 7, cached: null, reasoning: null },
  error: null,
};
const kNothing = {
  text: '',
  reasoning: '',
  refusal: '',
  tool_calls: [],
  finish: null,
  finish_raw: null,
  usage: null,
  error: null,
};

for (const size of ['0', '1', '7']) {
  test(`a stream, folded, by chunks of ${size}`, () => {
    const { code, lines, err } = chat(['--fold', '--chunk', size], kStream);
    assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(lines(), [kFolded]);
  });

  test(`a plain answer, folded, by chunks of ${size}`, () => {
    const body = JSON.stringify({
      choices:
          [{ index: 0, message: { role: 'assistant', content: 'Hi', refusal: null }, finish_reason: 'stop' }],
    });
    const { code, lines } = chat(['--fold', '--chunk', size], body);
    assert.equal(code, 0);
    assert.deepEqual(lines(), [{...kNothing, text: 'Hi', finish: 'stop', finish_raw: 'stop' }]);
  });
}

test('events, one a line', () => {
  const { code, lines } = chat(['--events', '--json'], kStream);
  assert.equal(code, 0);
  assert.deepEqual(lines().map(({ event }) => event), [
    'ping',
    'start',
    'reasoning',
    'text',
    'tool_call_start',
    'tool_call_arguments',
    'tool_call_arguments',
    'finish',
    'usage',
    'done',
  ]);
  assert.deepEqual(lines()[1], { event: 'start', id: 'c1', model: 'm', created: 7 });
  assert.deepEqual(lines()[4], { event: 'tool_call_start', choice: 0, call: 0, id: 'a', name: 'f' });
  assert.deepEqual(lines()[8].raw, { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 });
});

test('another dialect', () => {
  const { code, out } = chat(['--to', 'anthropic_messages'], kStream);
  assert.equal(code, 0);
  assert.match(out, /event: message_start\n/);
  assert.match(out, /"stop_reason":"tool_use"/);
  assert.match(out, /event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/);
});

test('a plain answer in another dialect is plain', () => {
  const body = JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'length' }] });
  const { lines } = chat(['--to', 'anthropic_messages'], body);
  assert.equal(lines()[0].stop_reason, 'max_tokens');
  assert.deepEqual(lines()[0].content, [{ type: 'text', text: 'Hi' }]);
});

test('a cut stream is no clean end', () => {
  const { lines } = chat(['--fold'], delta({ content: 'He' }));
  assert.deepEqual(lines(), [{...kNothing, text: 'He' }]);
  const { out } = chat(['--to', 'anthropic_messages'], delta({ content: 'He' }));
  assert.match(out, /event: error\n/);
  assert.doesNotMatch(out, /message_stop/);
});

test('further choices stand under choices', () => {
  const { lines } = chat(['--fold'], delta({ content: 'a' }) + delta({ content: 'b' }, 'stop', 1) + kDone);
  assert.equal(lines()[0].text, 'a');
  assert.deepEqual(lines()[0].choices, [{
                     index: 1,
                     text: 'b',
                     reasoning: '',
                     refusal: '',
                     tool_calls: [],
                     finish: 'stop',
                     finish_raw: 'stop',
                   }]);
});

const kErrors = [
  [
    'an error body', '{"error":{"message":"no","type":"t","code":429}}', 0,
    { type: 't', code: '429', message: 'no', status: 429 }
  ],
  ['an error inside a stream', chunk({ error: { message: 'no' } }), 0, { message: 'no' }],
  ['HTML', '<html>Bad gateway</html>', 1, { message: '<html>Bad gateway</html>' }],
  ['plain text', 'upstream connect error', 1, { message: 'upstream connect error' }],
  ['another API\'s JSON', '{"candidates":[]}', 1, { message: '{"candidates":[]}' }],
  ['another API\'s stream', 'data: {"candidates":[]}\n\n', 1, { message: '{"candidates":[]}' }],
];
for (const [name, body, exit, error] of kErrors) {
  test(`${name} where an answer was due is an error`, () => {
    const { code, lines } = chat(['--fold'], body);
    assert.deepEqual(lines(), [{...kNothing, error }]);
    assert.equal(code, exit);
  });
}

test('an error in a line that SSE drops is told apart', () => {
  const { lines } = chat(['--fold'], delta({ content: 'He' }) + 'error: {"message":"no","code":400}\n\n');
  assert.deepEqual(lines(), [{
                     ...kNothing,
                     text: 'He',
                     recovered: { error: { code: '400', message: 'no', status: 400 } },
                   }]);
});

test('a frame that is no JSON is passed over, and said in the exit code', () => {
  const { code, lines } =
      chat(['--fold'], 'data: {"choices":[{\n\n' + delta({ content: 'Hi' }, 'stop') + kDone);
  assert.equal(lines()[0].text, 'Hi');
  assert.equal(code, 1);
});

test('nothing in: an answer that says nothing', () => {
  const { code, lines } = chat(['--fold'], '');
  assert.deepEqual([code, lines()], [0, [kNothing]]);
});

test('a provider has its quirks, an unknown one has none', () => {
  const body = chunk({
    choices: [],
    usage: { prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 5 } },
  });
  assert.equal(chat(['--fold', '--provider', 'grok'], body).lines()[0].usage.completion, 7);
  const { lines, err } = chat(['--fold', '--provider', 'nobody'], body);
  assert.equal(lines()[0].usage.completion, 2);
  assert.match(err, /nobody/);
});

const kExchanges =
    [
      {
        id: 'one',
        provider: 'openai',
        api: 'chat.completions',
        stream: true,
        response: { status: 200, headers: {}, body_text: kStream }
      },
      {
        id: 'two',
        provider: 'anthropic',
        api: 'messages',
        stream: false,
        response: {
          status: 200,
          headers: { 'Content-Type': 'application/json' },
          body_text: '{"id":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}'
        }
      },
      { id: 'three', provider: 'openai', api: 'embeddings', response: { status: 200, body_text: '{}' } },
    ].map((row) => JSON.stringify(row))
        .join('\n');

test('recorded exchanges give a line each, with their id', () => {
  const { code, lines, err } = normalize(['--fold', '--trace', file('a.jsonl', kExchanges)]);
  assert.deepEqual(lines(), [
    { id: 'one', ...kFolded },
    { id: 'two', ...kNothing, text: 'Hi', finish: 'stop', finish_raw: 'end_turn' },
  ]);
  assert.equal(code, 0);
  assert.match(err, /1 exchanges of "embeddings" left out/);
});

test('a recorded InvokeModel speaks the dialect of its model', () => {
  const invoke = (model, body) => JSON.stringify({
    id: model,
    provider: 'bedrock',
    api: 'invoke',
    model,
    response: { status: 200, body_text: JSON.stringify(body) },
  });
  const rows = [
    invoke('meta.llama3-8b', { generation: 'Hi', stop_reason: 'length' }),
    invoke('us.anthropic.claude-sonnet-4', { id: 'm', content: [{ type: 'text', text: 'Hi' }] }),
    invoke('amazon.nova-lite-v1:0', { output: { message: { content: [{ text: 'Hi' }] } } }),
  ].join('\n');
  const { code, lines } = normalize(['--fold', '--trace', file('e.jsonl', rows)]);
  assert.equal(code, 0);
  assert.deepEqual(lines().map(({ text }) => text), ['Hi', 'Hi', 'Hi']);
});

test('an alias of a dialect, and a stream of JSON lines', () => {
  const lines =
      '{"message":{"content":"He"},"done":false}\n{"message":{"content":"y"},"done":true,"done_reason":"stop"}';
  for (const size of ['0', '1', '7']) {
    const { code, lines: folded } = normalize(['--from', 'ollama.chat', '--fold', '--chunk', size], lines);
    assert.deepEqual(folded(), [{...kNothing, text: 'Hey', finish: 'stop', finish_raw: 'stop' }]);
    assert.equal(code, 0);
  }
});

test('recorded exchanges as events, and in another dialect', () => {
  const events = normalize(['--events', '--trace', file('b.jsonl', kExchanges)]).lines();
  assert.deepEqual(events.map(({ id }) => id), ['one', 'two']);
  assert.deepEqual(events[1].events.map(({ event }) => event), ['start', 'text', 'finish']);
  const bodies = normalize(['--to', 'openai_chat', '--trace', file('c.jsonl', kExchanges)]).lines();
  assert.equal(JSON.parse(bodies[1].body).choices[0].message.content, 'Hi');
});

test('a line that is no exchange is located', () => {
  const { code, err } = normalize(['--fold', '--trace', file('d.jsonl', '{"no":1}\n')]);
  assert.equal(code, 1);
  assert.match(err, /d\.jsonl:1: /);
});
