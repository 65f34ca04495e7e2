// Large requests: 20 MB of image, the model named last. They pass whole, and the core's memory stays small,
// because a body stays with its host. Memory is read in Node, where the core's is at hand; passing is shown
// there and in workerd.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {sha256} from '../providers/content.mjs';
import {createProvider} from '../providers/server.mjs';
import {provider_config} from './support/lines.mjs';
import {startNode} from './support/node.mjs';
import {startWorker} from '../../scripts/lib/worker.mjs';

const kImageBytes = 15 * 1024 * 1024; // 20 MB as base64
const kCoreBytes = 4 * 1024 * 1024;
const kAtOnce = 10;
const image = Buffer.alloc(kImageBytes);
for (let i = 0; i < image.length; i += 4) image.writeUInt32LE(Math.imul(i, 2654435761) >>> 0, i);
const told = `I see image/png, ${image.length} bytes, sha256 ${sha256(image).slice(0, 16)}.`;

const data = image.toString('base64');
const kBodies = {
  // `model` is the last key: nothing but reading on finds it.
  openai: (route) =>
      `{"messages":[{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":` +
      `{"url":"data:image/png;base64,${data}"}}]}],"stream":true,"model":${JSON.stringify(route)}}`,
  anthropic: (route) =>
      `{"max_tokens":100,"messages":[{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","source":` +
      `{"type":"base64","media_type":"image/png","data":"${data}"}}]}],"stream":true,"model":${
          JSON.stringify(route)}}`,
};
const kPaths = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages'
};

async function send(url, dialect, route, headers = {}) {
  const response = await fetch(url + kPaths[dialect], {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: kBodies[dialect](route),
    signal: AbortSignal.timeout(120000),
  });
  const answer = await response.text();
  return { status: response.status, text: response.ok ? text_of(answer) : answer };
}

/** What a stream of either dialect says. */
function text_of(stream) {
  const frames = stream.split('\n').filter((line) => line.startsWith('data: {'));
  return frames.map((line) => JSON.parse(line.slice(6)))
      .map((frame) => frame.choices?.[0]?.delta?.content ?? frame.delta?.text ?? '')
      .join('');
}

const providers = {};
const gateways = {};
before(async () => {
  for (const dialect of Object.keys(kPaths)) providers[dialect] = await createProvider({ dialect });
  const config = {
    providers: Object.fromEntries(
        Object.entries(providers).map(([dialect, provider]) => [dialect, provider_config(provider, ['KEY'])]),
        ),
    deployments:
        Object.keys(providers).map((dialect) => ({ id: `m@${dialect}`, provider: dialect, model: 'm' })),
    routes: Object.fromEntries(
        Object.keys(providers).map((dialect) => [`via-${dialect}`, { deployments: [`m@${dialect}`] }])),
  };
  gateways.node = await startNode({ config, env: { KEY: 'k' } });
  gateways.workerd = await startWorker({ config, env: { KEY: 'k' } });
});
after(async () => {
  await Promise.all(Object.values(gateways).map((gateway) => gateway.close()));
  await Promise.all(Object.values(providers).map((provider) => provider.close()));
});

const core_is_small = () => assert.ok(
    gateways.node.memory() < kCoreBytes, `the core holds ${gateways.node.memory()} bytes of memory`);

for (const gateway of ['node', 'workerd']) {
  for (const client of Object.keys(kPaths)) {
    for (const provider of Object.keys(kPaths)) {
      test(`20 MB of image, ${client} to ${provider}, in ${gateway}`, async () => {
        const { status, text } = await send(gateways[gateway].url, client, `via-${provider}`);
        assert.equal(status, 200);
        assert.ok(text.includes(told), text.slice(0, 200));
        assert.equal(providers[provider].calls.at(-1).body_bytes > data.length, true);
        if (gateway === 'node') core_is_small();
      });
    }
  }

  test(`${kAtOnce} of them at once, in ${gateway}`, async () => {
    const answers = await Promise.all(
        Array.from(
            { length: kAtOnce },
            (_, i) => {
              const client = i % 2 === 0 ? 'openai' : 'anthropic';
              const route = `via-${i % 3 === 0 ? 'openai' : 'anthropic'}`;
              return send(gateways[gateway].url, client, route, { 'x-shunt-route': route });
            }),
    );
    const seen = answers.map(({ status, text }) => (text.includes(told) ? status : `${status} ${text}`));
    assert.deepEqual(seen, Array(kAtOnce).fill(200));
    if (gateway === 'node') core_is_small();
  });
}
