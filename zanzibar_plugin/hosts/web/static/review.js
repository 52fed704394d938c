// Going through what was said, message by message, without leaving the game's keys.

import { say } from "./words.js";

export class Review {
  #history;
  #tell;
  #at = -1;

  /** `tell(said, how)` speaks. */
  constructor(history, tell) {
    this.#history = history;
    this.#tell = tell;
  }

  /** Lines have come, and as many as `removed` have gone at the top: one's place stays. */
  added(removed) {
    const last = this.#history.length - 1;
    // Whoever was at the end is at the end again; before the first step one is beyond it.
    this.#at = this.#at < 0 ? -1 : Math.max(0, Math.min(this.#at - removed, last));
  }

  cleared() {
    this.#at = -1;
  }

  /** The message before; the latest one was just heard, so that the first step leads before it. */
  earlier() {
    this.#go((this.#at < 0 ? this.#history.length - 1 : this.#at) - 1);
  }

  later() {
    this.#go((this.#at < 0 ? this.#history.length - 1 : this.#at) + 1);
  }

  first() {
    this.#go(0);
  }

  latest() {
    this.#go(this.#history.length - 1);
    this.#at = -1;
  }

  /** The message one is at; "" if there is none. */
  get message() {
    const last = this.#history.length - 1;
    return last < 0 ? "" : this.#history.line(this.#at < 0 ? last : this.#at);
  }

  async copy() {
    if (!this.message) return this.#go(0);
    try {
      await navigator.clipboard.writeText(this.message);
      this.#tell(say("copied_message"), { passing: true });
    } catch {
      this.#tell(say("not_copied"), { passing: true });
    }
  }

  #go(place) {
    const last = this.#history.length - 1;
    this.#at = Math.max(0, Math.min(place, last));
    this.#tell(last < 0 ? say("nothing_said") : this.message, { passing: true });
  }
}
