// A Worker over a gateway: one core per isolate, configuration and keys from the bindings. Knows
// Workers, not the product.
import {isLoopback, isOpen, kOpenAdvice} from '../guard.mjs';
import {createGateway} from '../index.mjs';
import {refusal} from '../refusal.mjs';
import {defaultConfig} from './default_config.mjs';
import {boundStore} from './stores.mjs';

const kHooks = /^(on[A-Z]|record$|store$)/;

/**
 * `wasm`: shunt.wasm as the bundler imports it. `options`: what createGateway takes; its hooks and `store`
 * get the isolate's `env` as a second argument. Bindings: SHUNT_CONFIG (JSON text, or a JSON variable) is the
 * configuration, without it default_config.mjs stands; SHUNT_KV or SHUNT_STATE keeps what isolates tell each
 * other; SHUNT_ALLOW_ANYONE="yes" lets a gateway without clients answer on a public address.
 */
export function createWorker(wasm, options = {}) {
  let gateway;
  let open = false;

  function start(env) {
    const own = Object.entries(options).map(
        ([name, value]) =>
            [name, kHooks.test(name) && typeof value === 'function' ? (given) => value(given, env) : value]);
    gateway = createGateway(env.SHUNT_CONFIG ?? defaultConfig, {
      store: boundStore(env),
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
        return refusal(
            500,
            'not_configured',
            'This gateway has a faulty configuration; its log says where.',
        );
      }
      if (open && !isLoopback(new URL(request.url).hostname)) {
        return refusal(403, 'no_clients', `This gateway answers on loopback only. ${kOpenAdvice}`);
      }
      return gateway.fetch(request, context);
    },

    /** A cron trigger: news from the store and active checks where no request comes. */
    async scheduled(_, env, context) {
      if (!gateway) start(env);
      await gateway.upkeep(context);
    },
  };
}
