// The effect loop: one request, driven through the core. Performs what the core asks for (calls,
// timers, writes) and tells it what happens; decides nothing. Only the request's own events touch the
// request's own streams, as Workers demand.
import {HeldBody, Upload, bodyOf, join, partsOf, withResolvers} from './bodies.mjs';
import {ExchangeLost, bytesOf, readAttempt, textOf} from './core.mjs';
import {faultOf} from './faults.mjs';
import {authorise, callerOf, clientLines, keyOf, pairsOf, providerLines} from './headers.mjs';

// What the client may leave unread before the provider is no longer read.
const kQueueBytes = 16 * 1024;
// Timers of JavaScript hold 31 bits.
const kLongestTimer = 0x7fffffff;
// Statuses whose answers have no body.
const kBodiless = new Set([101, 204, 205, 304]);
const kEmitKinds = ['onRecord', 'onAlert', 'onLog'];

/**
 * Answers `request` ({method, url, headers, body, signal}). `host`: {core, lines, clients, env, fetch,
 * now, wall, onRecord, onAlert, onLog, onFault, sizedBody}. `underWay(promise)` gets what settles when
 * the last step is done, which may be after the answer.
 */
export function drive(host, request, underWay) {
  const exchange = new Exchange(host, request);
  underWay(exchange.over);
  return exchange.run();
}

const broken = () => new Error('the answer broke off');
// Both dialects' clients find what they look for in it.
const errorBody = (code, message) =>
    JSON.stringify({ type: 'error', error: { type: 'api_error', code, message } });

function ownError(status, code, message) {
  return new Response(errorBody(code, message), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

class Exchange {
  #host;
  #request;
  #handle;
  #caller;
  #held = new HeldBody();
  #attempts = new Map(); // number -> {abort: AbortController, upload}
  #timer;                // {id, at}: armed for `at`, which is #due or earlier
  #due = Infinity;

  #head;                     // {status, headers} once the core has sent it
  #answer = withResolvers(); // the Response
  #answered = false;
  #early = []; // bytes written before the Response was made
  #out;        // its stream's controller
  #ended = false;
  #paused = false;
  #taken = withResolvers(); // settles when the client takes again
  #over = withResolvers();
  #done = false;

  constructor(host, request) {
    this.#host = host;
    this.#request = request;
  }

  get over() {
    return this.#over.promise;
  }

  async run() {
    const { core, wall } = this.#host;
    const [low, high] = crypto.getRandomValues(new Uint32Array(2));
    try {
      this.#caller = await callerOf(this.#request.headers, this.#host.clients);
      this.#handle = core.open({ low, high });
      if (this.#handle === undefined) throw new ExchangeLost('this gateway has no room for another request');
      this.#request.signal?.addEventListener('abort', this.#onAbort);
      this.#arrive(wall());
    } catch (error) {
      this.#lose(error);
    }
    if (this.#request.signal?.aborted) this.#gone();
    return this.#answer.promise;
  }

  // ---- the loop: one input, then all its effects ----

  #step(op, fields) {
    if (this.#done) return;
    try {
      const effects = this.#host.core.poll(this.#handle, this.#host.now(), { op, ...fields });
      for (const effect of effects) this.#perform(effect);
      this.#respond();
      this.#arm();
      if (this.#handle.finished) return this.#finish();
    } catch (error) {
      return this.#lose(error);
    }
    const full = this.#out !== undefined && !this.#ended && this.#out.desiredSize <= 0;
    if (!full || this.#paused) return;
    this.#paused = true;
    this.#taken = withResolvers();
    this.#step('client_paused');
  }

  #perform({ op, stream, a, b, t, payload }) {
    switch (op) {
      case 'start_attempt':
        this.#start(stream, a, b, payload);
        return this.#held.releaseTo(t);
      case 'attempt_body':
        this.#moreBody(stream, payload);
        return this.#held.releaseTo(t);
      case 'release_body':
        return this.#held.release();
      case 'abort_attempt':
        return this.#abort(stream);
      case 'send_head':
        this.#head = { status: a, headers: pairsOf(textOf(payload)) };
        return;
      case 'send_bytes':
        return this.#write(payload);
      case 'send_end':
        return this.#end(a === 1);
      case 'emit':
        return this.#host[kEmitKinds[a]]?.(textOf(payload));
      case 'timer':
        this.#due = t;
        return;
      default:
        throw new Error(`no such effect: ${op}`);
    }
  }

  #finish() {
    if (this.#done) return;
    this.#done = true;
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#timer?.id);
    for (const number of [...this.#attempts.keys()]) this.#abort(number);
    this.#held.release();
    this.#taken.resolve();
    if (this.#handle) this.#host.core.close(this.#handle);
    this.#over.resolve();
  }

  /** The core, or this loop, can no longer serve this request: it ends here, loudly. */
  #lose(error) {
    if (this.#done) return;
    this.#finish();
    const known = error instanceof ExchangeLost;
    if (!known) this.#host.onFault(error);
    if (!this.#answered) {
      this.#answered = true;
      const why = known ? error.message : 'an internal fault';
      this.#answer.resolve(
          ownError(502, 'gateway_fault', `The gateway cannot go on with this request: ${why}.`),
      );
    } else if (!this.#ended) {
      this.#ended = true;
      this.#out?.error(error);
    }
  }

  // ---- the client's request ----

  #arrive(wall) {
    const { method, url, headers, body } = this.#request;
    const { pathname, search } = new URL(url);
    const length = headers.get('content-length');
    const stated = length !== null && /^\d{1,15}$/.test(length);
    const block = `${method}\n${pathname}${search}\n${this.#caller.id}\n${clientLines(headers)}`;
    this.#step('request_arrived', {
      t: wall,
      a: stated ? 1 : 0,
      b: stated ? Math.min(Number(length), 0xffffffff) : 0,
      payload: bytesOf(block),
    });
    if (body)
      this.#readRequest(body.getReader());
    else
      this.#step('request_ended');
  }

  async #readRequest(reader) {
    try {
      for (;;) {
        if (this.#done || this.#ended) return await reader.cancel();
        const { done, value } = await reader.read();
        if (done) return this.#step('request_ended');
        this.#held.push(value);
        this.#step('request_bytes', { payload: value });
        for (const { upload } of this.#attempts.values()) await upload?.room();
      }
    } catch {
      this.#gone(); // it left in the middle of its own request
    }
  }

  #onAbort = () => this.#gone();

  #gone() {
    if (this.#done) return;
    this.#ended = true;
    this.#taken.resolve();
    this.#step('client_gone');
    if (this.#answered) return;
    this.#answered = true;
    this.#answer.resolve(new Response(null, { status: 499 })); // nobody is there to see it
  }

  // ---- the answer ----

  #write(bytes) {
    if (this.#ended) return;
    if (this.#out)
      this.#out.enqueue(bytes);
    else
      this.#early.push(bytes);
  }

  #end(clean) {
    if (this.#ended) return;
    this.#ended = true;
    this.#taken.resolve();
    if (this.#out && clean)
      this.#out.close();
    else if (this.#out)
      this.#out.error(broken());
    else if (!clean)
      this.#early = undefined;
  }

  /** Makes the Response once there is a head; an answer that is whole already goes as one piece. */
  #respond() {
    if (this.#answered || !this.#head) return;
    this.#answered = true;
    const { status, headers } = this.#head;
    const init = { status, headers };
    const early = this.#early;
    this.#early = [];
    if (kBodiless.has(status) || (this.#ended && early?.length === 0))
      return this.#answer.resolve(new Response(null, init));
    if (this.#ended && early) return this.#answer.resolve(new Response(join(early), init));
    const body = new ReadableStream(
        {
          start: (controller) => {
            this.#out = controller;
          },
          pull: () => this.#pulled(),
          cancel: () => this.#gone(),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: kQueueBytes }),
    );
    if (this.#ended)
      this.#out.error(broken());
    else
      for (const bytes of early) this.#out.enqueue(bytes);
    this.#answer.resolve(new Response(body, init));
  }

  // May be called from inside a write, so the core hears of it a moment later.
  #pulled() {
    if (!this.#paused) return;
    this.#paused = false;
    this.#taken.resolve();
    queueMicrotask(() => this.#step('client_ready'));
  }

  // ---- the one timer ----

  /**
   * A later time leaves the armed timer as it is: it finds out when it fires. So a stream does not arm
   * one for each chunk.
   */
  #arm() {
    if (this.#due === Infinity) {
      clearTimeout(this.#timer?.id);
      this.#timer = undefined;
      return;
    }
    if (this.#timer && this.#timer.at <= this.#due) return;
    clearTimeout(this.#timer?.id);
    const wait = Math.min(Math.max(0, Math.ceil(this.#due - this.#host.now())), kLongestTimer);
    this.#timer = { at: this.#due, id: setTimeout(() => this.#rang(), wait) };
  }

  #rang() {
    this.#timer = undefined;
    if (this.#host.now() + 1 < this.#due)
      this.#arm();
    else
      this.#step('timer_fired');
  }

  // ---- attempts ----

  #start(number, lineNumber, slot, payload) {
    const line = this.#host.lines[lineNumber];
    const { url, headers: block, pieces, method, more } = readAttempt(payload);
    const parts = partsOf(pieces, this.#held);
    const attempt = { abort: new AbortController(), upload: more ? new Upload() : undefined };
    this.#attempts.set(number, attempt);
    const { key, missing } = keyOf(line, slot, this.#host.env, this.#caller.ownKey);
    if (missing !== undefined) return queueMicrotask(() => this.#keyless(number, missing));
    const headers = new Headers(pairsOf(block));
    const target = authorise(line, key, url, headers);
    attempt.upload?.push(parts);
    const sent = attempt.upload ? { body: attempt.upload.body } : bodyOf(parts, this.#host.sizedBody);
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

  async #call(number, attempt, url, init) {
    const current = () => !this.#done && this.#attempts.get(number) === attempt;
    let response;
    try {
      response = await this.#host.fetch(url, init);
      if (!current()) return await response.body?.cancel();
      if (response.status === 0) throw new Error('the provider answered with a redirect');
      this.#step('head_arrived', {
        stream: number,
        a: response.status,
        payload: bytesOf(providerLines(response.headers)),
      });
      await this.#readAnswer(number, response.body, current);
    } catch (error) {
      if (current()) this.#broke(number, error, response !== undefined);
    }
  }

  async #readAnswer(number, body, current) {
    const reader = body?.getReader();
    while (current()) {
      if (this.#paused && !this.#ended) await this.#taken.promise;
      if (!current()) return;
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (!current()) return;
      if (!done) {
        this.#step('bytes_arrived', { stream: number, payload: value });
        continue;
      }
      this.#forget(number);
      return this.#step('attempt_ended', { stream: number });
    }
  }

  #broke(number, error, inBody) {
    this.#forget(number);
    const { fault, text } = faultOf(error, { inBody });
    this.#step('attempt_broke', { stream: number, a: fault, payload: bytesOf(text) });
  }

  /** What a provider says to a call without a key; it need not be asked. */
  #keyless(number, name) {
    if (!this.#forget(number)) return;
    this.#host.onFault(new Error(`no usable key: ${name} is not set, or is not plain ASCII`));
    const body = errorBody(
        'invalid_api_key',
        'This gateway has no usable key for the call. Its log names the secret.',
    );
    this.#step('head_arrived', {
      stream: number,
      a: 401,
      payload: bytesOf('content-type: application/json\n'),
    });
    this.#step('bytes_arrived', { stream: number, payload: bytesOf(body) });
    this.#step('attempt_ended', { stream: number });
  }

  #moreBody(number, payload) {
    const upload = this.#attempts.get(number)?.upload;
    if (!upload) return;
    const { pieces, more } = readAttempt(payload);
    upload.push(partsOf(pieces, this.#held));
    if (!more) upload.end();
  }

  #abort(number) {
    this.#forget(number)?.abort.abort();
  }

  /** Whatever still comes of this attempt is no longer heard. */
  #forget(number) {
    const attempt = this.#attempts.get(number);
    this.#attempts.delete(number);
    attempt?.upload?.stop();
    return attempt;
  }
}
