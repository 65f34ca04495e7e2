// C++ and JavaScript as .clang-format says: checks, or rewrites with --write.
import {spawnSync} from 'node:child_process';
import {files, is_cpp, is_main, problem, report, root} from './lib/tree.mjs';

const kFormatter = 'clang-format-19';
const sources = () => files().filter((path) => is_cpp(path) || path.endsWith('.mjs'));

function run(...flags) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 };
  const result = spawnSync(kFormatter, [...flags, ...sources()], options);
  if (result.error) throw new Error(`${kFormatter}: ${result.error.message} (scripts/dev setup format)`);
  return result.stderr;
}

function sources_are_formatted() {
  const first_of_file = new Map();
  for (const [, path, line] of run('--dry-run').matchAll(/^(\S+?):(\d+):\d+: (?:warning|error):/gm)) {
    if (!first_of_file.has(path)) first_of_file.set(path, line);
  }
  return [...first_of_file].map(([path, line]) => problem(path, line, 'run scripts/dev format'));
}

if (is_main(import.meta)) {
  if (process.argv.includes('--write')) {
    for (let pass = 0; pass < 3; pass += 1) run('-i'); // a reflowed comment may settle only then
  } else
    report({ sources_are_formatted });
}
