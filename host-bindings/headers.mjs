// Which headers go where, and every credential: the core sees none. Knows header names, not what
// requests mean.

// What the core reads of a client's request. All else stops here: credentials, cookies, addresses.
const kFromClient = new Set([
  'accept',
  'accept-language',
  'content-type',
  'anthropic-version',
  'anthropic-beta',
  'idempotency-key',
  'openai-organization',
  'openai-project',
  'openai-beta',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'traceparent',
  'tracestate',
]);
const kOwnPrefix = 'x-shunt-';

// Of a provider's answer: of one connection, or no longer true once fetch has decoded the body; and
// cookies.
const kNotFromProvider = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'trailer',
  'upgrade',
  'set-cookie',
]);

const kBlockBytes = 32 * 1024; // limits::kHeaderBytes: the core reads no more

function lines(headers, wanted) {
  let block = '';
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (!wanted(key, value)) continue;
    const line = `${key}: ${value}\n`;
    if (block.length + line.length > kBlockBytes) break;
    block += line;
  }
  return block;
}

// What goes on to a provider must be ASCII: Headers takes nothing else everywhere.
const kAscii = /^[\t\x20-\x7e]*$/;

export const clientLines = (headers) => lines(
    headers,
    (name, value) => (kFromClient.has(name) || name.startsWith(kOwnPrefix)) && kAscii.test(value),
);
export const providerLines = (headers) => lines(headers, (name) => !kNotFromProvider.has(name));

/** Lines of the core as [name, value] pairs. */
export function pairsOf(block) {
  return block.split('\n').filter((line) => line.includes(':')).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

// ---- the client's credentials ----

// Google's clients may send their key in the query, which is where secrets end up in logs.
const kKeyParameter = 'key';

/**
 * A request's target as the core may see it: path and query without a key, as the client wrote them; and that
 * key.
 */
export function targetOf(url) {
  const { pathname, search } = new URL(url);
  const parameters = search.slice(1).split('&');
  const isKey = (parameter) => parameter.split('=', 1)[0] === kKeyParameter;
  const kept = parameters.filter((parameter) => parameter !== '' && !isKey(parameter)).join('&');
  return {
    target: kept === '' ? pathname : `${pathname}?${kept}`,
    key: new URLSearchParams(search).get(kKeyParameter) ?? undefined,
  };
}

/**
 * What the caller presented, in the order of trust: a bearer key, then x-api-key, then Google's two: its
 * header, and the key of the query.
 */
export function credentialsOf(headers, queryKey) {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1];
  const named = ['x-api-key', 'x-goog-api-key'].map((name) => headers.get(name)?.trim());
  return [bearer, ...named, queryKey].filter(Boolean);
}

async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Who calls, by the hashes of `clients` (hash -> id), and the key of their own that may go on to a
 * "keys": "client" provider: the first credential that is not their key for this gateway.
 */
export async function callerOf(headers, clients, queryKey) {
  const credentials = credentialsOf(headers, queryKey);
  if (clients.size === 0) return { id: '', ownKey: credentials[0] };
  const ids = await Promise.all(credentials.map(async (each) => clients.get(await sha256(each))));
  const at = ids.findIndex((id) => id !== undefined);
  return { id: ids[at] ?? '', ownKey: credentials.find((_, i) => ids[i] === undefined) };
}

// ---- the provider's key ----

export const kOwnKey = 'the caller\'s own key';

/**
 * The key of a line for this attempt, or {missing: its name}. A line without authentication needs none.
 */
export function keyOf(line, slot, env, ownKey) {
  if (line.auth === 'none') return {};
  if (line.client_key) return ownKey && kUsableKey.test(ownKey) ? { key: ownKey } : { missing: kOwnKey };
  if (line.keys.length === 0) return {};
  const name = line.keys[slot] ?? line.keys[0];
  const key = env[name]?.trim();
  return key && kUsableKey.test(key) ? { key } : { missing: name };
}

// What may stand in a header: a secret pasted with a line break must not surface in an error of fetch.
const kUsableKey = /^[\x20-\x7e]+$/;

/** Puts the key where the provider looks for it; returns the URL to call. */
export function authorise(line, key, url, headers) {
  if (key === undefined) return url;
  switch (line.auth) {
    case 'bearer':
      headers.set(line.auth_name || 'authorization', `Bearer ${key}`);
      return url;
    case 'header':
      headers.set(line.auth_name, key);
      return url;
    case 'query':
      return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ [line.auth_name]: key })}`;
    default:
      throw new Error(`the host cannot sign for "${line.auth}"`);
  }
}
