// scripts/dev bench boundary: a plan over 8 deployments in workerd, the boundary included, beside what JSON
// over the same boundary costs. Ratios are of one run; a figure of another machine means nothing here.
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';

const root = new URL('../../', import.meta.url);
const require = createRequire(new URL('host-bindings/package.json', root));
const { Miniflare } = require('miniflare');

const kLines = 8;
const kCalls = 200_000;
const kRounds = 5;

const config = {
  providers: { p: { dialect: 'openai_chat', base_url: 'http://127.0.0.1:9/v1', keys: ['P_KEY'] } },
  deployments: Array.from(
      { length: kLines }, (_, i) => ({ id: `line-${i}@p`, provider: 'p', model: `m${i}`, weight: i + 1 })),
  routes: { chat: { deployments: Array.from({ length: kLines }, (_, i) => `line-${i}@p`) } },
};

const worker = `
import { Core } from './core.mjs';
import wasm from './shunt.wasm';
const config = ${JSON.stringify(config)};
const core = new Core(wasm);
core.configure(JSON.stringify(config));
const views = JSON.stringify(config.deployments);
let sink = 0;
function time(call) {
  const begin = performance.now();
  for (let i = 0; i < ${kCalls}; ++i) sink += call(i);
  return (performance.now() - begin) * 1e6 / ${kCalls};
}
export default {
  fetch() {
    const plan = time((i) => core.plan(0, i, 1000)[0].deployment);
    const json = time(() => JSON.parse(views).length + views.length);
    return Response.json({ plan, json, sink });
  },
};
`;

const text = async (path) => readFile(new URL(path, root), 'utf8');
const mf = new Miniflare({
  cf: false,
  compatibilityDate: '2026-04-01',
  modules: [
    { type: 'ESModule', path: 'bench.mjs', contents: worker },
    { type: 'ESModule', path: 'core.mjs', contents: await text('host-bindings/core.mjs') },
    { type: 'ESModule', path: 'trace.mjs', contents: await text('host-bindings/trace.mjs') },
    {
      type: 'CompiledWasm',
      path: 'shunt.wasm',
      contents: await readFile(new URL('build/wasi/shunt.wasm', root))
    },
  ],
});
try {
  const rounds = [];
  for (let i = 0; i < kRounds; ++i) rounds.push(await (await mf.dispatchFetch('http://127.0.0.1/')).json());
  const best = (name) => Math.min(...rounds.map((round) => round[name]));
  const plan = best('plan');
  console.log(`plan over ${kLines} deployments in workerd, boundary included: ${
      plan.toFixed(0)} ns (budget 2000 ns)`);
  console.log(`JSON.parse of the same ${kLines} deployments, one way:          ${
      best('json').toFixed(0)} ns, ratio ${(plan / best('json')).toFixed(2)}`);
  if (plan > 2000) process.exitCode = 1;
} finally {
  await mf.dispose();
}
