// What was said, to be read again: no live region, and never longer than a page can bear.

import { apart } from "./apart.js";

const LONGEST = 300;

export class History {
  #list;

  constructor(list) {
    this.#list = list;
  }

  /** Add a line; `names` are of people at the table, `foreign` is whether one of them wrote it. */
  add(line, names, foreign = false) {
    const box = this.#list.parentElement;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    const item = document.createElement("li");
    item.append(...apart(line, names, foreign));
    this.#list.append(item);
    let removed = 0;
    for (; this.#list.childElementCount > LONGEST; removed++) this.#list.firstElementChild.remove();
    if (atEnd) box.scrollTop = box.scrollHeight;
    return removed;
  }

  get length() {
    return this.#list.childElementCount;
  }

  line(place) {
    return this.#list.children[place].textContent;
  }

  clear() {
    this.#list.replaceChildren();
  }
}
