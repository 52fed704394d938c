// This page's part of the dice: given before the game, checked after it.
//
// The page binds itself to a number by its digest, before anybody's number is shown; and it keeps
// what the room was bound to.  So it can say afterwards whether its number is in, and whether the
// room's secret is the one that was promised.  The room is not believed: whatever it asks for twice
// and otherwise, or shows in no proper form, is told as wrong.

import { keepDraw, keptDraw, keptDrawsAt } from "./device.js";
import { digestOf, hexOf, resultBy } from "./proof.js";

const SIZE = 32;
/** After so many milliseconds the room is asked anew for what it could not do. */
const AGAIN = 2000;
const MOST_TRIES = 3;

export class DrawKeeper {
  #ask;
  #tell;
  #latest = null;
  /** What is being done: a page may be asked for its number while its digest is still on its way. */
  #doing = new Set();
  /** What the room has taken of this page, so that it is not given twice. */
  #given = new Set();

  /**
   * `ask(message)` asks the room; `tell(result)` is called once a game: "fair", "unfair",
   * "left_out" (this page's number is not in), or "unread" (the record does not tell the dice).
   */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
  }

  /** Whether this browser can do it: it needs a safe connection. */
  static get possible() {
    return Boolean(globalThis.crypto?.subtle);
  }

  /** The view of a table, as the room shows it now. */
  async show(view, table) {
    this.#latest = { view, table };
    const { draw, you } = view;
    if (!DrawKeeper.possible || !table) return;
    try {
      if (draw?.secret || isOver(view)) await this.#once(`${draw?.game} over`, () => this.#check(view, table));
      else if (!draw?.asked.includes(you)) return;
      else if (draw.for === "commitment") await this.#once(`${draw.game} bound`, () => this.#commit(draw, table));
      else await this.#once(`${draw.game} shown`, () => this.#reveal(draw, table));
    } catch (fault) {
      // Nothing was given, so nothing is lost: it is the room that has to wait, or to do without.
      console.warn(fault);
    }
  }

  async #once(doing, act) {
    if (this.#doing.has(doing)) return;
    const latest = this.#latest;
    this.#doing.add(doing);
    try {
      await act();
    } finally {
      this.#doing.delete(doing);
      // What was shown meanwhile has not been looked at.
      if (this.#latest !== latest) this.show(this.#latest.view, this.#latest.table);
    }
  }

  /** The page is bound to one number for a game and to one digest of the room's, for ever. */
  async #commit(draw, table) {
    const known = keptDraw(draw.game);
    if (known && (known.digest !== draw.digest || known.table !== table || known.commitments)) {
      return this.#found("unfair", draw.game, table);
    }
    await this.#give(`${draw.game} bound`, async () => {
      const value = known?.value ?? hexOf(crypto.getRandomValues(new Uint8Array(SIZE)));
      const commitment = await digestOf(value);
      const kept = keepDraw(draw.game, { table, digest: draw.digest, value, commitment });
      return kept && { do: "commit", commitment };
    });
  }

  /** The number is shown only once all are bound, to one list that has this page's digest in it. */
  async #reveal(draw, table) {
    const known = keptDraw(draw.game);
    if (!known?.value) return;
    const commitments = commitmentsOf(draw.parts);
    const same = !known.commitments || isSame(known.commitments, commitments ?? []);
    const own = commitments?.includes(known.commitment);
    if (known.told || known.digest !== draw.digest || !own || !same) {
      return this.#found("unfair", draw.game, table);
    }
    keepDraw(draw.game, { ...known, commitments });
    await this.#give(`${draw.game} shown`, async () => ({ do: "reveal", value: known.value }));
  }

  /** Ask the room to take something; while it still wants it, again later if it could not. */
  async #give(what, make) {
    let done = this.#given.has(what);
    if (done) return;
    try {
      const message = await make();
      if (!message) return;
      done = "done" in (await this.#ask(message));
      if (done) this.#given.add(what);
    } finally {
      if (!done) setTimeout(() => this.show(this.#latest.view, this.#latest.table), AGAIN);
    }
  }

  /** One of the results is told of each game that this page has a part in, or should have. */
  async #check({ draw, play, you }, table) {
    const known = keptDraw(draw?.game);
    const bound = keptDrawsAt(table).some(({ value, settled }) => value && !settled);
    const played = draw && play?.seats.some(({ name }) => name === you);
    if (known?.told || !(known || bound || played)) return;
    let result = "unfair";
    try {
      result = await this.#resultOf(draw, table);
    } catch (fault) {
      console.warn(fault);
    }
    this.#found(result, draw?.game, table);
  }

  async #resultOf(draw, table) {
    const known = keptDraw(draw.game);
    const commitments = commitmentsOf(draw.parts);
    if (!commitments) return "unfair";
    if (!known?.value) {
      // What this page was bound to in one game can be in no other.
      const own = keptDrawsAt(table).map(({ commitment }) => commitment);
      return commitments.some((one) => own.includes(one)) ? "unfair" : "left_out";
    }
    const promised = draw.digest === known.digest && (await digestOf(draw.secret)) === known.digest;
    // A page that was never asked for its number has none in the dice.
    const listed = known.commitments && isSame(known.commitments, commitments);
    const values = await Promise.all(draw.parts.map(({ value }) => digestOf(value)));
    if (!promised || !listed || !isSame(values, commitments)) return "unfair";
    return resultBy(draw, await recordOf(table, draw.game));
  }

  #found(result, game, table) {
    const before = keptDraw(game)?.told;
    if (game) keepDraw(game, { table, ...keptDraw(game), told: result });
    // Starts at this table that came to nothing are no longer waited for.
    for (const { game: other, ...known } of keptDrawsAt(table)) keepDraw(other, { ...known, settled: true });
    if (result !== before) this.#tell(result);
  }
}

/** Whether a game is at its end, and its dice are due to be shown. */
function isOver({ stage, play }) {
  return Boolean(play) && (stage === "over" || stage === "closed");
}

/** What all are bound by, in order; null if that is no proper list, or has the same one twice. */
function commitmentsOf(parts) {
  try {
    const commitments = parts.map(({ commitment }) => commitment);
    return new Set(commitments).size === commitments.length ? commitments : null;
  } catch {
    return null;
  }
}

function isSame(some, others) {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

/** The record of a game, as anybody can have it. */
async function recordOf(table, game) {
  const address = `/tables/${encodeURIComponent(table)}/record?game=${encodeURIComponent(game)}`;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await fetch(address);
      if (answer.ok) return await answer.json();
      throw new Error(`the record cannot be had: ${answer.status}`);
    } catch (fault) {
      if (tries === MOST_TRIES) throw fault;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}
