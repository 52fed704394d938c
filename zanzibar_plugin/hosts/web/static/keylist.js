// The keys that do something now, the game's and the room's, to be read or heard.

import { fill, make } from "./dom.js";
import { labelled, say } from "./words.js";

const ROOM = ["keys_back", "keys_repeat", "keys_review", "keys_copy", "keys_verbosity", "keys_all"];

export class KeyList {
  #list;
  #lines = [];

  constructor(list) {
    this.#list = list;
  }

  /** `keys` are the game's, `begins` is whether Enter begins the game. */
  show(keys, begins) {
    const game = keys.map(({ key, label }) => labelled(nameOf(key), [label]).join(""));
    if (begins) game.unshift(labelled(say("key_enter"), [say("begin")]).join(""));
    this.#lines = [...game.map((line) => `${line}.`), ...ROOM.map((name) => say(name))];
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
