// A table seen before joining it.

import { byId, fill, offer, onPress } from "./dom.js";
import { gameName } from "./games.js";
import { optionNodes, rulesNodes } from "./page.js";
import { Seats } from "./seats.js";
import { say } from "./words.js";

export class Look {
  #seats = new Seats(byId("look-seats"), byId("look-title"));
  #table = "";

  /** `acts` has `come(table, watch)` and `back()`. */
  constructor(acts) {
    onPress(byId("look-join"), () => acts.come(this.#table, false));
    onPress(byId("look-watch"), () => acts.come(this.#table, true));
    onPress(byId("look-back"), () => acts.back());
  }

  show(table, looked) {
    this.#table = table;
    const state = [gameName(looked.game), say(looked.stage)];
    if (looked.private) state.push(say("private"));
    fill(byId("look-title"), [state.join(", ")]);
    this.#seats.show(looked);
    fill(byId("look-options"), optionNodes(looked.choices));
    fill(byId("look-rules"), rulesNodes(looked.rules, 4));
    offer(byId("look-join"), looked.stage !== "playing");
    offer(byId("look-watch"), true);
  }
}
