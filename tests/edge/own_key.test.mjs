// "keys": "client" through the Worker in workerd: the caller's own key reaches its provider, and a caller
// without one is told so.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {startWorker} from '../../scripts/lib/worker.mjs';
import {answerOf, ask, post, provider} from '../bindings/support.mjs';

const kOwn = 'sk-the-callers-own-key-0123456789';

let mine;
let worker;
const said = [];
before(async () => {
  mine = await provider((_, response) => response.end(answerOf('mine')));
  const config = {
    providers: {
      mine: { dialect: 'openai_chat', base_url: mine.url, keys: 'client' },
    },
    deployments: [
      { id: 'mine', provider: 'mine', model: 'm' },
    ],
    routes: {
      own: { deployments: ['mine'] },
    },
  };
  worker = await startWorker({ config, on_output: (line) => said.push(line) });
});
after(() => Promise.all([worker?.close(), mine?.close()]));

const ask_for = (model, headers = {}) => post(worker.url, ask('hello', { model, stream: false }), {
  headers: { 'content-type': 'application/json', ...headers },
});

test('the caller\'s key reaches its provider, and no clients need be named', async () => {
  const response = await ask_for('own', { 'x-api-key': kOwn });
  assert.equal(response.status, 200);
  assert.equal((await response.json()).choices[0].message.content, 'mine');
  assert.equal(mine.calls.at(-1).headers.authorization, `Bearer ${kOwn}`);
  assert.equal(mine.calls.at(-1).headers['x-api-key'], undefined);
});

test('without a key it is 401, and the provider is not asked', async () => {
  const before = mine.calls.length;
  for (let i = 0; i < 4; ++i) {
    const response = await ask_for('own');
    assert.equal(response.status, 401);
    assert.match((await response.json()).error.message, /own key/);
  }
  assert.equal(mine.calls.length, before);
  assert.equal((await ask_for('own', { authorization: `Bearer ${kOwn}` })).status, 200);
});

test('nothing that the Worker says holds the key', () => {
  assert.ok(said.length > 0 || worker.records.length > 0);
  assert.ok(!JSON.stringify([said, worker.records]).includes(kOwn));
});
