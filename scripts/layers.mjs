// Who may include whom: core/layers.txt for the rooms, the table below for what stands around them.
// Prints path:line.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {files, is_cpp, is_main, problem, read, report, root} from './lib/tree.mjs';

// A platform sees the core through exchange; the command line has a face for each room; tests see everything.
const kOutside = {
  'targets/native': 'every room',
  targets: ['base', 'canonical', 'classify', 'config', 'dialect/normalizer.h', 'exchange'],
  tests: 'every room',
};

function matrix() {
  const rooms = new Map();
  read('core/layers.txt').split('\n').forEach((text, index) => {
    const match = /^([a-z]+):(.*)$/.exec(text);
    if (match) rooms.set(match[1], { allowed: match[2].split(/\s+/).filter(Boolean), line: index + 1 });
  });
  return rooms;
}

const includes = (path) => [...read(path).matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"]+)"/gm)].map(
    (match) => ({
      target: match[1],
      line: read(path).slice(0, match.index).split('\n').length,
    }));

const may_include = (allowed, target) =>
    allowed.includes(target) || allowed.includes(target.slice(0, target.indexOf('/')));

/** A room may name only rooms above it in the file, so there is no cycle; every room of core/ is listed. */
function the_matrix_has_no_cycle() {
  const problems = [];
  const seen = new Set();
  for (const [room, { allowed, line }] of matrix()) {
    for (const name of allowed.filter((entry) => !entry.includes('/') && !seen.has(entry))) {
      problems.push(problem('core/layers.txt', line, `${room} names ${name}, which is not above it`));
    }
    seen.add(room);
  }
  const rooms = new Set(
      files('core').filter((path) => path.split('/').length > 2).map((path) => path.split('/')[1]),
  );
  for (const room of rooms) {
    if (!seen.has(room)) problems.push(problem('core/layers.txt', 1, `core/${room} is not listed`));
  }
  return problems;
}

function rooms_include_only_what_the_matrix_allows() {
  const rooms = matrix();
  const opened = new Map(); // a single file opened to a lower room may include only what that room may
  for (const { allowed } of rooms.values()) {
    for (const entry of allowed.filter((name) => name.includes('/'))) opened.set(entry, allowed);
  }
  const problems = [];
  for (const path of files('core').filter(is_cpp)) {
    const [, room, ...rest] = path.split('/');
    const allowed = opened.get([room, ...rest].join('/')) ?? [room, ...(rooms.get(room)?.allowed ?? [])];
    for (const { target, line } of includes(path)) {
      if (!target.includes('/'))
        problems.push(problem(path, line, `"${target}": write it from core/ down`));
      else if (!may_include(allowed, target))
        problems.push(problem(path, line, `${room} may not include "${target}"`));
      else if (!existsSync(join(root, 'core', target)))
        problems.push(problem(path, line, `no such file: "${target}"`));
    }
  }
  return problems;
}

function the_outside_includes_only_what_it_may() {
  const rooms = matrix();
  const problems = [];
  for (const path of files('targets', 'tests').filter(is_cpp)) {
    const owner = Object.keys(kOutside).find((prefix) => path.startsWith(`${prefix}/`));
    for (const { target, line } of includes(path)) {
      if (kOutside[owner] === 'every room' || !rooms.has(target.split('/')[0])) continue;
      if (!may_include(kOutside[owner], target))
        problems.push(problem(path, line, `${owner} may not include "${target}"`));
    }
  }
  return problems;
}

const rules = {
  the_matrix_has_no_cycle,
  rooms_include_only_what_the_matrix_allows,
  the_outside_includes_only_what_it_may,
};
if (is_main(import.meta)) report(rules);
