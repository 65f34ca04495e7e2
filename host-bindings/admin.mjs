// Whether a request is an operator's. Knows the token and the paths, not what is done there.
import {credentialsOf} from './headers.mjs';
import {refusal} from './refusal.mjs';

const kPaths = /^\/(api\/)?admin(\/|$)/;

export const isAdminPath = (pathname) => kPaths.test(pathname);

const digest = async (text) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Takes as long for equal texts as for others: hashes have one length, and every byte is looked at. */
async function same(given, wanted) {
  const [a, b] = await Promise.all([digest(given), digest(wanted)]);
  return a.reduce((difference, byte, i) => difference | (byte ^ b[i]), 0) === 0;
}

/**
 * A refusal, or undefined for who may act. `token`: the operator's; undefined = nobody may, and nothing is
 * there.
 */
export async function refuseAdmin(headers, token) {
  if (!token) return refusal(404, 'not_found', 'There is nothing here.');
  const [given = ''] = credentialsOf(headers);
  if (await same(given, token)) return undefined;
  const refused = refusal(401, 'invalid_admin_token', 'This needs the operator\'s token as a bearer key.');
  refused.headers.set('www-authenticate', 'Bearer');
  return refused;
}
