// The keys that do something now, the game's and the room's, to be read or heard.

import { fill, make } from "./dom.js";
import { labelled, say } from "./words.js";

const ROOM = {
  keys_back: "backspace",
  keys_repeat: "r",
  keys_review: "pageup",
  keys_copy: "",
  keys_verbosity: "v",
  keys_all: "k",
};

export class KeyList {
  #list;
  #lines = [];

  constructor(list) {
    this.#list = list;
  }

  /** `keys` are the game's, `begins` is whether Enter begins it, `taken` are not the room's. */
  show(keys, begins, taken) {
    const game = keys.map(({ key, label }) => labelled(nameOf(key), [label]).join(""));
    if (begins) game.unshift(labelled(say("key_enter"), [say("begin")]).join(""));
    const room = Object.keys(ROOM).filter((name) => !taken.has(ROOM[name]));
    this.#lines = [...game.map((line) => `${line}.`), ...room.map((name) => say(name))];
    fill(this.#list, this.#lines.map((line) => make("li", {}, line)));
  }

  get spoken() {
    return this.#lines.join(" ");
  }
}

/** What a key is called. */
function nameOf(key) {
  const shifted = /^shift\+(.)$/.exec(key)?.[1];
  if (shifted) return say("key_shift", { digit: shifted });
  if (key === "enter" || key === "space") return say(`key_${key}`);
  return key.toUpperCase();
}
