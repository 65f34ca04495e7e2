// `shunt repair-json`: the JSON on standard output, or exit 1 and a plain word.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {shunt, workplace} from './command.mjs';

const write = workplace(after);
const kRows = [
  ['valid JSON stays the same', [], '{"a": [1, null]}', '{"a":[1,null]}\n'],
  ['what is broken is mended', [], 'Sure:\n```json\n{a: \'b\', c: [1, 2,\n```', '{"a":"b","c":[1,2]}\n'],
  ['--partial leaves out what is not whole', ['--partial'], '{"a": "he", "b": 12', '{"a":"he"}\n'],
  ['--latex keeps commands', ['--latex'], '{"m": "\\frac{1}{2}"}', '{"m":"\\\\frac{1}{2}"}\n'],
  ['bytes that are no text', [], Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), '["\ufffd"]\n'],
];
for (const [name, words, input, output] of kRows) {
  test(name, () => {
    const { code, out, err } = shunt(['repair-json', ...words], input);
    assert.deepEqual([code, out, err], [0, output, '']);
  });
}

test('--schema mends keys; the text may be a file', () => {
  const schema =
      write('schema.json', '{"properties":{"name":{},"items":{"items":{"properties":{"id":{}}}}}}');
  const file = write('broken.json', '{nme: "x", items: [{Id: 1}]');
  const { code, out } = shunt(['repair-json', '--schema', schema, file]);
  assert.deepEqual([code, out], [0, '{"name":"x","items":[{"id":1}]}\n']);
});

for (const words of [[], ['--partial']]) {
  test(`nothing could be saved ${words}: exit 1`, () => {
    const { code, out, err } = shunt(['repair-json', ...words], '}');
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /nothing could be saved/);
  });
}

test('a file that is not there is wrong usage', () => {
  assert.equal(shunt(['repair-json', 'no-such-file']).code, 2);
  assert.equal(shunt(['repair-json', '--schema', 'no-such-file'], '{}').code, 2);
});

test('--help says what --partial leaves out; an unknown option is wrong usage', () => {
  assert.match(shunt(['repair-json', '--help']).out, /Strings may be cut; a number is\s+left out/);
  assert.equal(shunt(['repair-json', '--no-such-option']).code, 2);
});
