// The table one is at: the game area, its buttons, the people, and what the master may do.

import { Area } from "./area.js";
import { invitation } from "./address.js";
import { sure } from "./ask.js";
import { Buttons } from "./buttons.js";
import { startChat } from "./chat.js";
import { bdi, byId, fill, hasFocus, make, offer, onPress, show, write } from "./dom.js";
import { gameName } from "./games.js";
import { Options } from "./options.js";
import { rulesNodes } from "./page.js";
import { Play } from "./play.js";
import { Seats, standing } from "./seats.js";
import { labelled, nodes, say } from "./words.js";

export class Table {
  #ask;
  #tell;
  #view = null;
  #chosen = "";
  #rulesOf = "";
  #play;
  #area;
  #buttons;
  #seats;
  #options;

  /** `ask(message)` resolves to whether it was done; `tell` and `repeat` speak. */
  constructor({ ask, tell, repeat, back, leave }) {
    this.#ask = ask;
    this.#tell = tell;
    this.#play = new Play(ask);
    this.#area = new Area(byId("area"), {
      press: (key) => this.#play.press(key),
      putBack: () => this.#play.putBack(),
      repeat,
    });
    this.#buttons = new Buttons(byId("keys"), (key) => this.#play.press(key));
    this.#seats = new Seats(byId("seats"), byId("table-title"), {
      kick: (name) => this.#kick(name),
      handOver: (name) => ask({ do: "hand_over", name }),
      removeBot: (name) => ask({ do: "remove_bot", name }),
    });
    this.#options = new Options(
      (option, value) => ask({ do: "choose", option, value }),
      () => ask({ do: "options" }),
    );
    startChat((text) => ask({ do: "say", text }));
    onPress(byId("again"), repeat);
    onPress(byId("back"), back);
    onPress(byId("leave"), leave);
    this.#wire();
  }

  /** Another table, or none: nothing of the old one is left. */
  arrive(table) {
    this.#view = null;
    this.#chosen = "";
    this.#rulesOf = "";
    byId("rules").open = false;
    byId("invitation").value = invitation(table);
  }

  get watching() {
    const you = this.#view?.you ?? "";
    return Boolean(you) && this.#view.watchers.includes(you);
  }

  show(view) {
    this.#view = view;
    this.#play.update(view.keys);
    this.#showTitle();
    this.#showState();
    this.#seats.show(view);
    this.#buttons.show(view.stage === "playing" ? view.keys : questions(view.keys));
    this.#showActs();
    this.#askOptions();
  }

  showOptions(options) {
    this.#options.show(options);
  }

  showRules(page) {
    fill(byId("rules-text"), rulesNodes(page, 4));
  }

  #showTitle() {
    const title = gameName(this.#view.game);
    write(byId("table-title"), this.#view.private ? `${title}, ${say("private")}` : title);
  }

  #showState() {
    fill(byId("state"), standing(this.#view).map((line) => make("li", {}, ...line)));
    const play = this.#view.play;
    const dice = play?.dice ?? [];
    byId("dice").hidden = !dice.length;
    fill(byId("dice"), [
      ...labelled("dice", dice.flatMap((die, place) => [place ? ", " : "", dieNode(die)])),
      ...nameOf(play),
    ]);
    const said = dice.map((die) => (die.selected ? say("selected", { face: die.face }) : die.face));
    this.#area.update({
      turn: standing(this.#view).flatMap((line, place) => [place ? " · " : "", ...line]),
      dice: said.length ? labelled("dice", [said.join(", ")]) : [say("no_dice")],
      people: peopleNodes(this.#view),
    });
  }

  #showActs() {
    const { you, master, stage, seats, watchers } = this.#view;
    const mastering = you !== "" && you === master;
    const playing = stage === "playing";
    const seat = seats.find((one) => one.name === you);
    write(byId("begin"), say(stage === "over" ? "again" : "begin"));
    offer(byId("begin"), mastering && !playing);
    offer(byId("add-bot"), mastering && !playing);
    offer(byId("pause"), mastering && playing);
    offer(byId("close"), mastering);
    offer(byId("sit"), watchers.includes(you) && !playing);
    offer(byId("return"), Boolean(seat?.away));
    show(byId("privacy"), mastering, byId("table-title"));
    byId("private").checked = this.#view.private;
    const choosing = mastering && !playing;
    show(byId("options-form"), choosing, byId("table-title"));
    show(byId("options-text"), !choosing, byId("table-title"));
  }

  /** What can be chosen changes with what is chosen. */
  #askOptions() {
    const chosen = JSON.stringify([this.#view.game, this.#view.options]);
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    this.#ask({ do: "options" });
    if (byId("rules").open) this.#askRules();
  }

  #askRules() {
    if (!this.#view || this.#rulesOf === this.#chosen) return;
    this.#rulesOf = this.#chosen;
    this.#ask({ do: "rules", game: this.#view.game, options: this.#view.options });
  }

  async #kick(name) {
    if (await sure(nodes("sure_kick", { player: name }), say("kick"))) this.#ask({ do: "kick", name });
  }

  #wire() {
    const ask = this.#ask;
    onPress(byId("begin"), async () => {
      if ((await ask({ do: "begin" })) && hasFocus(byId("begin"))) this.#area.focus();
    });
    onPress(byId("to-area"), () => this.#area.focus());
    onPress(byId("add-bot"), () => ask({ do: "add_bot" }));
    onPress(byId("pause"), () => ask({ do: "pause" }));
    onPress(byId("sit"), () => ask({ do: "join" }));
    onPress(byId("return"), () => ask({ do: "join" }));
    onPress(byId("close"), async () => {
      if (await sure(nodes("sure_close"), say("close"))) ask({ do: "close" });
    });
    byId("private").addEventListener("change", async (event) => {
      const done = await ask({ do: "set_private", private: event.target.checked });
      if (!done) event.target.checked = this.#view.private;
    });
    byId("rules").addEventListener("toggle", () => {
      if (byId("rules").open) this.#askRules();
    });
    byId("invitation").addEventListener("focus", (event) => event.target.select());
    onPress(byId("copy"), () => this.#copy());
  }

  async #copy() {
    const field = byId("invitation");
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.focus();
      field.select();
      return;
    }
    this.#tell(say("copied"));
  }
}

function dieNode(die) {
  const said = die.selected ? say("selected", { face: die.face }) : String(die.face);
  return make("span", { class: die.selected ? "die selected" : "die" }, said);
}

/** What the dice are called, if that is more than their numbers. */
function nameOf(play) {
  const said = play?.combination?.spoken ?? "";
  if (!said || said === play.dice.map((die) => die.face).join(", ")) return [];
  return [make("span", { class: "named" }, ` (${said})`)];
}

/** Everybody with his tokens, or only by name where there are none. */
function peopleNodes({ seats, play }) {
  const counted = play?.seats.every((seat) => seat.tokens !== undefined) ?? false;
  const each = (counted ? play.seats : seats).flatMap(({ name, tokens }, place) => [
    place ? ", " : "",
    bdi(name),
    counted ? ` ${tokens}` : "",
  ]);
  return labelled(counted ? "tokens" : "players", each);
}

/** After a game its questions can still be asked. */
function questions(keys) {
  return keys.filter((key) => /^[a-z]$/.test(key.key));
}
