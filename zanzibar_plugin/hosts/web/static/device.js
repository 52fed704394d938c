// What this device remembers: who one is (for good), and what was told at a table (in this tab).

const SECRET_BYTES = 32;
const LONGEST_SECRET = 200;
const MOST_DRAWS = 10;

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
      return this.#own.get(name) ?? this.#storage?.getItem(name) ?? "";
    } catch {
      return this.#own.get(name) ?? "";
    }
  }

  set(name, value) {
    this.#own.set(name, String(value));
    try {
      this.#storage?.setItem(name, String(value));
    } catch {
      // Full or forbidden: this page still knows it.
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

/** What this device knows of the dice of a game, or null; of the last few games only. */
export function keptDraw(game) {
  return keptDraws()[game] ?? null;
}

export function keepDraw(game, known) {
  const draws = Object.entries(keptDraws()).filter(([other]) => other !== game);
  device.set("room.draws", JSON.stringify(Object.fromEntries([...draws.slice(-MOST_DRAWS), [game, known]])));
}

function keptDraws() {
  try {
    return JSON.parse(device.get("room.draws")) ?? {};
  } catch {
    return {};
  }
}
