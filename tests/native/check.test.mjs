// `shunt check`: faults and warnings with their places, for people and for machines.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {shunt, workplace} from './command.mjs';

const write = workplace(after);
const kLine =
    '"deployments": [{"id": "a@p", "provider": "p", "model": "m"}],\n"routes": {"r": {"deployments": ["a@p"]';
const good = `{"providers": {"p": {"preset": "openai", "keys": ["KEY"]}},\n${kLine}}}}`;
const misspelt = good.replace('"model": "m"', '"model": "m", "weigth": 2');
const column = misspelt.split('\n')[1].indexOf('"weigth"') + 1;
const ahead = good.replace('["a@p"]', '["a@p"], "supervise": "until_content"');

test('a good configuration: exit 0, no line for machines', () => {
  const file = write('good.json', good);
  assert.deepEqual([shunt(['check', file, '--json']).code, shunt(['check', file, '--json']).out], [0, '']);
  assert.equal(shunt(['check', file]).out, `${file}: 0 faults, 0 warnings\n`);
});

test('a fault: exit 1, its place as compilers print it, and what was meant', () => {
  const file = write('bad.json', misspelt);
  const { code, out } = shunt(['check', file]);
  assert.equal(code, 1);
  const [first] = out.split('\n');
  assert.ok(
      first.startsWith(`${file}:2:${column}: $.deployments[0].weigth: found unknown key "weigth"; allowed: `),
      first);
  assert.ok(first.endsWith('Did you mean "weight"?'), first);
});

test('a fault for machines has the six keys and nothing else', () => {
  const [fault] = shunt(['check', '--json'], misspelt).lines();
  assert.deepEqual(Object.keys(fault), ['path', 'line', 'column', 'found', 'allowed', 'suggestion']);
  assert.deepEqual([fault.path, fault.line, fault.column], ['$.deployments[0].weigth', 2, column]);
  assert.equal(fault.suggestion, 'weight');
});

test('a warning alone: exit 0, marked', () => {
  const { code, lines } = shunt(['check', '--json'], ahead);
  assert.equal(code, 0);
  assert.deepEqual(lines().map(({ path, warning }) => [path, warning]), [['$.routes.r.supervise', true]]);
  assert.match(shunt(['check'], ahead).out, /^standard input:3:\d+: warning: /);
});

test('what is no JSON is one fault; what is no file is wrong usage', () => {
  assert.deepEqual(
      [shunt(['check', '--json'], '{').code, shunt(['check', '--json'], '{').lines().length], [1, 1]);
  const { code, err } = shunt(['check', '/no/such/file']);
  assert.equal(code, 2);
  assert.match(err, /No such file/);
});
