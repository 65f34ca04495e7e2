// A request, driven through the core: its body in, its answer out, at the pace of the client. Decides
// nothing. Only the request's own events touch the request's own streams, as Workers demand.
import {join, withResolvers} from './bodies.mjs';
import {ExchangeLost, bytesOf, textOf} from './core.mjs';
import {callerOf, clientLines, pairsOf, targetOf} from './headers.mjs';
import {refusal} from './refusal.mjs';
import {Work} from './work.mjs';

// What the client may leave unread before the provider is no longer read.
const kQueueBytes = 16 * 1024;
// Statuses whose answers have no body.
const kBodiless = new Set([101, 204, 205, 304]);

/**
 * Answers `request` ({method, url, headers, body, signal}) by an exchange of `kind`: request, or admin once
 * the operator's token has been checked. `host` and `underWay`: as in work.mjs.
 */
export function drive(host, request, underWay, kind = 'request') {
  return new Exchange(host, request, underWay).run(kind);
}

const broken = () => new Error('the answer broke off');

class Exchange extends Work {
  #request;
  #caller;
  #head;                     // {status, headers} once the core has sent it
  #answer = withResolvers(); // the Response
  #answered = false;
  #early = []; // bytes written before the Response was made
  #out;        // its stream's controller
  #ended = false;
  #paused = false;
  #taken = withResolvers(); // settles when the client takes again

  constructor(host, request, underWay) {
    super(host, underWay);
    this.#request = request;
  }

  async run(kind) {
    try {
      const { key } = targetOf(this.#request.url);
      this.#caller = await callerOf(this.#request.headers, this.host.clients, key);
      this.open(kind);
      this.#request.signal?.addEventListener('abort', this.#onAbort);
      this.#arrive(this.host.wall());
    } catch (error) {
      this.lose(error);
    }
    if (this.#request.signal?.aborted) this.#gone();
    return this.#answer.promise;
  }

  /** The caller's own key, for providers that take it. */
  get ownKey() {
    return this.#caller.ownKey;
  }

  step(op, fields) {
    super.step(op, fields);
    const full = !this.done && this.#out !== undefined && !this.#ended && this.#out.desiredSize <= 0;
    if (!full || this.#paused) return;
    this.#paused = true;
    this.#taken = withResolvers();
    this.step('client_paused');
  }

  perform(effect) {
    const { op, a, payload } = effect;
    switch (op) {
      case 'send_head':
        this.#head = { status: a, headers: pairsOf(textOf(payload)) };
        return;
      case 'send_bytes':
        return this.#write(payload);
      case 'send_end':
        return this.#end(a === 1);
      default:
        return super.perform(effect);
    }
  }

  drained() {
    this.#respond();
  }

  room() {
    return this.#paused && !this.#ended ? this.#taken.promise : undefined;
  }

  finish() {
    if (this.done) return;
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    super.finish();
    this.#taken.resolve();
  }

  /** This request can no longer be served: it ends here, loudly. */
  lose(error) {
    if (this.done) return;
    super.lose(error);
    if (!this.#answered) {
      this.#answered = true;
      const why = error instanceof ExchangeLost ? error.message : 'an internal fault';
      this.#answer.resolve(
          refusal(502, 'gateway_fault', `The gateway cannot go on with this request: ${why}.`),
      );
    } else if (!this.#ended) {
      this.#ended = true;
      this.#out?.error(error);
    }
  }

  // ---- the client's request ----

  #arrive(wall) {
    const { method, url, headers, body } = this.#request;
    const { target } = targetOf(url);
    const length = headers.get('content-length');
    const stated = length !== null && /^\d{1,15}$/.test(length);
    const block = `${method}\n${target}\n${this.#caller.id}\n${clientLines(headers)}`;
    this.step('request_arrived', {
      t: wall,
      a: stated ? 1 : 0,
      b: stated ? Math.min(Number(length), 0xffffffff) : 0,
      payload: bytesOf(block),
    });
    if (body)
      this.#readRequest(body.getReader());
    else
      this.step('request_ended');
  }

  async #readRequest(reader) {
    try {
      for (;;) {
        if (this.done || this.#ended) return await reader.cancel();
        const { done, value } = await reader.read();
        if (done) return this.step('request_ended');
        this.held.push(value);
        this.step('request_bytes', { payload: value });
        await this.calls.uploadsTake();
      }
    } catch {
      this.#gone(); // it left in the middle of its own request
    }
  }

  #onAbort = () => this.#gone();

  #gone() {
    if (this.done) return;
    this.#ended = true;
    this.#taken.resolve();
    this.step('client_gone');
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
    queueMicrotask(() => this.step('client_ready'));
  }
}
