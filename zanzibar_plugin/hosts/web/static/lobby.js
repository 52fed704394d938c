// The list of tables, and opening a new one.

import { bdi, byId, fill, Kept, make, offer, onPress, write } from "./dom.js";
import { gameName, games } from "./games.js";
import { rulesAddress } from "./page.js";
import { labelled, nodes, say } from "./words.js";

export class Lobby {
  #list = new Kept(byId("tables"), byId("lobby-title"));
  #acts;
  #mine;
  #number = 0;

  /** `acts` has `open(game, private)`, `look`, `come(table, watch)`; `mine` are one's tables. */
  constructor(acts, mine) {
    this.#acts = acts;
    this.#mine = mine;
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      acts.open(byId("open-game").value, byId("open-private").checked);
    });
    byId("open-game").addEventListener("change", () => this.#about());
  }

  showGames() {
    const select = byId("open-game");
    const before = select.value;
    select.replaceChildren(...games().map(({ id, name }) => make("option", { value: id }, name)));
    if (games().some((game) => game.id === before)) select.value = before;
    this.#about();
  }

  /** The tables that are listed; `more` is how many others there are. */
  showTables(tables, more) {
    byId("more-tables").hidden = !more;
    fill(byId("more-tables"), labelled("more_tables", [String(more)]));
    byId("no-tables").hidden = tables.length > 0;
    for (const { table, mine } of tables) {
      if (mine) this.#mine.add(table);
      else this.#mine.delete(table);
    }
    const order = [...tables].sort((one, other) => this.#rank(one) - this.#rank(other));
    this.#list.keep(order, {
      key: (table) => table.table,
      create: (table) => this.#create(table.table),
      update: (row, table) => this.#update(row, table),
    });
  }

  /** One's own tables first, then those one can join, then those one can watch. */
  #rank({ table, stage }) {
    return this.#mine.has(table) ? 0 : 1 + ["waiting", "starting", "playing", "over"].indexOf(stage);
  }

  #about() {
    const game = games().find((one) => one.id === byId("open-game").value);
    const about = game ? [game.summary, game.note, game.region] : [];
    write(byId("open-about"), about.filter(Boolean).join(" "));
    if (game) byId("open-rules").href = rulesAddress(game.id);
  }

  #create(table) {
    const title = `table-${++this.#number}`;
    const button = (part, word, act) => {
      const made = make(
        "button",
        { type: "button", class: part, id: `${title}-${word}` },
        say(word),
      );
      made.setAttribute("aria-labelledby", `${made.id} ${title}`);
      made.setAttribute("aria-describedby", `${title}-people ${title}-state`);
      onPress(made, act);
      return made;
    };
    return make(
      "li",
      { class: "card" },
      make("h3", { id: title }),
      make("p", { class: "people", id: `${title}-people` }),
      make("p", { class: "state", id: `${title}-state` }),
      make(
        "p",
        { class: "buttons" },
        button("main back", "come_back", () => this.#acts.come(table, false)),
        button("join", "join", () => this.#acts.come(table, false)),
        button("watch", "watch", () => this.#acts.come(table, true)),
        button("look", "look", () => this.#acts.look(table)),
      ),
    );
  }

  #update(row, table) {
    const part = (name) => row.querySelector(name);
    const mine = this.#mine.has(table.table);
    const title = [document.createTextNode(gameName(table.game))];
    if (table.master) title.push(", ", ...nodes("master_is", { player: table.master }));
    fill(part("h3"), title);
    const people = table.players.flatMap((name, place) => [place ? ", " : "", bdi(name)]);
    fill(part(".people"), labelled("players", people));
    const state = [say(table.stage)];
    if (table.private) state.push(say("private"));
    if (table.watchers) state.push(labelled("spectators", [table.watchers]).join(""));
    write(part(".state"), state.join(", "));
    offer(part(".back"), mine);
    offer(part(".join"), !mine && table.open);
    offer(part(".watch"), !mine);
  }
}
