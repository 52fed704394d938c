// What this device remembers: who one is (for good), and what was told at a table (in this tab).

const SECRET_BYTES = 32;
const LONGEST_SECRET = 200;
/** What is known of dice is kept for longer than any game is played. */
const DRAWS_KEPT = 30 * 24 * 60 * 60 * 1000;
const MOST_DRAWS = 500;

/** A storage that also works, for this page alone, where the browser forbids storing. */
class Memory {
  #storage;
  #own = new Map();

  constructor(open) {
    try {
      this.#storage = open();
    } catch {
      this.#storage = null;
    }
  }

  get(name) {
    try {
      // Only what could not be stored is this page's own: another tab may store something newer.
      return this.#own.get(name) ?? this.#storage.getItem(name) ?? "";
    } catch {
      return this.#own.get(name) ?? "";
    }
  }

  set(name, value) {
    try {
      this.#storage.setItem(name, String(value));
      this.#own.delete(name);
    } catch {
      // Full or forbidden: this page still knows it.
      this.#own.set(name, String(value));
    }
  }
}

export const device = new Memory(() => window.localStorage);
const tab = new Memory(() => window.sessionStorage);

export const person = {
  get name() {
    return device.get("room.name");
  },
  set name(name) {
    device.set("room.name", name);
  },
  get language() {
    return device.get("room.language");
  },
  set language(language) {
    device.set("room.language", language);
  },
  /** What makes seats one's own: known to this device alone, and never part of an address. */
  get secret() {
    let secret = device.get("room.secret");
    if (secret.length < SECRET_BYTES || secret.length > LONGEST_SECRET) {
      const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
      secret = btoa(String.fromCharCode(...bytes));
      device.set("room.secret", secret);
    }
    return secret;
  },
};

/** The number of the last entry of a table's journal that was told here; null if none was. */
export function lastTold(table) {
  const number = tab.get(`room.told.${table}`);
  return number === "" ? null : Number(number);
}

export function rememberTold(table, number) {
  tab.set(`room.told.${table}`, number);
}

/** What was said at a table and heard in this tab, so that a page loaded anew still has it. */
export function keptLines(table) {
  try {
    const lines = JSON.parse(tab.get(`room.lines.${table}`));
    return Array.isArray(lines) ? lines.filter((line) => Array.isArray(line) && typeof line[0] === "string") : [];
  } catch {
    return [];
  }
}

export function keepLines(table, lines) {
  tab.set(`room.lines.${table}`, JSON.stringify(lines));
}

/** What this device knows of the dice of a game, or null. */
export function keptDraw(game) {
  return keptDraws().get(game) ?? null;
}

/** The same of all games at a table, each with its name under `game`. */
export function keptDrawsAt(table) {
  return [...keptDraws()].map(([game, known]) => ({ ...known, game })).filter((known) => known.table === table);
}

/** Keep it; false if there is too much of it, which no honest room asks for: none may be crowded out. */
export function keepDraw(game, known) {
  const draws = keptDraws();
  draws.set(game, { at: Date.now(), ...known });
  if (draws.size > MOST_DRAWS) return false;
  device.set("room.draws", JSON.stringify([...draws]));
  return true;
}

function keptDraws() {
  try {
    const draws = JSON.parse(device.get("room.draws"));
    return new Map(draws.filter(([, { at }]) => Date.now() - at < DRAWS_KEPT));
  } catch {
    return new Map();
  }
}
