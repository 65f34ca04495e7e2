// Runs a native benchmark that prints JSON Lines, and lays its figures out beside what they may be. Knows no
// benchmark.
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = join(process.env.SHUNT_BUILD ?? join(root, 'build'), 'native');

/** The rows that `target` printed, by their `what`; built first, unless SHUNT_BUILD names where it is. */
export function rowsOf(target) {
  if (!process.env.SHUNT_BUILD) {
    execFileSync(join(root, 'scripts/dev'), ['build', 'native'], { stdio: 'inherit' });
    execFileSync('cmake', ['--build', build, '--target', target], { stdio: 'inherit' });
  }
  const printed = execFileSync(join(build, target)).toString().trim().split('\n');
  const rows = printed.map((line) => JSON.parse(line));
  return (what) => rows.filter((row) => row.what === what);
}

/** A row of a table: its name, then cells to the right. */
export function line(name, cells) {
  console.log(name.padEnd(34) + cells.map((cell) => String(cell).padStart(14)).join(''));
}

/** A figure beside what it may be; one that is over makes the command fail. */
export function budget(figure, most) {
  if (figure > most) process.exitCode = 1;
  return `${figure > most ? 'OVER ' : ''}≤ ${most}`;
}
