// Polls for image and video jobs through the Worker in workerd: the provider's answer comes as it is, and a
// job that failed has its class, its texts, and counts against the line that was asked.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';
import {startWorker} from '../../scripts/lib/worker.mjs';
import {createTaskProvider, kTaskProviders} from '../providers/tasks.mjs';

const names = Object.keys(kTaskProviders);
const providers = {};
let worker;

before(async () => {
  const config = { providers: {}, deployments: [] };
  for (const name of names) {
    providers[name] = await createTaskProvider(name);
    config.providers[name] = { dialect: 'openai_chat', base_url: providers[name].url, keys: ['TASK_KEY'] };
    config.deployments.push({ id: `${name}-line`, provider: name, model: 'm' });
  }
  worker = await startWorker({ config, env: { TASK_KEY: `sk-secret-${'0123456789abcdef'.repeat(2)}` } });
});
after(async () => {
  await worker?.close();
  await Promise.all(Object.values(providers).map((provider) => provider.close()));
});

const poll = (name) =>
    fetch(worker.url + kTaskProviders[name].poll, { headers: { 'x-shunt-deployment': `${name}-line` } });
const textOf = (response, language) =>
    decodeURIComponent(response.headers.get(`x-shunt-user-message-${language}`));

for (const name of names) {
  describe(name, () => {
    test('a job under way is nobody\'s failure', async () => {
      const said = providers[name].play('running');
      const response = await poll(name);
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), said);
      assert.equal(response.headers.get('x-shunt-error'), null);
      const [call] = providers[name].calls.slice(-1);
      assert.deepEqual(
          call, { method: 'GET', path: kTaskProviders[name].poll.slice('/v1'.length), authorised: true });
    });

    test('a refused job is told as what it is, and the line is as well as before', async () => {
      const said = providers[name].play('refused');
      for (let i = 0; i < 4; ++i) {
        const response = await poll(name);
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), said);
        assert.match(response.headers.get('x-shunt-error'), /^CONTENT_POLICY\//);
        assert.match(textOf(response, 'zh'), /^[^a-zA-Z]{10,}$/);
        assert.match(textOf(response, 'en'), /^[\x20-\x7e]{20,}$/);
      }
    });

    test(
        'a job that the provider failed counts against its line', {
          skip: kTaskProviders[name].answers.failed ? false : 'its reference names no such failure',
        },
        async () => {
          const said = providers[name].play('failed');
          for (let i = 0; i < 3; ++i) {
            const response = await poll(name);
            assert.deepEqual(await response.json(), said);
            assert.match(response.headers.get('x-shunt-error'), /^TEMPORARY\//);
          }
          // Three in a row open its breaker; as the only line it is asked all the same, and said to be kept.
          const response = await poll(name);
          assert.equal(
              response.headers.get('x-shunt-reason'), 'last line, kept although its breaker is open');
        });
  });
}
