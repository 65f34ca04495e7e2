// The official SDKs, unmodified, through the Worker in workerd: the same answer as asked directly of the
// provider, in every pair of client and provider dialect.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {createProvider} from '../providers/server.mjs';
import {clients} from './support/clients.mjs';
import {startWorker} from '../../scripts/lib/worker.mjs';

const kPixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const kTools = [
  {
    name: 'get_weather',
    description: 'The weather of a place.',
    schema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        parts: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
    },
  },
  {
    name: 'get_time',
    description: 'The time of a place.',
    schema: { type: 'object', properties: { zone: { type: 'string' } } },
  },
];
const kQuestions = {
  text: { text: 'What is the answer, bitte schön — 请回答?' },
  system: { text: 'And now briefly.', system: 'You are terse. \u201cQuotes\u201d and \\ backslashes stay.' },
  tools: { text: 'How is the weather tomorrow in Zürich', tools: kTools },
  tool_results: {
    text: 'How is the weather in 北京',
    tools: kTools,
    called: [
      { id: 'call_one', name: 'get_weather', arguments: { city: '北京', days: 2 }, result: 'sunny, 21 °C' },
      { id: 'call_two', name: 'get_time', arguments: {}, result: '{"hour": 9}' },
    ],
  },
  image: { text: 'What is in this picture?', image: { type: 'image/png', data: kPixel } },
};

const providers = {};
let worker;
before(async () => {
  for (const dialect of Object.keys(clients)) providers[dialect] = await createProvider({ dialect });
  worker = await startWorker({
    config: {
      providers: {
        openai: { dialect: 'openai_chat', base_url: `${providers.openai.url}/v1`, keys: ['OPENAI_KEY'] },
        responses:
            { dialect: 'openai_responses', base_url: `${providers.responses.url}/v1`, keys: ['OPENAI_KEY'] },
        anthropic:
            { dialect: 'anthropic_messages', base_url: providers.anthropic.url, keys: ['ANTHROPIC_KEY'] },
        gemini: {
          dialect: 'gemini_generate',
          base_url: `${providers.gemini.url}/v1beta`,
          keys: ['GEMINI_KEY'],
        },
      },
      deployments: [
        { id: 'm@openai', provider: 'openai', model: 'model-o' },
        { id: 'm@responses', provider: 'responses', model: 'model-r' },
        { id: 'm@anthropic', provider: 'anthropic', model: 'model-a' },
        { id: 'm@gemini', provider: 'gemini', model: 'model-g' },
      ],
      routes: {
        'via-openai': { deployments: ['m@openai'] },
        'via-responses': { deployments: ['m@responses'] },
        'via-anthropic': { deployments: ['m@anthropic'] },
        'via-gemini': { deployments: ['m@gemini'] },
      },
    },
    env: { OPENAI_KEY: 'sk-o', ANTHROPIC_KEY: 'sk-a', GEMINI_KEY: 'sk-g' },
  });
});
after(async () => {
  await worker?.close();
  await Promise.all(Object.values(providers).map((provider) => provider.close()));
});

const kModels = {
  openai: 'model-o',
  responses: 'model-r',
  anthropic: 'model-a',
  gemini: 'model-g'
};

test('the Gemini SDK reads our errors, and its key may stand in the query', async () => {
  const ask = (model) =>
      clients.gemini.ask({ url: worker.url, key: 'client', model, question: kQuestions.text, stream: true });
  const told = await ask('nobody').then(() => null, (error) => error);
  assert.equal(told.status, 404);
  assert.match(told.message, /There is no route or deployment 'nobody'/);
  const path = '/v1beta/models/via-openai:generateContent?key=client-key';
  const answered = await fetch(worker.url + path, {
    method: 'POST',
    body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }),
  });
  assert.equal(answered.status, 200);
  assert.ok(!JSON.stringify(providers.openai.calls.at(-1)).includes('client-key'));
});

for (const client of Object.keys(clients)) {
  for (const provider of Object.keys(kModels)) {
    for (const stream of [true, false]) {
      test(`${client} SDK, ${provider} provider, ${stream ? 'stream' : 'plain'}`, async (t) => {
        for (const [name, question] of Object.entries(kQuestions)) {
          await t.test(name, async () => {
            const direct = await clients[provider].ask({
              url: providers[provider].url,
              key: 'direct',
              model: kModels[provider],
              question,
              stream,
            });
            const through = await clients[client].ask({
              url: worker.url,
              key: 'client',
              model: `via-${provider}`,
              question,
              stream,
            });
            const { model: direct_model, ...expected } = direct;
            const { model, ...got } = through;
            assert.deepEqual(got, expected);
            assert.ok(expected.text.length > 0 && direct_model);
            if (question.tools && !question.called) assert.equal(got.calls.length, 2);
          });
        }
      });
    }
  }
}
