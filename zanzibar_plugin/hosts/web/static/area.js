// The game area: a list box, because that is what lets single keys through every screen reader.
//
// Measured: choosing an option must do nothing; the list is not rebuilt, and the text of the
// option that has the focus does not change; a reader that comes by its own cursor lets nothing
// but Enter and Space through until the focus is set by the page.

import { fill, moveFocus } from "./dom.js";
import { keyOf, NOTHING } from "./keys.js";

const SOON = 500;
const REFOCUS = 80;

export class Area {
  #box;
  #options;
  #texts = new Map();
  #reached = false;
  #handled = -Infinity;
  #press;

  /** `press(key)` is called with the name of each key that is pressed. */
  constructor(box, press) {
    this.#box = box;
    this.#press = press;
    this.#options = [...box.querySelectorAll('[role="option"]')];
    document.addEventListener("keydown", (event) => {
      if (event.key === "Tab") this.#handled = performance.now();
    }, true);
    document.addEventListener("pointerdown", () => { this.#handled = performance.now(); }, true);
    box.addEventListener("focusin", (event) => this.#arrive(event.target));
    box.addEventListener("focusout", () => this.#depart());
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Bring the focus here, so that every key works. */
  focus() {
    this.#handled = performance.now();
    moveFocus(this.#options.find((option) => option.tabIndex === 0));
  }

  /** Give the options their texts, by their `data-tells`. */
  update(texts) {
    for (const option of this.#options) {
      const nodes = texts[option.dataset.tells];
      if (!nodes) continue;
      if (option === document.activeElement) this.#texts.set(option, nodes);
      else this.#write(option, nodes);
    }
  }

  #write(option, nodes) {
    this.#texts.delete(option);
    fill(option, nodes);
  }

  #arrive(option) {
    this.#rove(option);
    if (performance.now() - this.#handled < SOON) this.#reached = true;
  }

  #depart() {
    // Whoever turns to another window finds this place as it was.
    if (!document.hasFocus()) return;
    for (const [option, nodes] of this.#texts) this.#write(option, nodes);
    queueMicrotask(() => {
      if (!this.#box.contains(document.activeElement)) this.#reached = false;
    });
  }

  #rove(option) {
    for (const one of this.#options) one.tabIndex = one === option ? 0 : -1;
  }

  #key(event) {
    if (this.#move(event)) return;
    const key = keyOf(event);
    if (!key) return;
    event.preventDefault();
    if (key === NOTHING) return;
    if (!this.#reached) {
      this.#reached = true;
      if (key === "enter" || key === "space") {
        this.#again();
        return;
      }
    }
    this.#press(key);
  }

  /** Blur and focus again: only then does a reader in browse mode let all keys through. */
  #again() {
    const option = document.activeElement;
    option.blur();
    setTimeout(() => {
      this.#handled = performance.now();
      if (document.activeElement === document.body) option.focus();
    }, REFOCUS);
  }

  #move(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
    if ((event.code ?? "").startsWith("Numpad")) return false;
    const at = this.#options.indexOf(document.activeElement);
    const last = this.#options.length - 1;
    const to = {
      ArrowDown: Math.min(at + 1, last),
      ArrowUp: Math.max(at - 1, 0),
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return false;
    event.preventDefault();
    this.#handled = performance.now();
    if (to !== at) this.#options[to].focus();
    return true;
  }
}
