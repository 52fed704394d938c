// This page's part of the dice: given before the game, checked after it.
//
// The page binds itself to a number by its digest, before anybody's number is shown; and it keeps
// what the room was bound to.  So it can say afterwards whether its number is in, and whether the
// room's secret is the one that was promised.

import { keepDraw, keptDraw } from "./device.js";

const SIZE = 32;

export class DrawKeeper {
  #ask;
  #tell;
  #busy = "";
  #checked = "";

  /** `ask(message)` asks the room; `tell(result)` is called once a game with "fair" or "unfair". */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
  }

  /** Whether this browser can do it: it needs a safe connection. */
  static get possible() {
    return Boolean(globalThis.crypto?.subtle);
  }

  /** What the room shows of the dice now, to somebody called `you`. */
  async show(draw, you) {
    if (!draw || !DrawKeeper.possible) return;
    if (draw.secret) return this.#check(draw, you);
    if (!draw.asked.includes(you)) return;
    const doing = `${draw.game} ${draw.for}`;
    if (this.#busy === doing) return;
    this.#busy = doing;
    if (draw.for === "commitment") await this.#commit(draw);
    else await this.#reveal(draw, you);
    this.#busy = "";
  }

  async #commit(draw) {
    const kept = keptDraw(draw.game);
    const value = kept?.value ?? hex(crypto.getRandomValues(new Uint8Array(SIZE)));
    keepDraw(draw.game, { value, digest: draw.digest });
    await this.#ask({ do: "commit", commitment: await digestOf(value) });
  }

  /** The number is shown only if all are bound to what this page knows of. */
  async #reveal(draw, you) {
    const kept = keptDraw(draw.game);
    const own = draw.parts.find((part) => part.name === you);
    if (!kept || kept.digest !== draw.digest || own?.commitment !== (await digestOf(kept.value))) return;
    keepDraw(draw.game, { ...kept, commitments: draw.parts.map((part) => part.commitment) });
    await this.#ask({ do: "reveal", value: kept.value });
  }

  async #check(draw, you) {
    const kept = keptDraw(draw.game);
    if (!kept?.commitments || this.#checked === draw.game) return;
    this.#checked = draw.game;
    const digests = await Promise.all(draw.parts.map((part) => digestOf(part.value)));
    const own = draw.parts.find((part) => part.name === you);
    const fair =
      (await digestOf(draw.secret)) === kept.digest &&
      own?.value === kept.value &&
      draw.parts.length === kept.commitments.length &&
      draw.parts.every((part, at) => part.commitment === kept.commitments[at] && digests[at] === part.commitment);
    this.#tell(fair ? "fair" : "unfair");
  }
}

async function digestOf(value) {
  const bytes = new Uint8Array((value.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
