// The same seed gives the same order on WebAssembly and natively, by every strategy: each build decides a few
// hundred requests, and the native command plans their records again.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {bytesOf, createCore, textOf} from '../../host-bindings/core.mjs';
import {root, shunt, workplace} from '../native/command.mjs';

const write = workplace(after);
const built = (target) => join(process.env.SHUNT_BUILD ?? join(root, 'build'), target, 'shunt.wasm');
const kSeeds = 60;
const kWall = 1_800_000_000_000;

const kStrategies = [
  ...['priority_weighted', 'weighted', 'weight_order', 'primary_backup', 'order', 'cost_aware'],
  ...['performance_first', 'score', 'success_degrade', 'least_busy', 'affinity'],
];
// Eight lines that differ in everything a strategy looks at, ties and zeros among them.
const kLines = Array.from(
    { length: 8 }, (_, i) => ({
                     id: `l${i}@p`,
                     provider: 'p',
                     model: `m${i}`,
                     priority: 1 + (i % 3),
                     weight: [50, 30, 15, 5, 0, 7, 7, 1][i],
                     region: ['eu', 'us', 'eu', 'us'][i % 4],
                     roles: i % 2 ? ['flash'] : ['pro'],
                     task_scores: { chat: 10 * i },
                     cost_per_mtok_usd: i === 3 ? undefined : { input: 1 + ((i * 5) % 7), output: 4 },
                   }));
const config = JSON.stringify({
  providers: { p: { dialect: 'openai_chat', base_url: 'http://127.0.0.1:1/v1' } },
  deployments: kLines,
  routes: Object.fromEntries(
      kStrategies.flatMap(
          (strategy) => [false, true].map((across) => [`${strategy}/${across}`, {
                                            strategy,
                                            across,
                                            task: 'chat',
                                            roles: ['flash'],
                                            deployments: kLines.map(({ id }) => id),
                                            ...(strategy === 'affinity' && { affinity: { by: 'session' } }),
                                          }])),
      ),
});

/** Decides one request to its first call and returns its record. */
function decide(core, route, seed, now) {
  const handle = core.open({ low: seed, high: seed * 7 });
  let record;
  const tell = (op, fields) => {
    for (const effect of core.poll(handle, now, { op, ...fields })) {
      if (effect.op === 'emit') record = textOf(effect.payload);
    }
  };
  const headers = `x-shunt-session: s${seed % 5}\nx-shunt-region: ${seed % 2 ? 'us' : 'nowhere'}\n`;
  tell('request_arrived', { t: kWall + now, payload: bytesOf(`POST\n/v1/chat/completions\n\n${headers}`) });
  tell('request_bytes', {
    payload: bytesOf(JSON.stringify({ model: route, messages: [{ role: 'user', content: 'hi' }] })),
  });
  tell('request_ended');
  tell('client_gone');
  core.close(handle);
  return record;
}

const records = {};
for (const target of ['wasi', 'emscripten']) {
  before(() => {
    const core = createCore(new WebAssembly.Module(readFileSync(built(target))));
    core.configure(config);
    records[target] = [];
    for (const strategy of kStrategies) {
      for (let seed = 1; seed <= kSeeds; ++seed)
        records[target].push(decide(core, `${strategy}/${seed % 2 === 0}`, seed, 1000 + seed));
    }
  });

  test(`${target}: every order is the one that the native command makes of its record`, () => {
    assert.equal(records[target].length, kStrategies.length * kSeeds);
    const { code, lines, err } =
        shunt(['replay', '--json', write(`${target}.jsonl`, `${records[target].join('\n')}\n`)]);
    assert.equal(code, 0, err);
    const replanned = lines().filter((line) => 'same' in line);
    assert.equal(replanned.length, records[target].length);
    assert.ok(replanned.every((line) => line.same));
  });
}

test('both builds decide alike, and not all alike', () => {
  assert.deepEqual(records.wasi, records.emscripten);
  const orders = new Set(records.wasi.map((record) => JSON.stringify(JSON.parse(record).order)));
  assert.ok(orders.size > 15, `${orders.size} orders`);
});
