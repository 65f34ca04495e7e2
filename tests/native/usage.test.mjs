// The command line itself: help in plain words everywhere, and wrong usage told apart from wrong input.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {shunt} from './command.mjs';

for (const command of ['frames', 'normalize', 'check', 'replay', 'classify', 'explain']) {
  test(`${command} --help`, () => {
    const { code, out, err } = shunt([command, '--help']);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, new RegExp(`Usage: shunt ${command} `));
    assert.match(out, /--json/);
  });
  test(`${command}: an unknown option is wrong usage`, () => {
    const { code, out, err } = shunt([command, '--no-such-option']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /--no-such-option/);
  });
}

test('--help names the commands and the exit codes', () => {
  const { code, out } = shunt(['--help']);
  assert.equal(code, 0);
  const words = ['frames', 'normalize', 'check', 'replay', 'classify', 'explain', 'repair-json'];
  for (const word of [...words, 'Exit code: 0 fine']) assert.ok(out.includes(word), word);
});

const kWrong = [
  ['no command', []],
  ['an unknown command', ['fly']],
  ['a chunk that is no number', ['frames', '--chunk', 'few']],
  ['a chunk below nothing', ['frames', '--chunk', '-1']],
  ['an unknown profile', ['frames', '--profile', 'best']],
  ['a body in no dialect', ['normalize', '--fold']],
  ['a body in an unknown dialect', ['normalize', '--from', 'klingon', '--fold']],
  ['nothing to print', ['normalize', '--from', 'openai_chat']],
  ['two things to print', ['normalize', '--from', 'openai_chat', '--fold', '--events']],
  ['a trace and a dialect', ['normalize', '--trace', 'x', '--from', 'openai_chat', '--fold']],
  ['a trace that is not there', ['normalize', '--trace', '/no/such/file', '--fold']],
  ['an unknown dialect to write', ['normalize', '--from', 'openai_chat', '--to', 'klingon']],
  ['an unknown dialect', ['replay', '--to', 'klingon']],
  ['a chain without a configuration', ['replay', '--chain', 'a,b']],
];
for (const [name, words] of kWrong) {
  test(`${name}: exit 2, nothing on standard output`, () => {
    const { code, out, err } = shunt(words);
    assert.deepEqual([code, out], [2, '']);
    assert.notEqual(err, '');
  });
}
