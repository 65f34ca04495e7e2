// `shunt classify`: the labelled errors through --batch, one failure by options, and input that is none.
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {data, shunt, workplace} from './command.mjs';

const file = workplace(after);
const classify = (words, input) => shunt(['classify', ...words], input);
const batch = (rows, words = []) =>
    classify(['--batch', '-', '--json', ...words], rows.map((row) => JSON.stringify(row)).join('\n'));

// ---- the labelled errors ----

const corpus = join(data, 'errors/open.jsonl');
const labels = join(data, '../facts/errors.md');
const absent = !(existsSync(corpus) && existsSync(labels)) && 'no labelled errors here';

const read = (path) => readFileSync(path, 'utf8');

/** Rows with their label and what the command said: {label, got}. */
const judged = (() => {
  let rows;
  return () => rows ??= (() => {
           const all = read(corpus).trim().split('\n').map((line) => JSON.parse(line));
           const input = all.map(
               ({ id, provider, status, headers, body, network_error }) =>
                   ({ id, provider, status, headers, body, network_error }));
           const { code, lines } = batch(input);
           assert.equal(code, 0);
           const got = new Map(lines().map((line) => [line.id, line]));
           assert.equal(got.size, all.length, 'a verdict for each row');
           return all.map((label) => ({ label, got: got.get(label.id) }));
         })();
})();

const share = (rows, right) => rows.filter(right).length / rows.length;
const at_least = (bar, rows, right) => {
  const wrong = rows.filter((row) => !right(row));
  const got = share(rows, right);
  assert.ok(
      got >= bar, `${got.toFixed(3)} of ${rows.length}: ${wrong.map(({ label }) => label.id).join(' ')}`);
};

function class_right({ label, got }) {
  const wanted = [label.class, label.alt_class ?? []].flat();
  // A 200 with nothing in it has classes of its own here.
  const nothing =
      label.class === 'UNKNOWN' && label.status === 200 && /^(empty|keepalive|null)/.test(label.sub ?? '');
  if (nothing) wanted.push('EMPTY_CONTENT', 'EXTERNAL_NETWORK');
  return wanted.includes(got.class);
}
const of = (fidelity) => judged().filter(({ label }) => label.fidelity === fidelity);

test('classes are right', { skip: absent }, () => {
  at_least(0.97, of('verbatim'), class_right);
  at_least(0.94, judged(), class_right);
  at_least(0.95, of('synthetic'), class_right);
});

test('subs are right where they are scored', { skip: absent }, () => {
  const section = read(labels).split('## Scored sub-labels')[1].split('## Label policy')[0];
  const scored = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  at_least(
      0.85,
      judged().filter(({ label }) => scored.has(label.sub)),
      ({ label, got }) => got.sub === label.sub,
  );
});

test('waits are read where they are stated, and only there', { skip: absent }, () => {
  const stated = judged().filter(({ label }) => label.retry_after_s !== null);
  const silent = judged().filter(({ label }) => label.retry_after_s === null);
  const right = ({ label, got }) =>
      got.retry_after_s !== null && Math.abs(got.retry_after_s - label.retry_after_s) < 0.5;
  at_least(1 - 1 / stated.length, stated, right);
  at_least(0.99, silent, ({ got }) => got.retry_after_s === null);
});

const kAdvice = [
  ['retry_same', 'retry_same_provider'],
  ['switch_provider', 'switch_provider'],
  ['penalise', 'penalise_provider'],
];
for (const [said, labelled] of kAdvice) {
  test(`${said} is right`, { skip: absent }, () => {
    at_least(0.97, judged(), ({ label, got }) => got[said] === label[labelled]);
  });
}

// What each class advises unless a row says otherwise: same again, another provider, penalise.
const kUsual = {
  CONTENT_POLICY: [false, false, false],
  RATE_LIMITED: [true, true, false],
  QUOTA_INSUFFICIENT: [false, true, true],
  AUTH_FAILURE: [false, true, true],
  PROVIDER_UNAVAILABLE: [false, true, true],
  INVALID_REQUEST: [false, false, false],
  EXTERNAL_NETWORK: [true, true, true],
  TEMPORARY: [true, true, true],
  UNKNOWN: [false, true, false],
};

test('advice that differs from its class\'s is right', { skip: absent }, () => {
  const advice = ({ label }) => kAdvice.map(([, labelled]) => label[labelled]);
  const differs = (row) => String(advice(row)) !== String(kUsual[row.label.class]);
  const unusual = judged().filter(differs);
  at_least(0.7, unusual, (row) => kAdvice.every(([said, labelled]) => row.got[said] === row.label[labelled]));
});

test('no text that is shown holds what the corpus uses as a key', { skip: absent }, () => {
  for (const { got } of judged()) {
    const shown = JSON.stringify([got.user_message, got.refunded_user_message, got.log_message]);
    assert.doesNotMatch(shown, /AIzaSy|sk-[A-Za-z0-9]{16}/, got.id);
  }
});

// ---- rows ----

const kRow = {
  id: 'a',
  provider: 'openai',
  status: 429,
  headers: {},
  body: '',
  network_error: null
};

test('a row in, a verdict out, with these members', () => {
  const { code, lines, err } = batch([kRow]);
  assert.deepEqual([code, err], [0, '']);
  assert.deepEqual(Object.keys(lines()[0]), [
    'id',
    'class',
    'sub',
    'scope',
    'retry_same',
    'switch_provider',
    'penalise',
    'penalty',
    'retry_after_s',
    'exposure',
    'rule',
    'user_message',
    'refunded_user_message',
    'log_message',
  ]);
  assert.deepEqual(Object.keys(lines()[0].user_message), ['zh', 'en']);
});

test('rows may be parted by empty lines and may leave out what they lack', () => {
  const { code, lines } =
      classify(['--batch', '-', '--json'], '{"id":"a","status":401}\n\n{"id":"b","status":500}\n');
  assert.equal(code, 0);
  assert.deepEqual(lines().map((line) => [line.id, line.class]), [['a', 'AUTH_FAILURE'], ['b', 'TEMPORARY']]);
});

test('no rows, no verdicts', () => {
  const { code, out, err } = batch([]);
  assert.deepEqual([code, out, err], [0, '', '']);
});

const kBadRows = [
  ['no JSON', 'nope', 'one JSON object'],
  ['no object', '[1]', 'one JSON object'],
  ['not UTF-8', Buffer.from('{"id":"a\xff","status":500}', 'latin1'), 'UTF-8'],
  ['no id', '{"status":500}', '"id"'],
  ['a status in words', '{"id":"a","status":"500"}', '"status"'],
  ['a status that is none', '{"id":"a","status":7}', '"status"'],
  ['a body that is no text', '{"id":"a","status":500,"body":{}}', '"body"'],
  ['headers that are no object', '{"id":"a","status":500,"headers":["a: b"]}', '"headers"'],
  ['a header that is no text', '{"id":"a","status":500,"headers":{"retry-after":5}}', '"headers"'],
  ['neither status nor network error', '{"id":"a","status":null}', 'a status or a network_error'],
];
for (const [name, row, complaint] of kBadRows) {
  test(`a row with ${name}: exit 1, with its place; the others are judged`, () => {
    const good = JSON.stringify(kRow);
    const path =
        file('rows.jsonl', Buffer.concat([good, '\n', row, '\n', good].map((part) => Buffer.from(part))));
    const { code, lines, err } = classify(['--batch', path, '--json']);
    assert.equal(code, 1);
    assert.equal(lines().length, 2);
    assert.ok(err.includes(`${path}:2: `), err);
    assert.ok(err.includes(complaint), err);
  });
}

test('providers nobody here knows are judged by the general rules, and named once', () => {
  const { code, lines, err } = batch([{...kRow, provider: 'acme' }, {...kRow, id: 'b', provider: 'acme' }]);
  assert.equal(code, 0);
  assert.equal(lines()[0].class, 'RATE_LIMITED');
  assert.equal(err.match(/acme/g).length, 1);
});

// ---- one failure ----

const kBody = '{"error":{"message":"Rate limit reached for requests per min (RPM). Try again in 7.66s."}}';

test('people are told what it is, which row decided and why, what follows, and what users read', () => {
  const { code, out, err } = classify(['--provider', 'openai', '--status', '429', '--body', '-'], kBody);
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^RATE_LIMITED \(rpm\), says something about /);
  assert.match(out, /decided by {6}\S+\/\S+: /);
  assert.match(out, /because of .*requests per m"/);
  assert.match(out, /there was .*status 429; body json; .*sentence: Rate limit reached/);
  assert.match(out, /the line .*rests for the 7660 ms/);
  assert.match(out, /another line {4}yes/);
  assert.match(out, /user reads .*[\u4e00-\u9fff]/);
});

test('headers are given one by one', () => {
  const { lines } = classify([
    '--status',
    '429',
    '--header',
    'Retry-After: 20',
    '--header',
    'content-type:text/plain',
    '--json',
  ]);
  const [verdict] = lines();
  assert.equal(verdict.retry_after_s, 20);
  assert.ok(!('id' in verdict), 'one failure has no id');
});

test('a broken connection in the runtime\'s words', () => {
  const { lines } = classify(['--network', 'getaddrinfo ENOTFOUND api.example', '--json']);
  const [{ class: error_class, sub, exposure }] = lines();
  assert.deepEqual([error_class, sub, exposure], ['EXTERNAL_NETWORK', 'dns', 'not_sent']);
});

test('a body of any bytes', () => {
  const path = file('body', Buffer.from([0xff, 0xfe, 0, 0x7b, 0x22]));
  const { code, lines } = classify(['--status', '500', '--body', path, '--json']);
  assert.deepEqual([code, lines()[0].class], [0, 'TEMPORARY']);
});

test('users are told of what was asked for', () => {
  const row =
      [{ id: 'a', provider: 'vidu', status: 400, body: '{"error":{"code":"content_policy_violation"}}' }];
  const text = (words) => batch(row, words).lines()[0].user_message.zh;
  assert.equal(text([]), text(['--medium', 'video']));
  assert.notEqual(text([]), text(['--medium', 'image']));
});

test('keys in what the provider said are not shown', () => {
  const key = `sk-proj-${'Ab3'.repeat(16)}`;
  const body = JSON.stringify({ error: { code: 'invalid_api_key', message: `Incorrect API key: ${key}` } });
  for (const words of [[], ['--json']]) {
    const { out } = classify(['--provider', 'openai', '--status', '401', '--body', '-', ...words], body);
    assert.ok(!out.includes(key), out);
  }
});

const kWrong = [
  ['neither status nor network', []],
  ['a status beyond HTTP', ['--status', '99']],
  ['a header without a value', ['--status', '429', '--header', 'retry-after']],
  ['a body that is not there', ['--status', '429', '--body', '/no/such/file']],
  ['rows and one failure at once', ['--batch', '-', '--status', '429']],
  ['rows that are not there', ['--batch', '/no/such/file']],
  ['an unknown medium', ['--status', '429', '--medium', 'smell']],
];
for (const [name, words] of kWrong) {
  test(`${name}: exit 2, nothing on standard output`, () => {
    const { code, out, err } = classify(words);
    assert.deepEqual([code, out], [2, '']);
    assert.notEqual(err, '');
  });
}
