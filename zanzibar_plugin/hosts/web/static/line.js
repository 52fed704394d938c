// The line to the server: it comes back by itself, for ever, and answers every question once.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const PATIENCE = 10_000;
const LONGEST_SILENCE = 45_000;

/** How a question ends when the line is down, and when it goes down (of which the listener hears). */
export const UNANSWERED = { lost: true };
export const CUT_OFF = { cut: true };

/**
 * `listener` has `opened()`, `received(message)` and `lost()`.  `lost` is called once each time
 * the line is lost (or cannot be had at first), not at every try.
 */
export class Line {
  #address;
  #listener;
  #socket = null;
  #wanted = false;
  #tries = 0;
  #retry = 0;
  #silence = 0;
  #number = 0;
  #asked = new Map();
  #toldLost = false;

  constructor(address, listener) {
    this.#address = address;
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    window.addEventListener("online", () => this.#wake());
  }

  get up() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect, and stay connected. */
  start() {
    this.#wanted = true;
    if (!this.#socket) this.#connect();
  }

  /** Hang up for good. */
  stop() {
    this.#wanted = false;
    clearTimeout(this.#retry);
    this.#drop();
  }

  /** All is well: the server has answered. */
  settled() {
    this.#tries = 0;
    this.#toldLost = false;
  }

  /** Do not tell the next loss: the user knows of it already. */
  expectLoss() {
    this.#toldLost = true;
  }

  /** Ask the server; resolves to its `done` or `refused` message, or to UNANSWERED. */
  ask(message) {
    if (!this.up) return Promise.resolve(UNANSWERED);
    const id = ++this.#number;
    return new Promise((resolve) => {
      const impatient = setTimeout(() => this.#drop(), PATIENCE);
      this.#asked.set(id, (answer) => {
        clearTimeout(impatient);
        resolve(answer);
      });
      this.#socket.send(JSON.stringify({ ...message, id }));
    });
  }

  #connect() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    const slow = setTimeout(() => this.#drop(socket), PATIENCE);
    socket.addEventListener("open", () => {
      clearTimeout(slow);
      this.#listen();
      if (socket === this.#socket) this.#listener.opened();
    });
    socket.addEventListener("message", (event) => {
      this.#listen();
      for (const message of JSON.parse(event.data)) {
        if (socket === this.#socket) this.#receive(message);
      }
    });
    socket.addEventListener("close", () => {
      clearTimeout(slow);
      this.#drop(socket);
    });
  }

  #receive(message) {
    const asked = this.#asked.get(message.done ?? message.id);
    if (asked && ("done" in message || "refused" in message)) {
      this.#asked.delete(message.done ?? message.id);
      asked(message);
    } else if (!("done" in message)) {
      this.#listener.received(message);
    }
  }

  /** The end of a socket, whether it knows of it itself or not. */
  #drop(socket = this.#socket) {
    if (!socket || socket !== this.#socket) return;
    this.#socket = null;
    clearTimeout(this.#silence);
    socket.close();
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const answer of asked) answer(CUT_OFF);
    if (!this.#wanted) return;
    // A little chance, so that after a restart not everybody comes at once.
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#tries = Math.min(this.#tries + 1, 10);
    this.#retry = setTimeout(() => this.#connect(), wait);
    if (!this.#toldLost) {
      this.#toldLost = true;
      this.#listener.lost();
    }
  }

  /** Somebody looks at the page again, or the network is back: try now, or see that it lives. */
  #wake() {
    if (!this.#wanted) return;
    if (!this.#socket) {
      this.#tries = 0;
      this.#connect();
    } else if (this.up) {
      this.#probe();
    }
  }

  /** A line may be dead without either end knowing; a question shows it. */
  #probe() {
    this.ask({ do: "alive" });
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#probe(), LONGEST_SILENCE);
  }
}
