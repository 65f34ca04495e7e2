// The proof of sans-I/O: what a module asks of its host. Knows the artefacts, not what they do.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const built = (path) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url));

// SHUNT_WASM holds another WASI build (a wasi-sdk's) to the same rule.
const modules =
    process.env.SHUNT_WASM ? [{ name: 'SHUNT_WASM', file: process.env.SHUNT_WASM, allowed: [] }] : [
      { name: 'wasi', file: built('wasi/shunt.wasm'), allowed: [] },
      {
        name: 'emscripten',
        file: built('emscripten/shunt.wasm'),
        allowed: ['wasi_snapshot_preview1.proc_exit'],
      },
    ];

for (const { name, file, allowed } of modules) {
  test(`${name}: imports ${allowed.join(', ') || 'nothing'}`, () => {
    const module = new WebAssembly.Module(readFileSync(file));
    const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name}`);
    assert.deepEqual(imports, allowed);
  });

  test(`${name}: instantiates and initialises`, () => {
    const exit = (code) => assert.fail(`proc_exit(${code})`);
    const module = new WebAssembly.Module(readFileSync(file));
    const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { proc_exit: exit } });
    assert.ok(exports.memory instanceof WebAssembly.Memory);
    exports._initialize();
  });
}
