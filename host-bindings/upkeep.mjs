// The engine's own work beside requests: health kept in step with the store, and active checks. No request
// waits for it. Knows kinds of exchange, not what they do.
import {Work} from './work.mjs';

// The platform may end a piece of work without a word (Workers: 30 s after the answer). The core bounds its
// waits itself, so what is still there after so long will not come back.
const kVanishedMs = {
  upkeep: 30000,
  probe: 300000
};

/** An exchange that nobody asked for: it begins by itself and answers nobody. */
class Background extends Work {
  run(kind) {
    try {
      this.open(kind);
      this.step('started', { t: this.host.wall() });
    } catch (error) {
      this.lose(error);
    }
  }
}

/** At most one of each kind at a time. */
export class Upkeep {
  #host;
  #running = new Map(); // kind -> {work, since}

  constructor(host) {
    this.#host = host;
  }

  /** A poll said that it is due. It runs in the context of that poll; `underWay` keeps it alive there. */
  wanted(underWay) {
    this.#begin('upkeep', underWay);
  }

  /** By the clock instead of by traffic: hears what others know, then checks lines that are out. */
  async turn(underWay) {
    await this.#begin('upkeep', underWay);
    await this.#begin('probe', underWay);
  }

  /** What settles when it is over; at once if one is running, which may be another request's to wait for. */
  #begin(kind, underWay) {
    if (this.#isRunning(kind)) return undefined;
    const work = new Background(this.#host, underWay);
    const running = { work, since: this.#host.now() };
    this.#running.set(kind, running);
    const forget = () => this.#running.get(kind) === running && this.#running.delete(kind);
    work.over.then(forget);
    work.run(kind);
    return work.over;
  }

  #isRunning(kind) {
    const running = this.#running.get(kind);
    if (running === undefined) return false;
    if (this.#host.now() - running.since < kVanishedMs[kind]) return true;
    running.work.finish();
    return false;
  }
}
