// Vercel's `ai` SDK with its provider packages, unmodified, through the Worker in workerd: the same answer as
// asked directly of the provider, over each package's own route and across dialects; a cut stream ends in
// the SDK's own error.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {createProvider} from '../providers/server.mjs';
import {startWorker} from '../../scripts/lib/worker.mjs';
import {ai, createAnthropic, createGoogleGenerativeAI, createOpenAI} from './support/sdks.mjs';

// A package and the route it calls.
const kPackages = {
  openai: (url) => (model) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).chat(model),
  responses: (url) => (model) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'any' }).responses(model),
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'any' }),
  gemini: (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'any' }),
};
const kModels = {
  openai: 'model-o',
  responses: 'model-r',
  anthropic: 'model-a',
  gemini: 'model-g'
};
// Each package to a provider of its own dialect, and across to the two that most providers speak.
const kPairs = Object.keys(kPackages).flatMap(
    (client) => [...new Set([client, 'openai', 'anthropic'])].map((provider) => [client, provider]));

const kSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    parts: { type: 'array', items: { type: 'string' } },
  },
  required: ['city'],
  additionalProperties: false,
};
const tools = (execute) => ({
  get_weather: ai.tool({
    description: 'The weather of a place.',
    inputSchema: ai.jsonSchema(kSchema),
    execute,
  }),
  get_time: ai.tool({
    description: 'The time of a place.',
    inputSchema: ai.jsonSchema({ type: 'object', properties: { zone: { type: 'string' } } }),
    execute,
  }),
});
const kQuestions = {
  text: { prompt: 'What is the answer, bitte schön — 请回答?' },
  system: { system: 'You are terse.', prompt: 'And now briefly.' },
  tools: { prompt: 'How is the weather tomorrow in Zürich', tools: tools() },
  // The SDK runs the tools and asks again with what they gave.
  loop: {
    prompt: 'How is the weather in 北京',
    tools: tools(async (input) => `sunny in ${JSON.stringify(input)}`),
    stopWhen: ai.stepCountIs(2),
  },
};
const kCommon = {
  maxRetries: 0,
  maxOutputTokens: 1000,
  // Else the SDK sends references to items that it expects the provider to have kept.
  providerOptions: { openai: { store: false } },
};

const fold = ({ text, toolCalls, finishReason, totalUsage, steps }) => ({
  text,
  calls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
  results: steps.map((step) => step.toolResults.map(({ output }) => output)),
  finish: finishReason,
  usage: {
    prompt: totalUsage.inputTokens,
    cached: totalUsage.inputTokenDetails.cacheReadTokens ?? 0,
    completion: totalUsage.outputTokens,
  },
});

async function ask(model, question, stream) {
  if (!stream) return fold(await ai.generateText({ model, ...kCommon, ...question }));
  const errors = [];
  const run = ai.streamText({ model, ...kCommon, ...question, onError: ({ error }) => errors.push(error) });
  let heard = '';
  for await (const part of run.fullStream)
    if (part.type === 'text-delta') heard += part.text;
  assert.deepEqual(errors, []);
  const [text, toolCalls, finishReason, totalUsage, steps] =
      await Promise.all([run.text, run.toolCalls, run.finishReason, run.totalUsage, run.steps]);
  assert.equal(heard, steps.map((step) => step.text).join(''));
  return fold({ text, toolCalls, finishReason, totalUsage, steps });
}

const providers = {};
let worker;
before(async () => {
  for (const dialect of Object.keys(kPackages)) providers[dialect] = await createProvider({ dialect });
  const line = (dialect, path) => ({
    dialect,
    base_url: providers[path.split('/')[0]].url + path.slice(path.indexOf('/')),
    keys: ['KEY']
  });
  worker = await startWorker({
    config: {
      providers: {
        openai: line('openai_chat', 'openai/v1'),
        responses: line('openai_responses', 'responses/v1'),
        anthropic: line('anthropic_messages', 'anthropic/'),
        gemini: line('gemini_generate', 'gemini/v1beta'),
      },
      deployments:
          Object.entries(kModels).map(([provider, model]) => ({ id: `m@${provider}`, provider, model })),
      routes: Object.fromEntries(
          Object.keys(kModels).map((provider) => [`via-${provider}`, { deployments: [`m@${provider}`] }])),
    },
    env: { KEY: 'sk-secret' },
  });
});
after(async () => {
  await worker?.close();
  await Promise.all(Object.values(providers).map((provider) => provider.close()));
});

for (const [client, provider] of kPairs) {
  for (const stream of [true, false]) {
    test(`@ai-sdk ${client}, ${provider} provider, ${stream ? 'streamText' : 'generateText'}`, async (t) => {
      for (const [name, question] of Object.entries(kQuestions)) {
        await t.test(name, async () => {
          const expected =
              await ask(kPackages[provider](providers[provider].url)(kModels[provider]), question, stream);
          const got = await ask(kPackages[client](worker.url)(`via-${provider}`), question, stream);
          assert.deepEqual(got, expected);
          assert.ok(expected.text.length > 0);
          if (name === 'tools') assert.equal(got.calls.length, 2);
          if (name === 'loop') assert.match(got.text, /The tools said: sunny in/);
        });
      }
    });
  }

  test(`@ai-sdk ${client}, ${provider} provider: a stream that is cut ends in an error`, async () => {
    providers[provider].next('cut');
    const errors = [];
    const run = ai.streamText({
      model: kPackages[client](worker.url)(`via-${provider}`),
      ...kCommon,
      ...kQuestions.text,
      onError: ({ error }) => errors.push(error),
    });
    const parts = [];
    for await (const part of run.fullStream) parts.push(part);
    assert.ok(parts.some(({ type }) => type === 'text-delta'), 'content came before');
    assert.equal(parts.filter(({ type }) => type === 'error').length, 1);
    assert.equal(errors.length, 1);
    const ends = parts.filter(({ type }) => type === 'finish');
    assert.ok(ends.every(({ finishReason }) => finishReason === 'error'), JSON.stringify(ends));
  });
}
