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
  #voice;
  #byPage = false;
  #queue = [];
  #timer = 0;
  #free = 0;
  #last = null;
  #written = "";

  /**
   * `region` is an empty, unlabelled polite live region of the first HTML.  `voice` speaks instead,
   * if the page itself is to speak.
   */
  constructor(region, voice) {
    this.#region = region;
    this.#voice = voice;
  }

  /** Have the browser's voice speak, or leave it to the screen reader. */
  speakByPage(byPage) {
    this.#byPage = byPage;
    if (!byPage) this.#voice.hush();
  }

  /**
   * Have something spoken, after all that waits already; `foreign` if people have written it,
   * `then()` is called when it is.  It is what `again` repeats, unless it is only `passing`: then
   * it goes before all that waits.
   */
  tell(said, { foreign = false, passing = false, then = () => {} } = {}) {
    if (!said) return then();
    const message = { said, foreign, passing, then };
    if (passing) {
      // What one asks for now comes before all that waits, and instead of what one asked before.
      this.#queue = [message, ...this.#queue.filter((waiting) => !waiting.passing)];
    } else {
      this.#last = message;
      this.#queue.push(message);
    }
    this.#plan(BEFORE_FIRST);
  }

  /** Speak the latest message once more; false if there is none. */
  again() {
    if (!this.#last) return false;
    this.tell(this.#last.said, { foreign: this.#last.foreign, passing: true });
    return true;
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
    const write = () => this.#write(message);
    if (!this.#byPage || !this.#voice.speak(message.said, write)) write();
    message.then();
    this.#free = performance.now() + GAP;
    if (this.#queue.length) this.#plan(0);
  }

  #write({ said, foreign }) {
    const node = document.createElement("p");
    this.#written = said === this.#written ? said + INAUDIBLE : said;
    node.textContent = this.#written;
    if (foreign) node.dir = "auto";
    this.#region.append(node);
    while (this.#region.childElementCount > KEPT) this.#region.firstElementChild.remove();
  }
}
