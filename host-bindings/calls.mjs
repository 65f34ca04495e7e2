// The calls to providers that one piece of work has under way. Makes them as the core says and tells it
// what comes of them; decides nothing.
import {Upload, bodyOf, partsOf} from './bodies.mjs';
import {bytesOf, readAttempt} from './core.mjs';
import {faultOf} from './faults.mjs';
import {authorise, kOwnKey, keyOf, pairsOf, providerLines} from './headers.mjs';
import {errorBody} from './refusal.mjs';

// The core's word for it (core/classify/word_rules.cpp): nobody's fault but the request's.
const kOwnKeyMissing = 'shunt_own_key_missing';
const kOwnKeyAdvice = 'This model is called with the key of whoever asks, and the request has none. ' +
    'Send your own key for it: as a bearer token, in x-api-key or in x-goog-api-key.';

export class Calls {
  #work;
  #attempts = new Map(); // number -> {abort: AbortController, upload, shadow}

  /**
   * `work`: {host, held, ownKey, step(op, fields), room()}; `room` gives what to wait for before more is
   * read of an answer, if anything.
   */
  constructor(work) {
    this.#work = work;
  }

  start(number, lineNumber, slot, payload) {
    const { host, held, ownKey } = this.#work;
    const line = host.lines[lineNumber];
    const { url, headers: block, pieces, method, more, shadow } = readAttempt(payload);
    const parts = partsOf(pieces, held);
    const attempt = { abort: new AbortController(), upload: more ? new Upload() : undefined, shadow };
    this.#attempts.set(number, attempt);
    const { key, missing } = keyOf(line, slot, host.env, ownKey);
    if (missing !== undefined) return queueMicrotask(() => this.#keyless(number, missing));
    const headers = new Headers(pairsOf(block));
    const target = authorise(line, key, url, headers);
    attempt.upload?.push(parts);
    const sent = attempt.upload ? { body: attempt.upload.body } : bodyOf(parts, host.sizedBody);
    for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
    const init = {
      method,
      headers,
      body: method === 'GET' ? undefined : sent.body,
      redirect: 'manual',
      signal: attempt.abort.signal,
    };
    if (init.body instanceof ReadableStream) init.duplex = 'half';
    this.#call(number, attempt, target, init);
  }

  moreBody(number, payload) {
    const upload = this.#attempts.get(number)?.upload;
    if (!upload) return;
    const { pieces, more } = readAttempt(payload);
    upload.push(partsOf(pieces, this.#work.held));
    if (!more) upload.end();
  }

  abort(number) {
    this.#forget(number)?.abort.abort();
  }

  abortAll() {
    for (const number of [...this.#attempts.keys()]) this.abort(number);
  }

  /** Settles when every body that is sent while it arrives takes more. */
  async uploadsTake() {
    for (const { upload } of this.#attempts.values()) await upload?.room();
  }

  async #call(number, attempt, url, init) {
    const current = () => this.#attempts.get(number) === attempt;
    let response;
    try {
      response = await this.#work.host.fetch(url, init);
      if (!current()) return await response.body?.cancel();
      if (response.status === 0) throw new Error('the provider answered with a redirect');
      this.#work.step('head_arrived', {
        stream: number,
        a: response.status,
        payload: bytesOf(providerLines(response.headers)),
      });
      await this.#readAnswer(number, attempt, response.body);
    } catch (error) {
      if (current()) this.#broke(number, error, response !== undefined);
    }
  }

  async #readAnswer(number, attempt, body) {
    const current = () => this.#attempts.get(number) === attempt;
    const reader = body?.getReader();
    while (current()) {
      if (!attempt.shadow) await this.#work.room(); // nobody waits for a shadow
      if (!current()) return;
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (!current()) return;
      if (!done) {
        this.#work.step('bytes_arrived', { stream: number, payload: value });
        continue;
      }
      this.#forget(number);
      return this.#work.step('attempt_ended', { stream: number });
    }
  }

  #broke(number, error, inBody) {
    this.#forget(number);
    const { fault, text } = faultOf(error, { inBody });
    this.#work.step('attempt_broke', { stream: number, a: fault, payload: bytesOf(text) });
  }

  /** What a provider says to a call without a key; it need not be asked. */
  #keyless(number, name) {
    if (!this.#forget(number)) return;
    const { host } = this.#work;
    const callers = name === kOwnKey;
    if (!callers) host.onFault(new Error(`no usable key: ${name} is not set, or is not plain ASCII`));
    const body = callers ? errorBody(kOwnKeyMissing, kOwnKeyAdvice) :
                           errorBody(
                               'invalid_api_key',
                               'This gateway has no usable key for the call. Its log names the secret.',
                           );
    this.#work.step('head_arrived', {
      stream: number,
      a: 401,
      payload: bytesOf('content-type: application/json\n'),
    });
    this.#work.step('bytes_arrived', { stream: number, payload: bytesOf(body) });
    this.#work.step('attempt_ended', { stream: number });
  }

  /** Whatever still comes of this attempt is no longer heard. */
  #forget(number) {
    const attempt = this.#attempts.get(number);
    this.#attempts.delete(number);
    attempt?.upload?.stop();
    return attempt;
  }
}
