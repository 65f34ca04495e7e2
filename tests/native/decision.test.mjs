// `shunt replay` of decision records: each is planned again from what it holds. The plans here follow from
// the rules of the strategies; those that are drawn are pinned.
import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {shunt, workplace} from './command.mjs';

const write = workplace(after);

const kPolicy = {
  strategy: 'priority_weighted',
  last_line: 'keep',
  across: false,
  quota: false,
  min_score: 80,
  degrade: 0.6,
  region: 0,
  affinity: '0000000000000000',
};
const line = (id, fields = {}) => ({
  id,
  deployment: 0,
  slot: 0,
  state: 'ready',
  cause: 'none',
  kept: false,
  priority: 1,
  weight: 1,
  success: 1,
  cost_nanos: -1,
  quota: 1,
  p90_ms: 0,
  ttft_micros: 0,
  in_flight: 0,
  region: 0,
  task_score: -1,
  role: 0,
  local: false,
  ...fields,
});
const out = (id, cause, fields) => line(id, { state: 'out', cause, ...fields });
let count = 0;
const record = (policy, lines, order, fields = {}) => ({
  record: 'shunt-record/1',
  id: `r${++count}`,
  seed: '0000000000000001',
  route: 'chat',
  plan: order.length > 0 ? 'available' : 'all_protected',
  policy: {...kPolicy, ...policy },
  lines,
  order,
  attempts: [],
  ...fields,
});
const text_of = (...records) => records.map((each) => JSON.stringify(each)).join('\n') + '\n';
const replay = (text, ...more) => shunt(['replay', '--json', ...more], text);

// The table of origins B, by cost over all priorities.
const table = [
  line('gpt-4o', { priority: 1, weight: 50, cost_nanos: 12_000_000_000 }),
  line('glm', { priority: 4, weight: 5, cost_nanos: 1_500_000_000 }),
];
const cheapest = record({ strategy: 'cost_aware', across: true }, table, [1, 0]);

const kSame = [
  ['the cheapest first', cheapest],
  ['priorities', record({}, table, [0, 1])],
  ['a fixed draw', record({}, [50, 30, 20, 0].map((weight, i) => line(`l${i}`, { weight })), [0, 2, 1, 3])],
  [
    'a degraded line behind, by the threshold of the route',
    record(
        { strategy: 'success_degrade', across: true, degrade: 0.7 },
        [line('a', { success: 0.699999 }), line('b', { success: 0.7, priority: 2 })], [1, 0])
  ],
  [
    'quota in the score',
    record(
        { strategy: 'score', quota: true }, [line('a', { weight: 5, quota: 0.1 }), line('b', { quota: 0.6 })],
        [1, 0])
  ],
  ['a role before a priority', record({}, [line('a', { role: 1 }), line('b', { priority: 9 })], [1, 0])],
  [
    'fallback by region and score',
    record(
        { strategy: 'order', min_score: 50 },
        [
          line('a', { region: 1 }), line('small', { local: true }), line('b'), line('c', { task_score: 50 }),
          line('d', { region: 1 })
        ],
        [0, 4, 3, 2, 1])
  ],
  [
    'a wanted region', record({ strategy: 'order', region: 2 }, [line('a'), line('b', { region: 2 })], [1, 0])
  ],
  ['the kept line', record({}, [out('a', 'latch'), out('b', 'breaker', { until: 9000, kept: true })], [1])],
  ['every line protected', record({ last_line: 'protect' }, [out('a', 'breaker', { until: 9000 })], [])],
  ['no line could serve it', record({}, [out('a', 'gated')], [], { plan: 'empty' })],
  ['a line over its limit', record({}, [out('a', 'limit', { until: 5 }), line('b')], [1])],
  [
    'a fallback that was asked behind the plan',
    record({ last_line: 'protect' }, [out('a', 'latch'), line('small')], [], { planned: 1 })
  ],
];
for (const [name, each] of kSame) {
  test(`the same plan again: ${name}`, () => {
    const { code, lines, err } = replay(text_of(each));
    assert.equal(code, 0, err);
    const [got, summary] = lines();
    assert.deepEqual(got, {
      replanned: each.id,
      route: 'chat',
      at: 'standard input:1',
      same: true,
      plan: each.plan,
      order: each.order.map((index) => each.lines[index].id),
      kept: each.lines.find(({ kept }) => kept)?.id ?? null,
    });
    assert.deepEqual([summary.replanned, summary.differences, summary.faults], [1, 0, 0]);
  });
}

test('affinity: the session has its line, by the ids alone', () => {
  const lines = ['a@p', 'b@p', 'c@q'].map((id) => line(id));
  const orders = new Set();
  for (let session = 1; session < 40; ++session) {
    const affinity = session.toString(16).padStart(16, '0');
    const asked = record({ strategy: 'affinity', affinity }, lines, [0, 1, 2]);
    const { order } = replay(text_of(asked)).lines()[0];
    assert.deepEqual(replay(text_of({...asked, seed: 'ffffffffffffffff' })).lines()[0].order, order);
    orders.add(order.join());
  }
  assert.equal(orders.size, 6); // every order there is
});

const kOther = [
  ['another order', {...cheapest, order: [0, 1] }, '/order', '["gpt-4o","glm"]', '["glm","gpt-4o"]'],
  ['a line less', {...cheapest, order: [1] }, '/order', '["glm"]', '["glm","gpt-4o"]'],
  ['another verdict', {...cheapest, plan: 'empty' }, '/plan', 'empty', 'available'],
  [
    'a line that was not kept', record({}, [out('a', 'breaker'), out('b', 'breaker', { kept: true })], [0]),
    '/lines/*/kept', 'b', 'a'
  ],
];
for (const [name, each, path, wanted, got] of kOther) {
  test(`a difference: ${name}`, () => {
    const { code, lines } = replay(text_of(record({}, table, [0, 1]), each));
    assert.equal(code, 1);
    const [fine, other, difference, summary] = lines();
    assert.deepEqual([fine.same, other.same], [true, false]);
    assert.deepEqual(difference, { difference: 'plan', at: `standard input:2: ${path}`, wanted, got });
    assert.deepEqual([summary.replanned, summary.differences], [2, 1]);
  });
}

test('for people: the plan in words, and what differs', () => {
  const { code, out: said } = shunt(['replay'], text_of(cheapest, {...cheapest, order: [0, 1] }));
  assert.equal(code, 1);
  const rows = said.trimEnd().split('\n');
  assert.equal(rows[0], `${cheapest.id} chat: the same plan, available: glm, then gpt-4o`);
  assert.equal(rows[1], `${cheapest.id} chat: another plan, available: glm, then gpt-4o`);
  assert.equal(rows[2], 'standard input:2: /order: wanted ["gpt-4o","glm"]');
  assert.match(rows.at(-1), /planned again: 2; differences: 1$/);
});

test('the output of a replay is such a file: its other lines are passed over', () => {
  const file =
      write('decisions.jsonl', text_of(cheapest, { summary: 'shunt-replay/1', traces: 1 }, cheapest));
  const { code, lines } = shunt(['replay', '--json', file]);
  assert.equal(code, 0);
  assert.deepEqual(lines().slice(0, 2).map(({ at }) => at), [`${file}:1`, `${file}:3`]);
});

test('a record without a plan has nothing to run again', () => {
  const refused = {
    record: 'shunt-record/1',
    id: 'r',
    seed: '0000000000000001',
    plan: 'empty',
    lines: [],
    order: []
  };
  const { code, lines } = replay(text_of(refused));
  assert.equal(code, 0);
  assert.deepEqual([lines()[0].plan, lines()[0].same], [null, true]);
});

const with_line = (fields) => ({...cheapest, lines: [{...table[0], ...fields }, table[1]] });
const with_policy = (fields) => ({...cheapest, policy: {...cheapest.policy, ...fields } });
const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
const kFaults = [
  ['no policy', without(cheapest, 'policy'), /"\/policy" is missing/],
  ['no seed', without(cheapest, 'seed'), /"\/seed" is missing/],
  ['a seed that is none', {...cheapest, seed: 'xyz' }, /"\/seed" is no 16 hexadecimal digits/],
  ['lines that are none', {...cheapest, lines: 7 }, /"\/lines" is no list/],
  ['a line that is none', {...cheapest, lines: [7, 8] }, /"lines\/0\/" is no object/],
  ['a weight over its range', with_line({ weight: 2 ** 31 }), /"lines\/0\/weight" is no number of its range/],
  ['a number below its range', with_line({ p90_ms: -1 }), /"lines\/0\/p90_ms" is no number/],
  ['a number that is a text', with_line({ cost_nanos: '1' }), /"lines\/0\/cost_nanos" is no number/],
  ['a share that is none', with_line({ success: 1e300 }), /"lines\/0\/success" is no decimal/],
  ['a state nobody knows', with_line({ state: 'asleep' }), /"lines\/0\/state" is no word/],
  ['a strategy nobody knows', with_policy({ strategy: 'luck' }), /"policy\/strategy" is no word/],
  ['a flag that is none', with_policy({ across: 1 }), /"policy\/across" is not true or false/],
  [
    'an order of lines that are not there', {...cheapest, order: [2] },
    /"\/order" names a line that is not there/
  ],
  ['an order of lines below 0', {...cheapest, order: [-1] }, /"\/order" names a line/],
  [
    'more lines than a route may have', {...cheapest, lines: Array(501).fill(table[0]) },
    /more lines than a route/
  ],
];
for (const [name, each, words] of kFaults) {
  test(`${name}: exit 1 and the place`, () => {
    const { code, err, lines } = replay(text_of(record({}, table, [0, 1]), each));
    assert.equal(code, 1);
    assert.match(err, /standard input:2: /);
    assert.match(err, words);
    assert.deepEqual(lines().map(({ faults }) => faults).filter((n) => n !== undefined), [1]);
  });
}

test('a line that is no JSON is a fault of its own', () => {
  const { code, err } = replay(text_of(cheapest) + 'hello\n');
  assert.equal(code, 1);
  assert.match(err, /2: the line is no decision record/);
});

test('records and traces do not mix with what only traces have', () => {
  for (const option of [['--verify'], ['--effects'], ['--as-trace'], ['--to', 'openai_chat']]) {
    assert.equal(replay(text_of(cheapest), ...option).code, 2);
  }
});
