// One piece of work driven through the core: an input, then every effect it leads to. Performs what any
// kind asks for (calls, the store, records, the timer) and decides nothing; what belongs to a client is
// drive.mjs's business.
import {HeldBody, withResolvers} from './bodies.mjs';
import {Calls} from './calls.mjs';
import {ExchangeLost, textOf} from './core.mjs';
import {Timer} from './timer.mjs';

// TimerReason::queue, as in io.h.
const kQueueTimer = 13;

const kEmitKinds = ['onRecord', 'onAlert', 'onLog'];

export class Work {
  host;
  held = new HeldBody();
  calls = new Calls(this);
  done = false;
  #underWay;
  #handle;
  #timer;
  #due = Infinity;
  #over = withResolvers();

  /**
   * `host`: {core, lines, clients, env, fetch, now, wall, store, upkeep, onRecord, onAlert, onLog, onFault,
   * sizedBody}. `underWay(promise)` gets what settles when the last step is done, which for a request may be
   * after its answer.
   */
  constructor(host, underWay) {
    this.host = host;
    this.#underWay = underWay;
    this.#timer = new Timer(host.now, () => this.step('timer_fired'));
    underWay(this.over);
  }

  get over() {
    return this.#over.promise;
  }

  open(kind) {
    const [low, high] = crypto.getRandomValues(new Uint32Array(2));
    this.#handle = this.host.core.open({ low, high }, kind);
    if (this.#handle === undefined) throw new ExchangeLost('this gateway has no room for another request');
  }

  /** One input, then all its effects. */
  step(op, fields) {
    if (this.done) return;
    const { core, now } = this.host;
    try {
      const effects = core.poll(this.#handle, now(), { op, ...fields });
      for (const effect of effects) this.perform(effect);
      this.drained();
      this.#timer.arm(this.#due);
    } catch (error) {
      return this.lose(error);
    }
    if (this.#handle.finished) this.finish();
    this.heed(this.#handle);
  }

  /** What a poll said of the engine's own work. */
  heed({ upkeep, dirty }) {
    if (upkeep)
      this.host.upkeep.wanted(this.#underWay);
    else if (dirty)
      this.host.upkeep.news(this.#underWay);
  }

  perform({ op, stream, a, b, t, payload }) {
    switch (op) {
      case 'start_attempt':
        this.calls.start(stream, a, b, payload);
        return this.held.releaseTo(t);
      case 'attempt_body':
        this.calls.moreBody(stream, payload);
        return this.held.releaseTo(t);
      case 'release_body':
        return this.held.release();
      case 'abort_attempt':
        return this.calls.abort(stream);
      case 'store_get':
      case 'store_put':
      case 'store_lease':
      case 'store_take':
        return void this.#ask({ op, stream, a, t, payload });
      case 'emit':
        return this.host[kEmitKinds[a]]?.(textOf(payload));
      case 'wake':
        return this.host.asleep.get(stream)?.wake();
      case 'timer':
        this.#due = t;
        return this.#sleep(a === kQueueTimer);
      default:
        throw new Error(`no such effect: ${op}`);
    }
  }

  async #ask(effect) {
    const answer = await this.host.store.answer(effect);
    this.step('store_answered', { stream: effect.stream, ...answer });
  }

  /**
   * While it waits for a slot another request's work may wake it: by a promise, which goes on where it was
   * made, for on Workers nobody may touch another request's streams and calls.
   */
  #sleep(waits) {
    if (!waits) return this.#rise();
    const { asleep } = this.host;
    const { id } = this.#handle;
    if (asleep.get(id)?.work === this) return; // else the id was one of a core that is gone
    const woken = withResolvers();
    asleep.set(id, { work: this, wake: woken.resolve });
    woken.promise.then(() => {
      this.#rise();
      this.step('woken');
    });
  }

  #rise() {
    const { asleep } = this.host;
    const id = this.#handle?.id;
    if (asleep.get(id)?.work === this) asleep.delete(id);
  }

  /** Every effect of an input has been performed. */
  drained() {}

  /** What to wait for before more is read of a provider's answer. */
  room() {}

  finish() {
    if (this.done) return;
    this.done = true;
    this.#timer.stop();
    this.#rise();
    this.calls.abortAll();
    this.held.release();
    if (this.#handle) this.host.core.close(this.#handle);
    this.#over.resolve();
  }

  /** The core, or this loop, can no longer go on with it. A lost exchange has been told of already. */
  lose(error) {
    if (this.done) return;
    this.finish();
    if (!(error instanceof ExchangeLost)) this.host.onFault(error);
  }
}
