// The browser's own voices, for those who use no screen reader, or want this page to speak.

const SPEEDS = { slow: 0.75, usual: 1, fast: 1.4, faster: 1.9 };
/** Languages whose voices can read another one: Serbian in Latin letters sounds right in these. */
const NEIGHBOURS = { sr: ["hr", "bs", "sh"] };

export class Voice {
  #synthesis = window.speechSynthesis ?? null;
  #language;
  #speed = 1;
  // A browser may forget an utterance that nobody holds, in the middle of a word.
  #speaking = new Set();

  /** `language` is the page's language tag. */
  constructor(language) {
    this.#language = language;
    // Voices are loaded at the first question, and come later.
    this.#synthesis?.getVoices();
  }

  setSpeed(name) {
    this.#speed = SPEEDS[name];
  }

  /** The best voice for the page's language, or null if there is none. */
  get best() {
    const voices = this.#synthesis?.getVoices() ?? [];
    const short = this.#language.split("-")[0];
    const speaks = (voice, tag) => voice.lang.replace("_", "-").toLowerCase().split("-")[0] === tag;
    for (const tag of [short, ...(NEIGHBOURS[short] ?? [])]) {
      const fitting = voices.filter((voice) => speaks(voice, tag));
      const found = fitting.find((voice) => voice.default) ?? fitting.find((voice) => voice.localService);
      if (found ?? fitting[0]) return found ?? fitting[0];
    }
    return null;
  }

  /** Call back when voices come or go. */
  onChange(act) {
    this.#synthesis?.addEventListener?.("voiceschanged", act);
  }

  /**
   * Speak after all that was said before; false if there is no voice for it.  `failed()` is called
   * if it turns out that it cannot be spoken.
   */
  speak(said, failed) {
    const voice = this.best;
    if (!voice) return false;
    const utterance = new SpeechSynthesisUtterance(said);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.rate = this.#speed;
    this.#speaking.add(utterance);
    const done = () => this.#speaking.delete(utterance);
    utterance.addEventListener("end", done);
    utterance.addEventListener("error", ({ error }) => {
      done();
      if (error !== "canceled" && error !== "interrupted") failed();
    });
    this.#synthesis.speak(utterance);
    return true;
  }

  /** Be silent at once. */
  hush() {
    this.#synthesis?.cancel();
  }
}
