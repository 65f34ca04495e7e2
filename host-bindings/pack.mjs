// Puts into the package what stands elsewhere in the tree: the built module and the licence. Runs
// before npm packs and before wrangler bundles.
import {copyFileSync, mkdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
mkdirSync(file('dist'), { recursive: true });
copyFileSync(file('../build/wasi/shunt.wasm'), file('dist/shunt.wasm'));
copyFileSync(file('../LICENSE'), file('LICENSE'));
