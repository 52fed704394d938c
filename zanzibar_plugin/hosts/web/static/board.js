// What can be seen of the game: whose go it is, the dice, the tokens on the table.

import { againSign, diePicture } from "./die.js";
import { bdi, byId, fill, make, show } from "./dom.js";
import { pips } from "./pips.js";
import { labelled, nodes, say } from "./words.js";

export class Board {
  #area;
  #press;
  #view = null;
  #seen = "";

  /** `area` has the same told in its options; `press(key)` is for dice that are tapped. */
  constructor(area, press) {
    this.#area = area;
    this.#press = press;
    byId("dice").addEventListener("click", (event) => this.#tap(event.target.closest(".die")));
  }

  /** Whether Enter throws now, rather than accepting what lies there. */
  get throwsOnEnter() {
    const { play, stage, you, keys } = this.#view ?? {};
    if (stage !== "playing" || !play || play.on_go !== you) return false;
    if (!keys.some((one) => one.key === "enter")) return false;
    const dice = play.dice ?? [];
    return !dice.length || dice.some((die) => die.selected);
  }

  show(view) {
    this.#view = view;
    const { play } = view;
    const lines = standing(view);
    fill(byId("state"), lines.map(({ kind, said }) => make("li", { class: kind }, ...said)));
    byId("board").classList.toggle("mine", lines.some(({ kind }) => kind.includes("mine")));
    this.#showDice(play);
    const pot = view.stage === "playing" ? (play?.table ?? 0) : 0;
    fill(byId("pot"), pot ? [pips(pot)] : []);
    this.#tellArea();
  }

  #showDice(play) {
    const past = play?.dice?.length ? null : play?.latest;
    const dice = past ? past.dice.map((face) => ({ face, selected: false })) : (play?.dice ?? []);
    show(byId("dice-text"), dice.length > 0, byId("table-title"));
    fill(byId("dice-text"), past ? nodes("latest_roll", latest(past)) : [
      ...labelled("dice", [dice.map(dieSaid).join(", ")]),
      ...nameOf(play),
    ]);
    // New dice roll in; those that only were selected, put back or left behind do not.
    const thrown = JSON.stringify([play?.turn, play?.latest, play?.throws]);
    const fresh = !past && thrown !== this.#seen && dice.length > 0;
    if (!past) this.#seen = thrown;
    byId("dice").classList.toggle("past", Boolean(past));
    if (fresh) byId("dice").replaceChildren();
    fill(byId("dice"), dice.map((die) => diePlace(die, fresh)));
  }

  #tellArea() {
    const dice = this.#view.play?.dice ?? [];
    this.#area.update({
      turn: standing(this.#view).flatMap(({ said }, place) => [place ? " · " : "", ...said]),
      dice: dice.length ? labelled("dice", [dice.map(dieSaid).join(", ")]) : [say("no_dice")],
      people: peopleNodes(this.#view),
    });
  }

  /** A die that is tapped is selected or put back, as its key would do. */
  #tap(place) {
    if (!place) return;
    const { face } = place.dataset;
    const key = place.classList.contains("selected") ? `shift+${face}` : face;
    if (this.#view.keys.some((one) => one.key === key)) this.#press(key);
  }
}

/** What holds at the table beside the seats, as lines to be read, each with its kind. */
export function standing({ play, paused, stage, you }) {
  const lines = [];
  const add = (kind, said) => lines.push({ kind, said });
  if (paused) add("paused", nodes("paused"));
  if (stage !== "playing") add("stage", nodes(stage));
  if (!play) return lines;
  if (play.on_go && stage === "playing") {
    const mine = play.on_go === you;
    const turn = mine ? nodes("your_go") : nodes("turn_of", { player: play.on_go });
    const throws = play.limit ? [" ", ...nodes("throws", { count: play.throws, limit: play.limit })] : [];
    add(mine ? "go mine" : "go", [...turn, ...throws]);
  }
  if (play.phase?.label) add("phase", nodes("phase", { phase: play.phase.label }));
  if (play.table !== undefined) add("table", nodes("on_table", { count: play.table }));
  if (play.best) {
    add("best", nodes("best", { player: play.best.player, combination: play.best.spoken }));
  }
  return lines;
}

function latest({ player, spoken }) {
  return { player, combination: spoken };
}

function dieSaid(die) {
  return die.selected ? say("selected", { face: die.face }) : String(die.face);
}

function diePlace(die, fresh) {
  const kinds = ["die", die.selected ? "selected" : "", fresh ? "fresh" : ""].filter(Boolean);
  const place = make("span", { class: kinds.join(" "), "data-face": die.face }, diePicture(die.face));
  if (die.selected) place.append(againSign());
  return place;
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
