// A Worker over a gateway: one core per isolate, configuration and keys from the bindings. Knows
// Workers, not the product.
import {isLoopback, isOpen, kOpenAdvice} from '../guard.mjs';
import {createGateway} from '../index.mjs';
import {defaultConfig} from './default_config.mjs';

function refuse(status, code, message) {
  return Response.json({ error: { type: 'api_error', code, message } }, { status });
}

/**
 * `wasm`: shunt.wasm as the bundler imports it. `options`: what createGateway takes; its hooks get the
 * isolate's `env` as a second argument. Bindings: SHUNT_CONFIG (JSON text, or a JSON variable) is the
 * configuration, without it default_config.mjs stands; SHUNT_ALLOW_ANYONE="yes" lets a gateway without
 * clients answer on a public address.
 */
export function createWorker(wasm, options = {}) {
  let gateway;
  let open = false;

  function start(env) {
    const own = Object.entries(options).map(
        ([name, value]) =>
            name.startsWith('on') || name === 'record' ? [name, (given) => value(given, env)] : [name, value],
    );
    gateway = createGateway(env.SHUNT_CONFIG ?? defaultConfig, {
      ...Object.fromEntries(own),
      wasm,
      env,
    });
    open = isOpen(gateway.catalog) && env.SHUNT_ALLOW_ANYONE !== 'yes';
  }

  return {
    async fetch(request, env, context) {
      try {
        if (!gateway) start(env);
      } catch (error) {
        console.error(error.message);
        return refuse(
            500,
            'not_configured',
            'This gateway has a faulty configuration; its log says where.',
        );
      }
      if (open && !isLoopback(new URL(request.url).hostname)) {
        return refuse(403, 'no_clients', `This gateway answers on loopback only. ${kOpenAdvice}`);
      }
      return gateway.fetch(request, context);
    },
  };
}
