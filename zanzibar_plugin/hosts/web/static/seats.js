// Who sits at a table, as a table to be read: names, what they are, and their tokens.

import { bdi, Kept, make, offer, onPress, write } from "./dom.js";
import { nodes, say } from "./words.js";

export class Seats {
  #rows;
  #table;
  #acts;
  #number = 0;

  /** `acts`, if anything can be done to people here, has `kick`, `handOver` and `removeBot`. */
  constructor(table, refuge, acts = null) {
    this.#table = table;
    this.#rows = new Kept(table.tBodies[0], refuge);
    this.#acts = acts;
  }

  show(table) {
    const scores = new Map((table.play?.seats ?? []).map((seat) => [seat.name, seat]));
    const people = [
      ...table.seats.map((seat) => ({ ...seat, ...scores.get(seat.name) })),
      ...table.watchers.map((name) => ({ name, watches: true })),
    ];
    const counted = people.some((one) => one.tokens !== undefined);
    this.#table.classList.toggle("uncounted", !counted);
    this.#rows.keep(people, {
      key: (one) => one.name,
      create: (one) => this.#create(one.name),
      update: (row, one) => this.#update(row, one, table),
    });
    this.#hideActs();
  }

  /** No column for what one may not do; but not while the focus is in it. */
  #hideActs() {
    const offered = this.#table.querySelector(".acts button:not([hidden])");
    this.#table.classList.toggle("powerless", !offered);
    if (offered) offered.addEventListener("blur", () => setTimeout(() => this.#hideActs()), { once: true });
  }

  #create(name) {
    const id = `person-${this.#table.id}-${++this.#number}`;
    const row = make(
      "tr",
      {},
      make("th", { scope: "row", id }, bdi(name)),
      make("td", { class: "what" }),
      make("td", { class: "tokens" }),
    );
    if (!this.#acts) return row;
    const button = (part, word) => {
      const made = make("button", { type: "button", class: part, id: `${id}-${part}` }, say(word));
      made.setAttribute("aria-labelledby", `${made.id} ${id}`);
      onPress(made, () => this.#acts[part](name));
      return made;
    };
    row.append(
      make(
        "td",
        { class: "acts" },
        button("handOver", "hand_over"),
        button("removeBot", "remove_bot"),
        button("kick", "kick"),
      ),
    );
    return row;
  }

  #update(row, one, table) {
    const what = [];
    if (one.name === table.you) what.push(say("you"));
    if (one.name === table.master) what.push(say("master"));
    if (one.bot) what.push(say("bot"));
    if (one.watches) what.push(say("spectator"));
    if (one.away) what.push(say("away"));
    if (one.on_go) what.push(say("on_go"));
    if (one.place) what.push(say("place", { place: one.place }));
    row.classList.toggle("on-go", Boolean(one.on_go));
    write(row.querySelector(".what"), what.join(", "));
    write(row.querySelector(".tokens"), one.tokens === undefined ? "" : String(one.tokens));
    if (!this.#acts) return;
    const master = table.you !== "" && table.you === table.master;
    const other = master && one.name !== table.you;
    offer(row.querySelector(".handOver"), other && !one.bot);
    offer(row.querySelector(".kick"), other && !one.bot);
    offer(row.querySelector(".removeBot"), master && Boolean(one.bot) && table.stage !== "playing");
  }
}

/** What holds at the table beside the seats, as lines to be read. */
export function standing(table) {
  const play = table.play;
  const lines = [];
  if (table.paused) lines.push(nodes("paused"));
  if (table.stage !== "playing") lines.push(nodes(table.stage));
  if (!play) return lines;
  if (play.on_go && table.stage === "playing") {
    const turn = play.on_go === table.you ? nodes("your_go") : nodes("turn_of", { player: play.on_go });
    const throws = play.limit ? [" ", ...nodes("throws", { count: play.throws, limit: play.limit })] : [];
    lines.push([...turn, ...throws]);
  }
  if (play.phase?.label) lines.push(nodes("phase", { phase: play.phase.label }));
  if (play.table !== undefined) lines.push(nodes("on_table", { count: play.table }));
  if (play.best) {
    lines.push(nodes("best", { player: play.best.player, combination: play.best.spoken }));
  }
  return lines;
}

