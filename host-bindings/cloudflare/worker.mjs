// The Worker that wrangler.toml deploys.
import wasm from '../dist/shunt.wasm';
import {createWorker} from './gateway.mjs';

export {ShuntState} from '../stores/durable_object.mjs';
export default createWorker(wasm);
