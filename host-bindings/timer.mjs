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
    const wait = Math.min(Math.max(0, Math.ceil(due - this.#now())), kLongestTimer);
    const armed = { at: due };
    // One that another request armed cannot be cleared on Workers: it fires, and is not heard.
    armed.id = setTimeout(() => armed === this.#armed && this.#fired(), wait);
    this.#armed = armed;
  }

  stop() {
    clearTimeout(this.#armed?.id);
    this.#armed = undefined;
  }

  #fired() {
    this.#armed = undefined;
    if (this.#now() + 1 < this.#due)
      this.arm(this.#due);
    else
      this.#ring();
  }
}
