// `scripts/dev run` as a person meets it: it starts, shows a failover by itself, records, and takes a
// configuration of one's own.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {createProvider} from '../providers/server.mjs';
import {provider_config} from './support/lines.mjs';

const script = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'shunt-run-'));
after(() => rmSync(directory, { recursive: true }));

function run(words, env = {}) {
  const child =
      spawn(process.execPath, [script, ...words], { cwd: directory, env: {...process.env, ...env } });
  const limit = setTimeout(() => child.kill('SIGKILL'), 60000);
  const program = { child, text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (program.text += chunk));
  program.code = once(child, 'close').then(([code]) => {
    clearTimeout(limit);
    return code;
  });
  program.until = async (pattern) => {
    for (let i = 0; i < 400 && !pattern.test(program.text); ++i)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.match(program.text, pattern);
  };
  return program;
}

test('--once shows failovers without anybody doing anything, and records them', async () => {
  const file = join(directory, 'trace.jsonl');
  const program = run(['--once', '--port', '0', '--record', file]);
  assert.equal(await program.code, 0, program.text);
  const rows = program.text.split('\n').filter((line) => /^\d+ /.test(line));
  assert.equal(rows.length, 6, program.text);
  assert.match(rows[0], /chat, stream, openai +swift@north +1 call +first choice/);
  assert.match(rows[1], /steady@south +2 calls +after swift@north: RATE_LIMITED, HTTP 429.*wait 2\.0 s/);
  assert.match(rows[2], /steady@south +1 call +swift@north is out \(cooldown\)/);
  assert.match(rows[4], /steady@south +2 calls +after swift@north: EXTERNAL_NETWORK/);
  const trace = readFileSync(file, 'utf8').trimEnd().split('\n').map(JSON.parse);
  assert.equal(trace[0].trace, 'shunt-trace/1');
  assert.equal(trace.filter(({ open }) => open).length, 6);
  assert.ok(!readFileSync(file, 'utf8').includes('simulated-key') && !program.text.includes('simulated-key'));
});

test('a shunt.json in the folder is used, with keys from the environment, until it is ended', async (t) => {
  const provider = await createProvider({ script: ['error_500', 'ok'] });
  t.after(() => provider.close());
  const config = {
    providers: { mine: provider_config(provider, ['MY_KEY']) },
    deployments: [{ id: 'm@mine', provider: 'mine', model: 'm' }],
    routes: { answers: { deployments: ['m@mine'] } },
  };
  writeFileSync(join(directory, 'shunt.json'), JSON.stringify(config));
  const program = run(['--port', '0'], { MY_KEY: 'sk-mine' });
  await program.until(/Ctrl-C ends/);
  assert.match(program.text, /"model":"answers"/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(program.text)[0];
  const body = JSON.stringify({ model: 'answers', messages: [{ role: 'user', content: 'hi' }] });
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
  assert.equal(response.status, 200);
  await program.until(/^1 .*answers, plain, openai.*m@mine.*2 calls.*after m@mine: TEMPORARY, HTTP 500/m);
  program.child.kill('SIGINT');
  assert.equal(await program.code, 130); // 128 + SIGINT
  assert.ok(!program.text.includes('sk-mine'));
});

test('wrong usage is exit 2, a broken configuration exit 1 with its mistakes', async () => {
  const wrong = run(['--what']);
  assert.equal(await wrong.code, 2);
  const file = join(directory, 'broken.json');
  writeFileSync(file, '{"providers": {}, "rutes": {}}');
  const broken = run(['--config', file, '--port', '0']);
  assert.equal(await broken.code, 1);
  assert.match(broken.text, /rutes/);
});
