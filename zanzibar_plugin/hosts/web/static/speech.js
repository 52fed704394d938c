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
  #regionNow;
  #voice;
  #byPage = false;
  #queue = [];
  #timer = 0;
  #free = 0;
  #last = null;
  #written = "";

  /**
   * `regionNow()` is the empty, unlabelled polite live region to write to: one that can be heard
   * now.  `voice` speaks instead, if the page itself is to speak.
   */
  constructor(regionNow, voice) {
    this.#regionNow = regionNow;
    this.#voice = voice;
  }

  /** Have the browser's voice speak, or leave it to the screen reader. */
  speakByPage(byPage) {
    this.#byPage = byPage;
    if (!byPage) this.#voice.hush();
  }

  /**
   * Have something spoken, after all that waits already; `foreign` if people have written it.
   * It is what `again` repeats, unless it is only `passing`.
   */
  tell(said, { foreign = false, passing = false } = {}) {
    if (!said) return;
    const message = { said, foreign };
    if (!passing) this.#last = message;
    this.#queue.push(message);
    this.#plan(BEFORE_FIRST);
  }

  /** Speak the latest message once more. */
  again() {
    if (this.#last) this.tell(this.#last.said, this.#last);
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
    this.#timer = setTimeout(() => this.#next(), until);
  }

  #next() {
    this.#timer = 0;
    const message = this.#queue.shift();
    if (!this.#byPage || !this.#voice.speak(message.said)) this.#write(message);
    this.#free = performance.now() + GAP;
    if (this.#queue.length) this.#plan(0);
  }

  #write({ said, foreign }) {
    const region = this.#regionNow();
    const node = document.createElement("p");
    this.#written = said === this.#written ? said + INAUDIBLE : said;
    node.textContent = this.#written;
    if (foreign) node.dir = "auto";
    region.append(node);
    while (region.childElementCount > KEPT) region.firstElementChild.remove();
  }
}
