// A Worker over many small routes, each with simulated providers of its own: one workerd for a whole test
// file, and no test sees another's calls or health. Knows the configuration's keys and how to start both
// sides.
import {createProvider} from '../../providers/server.mjs';
import {startWorker} from '../../../scripts/lib/worker.mjs';

const kSpoken = {
  openai: (url) => ({ dialect: 'openai_chat', base_url: `${url}/v1` }),
  responses: (url) => ({ dialect: 'openai_responses', base_url: `${url}/v1` }),
  anthropic: (url) => ({ dialect: 'anthropic_messages', base_url: url }),
};

/** What a configuration says of a simulated provider. */
export const provider_config = (provider, keys) => ({...kSpoken[provider.dialect](provider.url), keys});

/**
 * routes: name -> {lines: {a: dialect, b: dialect, …}, route: {…}, line: {…}}; `route` and `line` go into the
 * configuration as they are. A line's model is `model-<line>`; it stands as `<line>@<route>`, in the order
 * given. Gives {url, providers: route -> line -> provider (with its `key`), keys: [every secret], worker,
 * close}.
 */
export async function startLines(routes, {config = {}, start = startWorker} = {}) {
  const whole = { providers: {}, deployments: [], routes: {}, ...config };
  const env = {};
  const providers = {};
  const keys = [];
  for (const [name, { lines, route = {}, line = {} }] of Object.entries(routes)) {
    providers[name] = {};
    for (const [letter, dialect] of Object.entries(lines)) {
      const variable = `KEY_${keys.length}`;
      const key = `sk-secret-${keys.length}-${'0123456789abcdef'.repeat(2)}`;
      const watch = []; // everybody else's keys, once all are known
      const provider = {...(await createProvider({ dialect, watch })), key, watch };
      env[variable] = key;
      keys.push(key);
      providers[name][letter] = provider;
      whole.providers[`${letter}.${name}`] = provider_config(provider, [variable]);
      whole.deployments.push(
          { id: `${letter}@${name}`, provider: `${letter}.${name}`, model: `model-${letter}`, ...line });
    }
    const deployments = Object.keys(lines).map((letter, i) => ({ id: `${letter}@${name}`, priority: i + 1 }));
    whole.routes[name] = { deployments, ...route };
  }
  const all = Object.values(providers).flatMap((lines) => Object.values(lines));
  for (const { key, watch } of all) watch.push(...keys.filter((other) => other !== key));
  const worker = await start({ config: whole, env });
  return {
    url: worker.url,
    providers,
    keys,
    worker,
    close: async () => {
      await worker.close();
      await Promise.all(all.map((provider) => provider.close()));
    },
  };
}
