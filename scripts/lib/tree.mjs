// What the checks share: the tree's files and how a problem is reported. Knows no rule.
import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const kSkippedDirectories = new Set(['.git', 'build', 'node_modules', '.wrangler', '.cache']);

/** Paths relative to the root, with forward slashes, sorted. */
export function files(...starts) {
  const found = [];
  const walk = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (kSkippedDirectories.has(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory())
        walk(path);
      else if (entry.isFile())
        found.push(relative(root, path));
    }
  };
  for (const start of starts.length ? starts : ['.']) {
    try {
      walk(join(root, start));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // a directory that does not exist yet holds no files
    }
  }
  return found.sort();
}

export const read = (path) => readFileSync(join(root, path), 'utf8');
export const problem = (path, line, message) => ({path, line, message});
export const is_cpp = (path) => /\.(cpp|h)$/.test(path);
export const is_main = (meta) => meta.url === pathToFileURL(process.argv[1]).href;

/**
 * Runs rules (name -> function that returns problems {path, line, message}), prints each problem as
 * `path:line: message (rule)`, closes with the line that scripts/test.mjs reads, and sets the exit code.
 */
export function report(rules) {
  let failed = 0;
  for (const [name, rule] of Object.entries(rules)) {
    const problems = rule();
    for (const { path, line, message } of problems) console.log(`${path}:${line}: ${message} (${name})`);
    if (problems.length > 0) failed += 1;
  }
  console.log(`${Object.keys(rules).length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
