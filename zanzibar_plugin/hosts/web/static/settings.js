// What somebody has chosen for this device: how he is told things, sounds, colours, shaking.

import { byId } from "./dom.js";
import { device } from "./device.js";

const CHOICES = {
  verbosity: ["normal", "brief"],
  speaker: ["reader", "page"],
  speed: ["usual", "slow", "fast", "faster"],
  sounds: ["medium", "off", "quiet", "loud"],
  look: ["device", "light", "dark"],
  shake: ["no", "yes"],
};

/** The first of each is what holds as long as nothing was chosen. */
export class Settings {
  #changed = new Map();

  constructor() {
    for (const name of Object.keys(CHOICES)) this.#bind(name);
  }

  get(name) {
    const chosen = device.get(`room.${name}`);
    return CHOICES[name].includes(chosen) ? chosen : CHOICES[name][0];
  }

  /** Choose something, as if it had been chosen on the page. */
  set(name, value) {
    device.set(`room.${name}`, value);
    this.#show(name);
    this.#changed.get(name)?.(this.get(name), true);
  }

  /** Have `act(value, chosen)` called now and whenever a choice is made: then `chosen` is true. */
  follow(name, act) {
    this.#changed.set(name, act);
    act(this.get(name), false);
  }

  #bind(name) {
    this.#show(name);
    const control = byId(`set-${name}`);
    control.addEventListener("change", () => {
      this.set(name, control.type === "checkbox" ? yesOrNo(control.checked) : control.value);
    });
  }

  #show(name) {
    const control = byId(`set-${name}`);
    if (control.type === "checkbox") control.checked = this.get(name) === "yes";
    else control.value = this.get(name);
  }
}

function yesOrNo(checked) {
  return checked ? "yes" : "no";
}
