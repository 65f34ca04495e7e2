// The house rules that a machine can see, as a test: banned words with what to write instead, sizes,
// first lines, mirrors. Prints path:line. The include matrix is layers.mjs, layout is format.mjs.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {blank, functions, line_of} from './lib/cpp.mjs';
import {files, is_cpp, is_main, problem, read, report, root} from './lib/tree.mjs';

// ---- banned in core/: pattern, and what to write instead ----

const header = (names) => new RegExp(`^[ \\t]*#[ \\t]*include[ \\t]*<(?:${names})>`, 'gm');

const kBanned = [
  [/\bthrow\b|\btry\s*\{|\bcatch\s*\(/g, 'exceptions: return a Result; CHECK for a broken invariant'],
  [/\bdynamic_cast\b|\btypeid\b/g, 'RTTI: a variant or an enum'],
  [/\bstd::c(?:out|err|in|log)\b/g, 'I/O: an effect'],
  [/\b(?:v?f?s?n?printf|f?puts|putchar)\s*\(/g, 'stdio: base/strings.h'],
  [
    header('iostream|fstream|sstream|ostream|istream|iomanip|cstdio|stdio\\.h|locale|print'),
    'streams: base/strings.h',
  ],
  [
    header('thread|mutex|shared_mutex|future|condition_variable|atomic|coroutine'),
    'threads: the core has one',
  ],
  [header('chrono|ctime|time\\.h'), 'clocks: base/time.h, the time comes with each input'],
  [header('random'), 'entropy: base/rng.h, each draw is a hash of seed and purpose'],
  [
    header('cmath|math\\.h|cfloat|complex|numbers'),
    'floating point differs between targets: integers, micro-units',
  ],
  [
    header(
        'regex|filesystem|memory_resource|format|expected|source_location|ranges|unistd\\.h|sys/[a-z]+\\.h',
        ),
    'not on every toolchain, or a platform: see core/README.md',
  ],
  [/\b(?:float|double)\b/g, 'floating point differs between targets: integers, micro-units'],
  [
    /\bstd::(?:sort|nth_element|partial_sort)\b/g,
    'tie order differs between libraries: std::stable_sort or a total order',
  ],
  [/\bstd::ranges::/g, 'absent in libc++ 13: the classic algorithm'],
  [/\bstd::format\b/g, '400 KB on wasm: base/strings.h'],
  [
    /\bstd::(?:bit_cast|expected|source_location|unreachable|to_underlying)\b/g,
    'absent on one toolchain: base/',
  ],
  [/\bstd::get\s*</g, 'may throw: std::get_if or std::visit'],
  [/\bstd::hash\b/g, 'differs between libraries: an own hash'],
  [/\bstd::shared_ptr\b/g, 'shared ownership: a value or unique_ptr'],
  [/\bfmt::(?!format_to\s*\([^;]*FMT_COMPILE)\w+\s*\(/g, 'run-time format strings: FMT_COMPILE'],
  [/\bnlohmann\b/g, 'base/json.h'],
  [/__wasm(?:32|64)?__|__EMSCRIPTEN__|__wasi__|_WIN32|__linux__/g, 'a platform: targets/'],
  [/\bthread_local\b|\bvolatile\b|\bgetenv\b|\bstd::(?:rand|time)\s*\(/g, 'ambient state: pass it in'],
];

function banned_words() {
  const problems = [];
  for (const path of files('core').filter(is_cpp)) {
    const text = blank(read(path));
    for (const [pattern, instead] of kBanned) {
      for (const match of text.matchAll(pattern)) {
        problems.push(problem(path, line_of(text, match.index), `${match[0].trim()}: ${instead}`));
      }
    }
  }
  return problems;
}

/** `static` data that can change and function-local statics are state that nobody passed in. */
function no_hidden_state() {
  const problems = [];
  for (const path of files('core').filter(is_cpp)) {
    const text = blank(read(path));
    const bodies = functions(text).filter((block) => block.kind === 'function');
    for (const match of text.matchAll(
             /\bstatic\s+(?!constexpr\b|consteval\b|inline constexpr\b)([^;{}()=]*)([;{=(])/g,
             )) {
      const inside = bodies.some((body) => match.index > body.body_start && match.index < body.body_end);
      const is_function = match[2] === '(';
      if (inside || (!is_function && !/^const\b/.test(match[1]))) {
        problems.push(
            problem(path, line_of(text, match.index), 'static object: pass it in, or constexpr'),
        );
      }
    }
  }
  return problems;
}

// ---- sizes ----

const kLinesOfHeader = 200;
const kLinesOfSource = 450;
const kLinesOfTest = 700;
const kLinesOfFunction = 70;
const kLinesOfRoomReadme = 60;
const kColumns = 110;
const kParameters = 6;

// Rows of facts: their length is the number of facts.
const kTables =
    /(^|\/)(providers|rules|quirks|[a-z_]+_(table|rows|data|cases|documents|generated))\.(cpp|h)$/;
const is_script = (path) => /\.(mjs|js|ts|sh)$/.test(path) || path === 'scripts/dev' || path === '.ci/run';
const is_code = (path) => is_cpp(path) || is_script(path) || /(^|\/)CMakeLists\.txt$|\.cmake$/.test(path);
const code = () => files().filter(is_code);

function limit_of_lines(path) {
  if (kTables.test(path)) return Infinity;
  if (path.startsWith('tests/')) return kLinesOfTest;
  return path.endsWith('.h') ? kLinesOfHeader : kLinesOfSource;
}

const lines_of = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function files_are_short() {
  return code()
      .map((path) => ({ path, lines: lines_of(read(path)), limit: limit_of_lines(path) }))
      .filter(({ lines, limit }) => lines > limit)
      .map(({ path, lines, limit }) => problem(path, limit, `${lines} lines, limit ${limit}`));
}

function functions_are_short() {
  const problems = [];
  for (const path of files('core', 'targets', 'tests').filter(is_cpp)) {
    for (const { kind, name, line, lines, parameters } of functions(blank(read(path)))) {
      if (kind !== 'function') continue;
      if (lines > kLinesOfFunction && !kTables.test(path)) {
        problems.push(problem(path, line, `${name}: ${lines} lines, limit ${kLinesOfFunction}`));
      }
      if (parameters > kParameters) {
        problems.push(problem(path, line, `${name}: ${parameters} parameters, limit ${kParameters}`));
      }
    }
  }
  return problems;
}

function lines_fit() {
  const problems = [];
  for (const path of code()) {
    const is_test = path.startsWith('tests/');
    read(path).split('\n').forEach((text, index) => {
      // Fixture text in a test is what a provider sends: it stays on its line.
      if (is_test && /["'`{]/.test(text)) return;
      const columns = [...text].length;
      if (columns > kColumns)
        problems.push(problem(path, index + 1, `${columns} columns, limit ${kColumns}`));
    });
  }
  return problems;
}

// ---- what every file has ----

const kCommentStart = {
  cpp: '//',
  h: '//',
  mjs: '//',
  js: '//',
  ts: '//',
  html: '<!--',
  css: '/*'
};

/** What the file is and what it may not know, before anything else (an interpreter or doctype line apart). */
function the_first_line_says_what_it_is() {
  const problems = [];
  const with_comment = files().filter(
      (path) => is_code(path) || /\.(html|css|toml|yml|yaml|capnp)$/.test(path),
  );
  for (const path of with_comment) {
    const start = kCommentStart[path.split('.').pop()] ?? '#';
    const lines = read(path).split('\n');
    const first = /^#!|^<!doctype/i.test(lines[0]) ? 1 : 0;
    const starts = lines[first]?.startsWith(start) || (start === '//' && lines[first]?.startsWith('/*'));
    if (!starts) problems.push(problem(path, first + 1, 'no first-line comment'));
  }
  return problems;
}

function sources_have_tests() {
  return files('core')
      .filter((path) => /^core\/[^/]+\/[^/]+\.cpp$/.test(path))
      .map((path) => ({ path, mirror: `tests/${path.replace(/\.cpp$/, '_test.cpp')}` }))
      .filter(({ mirror }) => !existsSync(join(root, mirror)))
      .map(({ path, mirror }) => problem(path, 1, `no ${mirror}`));
}

function rooms_have_short_readmes() {
  const problems = [];
  const rooms = new Set(
      files('core').filter(is_cpp).map((path) => path.split('/').slice(0, 2).join('/')),
  );
  for (const room of rooms) {
    const path = `${room}/README.md`;
    if (!existsSync(join(root, path)))
      problems.push(problem(path, 1, 'missing'));
    else if (lines_of(read(path)) > kLinesOfRoomReadme) {
      problems.push(
          problem(path, kLinesOfRoomReadme, `${lines_of(read(path))} lines, limit ${kLinesOfRoomReadme}`),
      );
    }
  }
  return problems;
}

// ---- what no file has ----

const is_text = (path) =>
    /\.(cpp|h|mjs|js|ts|sh|cmake|txt|md|json|jsonc|toml|yml|yaml|html|css|capnp)$/.test(path) ||
    is_code(path);
// Bytes of providers, kept as they came.
const is_fixture = (path) => /^tests\/(traces|golden|fuzz|providers\/fixtures)\//.test(path);

function scan(paths, pattern, say) {
  const problems = [];
  for (const path of paths) {
    read(path).split('\n').forEach((text, index) => {
      const match = pattern.exec(text);
      if (match) problems.push(problem(path, index + 1, say(match[0])));
    });
  }
  return problems;
}

function no_leftovers() {
  const words = [
    'TO' +
        'DO',
    'FIX' +
        'ME',
    'XX' +
        'X',
    'HA' +
        'CK'
  ];
  return scan(
      files().filter(is_text),
      new RegExp(`\\b(${words.join('|')})\\b`),
      (word) => `leftover ${word}`,
  );
}

function no_trailing_space() {
  const paths = files().filter((path) => is_text(path) && !is_fixture(path));
  return [
    ...scan(paths, /[ \t\r]+$/, () => 'trailing space'),
    ...scan(paths.filter(is_cpp), /\t/, () => 'tab'),
    ...paths.filter((path) => !read(path).endsWith('\n'))
        .map((path) => problem(path, lines_of(read(path)), 'no newline at the end')),
  ];
}

/** A clone works anywhere: no directory of one machine, no host of a package registry (locks too). */
function no_machine_and_no_registry() {
  const paths = files().filter((path) => is_text(path) || is_fixture(path));
  // In two parts, so that this file itself names none.
  const hosts = [
    ['registry', 'npmjs'],
    ['deb', 'debian'],
    ['static', 'crates'],
    ['index', 'crates'],
    ['files', 'pythonhosted'],
    ['proxy', 'golang'],
  ];
  const host = new RegExp(hosts.map((parts) => parts.join('\\.')).join('|'));
  return [
    ...scan(paths, /(?<![\w.:/-])\/(root|home|work)\/[a-z]/, (found) => `machine path ${found}`),
    ...scan(paths, host, (found) => `registry host ${found}`),
  ];
}

export const rules = {
  banned_words,
  no_hidden_state,
  files_are_short,
  functions_are_short,
  lines_fit,
  the_first_line_says_what_it_is,
  sources_have_tests,
  rooms_have_short_readmes,
  no_leftovers,
  no_trailing_space,
  no_machine_and_no_registry,
};
if (is_main(import.meta)) report(rules);
