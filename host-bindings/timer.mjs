// The one timer of a piece of work, on the host's clock. Knows no core.

// Timers of JavaScript hold 31 bits.
const kLongestTimer = 0x7fffffff;

export class Timer {
  #now;
  #ring;
  #armed; // {id, at}: for `at`, which is #due or earlier
  #due = Infinity;

  /** `ring` is called once the due time has come; `now` is the clock that it is read on. */
  constructor(now, ring) {
    this.#now = now;
    this.#ring = ring;
  }

  /**
   * A later time leaves the armed timer as it is: it finds out when it fires. So a stream does not arm
   * one for each chunk.
   */
  arm(due) {
    this.#due = due;
    if (due === Infinity) return this.stop();
    if (this.#armed && this.#armed.at <= due) return;
    clearTimeout(this.#armed?.id);
    this.#wait(this.#now());
  }

  #wait(now) {
    const wait = Math.min(Math.max(0, Math.ceil(this.#due - now)), kLongestTimer);
    const armed = { at: Math.min(this.#due, now + wait) };
    // One that another request armed cannot be cleared on Workers: it fires, and is not heard.
    armed.id = setTimeout(() => armed === this.#armed && this.#fired(), wait);
    this.#armed = armed;
  }

  stop() {
    clearTimeout(this.#armed?.id);
    this.#armed = undefined;
  }

  // That it fired is proof that its time has come, whatever a clock that stands says.
  #fired() {
    const now = Math.max(this.#now(), this.#armed.at);
    this.#armed = undefined;
    if (now + 1 < this.#due)
      this.#wait(now);
    else
      this.#ring();
  }
}
