// The operator's endpoints on a Worker in workerd and on Node: who may, what is listed, every act, by line
// and by provider, and mistakes.
import assert from 'node:assert/strict';
import {after, describe, test} from 'node:test';
import {startIsolates} from './support/isolates.mjs';
import {startNode} from './support/node.mjs';
import {askOnce, linesFor, operate} from './support/traffic.mjs';

const closing = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

// Lines a and b of one provider, c of another.
async function linesOfTwo(state) {
  const lines = await linesFor(['a', 'b', 'c'], { state });
  lines.config.deployments[1].provider = 'of-a';
  closing.push(lines.close);
  return lines;
}

const kHosts = {
  Worker: async () => {
    const lines = await linesOfTwo({ store: 'durable_object' });
    const { urls, close } = await startIsolates({...lines, names: ['one'] });
    return { url: urls[0], close, shared: true, ...lines.providers };
  },
  Node: async () => {
    const lines = await linesOfTwo();
    return {...(await startNode(lines)), shared: false, ...lines.providers };
  },
};

for (const [host, start] of Object.entries(kHosts)) {
  describe(`/admin on ${host}`, async () => {
    const world = await start();
    closing.push(world.close);
    const { url } = world;
    const list = async () => (await operate(url, '/admin/providers', { method: 'GET' })).body;
    const line = async (name) => (await list()).providers.find((each) => each.name === name);
    const act = async (name, action, value) => {
      const body = value === undefined ? undefined : { value };
      const answer = await operate(url, `/admin/providers/${encodeURIComponent(name)}/${action}`, { body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };

    test('nobody gets in without the token, and nobody learns more', async () => {
      const right = await operate(url, '/admin/providers', { method: 'GET' });
      assert.equal(right.status, 200);
      const refused = [];
      for (const token of [null, 'wrong', 'sk-traffic']) {
        for (const path of ['/admin/providers', '/api/admin/providers', '/admin/nothing'])
          refused.push(await operate(url, path, { method: 'GET', token }));
        refused.push(await operate(url, '/admin/providers/a/disable', { token }));
      }
      for (const answer of refused) assert.deepEqual(answer, refused[0]);
      assert.equal(refused[0].status, 401);
      assert.equal((await line('a')).status, right.body.providers[0].status);
    });

    test('the list says how each line is, in both languages', async () => {
      await askOnce(url);
      const { isolate_only, providers } = await list();
      assert.equal(isolate_only, !world.shared);
      assert.deepEqual(providers.map(({ name, provider }) => [name, provider]), [
        ['a', 'of-a'],
        ['b', 'of-a'],
        ['c', 'of-c'],
      ]);
      const [a] = providers;
      assert.deepEqual(a.label, { zh: '正常', en: 'normal' });
      assert.equal(a.priority, 1);
      for (const field of ['status', 'success_rate', 'failure_count', 'last_failure', 'last_success'])
        assert.ok(field in a, field);
      for (const field of ['cooldown_s', 'breaker_s', 'next_probe_s', 'lease_s', 'recent_error', 'weight'])
        assert.ok(field in a, field);
      assert.deepEqual(
          await (await operate(url, '/api/admin/providers', { method: 'GET' }))
              .body.providers.map(({ name }) => name),
          ['a', 'b', 'c']);
    });

    test('a failure shows with its error and without a key; reset clears it', async () => {
      world.a.next({ name: 'limited_seconds', wait_s: 60 });
      assert.equal((await askOnce(url)).line, 'b');
      const out = await line('a');
      assert.ok(out.cooldown_s > 50 && out.cooldown_s <= 60, JSON.stringify(out));
      assert.deepEqual(out.label, { zh: '已限流', en: 'limited' });
      assert.equal(out.recent_error.class, 'RATE_LIMITED');
      assert.ok(!JSON.stringify(out).includes('sk-traffic'));
      await act('a', 'reset');
      assert.equal((await line('a')).label.en, 'normal');
      assert.equal((await askOnce(url)).line, 'a');
    });

    test('disable and open take a line out, enable brings it back', async () => {
      for (const action of ['disable', 'open']) {
        await act('a', action);
        assert.equal((await askOnce(url)).line, 'b', action);
        await act('a', action === 'disable' ? 'enable' : 'reset');
        assert.equal((await askOnce(url)).line, 'a', action);
      }
    });

    test('priority and weight', async () => {
      await act('a', 'priority', 9);
      assert.equal((await line('a')).priority, 9);
      assert.equal((await askOnce(url)).line, 'b');
      await act('a', 'priority', 1);
      assert.equal((await askOnce(url)).line, 'a');
      await act('c', 'weight', 7);
      assert.equal((await line('c')).weight, 7);
    });

    test('a provider\'s name acts on all its lines', async () => {
      await act('of-a', 'disable');
      assert.equal((await askOnce(url)).line, 'c');
      await act('of-a', 'enable');
      assert.equal((await askOnce(url)).line, 'a');
    });

    test('mistakes are told', async () => {
      const cases = [
        ['/admin/providers/nobody/reset', {}, 404],
        ['/admin/providers/a/explode', {}, 404],
        ['/admin/nothing', {}, 404],
        ['/admin/providers/a/priority', {}, 400],
        ['/admin/providers/a/weight', { body: { value: -1 } }, 400],
        ['/admin/providers/a/weight', { body: { value: 'much' } }, 400],
        ['/admin/providers/%zz/reset', {}, 404],
      ];
      for (const [path, options, status] of cases) {
        const answer = await operate(url, path, options);
        assert.equal(answer.status, status, `${path} ${JSON.stringify(answer.body)}`);
        assert.ok(answer.body.error.message.length > 5, path);
      }
    });
  });
}

test('without a token in the configuration, or in the environment, nothing is there', async () => {
  const lines = await linesOfTwo();
  for (const change of [{ config: {...lines.config, admin: undefined } }, { env: { KEY: 'sk-traffic' } }, ]) {
    const node = await startNode({...lines, ...change });
    closing.push(node.close);
    assert.equal((await operate(node.url, '/admin/providers', { method: 'GET' })).status, 404);
  }
});
