// What was said, to be read again: no live region, and never longer than a page can bear.

const LONGEST = 300;

export class History {
  #list;

  constructor(list) {
    this.#list = list;
  }

  add(line) {
    const box = this.#list.parentElement;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    const item = document.createElement("li");
    item.dir = "auto";
    item.textContent = line;
    this.#list.append(item);
    while (this.#list.childElementCount > LONGEST) this.#list.firstElementChild.remove();
    if (atEnd) box.scrollTop = box.scrollHeight;
  }

  clear() {
    this.#list.replaceChildren();
  }
}
