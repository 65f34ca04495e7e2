// Steady traffic to a gateway, marked so that the providers' logs tell whose it was, and lines of simulated
// providers for it. Knows the configuration's keys, not what the gateway makes of failures.
import {createProvider} from '../../providers/server.mjs';
import {provider_config} from './lines.mjs';

export const now = () => performance.timeOrigin + performance.now();
export const kToken = 'operators-only';

/**
 * Lines by name, in the order of their priority, on the route "chat"; `line`: what else their deployments
 * say. Gives {providers: name -> provider, config, env, close}; `config` opens /admin to kToken.
 */
export async function linesFor(names, {state, line = {}, more = {}} = {}) {
  const providers = {};
  for (const name of names) providers[name] = await createProvider({ dialect: 'openai' });
  const config = {
    providers:
        Object.fromEntries(names.map((name) => [`of-${name}`, provider_config(providers[name], ['KEY'])])),
    deployments: names.map((name, i) => ({
                             id: name,
                             provider: `of-${name}`,
                             model: `model-${name}`,
                             priority: i + 1,
                             ...line,
                           })),
    routes: { chat: { deployments: names } },
    admin: { token: 'OPERATOR' },
    ...(state && { state }),
    ...more,
  };
  const close = () => Promise.all(Object.values(providers).map((provider) => provider.close()));
  return { providers, config, env: { KEY: 'sk-traffic', OPERATOR: kToken }, close };
}

// A traceparent goes on to the provider as it came.
const parent = (mark) => `00-${mark.repeat(32)}-${mark.repeat(16)}-01`;
/** The mark (one hexadecimal digit) of a call in a provider's log. */
export const markOf = ({headers}) => headers.traceparent?.[3];

/** One request; {at, ms, status, line, text}. */
export async function askOnce(url, mark = '0') {
  const at = now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { traceparent: parent(mark) },
    body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'Is anybody there?' }] }),
  });
  const text = await response.text();
  const line = response.headers.get('x-shunt-deployment');
  return { at, ms: now() - at, status: response.status, line, text };
}

/** Asks `url` so often a second until stop(), which gives every answer. */
export function traffic(url, mark, per_second = 8) {
  const answers = [];
  const timer = setInterval(() => answers.push(askOnce(url, mark)), 1000 / per_second);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

/** An operator's request: {status, body}. */
export async function operate(url, path, {method = 'POST', token = kToken, body} = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
