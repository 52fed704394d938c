// Every key of the game as a plain button.  A button stays the same as long as the page lives:
// one that does nothing now is hidden, but not while it has the focus.

import { make, offer, onPress, write } from "./dom.js";

export class Buttons {
  #group;
  #press;
  #buttons = new Map();

  constructor(group, press) {
    this.#group = group;
    this.#press = press;
  }

  show(keys) {
    const labels = new Map(keys.map((key) => [key.key, key.label]));
    let before = null;
    for (const [key, label] of labels) {
      const button = this.#buttons.get(key) ?? this.#create(key, before);
      write(button, label);
      before = button;
    }
    for (const [key, button] of this.#buttons) offer(button, labels.has(key));
  }

  #create(key, before) {
    const button = make("button", { type: "button", "data-key": key });
    onPress(button, () => this.#press(key));
    this.#buttons.set(key, button);
    if (before) before.after(button);
    else this.#group.prepend(button);
    return button;
  }
}
