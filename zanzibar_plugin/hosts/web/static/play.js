// Pressing keys of the game, by keyboard or button.

import { SECOND_PRESS } from "./dom.js";

export class Play {
  #ask;
  #keys = new Set();
  #chosen = [];
  #entered = -Infinity;
  #waiting = false;

  /** `ask` sends a message and resolves to its answer. */
  constructor(ask) {
    this.#ask = ask;
  }

  /** The keys that do something now. */
  update(keys) {
    this.#keys = new Set(keys.map((key) => key.key));
  }

  async press(key) {
    if (key === "enter" && !this.#mayEnter()) return;
    if (key === "enter") this.#chosen = [];
    if (/^[1-6]$/.test(key)) this.#chosen.push(key);
    if (key === "enter") this.#waiting = true;
    await this.#ask({ do: "key", key });
    if (key === "enter") this.#waiting = false;
  }

  /** Put back the die that was chosen last; if there is none, hear what is selected. */
  putBack() {
    while (this.#chosen.length) {
      const key = `shift+${this.#chosen.pop()}`;
      if (this.#keys.has(key)) return this.press(key);
    }
    const left = [...this.#keys].find((key) => key.startsWith("shift+"));
    return this.press(left ?? "space");
  }

  // The second of two quick presses would accept what the first has rolled, unheard.
  #mayEnter() {
    const now = performance.now();
    if (this.#waiting || now - this.#entered < SECOND_PRESS) return false;
    this.#entered = now;
    return true;
  }
}
