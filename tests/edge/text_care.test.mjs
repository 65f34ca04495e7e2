// A route that cares for texts, through the Worker in workerd: math delimiters as Markdown has them and
// thinking as reasoning, to SDKs of both dialects from providers of both, streamed in small pieces and plain.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {clients} from './support/clients.mjs';
import {startLines} from './support/lines.mjs';
import {OpenAI} from './support/sdks.mjs';

const kSaid =
    '<think>Is \\(x\\) even?</think>So \\(x² ≤ 答案\\) — `\\(code\\)`:\n\\[\ny\n\\]\n```\n\\(z\\)\n``` end \\(open';
const kTold = 'So $x² ≤ 答案$ — `\\(code\\)`:\n$$\ny\n$$\n```\n\\(z\\)\n``` end \\(open';
const kThought = 'Is \\(x\\) even?';
const kDialects = ['openai', 'anthropic'];
const kTools = [{
  name: 'note',
  description: 'Keeps a text.',
  schema: { type: 'object', properties: { text: { type: 'string' } } },
}];

let setup;
before(async () => {
  setup = await startLines(Object.fromEntries(kDialects.flatMap(
      (dialect) => [
          [`care-${dialect}`, { lines: { a: dialect }, route: { text: { math: true, think: 'tagged' } } }],
          [`none-${dialect}`, { lines: { a: dialect } }],
  ])));
});
after(() => setup?.close());

const ask = (client, route, stream, question = {
  text: 'x'
}) => clients[client].ask({ url: setup.url, key: 'any', model: route, question, stream });

for (const client of kDialects) {
  for (const dialect of kDialects) {
    for (const stream of [true, false]) {
      test(`${client} SDK, ${dialect} provider, ${stream ? 'stream' : 'plain'}`, async () => {
        for (const bytes of stream ? [1, 7, 1000] : [1000]) {
          for (const route of [`care-${dialect}`, `none-${dialect}`])
            setup.providers[route].a.next({ name: 'small_chunks', bytes, text: kSaid });
          assert.equal((await ask(client, `care-${dialect}`, stream)).text, kTold);
          assert.equal((await ask(client, `none-${dialect}`, stream)).text, kSaid);
        }
      });
    }

    test(`${client} SDK, ${dialect} provider: tool arguments stay`, async () => {
      const question = { text: 'keep \\(x\\)', tools: kTools };
      const { calls } = await ask(client, `care-${dialect}`, true, question);
      assert.deepEqual(calls.map(({ arguments: args }) => args), [{ text: '\\(x\\)' }]);
    });
  }
}

test('what the model thought is told as reasoning', async () => {
  setup.providers['care-openai'].a.next({ name: 'small_chunks', text: kSaid });
  const client = new OpenAI({ baseURL: `${setup.url}/v1`, apiKey: 'any', maxRetries: 0 });
  const stream = await client.chat.completions.create(
      { model: 'care-openai', stream: true, messages: [{ role: 'user', content: 'x' }] });
  let thought = '';
  for await (const { choices } of stream) thought += choices[0]?.delta.reasoning_content ?? '';
  assert.equal(thought, kThought);
});
