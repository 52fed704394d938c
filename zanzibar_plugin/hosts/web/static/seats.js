// Who sits at a table: names, what they are, and their tokens.

import { bdi, fill, Kept, make, offer, onPress, write } from "./dom.js";
import { pips } from "./pips.js";
import { labelled, say } from "./words.js";

export class Seats {
  #list;
  #kept;
  #acts;
  #number = 0;

  /** `acts`, if anything can be done to people here, has `kick`, `handOver` and `removeBot`. */
  constructor(list, refuge, acts = null) {
    this.#list = list;
    this.#kept = new Kept(list, refuge);
    this.#acts = acts;
  }

  show(table) {
    const scores = new Map((table.play?.seats ?? []).map((seat) => [seat.name, seat]));
    const people = [
      ...table.seats.map((seat) => ({ ...seat, ...scores.get(seat.name) })),
      ...table.watchers.map((name) => ({ name, watches: true })),
    ];
    this.#kept.keep(people, {
      key: (one) => one.name,
      create: (one) => this.#create(one.name),
      update: (place, one) => this.#update(place, one, table),
    });
  }

  #create(name) {
    const id = `person-${this.#list.id}-${++this.#number}`;
    const place = make(
      "li",
      {},
      make("p", { class: "who" }, make("strong", { id }, bdi(name)), make("span", { class: "what" })),
      make("p", { class: "tokens" }),
    );
    if (!this.#acts) return place;
    const button = (part, word) => {
      const made = make("button", { type: "button", class: part, id: `${id}-${part}` }, say(word));
      made.setAttribute("aria-labelledby", `${made.id} ${id}`);
      onPress(made, () => this.#acts[part](name));
      return made;
    };
    place.append(
      make(
        "p",
        { class: "acts" },
        button("handOver", "hand_over"),
        button("removeBot", "remove_bot"),
        button("kick", "kick"),
      ),
    );
    return place;
  }

  #update(place, one, table) {
    const what = [];
    if (one.name === table.you) what.push(say("you"));
    if (one.name === table.master) what.push(say("master"));
    if (one.bot) what.push(say("bot"));
    if (one.bot && one.level !== "regular") what.push(say(one.level));
    if (one.watches) what.push(say("spectator"));
    if (one.away) what.push(say("away"));
    if (one.on_go) what.push(say("on_go"));
    if (one.place) what.push(say("place", { place: one.place }));
    place.classList.toggle("on-go", Boolean(one.on_go));
    write(place.querySelector(".what"), what.length ? `, ${what.join(", ")}` : "");
    const counted = one.tokens !== undefined;
    fill(
      place.querySelector(".tokens"),
      counted ? [make("span", {}, ...labelled("tokens", [String(one.tokens)])), pips(one.tokens)] : [],
    );
    if (!this.#acts) return;
    const master = table.you !== "" && table.you === table.master;
    const other = master && one.name !== table.you;
    offer(place.querySelector(".handOver"), other && !one.bot && !one.away);
    offer(place.querySelector(".kick"), other && !one.bot);
    offer(place.querySelector(".removeBot"), master && Boolean(one.bot) && table.stage !== "playing");
  }
}
