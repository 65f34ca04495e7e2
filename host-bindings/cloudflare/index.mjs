// `import { createGateway } from 'shunt'` in a Worker of one's own: the module comes with the package.
import wasm from '../dist/shunt.wasm';
import {classify as classifyAnywhere, createGateway as createAnywhere} from '../index.mjs';
import {createNormalizer as normalizerAnywhere, normalizeStream as streamAnywhere} from '../normalize.mjs';
import {boundStore} from './stores.mjs';

export {ConfigError, ExchangeLost, createCore, faultLine} from '../index.mjs';
export {ShuntState} from '../stores/durable_object.mjs';
export {createWorker} from './gateway.mjs';

export const createGateway = (config, options = {}) =>
    createAnywhere(config, {wasm, store: boundStore(options.env ?? {}), ...options});
export const classify = (given, options = {}) => classifyAnywhere(given, {wasm, ...options});

export const createNormalizer = (options) => normalizerAnywhere({wasm, ...options});

export const normalizeStream = (response, options) => streamAnywhere(response, {wasm, ...options});
