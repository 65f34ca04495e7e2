// The test runner: builds, runs every suite, two at a time, and closes with `N passed, N failed, N skipped`.
// Knows where suites live and how each kind says its counts, not what they test.
//
//   check/*                 house rules (scripts/*.mjs)
//   core/*, sim, golden...  GoogleTest binaries under sanitizers, as ctest lists them
//   conformance/*, edge/*   node:test files, tests/**/*.test.mjs
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {files, root} from './lib/tree.mjs';

const kAtOnce = 2;
const kBeside = new Set(['edge/quota']); // they sleep: beside the others from the start, they cost no time
const kSuiteSeconds = 1200;              // under sanitizers, on two cores that do other things beside
const kHeartbeatSeconds = 30;
const kShownLinesOfFailure = [25, 40]; // first, last; build/test-results/ keeps all
const results = join(root, 'build/test-results');

// ---- what a suite's output says ----

const failed_whole = {
  passed: 0,
  failed: 1,
  skipped: 0
};

// A binary that crashes leaves no report: the whole suite has failed.
function count_gtest({ code, report }) {
  if (!existsSync(report)) return failed_whole;
  const { testsuites } = JSON.parse(readFileSync(report, 'utf8'));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { testsuite } of testsuites) {
    for (const test of testsuite) {
      if (test.failures)
        counts.failed += 1;
      else if (test.result === 'SKIPPED' || test.status === 'NOTRUN')
        counts.skipped += 1;
      else
        counts.passed += 1;
    }
  }
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function count_node({ code, output }) {
  const summary = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const counts = { passed: summary('pass'), failed: summary('fail') + summary('cancelled') };
  counts.skipped = summary('skipped') + summary('todo');
  if (counts.failed === 0 && (code !== 0 || counts.passed + counts.skipped === 0)) counts.failed = 1;
  return counts;
}

// Anything else closes with our own plain line.
function count_plain({ code, output }) {
  const line = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(output);
  if (!line) return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : failed_whole;
  const counts = { passed: Number(line[1]), failed: Number(line[2]), skipped: Number(line[3] ?? 0) };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

// ---- which suites there are ----

const script = (name, command) => ({ name, command, needs: [], count: count_plain });

const script_suites = () =>
    [script('check/format', ['node', 'scripts/format.mjs']),
     script('check/layers', ['node', 'scripts/layers.mjs']),
     script('check/tidy', ['node', 'scripts/tidy.mjs']),
     // Builds by itself, in its own directory.
     {...script('conformance/wasi-sdk', ['scripts/wasi_sdk_layout.sh']), count: count_node },
];

function ctest_suites(build) {
  const listing = spawnSync('ctest', ['--show-only=json-v1'], {
    cwd: join(root, 'build', build),
    encoding: 'utf8',
  });
  if (listing.status !== 0) return [];
  return JSON.parse(listing.stdout).tests.map(({ name, command, properties = [] }) => {
    const report = join(results, name.replaceAll('/', '.') + '.json');
    const environment = properties.find((property) => property.name === 'ENVIRONMENT')?.value ?? [];
    return {
      name,
      command: [...(command ?? ['false']), `--gtest_output=json:${report}`, '--gtest_brief=1'],
      environment: Object.fromEntries(environment.map((entry) => entry.split(/=(.*)/s).slice(0, 2))),
      report,
      needs: [build],
      count: count_gtest,
    };
  });
}

// What a node:test file needs built; most drive the module and compare it with the native command.
function needs_of(name) {
  if (name.startsWith('scripts/')) return [];
  if (/^conformance\/(imports|size)$/.test(name)) return ['wasi', 'emscripten'];
  return ['native', 'wasi', 'emscripten'];
}

const node_suites = () => files('tests').filter((path) => path.endsWith('.test.mjs')).map((path) => {
  const name = path.slice('tests/'.length, -'.test.mjs'.length);
  const command = ['node', '--test', '--test-reporter=tap', path];
  return { name, command, needs: needs_of(name), count: count_node };
});

// ---- running ----

const seconds_since = (start) => ((Date.now() - start) / 1000).toFixed(1);
const running = new Set(); // process groups, ended with us

function run(suite) {
  return new Promise((resolve) => {
    const start = Date.now();
    if (suite.report) rmSync(suite.report, { force: true });
    const [program, ...rest] = suite.command;
    const environment = {...process.env, ...suite.environment };
    const child = spawn(program, rest, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child.pid);
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    let note = '';
    const limit = setTimeout(() => {
      note = `\nstopped after ${kSuiteSeconds} s\n`;
      end_group(child.pid);
    }, kSuiteSeconds * 1000);
    const heartbeat = setInterval(
        () => console.log(`  ...  ${suite.name} still running, ${seconds_since(start)} s`),
        kHeartbeatSeconds * 1000,
    );
    const finish = (code, extra) => {
      clearTimeout(limit);
      clearInterval(heartbeat);
      if (child.pid) end_group(child.pid); // what a suite left behind would disturb the next
      const output = Buffer.concat(chunks).toString() + extra;
      writeFileSync(join(results, `${suite.name.replaceAll('/', '.')}.log`), output);
      resolve({
        suite,
        counts: suite.count({ code, output, report: suite.report }),
        output,
        seconds: seconds_since(start),
      });
    };
    child.on('error', (error) => finish(1, `\n${error.message}\n`));
    child.on(
        'close',
        (code, signal) => finish(code ?? 1, note || (signal ? `\nended by ${signal}\n` : '')),
    );
  });
}

function end_group(pid) {
  running.delete(pid);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // all gone already
  }
}

function show({ suite, counts, output, seconds }) {
  const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
  const word = counts.failed ? 'FAIL' : ' ok ';
  console.log(
      `${word}  ${suite.name}: ${counts.passed} passed, ${counts.failed} failed${skipped} (${seconds} s)`,
  );
  if (!counts.failed) return;
  // A sanitizer says what it found first, a test runner last.
  const lines = output.trimEnd().split('\n');
  const [first, last] = kShownLinesOfFailure;
  const hidden = lines.length - first - last;
  const cut = hidden > 0 ? [...lines.slice(0, first), `... ${hidden} lines`, ...lines.slice(-last)] : lines;
  console.log(cut.map((line) => `      ${line}`).join('\n'));
}

async function run_all(suites, total) {
  const worker = async (queue) => {
    for (let suite = queue.shift(); suite; suite = queue.shift()) {
      const result = await run(suite);
      show(result);
      for (const key of Object.keys(total)) total[key] += result.counts[key];
    }
  };
  const sleepers = suites.filter(({ name }) => kBeside.has(name));
  const others = suites.filter(({ name }) => !kBeside.has(name));
  await Promise.all([sleepers, ...Array(kAtOnce).fill(others)].map(worker));
}

const dev = (...command) => spawnSync('scripts/dev', command, { cwd: root, stdio: 'inherit' }).status === 0;

// ---- main ----

async function main(words) {
  const list_only = words.includes('--list');
  const filters = words.filter((word) => !word.startsWith('--'));
  const wanted = ({ name }) => filters.length === 0 || filters.some((filter) => name.includes(filter));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const start = Date.now();
  mkdirSync(results, { recursive: true });

  // ctest knows its suites only after CMake has run.
  const configured = dev('configure', 'asan');
  const suites = () => [...script_suites(), ...ctest_suites('asan'), ...node_suites(), ].filter(wanted);
  if (list_only) {
    for (const { name } of suites()) console.log(name);
    return;
  }

  const needed = new Set(suites().flatMap((suite) => suite.needs));
  if (!configured) needed.add('asan');
  for (const build of ['native', 'wasi', 'emscripten', 'asan'].filter((name) => needed.has(name))) {
    if (dev('build', build)) continue;
    console.log(`FAIL  build/${build}`);
    total.failed += 1;
  }
  await run_all(suites(), total);
  if (total.passed + total.failed + total.skipped === 0) {
    console.log(`no suite matches ${filters.join(' ')}`);
    total.failed = 1;
  }
  console.log(`all suites in ${seconds_since(start)} s`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const pid of running) end_group(pid);
    process.exit(130);
  });
}
await main(process.argv.slice(2));
