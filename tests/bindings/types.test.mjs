// The types of the package: what people write compiles, and the declarations name what the modules export.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const tsc = file('../../host-bindings/node_modules/typescript/bin/tsc');

test('code that uses the package compiles, and its mistakes do not', () => {
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', file('types/tsconfig.json')]);
  assert.equal(status, 0, stdout.toString());
});

/** Values that a module or its declarations say they export, those they pass on included. */
function exported(path) {
  const text = readFileSync(file(path), 'utf8');
  const all = (pattern) => [...text.matchAll(pattern)].map(([, found]) => found);
  const own = all(/^export (?:declare |async )*(?:class|function|const) (\w+)/gm);
  const named = all(/^export \{([^}]*)\}/gm).flatMap((list) => list.split(',')).map((name) => name.trim());
  const ending = path.endsWith('.mjs') ? '.mjs' : '.d.ts';
  const passed =
      all(/^export \* from '(.*)\.m?js'/gm)
          .flatMap((from) => exported(new URL(`${from}${ending}`, new URL(path, import.meta.url)).href));
  return [...new Set([...own, ...named, ...passed])].filter(Boolean).sort();
}

for (const entry of ['index', 'node/index', 'browser/index', 'cloudflare/index']) {
  test(`${entry} exports what its types say`, () => {
    const path = `../../host-bindings/${entry}`;
    assert.deepEqual(exported(`${path}.mjs`), exported(`${path}.d.ts`));
  });
}
