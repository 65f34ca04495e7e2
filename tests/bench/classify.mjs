// scripts/dev bench classify: how many labelled errors are judged right, beside ways that are common, and
// what a judgement of a 1 KB body takes natively, and a person's text for it. The labels are those of the
// data folder; without it the first table is left out.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {budget, line, rowsOf} from './native_rows.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = join(process.env.SHUNT_DATA ?? join(root, '../shared/data'), 'errors/open.jsonl');
const program = join(process.env.SHUNT_BUILD ?? join(root, 'build'), 'native/shunt');
if (!process.env.SHUNT_BUILD)
  execFileSync(join(root, 'scripts/dev'), ['build', 'native'], { stdio: 'inherit' });

const folder = mkdtempSync(join(tmpdir(), 'shunt-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

function file_of(rows) {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

function verdicts_of(rows) {
  const words = ['classify', '--batch', file_of(rows), '--json'];
  const { stdout } = spawnSync(program, words, { maxBuffer: 1 << 28 });
  return stdout.toString().trim().split('\n').map((line) => JSON.parse(line));
}

// ---- the common ways ----

function by_status({ status }) {
  if (status === null) return 'EXTERNAL_NETWORK';
  if (status === 401 || status === 403) return 'AUTH_FAILURE';
  if (status === 402) return 'QUOTA_INSUFFICIENT';
  if (status === 404) return 'PROVIDER_UNAVAILABLE';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 408 || status >= 500) return 'TEMPORARY';
  return status >= 400 ? 'INVALID_REQUEST' : 'UNKNOWN';
}

// Words as they are looked for in many gateways and applications: anywhere in the text, first match wins.
const kKeywords = [
  ['CONTENT_POLICY', /content.?policy|safety|moderation|sensitive|prohibited|敏感|违规|审核/i],
  ['AUTH_FAILURE', /unauthori[sz]ed|api.?key|authentication|forbidden|permission|401|403|鉴权|无权/i],
  ['QUOTA_INSUFFICIENT', /quota|balance|billing|credit|insufficient|402|余额|欠费|额度/i],
  ['RATE_LIMITED', /rate.?limit|too many requests|throttl|429|频率|限流|并发/i],
  ['PROVIDER_UNAVAILABLE', /not.?found|not exist|unsupported model|deprecated|404|不存在|下线/i],
  ['EXTERNAL_NETWORK', /network|timeout|timed out|connect|socket|fetch failed|econn|dns|ssl|tls|超时/i],
  ['TEMPORARY', /overloaded|busy|unavailable|server.?error|internal|50[0234]|繁忙|稍后/i],
  ['INVALID_REQUEST', /invalid|parameter|required|malformed|context.?length|too long|400|参数/i],
];
const keyword = ({ body, network_error }) =>
    kKeywords.find(([, words]) => words.test(`${network_error ?? ''} ${body}`))?.[0];

const kBaselines = [
  ['keywords, else the status', (row) => keyword(row) ?? by_status(row)],
  ['the status alone', by_status],
  ['keywords alone', (row) => keyword(row) ?? 'UNKNOWN'],
];

// ---- shares ----

function right(row, got) {
  const wanted = [row.class, row.alt_class ?? []].flat();
  // A 200 with nothing in it has classes of its own here.
  const nothing =
      row.class === 'UNKNOWN' && row.status === 200 && /^(empty|keepalive|null)/.test(row.sub ?? '');
  return wanted.includes(got) || (nothing && ['EMPTY_CONTENT', 'EXTERNAL_NETWORK'].includes(got));
}

const kColumns = [
  ['verbatim', ({ fidelity }) => fidelity === 'verbatim'],
  ['all', () => true],
  ['synthetic', ({ fidelity }) => fidelity === 'synthetic'],
  ['status 200', ({ status }) => status === 200],
];

function print_shares(rows) {
  const ours = new Map(verdicts_of(rows).map((verdict) => [verdict.id, verdict.class]));
  const ways = [['shunt', ({ id }) => ours.get(id)], ...kBaselines];
  line('right class, share of', kColumns.map(([name, wanted]) => `${name} ${rows.filter(wanted).length}`));
  for (const [name, judge] of ways) {
    line(name, kColumns.map(([, wanted]) => {
      const some = rows.filter(wanted);
      return (some.filter((row) => right(row, judge(row))).length / some.length).toFixed(3);
    }));
  }
}

if (existsSync(corpus)) {
  print_shares(readFileSync(corpus, 'utf8').trim().split('\n').map((row) => JSON.parse(row)));
} else {
  console.log(`no labelled errors at ${corpus}`);
}

// ---- time ----

const kBudgetNs = 3000;
const kinds = rowsOf('bench_classify')('judge');
for (const worst of [false, true]) {
  console.log();
  line(worst ? 'ns, the worst that was found' : 'ns per body of 1 KB', ['ns', 'budget', 'text']);
  for (const { kind, ns, text } of kinds.filter((row) => row.worst === worst))
    line(`  ${kind}`, [ns.toFixed(0), budget(ns, kBudgetNs), text.toFixed(0)]);
}
