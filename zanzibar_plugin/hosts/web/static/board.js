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
    // A tap on a die leaves the focus where it is.
    byId("dice").addEventListener("mousedown", (event) => event.preventDefault());
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
    byId("board").classList.toggle("in-play", view.stage === "playing");
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
    fill(byId("dice-text"), dice.length ? diceSaid(play) : []);
    // New dice roll in; those that only were selected, put back or left behind do not.
    const thrown = JSON.stringify([play?.turn, play?.latest, play?.throws]);
    const fresh = !past && thrown !== this.#seen && dice.length > 0;
    if (!past) this.#seen = thrown;
    byId("dice").classList.toggle("past", Boolean(past));
    if (fresh) byId("dice").replaceChildren();
    fill(byId("dice"), dice.map((die) => diePlace(die, fresh)));
  }

  #tellArea() {
    this.#area.update({
      turn: standing(this.#view).flatMap(({ said }, place) => [place ? " · " : "", ...said]),
      dice: diceSaid(this.#view.play),
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
export function standing(view) {
  const { play, paused, stage, you, keys } = view;
  const lines = [];
  const add = (kind, said) => lines.push({ kind, said });
  if (paused) add("paused", nodes("paused"));
  if (stage !== "playing") add("stage", nodes(stage));
  if (!play) return lines;
  if (play.over) return [...lines, ...result(view)];
  if (play.on_go && stage === "playing") {
    const mine = play.on_go === you;
    const turn = mine ? nodes("your_go") : nodes("turn_of", { player: play.on_go });
    const throws = play.limit ? [" ", ...nodes("throws", { count: play.throws, limit: play.limit })] : [];
    add(mine ? "go mine" : "go", [...turn, ...throws]);
    // Some variants make one throw again: then Enter does nothing until dice are selected.
    const stuck = mine && play.dice?.length && !keys.some(({ key }) => key === "enter");
    if (stuck) add("hint", nodes("select_first"));
  }
  if (play.phase?.label) add("phase", nodes("phase", { phase: play.phase.label }));
  if (play.table !== undefined) add("table", nodes("on_table", { count: play.table }));
  if (play.best) {
    add("best", nodes("best", { player: play.best.player, combination: play.best.spoken }));
  }
  return lines;
}

/** The dice that lie there, or the latest ones, in words. */
function diceSaid(play) {
  const dice = play?.dice ?? [];
  if (dice.some((die) => die.selected)) return labelled("dice", [dice.map(dieSaid).join(", ")]);
  if (dice.length) return labelled("dice", [play.combination.spoken]);
  if (!play?.latest) return [say("no_dice")];
  const { player, spoken } = play.latest;
  return nodes("latest_roll", { player, combination: spoken });
}

/** Who has lost and who has won. */
function result({ play, you }) {
  const lines = [];
  if (play.loser === you) lines.push({ kind: "result", said: nodes("you_lose") });
  else if (play.loser) lines.push({ kind: "result", said: nodes("loses", { player: play.loser }) });
  const winners = play.winners ?? [];
  if (winners.includes(you)) lines.unshift({ kind: "result mine", said: nodes("you_win") });
  else if (winners.length) {
    const names = winners.flatMap((name, place) => [place ? ", " : "", bdi(name)]);
    lines.push({ kind: "result", said: labelled("winners", names) });
  }
  return lines;
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
