// The size budget of the product, gzip -9: raised only in a commit that says why.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const kBudget = 150 * 1024;

for (const target of ['wasi', 'emscripten']) {
  test(`${target}: shunt.wasm is at most ${kBudget} bytes gzip`, (context) => {
    const file = fileURLToPath(new URL(`../../build/${target}/shunt.wasm`, import.meta.url));
    const size = gzipSync(readFileSync(file), { level: 9 }).length;
    context.diagnostic(`${size} bytes`);
    assert.ok(size <= kBudget, `${size} bytes`);
  });
}
