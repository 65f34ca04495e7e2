// Runs the `shunt` command for tests: what went in, what came out, how it exited. Knows no command.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const data = process.env.SHUNT_DATA ?? join(root, '../shared/data');
// SHUNT_BUILD: where the targets are built, when it is not build/.
const program = join(process.env.SHUNT_BUILD ?? join(root, 'build'), 'native/shunt');

/** {code, out, err, lines}: `lines` are standard output as JSON Lines. */
export function shunt(words, input = '') {
  const { status, stdout, stderr, error } = spawnSync(program, words, { input, maxBuffer: 1 << 28 });
  if (error && error.code !== 'EPIPE') throw error; // EPIPE: it ended without reading its input
  const out = stdout.toString();
  const lines = () => out.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return { code: status, out, err: stderr.toString(), lines };
}

/** A directory for one test file; give it `after` of node:test. */
export function workplace(after) {
  const folder = mkdtempSync(join(tmpdir(), 'shunt-test-'));
  after(() => rmSync(folder, { recursive: true }));
  return (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
}
