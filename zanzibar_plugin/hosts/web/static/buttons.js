// Every key of the game as a plain button.  A button stays the same as long as the page lives:
// one that does nothing now is hidden, but not while it has the focus.

import { diePicture } from "./die.js";
import { make, offer, onPress, write } from "./dom.js";

export class Buttons {
  #group;
  #press;
  #buttons = new Map();

  constructor(group, press) {
    this.#group = group;
    this.#press = press;
  }

  /** `waiting` stands on the button for Enter while it does nothing, but has the focus. */
  show(keys, waiting) {
    const labels = new Map(keys.map((key) => [key.key, key.label]));
    for (const [key, label] of labels) {
      write((this.#buttons.get(key) ?? this.#create(key)).lastElementChild, label);
    }
    for (const [key, button] of this.#buttons) {
      offer(button, labels.has(key));
      if (key === "enter" && !labels.has(key)) write(button.lastElementChild, waiting);
    }
  }

  #create(key) {
    const button = make("button", { type: "button", "data-key": key }, make("span"));
    const digit = /^(?:shift\+)?([1-6])$/.exec(key)?.[1];
    if (digit) button.prepend(diePicture(Number(digit)));
    onPress(button, () => this.#press(key), { often: Boolean(digit) });
    this.#buttons.set(key, button);
    const next = [...this.#group.children].find((other) => rank(other.dataset.key) > rank(key));
    this.#group.insertBefore(button, next ?? null);
    return button;
  }
}

/** Where a key stands: Enter, the digits from high to low, with Shift too, Space, the letters. */
function rank(key) {
  if (key === "enter") return 0;
  if (key === "space") return 30;
  const digit = /^(shift\+)?(\d)$/.exec(key);
  return digit ? (digit[1] ? 20 : 10) - Number(digit[2]) : 40;
}
