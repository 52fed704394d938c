// What was said, to be read again: no live region, and never longer than a page can bear.

import { apart } from "./apart.js";
import { keepLines, keptLines } from "./device.js";

const LONGEST = 300;

export class History {
  #list;
  #box;
  #table = "";
  #following = true;

  constructor(list) {
    this.#list = list;
    this.#box = list.parentElement;
    this.#box.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.#box;
      // While it is hidden it has no height, and loses its place.
      if (clientHeight) this.#following = scrollHeight - scrollTop - clientHeight < 40;
    });
    window.addEventListener("pagehide", () => this.#keep());
  }

  /**
   * Add a line of an entry; `names` are of people at the table, `foreign` is whether one of them
   * wrote it.
   */
  add(line, names, foreign = false, entry = 0) {
    const item = document.createElement("li");
    item.dataset.entry = entry;
    item.append(...apart(line, names, foreign));
    this.#list.append(item);
    let removed = 0;
    for (; this.#list.childElementCount > LONGEST; removed++) this.#list.firstElementChild.remove();
    this.follow();
    return removed;
  }

  /** Show the latest line, unless somebody has scrolled away from it. */
  follow() {
    if (this.#following) this.#box.scrollTop = this.#box.scrollHeight;
  }

  get length() {
    return this.#list.childElementCount;
  }

  line(place) {
    return this.#list.children[place].textContent;
  }

  /** Turn to a table: with what was said there up to entry `told`, if this tab has heard it. */
  open(table, told) {
    if (table === this.#table) return;
    this.#keep();
    this.#table = table;
    this.#following = true;
    this.#list.replaceChildren();
    for (const [line, entry] of keptLines(table)) if (entry <= told) this.add(line, [], false, entry);
  }

  #keep() {
    const lines = [...this.#list.children].map((line) => [line.textContent, Number(line.dataset.entry)]);
    if (this.#table) keepLines(this.#table, lines);
  }
}
