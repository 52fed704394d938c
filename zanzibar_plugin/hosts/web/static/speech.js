// The one announcer of the page: whatever is to be heard goes through its queue.
//
// Measured with real screen readers: messages in nodes of their own at least 250 ms apart are
// spoken in order; sooner they are swapped, merged or lost.  A text equal to the one before is
// not spoken at all, unless it differs by something inaudible.

const GAP = 250;
const BEFORE_FIRST = 40;
const AFTER_FOCUS = 400;
const KEPT = 5;
const INAUDIBLE = "\u00a0";

export class Speech {
  #region;
  #queue = [];
  #timer = 0;
  #free = 0;
  #last = "";
  #written = "";

  /** `region` is an empty, unlabelled polite live region of the first HTML. */
  constructor(region) {
    this.#region = region;
  }

  /** Have something spoken, after all that waits already. */
  tell(said) {
    if (!said) return;
    this.#last = said;
    this.#queue.push(said);
    this.#plan(BEFORE_FIRST);
  }

  /** Speak the latest message once more. */
  again() {
    if (this.#last) this.tell(this.#last);
  }

  /** The focus moves now, which cuts speech: what waits is spoken a little later. */
  giveWay() {
    this.#free = Math.max(this.#free, performance.now() + AFTER_FOCUS);
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#queue.length) this.#plan(0);
  }

  #plan(wait) {
    if (this.#timer) return;
    const until = Math.max(wait, this.#free - performance.now());
    this.#timer = setTimeout(() => this.#speak(), until);
  }

  #speak() {
    this.#timer = 0;
    const said = this.#queue.shift();
    const node = document.createElement("p");
    this.#written = said === this.#written ? said + INAUDIBLE : said;
    node.textContent = this.#written;
    this.#region.append(node);
    while (this.#region.childElementCount > KEPT) this.#region.firstElementChild.remove();
    this.#free = performance.now() + GAP;
    if (this.#queue.length) this.#plan(0);
  }
}
