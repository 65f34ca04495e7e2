// The engine's own work beside requests: health kept in step with the store, and active checks. No request
// waits for it. Knows kinds of exchange, not what they do.
import {withResolvers} from './bodies.mjs';
import {Work} from './work.mjs';

/** An exchange that nobody asked for: it begins by itself and answers nobody. */
class Background extends Work {
  #heard = withResolvers();

  constructor(host, underWay, kind) {
    super(host, underWay);
    this.kind = kind;
  }

  begin() {
    try {
      this.open(this.kind);
      this.wake();
    } catch (error) {
      this.lose(error);
    }
  }

  /** Said again, it only makes the core look at what is due. */
  wake() {
    this.step('started', { t: this.host.wall() });
  }

  /** Settles when the store has answered for the first time, or has not in time. */
  get heard() {
    return this.#heard.promise;
  }

  step(op, fields) {
    super.step(op, fields);
    if (op !== 'started') this.#heard.resolve();
  }

  finish() {
    super.finish();
    this.#heard.resolve();
  }

  // One upkeep does not lead to the next: where no requests come, nobody needs the news.
  heed(said) {
    if (this.kind !== 'upkeep') super.heed(said);
  }
}

export class Upkeep {
  #host;
  #open = new Set(); // Background
  #stopped = false;

  constructor(host) {
    this.#host = host;
  }

  /**
   * A poll said that an upkeep is wanted and none is open. It runs in the context of that poll; `underWay`
   * keeps it alive there. One that we still know of has vanished with its platform (Workers end what goes on
   * 30 s after an answer), or its core has: it is given up.
   */
  wanted(underWay) {
    if (this.#stopped) return;
    for (const work of this.#upkeeps()) work.finish();
    this.#begin('upkeep', underWay);
  }

  /**
   * A line changed its state while an upkeep sleeps until its next read: others want to hear of it now. What
   * it asks of the store is then kept alive by whoever brought the news.
   */
  news(underWay) {
    for (const work of this.#upkeeps()) {
      underWay(work.over);
      work.wake();
    }
  }

  /**
   * By the clock instead of by traffic: hears what others know, then checks lines that are out. The core ends
   * an upkeep at once while another is open; this one goes on beside the checks and tells what they find.
   */
  async turn(underWay) {
    if (this.#stopped) return;
    await this.#begin('upkeep', underWay).heard;
    await this.#begin('probe', underWay).over;
  }

  /** Ends what is open and begins nothing more. */
  stop() {
    this.#stopped = true;
    for (const work of this.#open) work.finish();
  }

  #upkeeps() {
    return [...this.#open].filter(({ kind }) => kind === 'upkeep');
  }

  #begin(kind, underWay) {
    const work = new Background(this.#host, underWay, kind);
    this.#open.add(work);
    work.over.then(() => this.#open.delete(work));
    work.begin();
    return work;
  }
}
