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

const json = (format, bytes, ...more) => shunt(['frames', '--format', format, '--json', ...more], bytes);

for (const chunk of ['0', '1', '3']) {
  test(`JSON lines and values by chunks of ${chunk}`, () => {
    const lines = json('ndjson', '{"a":1}\r\n\nbad\n{"b":2}', '--chunk', chunk);
    assert.deepEqual(lines.lines(), [
      { data: '{"a":1}', error: null },
      { data: 'bad', error: null },
      { data: '{"b":2}', error: null },
    ]);
    assert.equal(lines.code, 0);
    const array = json('json', '[{"a":"]"}\n,{"b":', '--chunk', chunk);
    assert.deepEqual(array.lines(), [
      { data: '{"a":"]"}', error: null },
      { data: '{"b":', error: 'incomplete' },
    ]);
    assert.equal(array.code, 1);
  });
}

// A message of one header each of type bool, byte and string, without payload; then one cut short.
const kMessage = Buffer.from(
    '0000001f0000000f' +
        '172dc2ab' +
        '017400' +
        '016202fe' +
        '0173070003c3a478' +
        'b5c7a382',
    'hex');

test('AWS messages with typed headers; a message cut short says how much of it came', () => {
  const { lines, code } = json('aws', Buffer.concat([kMessage, kMessage.subarray(0, 20)]), '--chunk', '5');
  assert.deepEqual(lines(), [
    {
      headers: {
        t: { type: 'bool', value: true },
        b: { type: 'byte', value: -2 },
        s: { type: 'string', value: 'äx' },
      },
      payload_base64: '',
      error: null,
    },
    { headers: null, payload_base64: null, error: 'incomplete', incomplete_bytes_at_eof: 20 },
  ]);
  assert.equal(code, 1);
});

test('a damaged AWS message is named and nothing follows it', () => {
  const bad = Buffer.from(kMessage);
  bad[14] ^= 1;
  const { lines } = json('aws', Buffer.concat([bad, kMessage]));
  assert.deepEqual(lines(), [{ headers: null, payload_base64: null, error: 'message_crc' }]);
});

const aws = join(data, 'sse/eventstream_cases.jsonl');
test('published AWS cases', { skip: !existsSync(aws) && 'no such cases here' }, () => {
  for (const row of readFileSync(aws, 'utf8').trim().split('\n')) {
    const { name, input_base64, messages, error, incomplete_bytes_at_eof } = JSON.parse(row);
    for (const chunk of ['0', '1']) {
      const got = json('aws', Buffer.from(input_base64, 'base64'), '--chunk', chunk).lines();
      const wanted = messages.map((message) => ({...message, error: null }));
      const damage = { headers: null, payload_base64: null };
      if (error) wanted.push({...damage, error });
      if (incomplete_bytes_at_eof) wanted.push({...damage, error: 'incomplete', incomplete_bytes_at_eof });
      assert.deepEqual(got, wanted, name);
    }
  }
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
