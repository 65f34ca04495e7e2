// Makes tests/traces anew, or those files whose names begin with a word that is given: every behaviour of the
// simulated providers, in both dialects, through the gateway with its recorder on. One file each: a stream
// and a plain answer of a two-line route whose first line misbehaves. And one of requests that wait for each
// other, with a quota that a store shares out. Knows no format but JSONL.
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {behaviours} from '../tests/providers/behaviours.mjs';
import {createProvider} from '../tests/providers/server.mjs';
import {root} from './lib/tree.mjs';
import {createGateway} from '../host-bindings/node/index.mjs';
import {memoryStore} from '../host-bindings/stores/memory.mjs';

const kDirectory = join(root, 'tests/traces');
const kSpoken = {
  openai: { path: '/v1/chat/completions', dialect: 'openai_chat', base: '/v1' },
  anthropic: { path: '/v1/messages', dialect: 'anthropic_messages', base: '' },
};
const kOther = {
  openai: 'anthropic',
  anthropic: 'openai'
};
const kShort = {
  text: 'Forty-two, 四十二 — naïve ☕.',
  ms: 2,
  bytes: 97
};

function config_of(dialect, first, second) {
  const provider = ({ dialect: name, url }, key) => ({
    dialect: kSpoken[name].dialect,
    base_url: url + kSpoken[name].base,
    keys: [key],
  });
  return {
    // Long enough for a busy machine, short enough for a table of stalls.
    defaults: {
      timeouts:
          { first_byte_ms: 150, first_token_ms: 250, idle_ms: 150, attempt_ms: 900, plain_total_ms: 2000 }
    },
    providers: { first: provider(first, 'FIRST_KEY'), second: provider(second, 'SECOND_KEY') },
    deployments: [
      { id: 'a@first', provider: 'first', model: 'model-a', priority: 1 },
      { id: 'b@second', provider: 'second', model: 'model-b', priority: 2 },
    ],
    routes: { chat: { deployments: ['a@first', 'b@second'] } },
  };
}

async function record(dialect, name) {
  const first = await createProvider({ dialect, script: { name, ...kShort } });
  const second = await createProvider({ dialect: kOther[dialect], script: { name: 'ok', ...kShort } });
  const lines = [];
  const gateway = await createGateway(config_of(dialect, first, second), {
    env: { FIRST_KEY: 'simulated', SECOND_KEY: 'simulated' },
    record: (line) => lines.push(line),
  });
  for (const stream of [true, false]) {
    const messages = [{ role: 'user', content: 'What is the answer?' }];
    const body = JSON.stringify({ model: 'chat', stream, max_tokens: 64, messages });
    const request = new Request(
        `http://localhost${kSpoken[dialect].path}`,
        { method: 'POST', body, signal: AbortSignal.timeout(10000) });
    const response = await gateway.fetch(request);
    await response.text().catch(() => {}); // some of them break, on purpose
  }
  await gateway.close?.();
  await Promise.all([first.close(), second.close()]);
  return lines;
}

// Nine at once, one at a time, of a client whose quota holds six.
async function record_waiting() {
  const provider = await createProvider({ script: { name: 'late_head', ms: 40, text: kShort.text } });
  const lines = [];
  const config = {
    providers: { one: { dialect: 'openai_chat', base_url: `${provider.url}/v1`, keys: ['KEY'] } },
    deployments: [{ id: 'a', provider: 'one', model: 'model-a' }],
    routes: { chat: { deployments: ['a'] } },
    limits: { concurrency: 1 },
    clients: [{
      id: 'web',
      key_sha256: createHash('sha256').update('web').digest('hex'),
      limits: { rpm: 60 },
    }],
    state: { store: 'durable_object' },
  };
  const gateway = createGateway(config, {
    env: { KEY: 'simulated' },
    store: memoryStore(),
    record: (line) => lines.push(line),
  });
  const ask = (stream) => gateway.fetch(new Request('http://localhost/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer web' },
    body: JSON.stringify(
        { model: 'chat', stream, max_tokens: 64, messages: [{ role: 'user', content: 'What is it?' }] }),
  }));
  const answers = Array.from({ length: 9 }, (_, i) => ask(i % 2 > 0));
  for (const answer of answers) await (await answer).text();
  await gateway.close();
  await provider.close();
  return lines;
}

mkdirSync(kDirectory, { recursive: true });
const [only = ''] = process.argv.slice(2);
async function write(name, record) {
  if (!name.startsWith(only)) return;
  const lines = await record();
  writeFileSync(join(kDirectory, `${name}.jsonl`), lines.map((line) => `${line}\n`).join(''));
}
for (const file of readdirSync(kDirectory))
  if (file.endsWith('.jsonl') && file.startsWith(only)) rmSync(join(kDirectory, file));
for (const dialect of Object.keys(kSpoken)) {
  for (const name of Object.keys(behaviours)) await write(`${dialect}.${name}`, () => record(dialect, name));
}
await write('waiting', record_waiting);
