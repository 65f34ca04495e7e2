// `shunt frames`: what the command adds to the framer, and the web platform tests through it.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {data, shunt} from './command.mjs';

const frames = (options, bytes) => shunt(['frames', '--format', 'sse', ...options], bytes);

const kStream =
    ': hello\n\nevent: delta\nid: 7\nretry: 50\ndata: one\ndata: two\n\ndata: 文\n\nstray\n\ndata: cut';
const kEvents = [
  { event: 'delta', data: 'one\ntwo', id: '7', retry: 50 },
  { event: '', data: '文', id: '7', retry: null },
];

for (const chunk of ['0', '1', '2', '7']) {
  test(`events by chunks of ${chunk}`, () => {
    const { code, lines, err } = frames(['--profile', 'whatwg', '--chunk', chunk, '--json'], kStream);
    assert.deepEqual(lines(), kEvents);
    assert.equal(code, 0);
    assert.equal(err, '');
  });

  test(`profile llm keeps comments, stray lines and the cut end, by chunks of ${chunk}`, () => {
    const { lines } = frames(['--profile', 'llm', '--chunk', chunk, '--json'], kStream);
    assert.deepEqual(lines(), [
      { comment: ' hello' },
      ...kEvents,
      { stray: 'stray' },
      { event: '', data: 'cut', id: '7', retry: null },
    ]);
  });
}

test('people get an event as a heading and its data indented', () => {
  const { out } = frames([], kStream);
  assert.equal(out, 'event delta  id 7  retry 50 ms\n  one\n  two\nevent  id 7\n  文\n');
});

test('nothing in, nothing out', () => {
  const { code, out } = frames(['--json'], '');
  assert.deepEqual([code, out], [0, '']);
});

test('what some readers take for the end of a line is escaped', () => {
  const { out, lines } = frames(['--json'], 'data: a\u2028b\u2029c\u0085d\n\n');
  assert.match(out, /^[\x20-\x7e]+\n$/);
  assert.equal(lines()[0].data, 'a\u2028b\u2029c\u0085d');
});

test('a framing this build lacks is refused in plain words', () => {
  const { code, out, err } = shunt(['frames', '--format', 'aws'], 'x');
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /frames sse only/);
});

const wpt = join(data, 'sse/wpt_cases.jsonl');
test('web platform tests', { skip: !existsSync(wpt) && 'no such cases here' }, () => {
  for (const row of readFileSync(wpt, 'utf8').trim().split('\n')) {
    const { name, input_base64, events } = JSON.parse(row);
    const { lines } = frames(['--chunk', '1', '--json'], Buffer.from(input_base64, 'base64'));
    const wanted = events.map(({ event, data, id }) => [event ?? '', data, id ?? '']);
    const got = lines().map(({ event, data, id }) => [event, data, id]);
    assert.deepEqual(got, wanted, name);
  }
});
