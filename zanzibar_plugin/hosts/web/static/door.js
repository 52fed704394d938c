// Where one says one's name and language.

import { byId, markWrong, write } from "./dom.js";
import { person } from "./device.js";
import { language } from "./words.js";

export class Door {
  /** `enter` is called with the name and language that were given. */
  constructor(enter) {
    this.name = byId("name");
    const chosen = byId("language");
    chosen.value = language;
    this.name.value = person.name;
    byId("door-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.complain("");
      enter(this.name.value.trim(), chosen.value);
    });
  }

  /** Say what is wrong with the name, beside its field. */
  complain(problem) {
    write(byId("name-problem"), problem);
    markWrong(this.name, Boolean(problem));
  }
}
