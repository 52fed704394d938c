// The table one is at: the game area, its buttons, the people, and what the master may do.

import { Area } from "./area.js";
import { invitation } from "./address.js";
import { sure } from "./ask.js";
import { Board } from "./board.js";
import { Buttons } from "./buttons.js";
import { startChat } from "./chat.js";
import { byId, fill, hasFocus, offer, onPress, show, write } from "./dom.js";
import { botLevels, gameName, leastPlayers, reviews } from "./games.js";
import { KeyList } from "./keylist.js";
import { Options } from "./options.js";
import { rulesAddress, rulesNodes } from "./page.js";
import { Play } from "./play.js";
import { Seats } from "./seats.js";
import { nodes, say } from "./words.js";

export class Table {
  #ask;
  #tell;
  #table = "";
  #view = null;
  #chosen = "";
  #rulesOf = "";
  #play;
  #area;
  #board;
  #buttons;
  #seats;
  #options;
  #review;
  /** The keys that do, or did, something in this game: none of them is the room's. */
  #ofGame = new Set();
  #keyList = new KeyList(byId("keys-now"));
  #roomKeys;

  /**
   * `ask(message)` resolves to whether it was done; `tell` and `repeat` speak; `review` goes
   * through what was said; `verbosity()` changes how much is said.
   */
  constructor({ ask, tell, repeat, review, verbosity, back, leave }) {
    this.#ask = ask;
    this.#tell = tell;
    this.#review = review;
    this.#play = new Play(ask);
    this.#roomKeys = {
      r: repeat,
      v: verbosity,
      k: () => this.#tell(this.#keyList.spoken, { passing: true }),
      backspace: () => this.#play.putBack(),
      pageup: () => review.earlier(),
      pagedown: () => review.later(),
      "shift+pageup": () => review.first(),
      "shift+pagedown": () => review.latest(),
    };
    this.#area = new Area(byId("area"), (key) => this.#press(key));
    this.#board = new Board(this.#area, (key) => this.#play.press(key));
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
    onPress(byId("leave"), async () => {
      const amid = this.#view?.stage === "playing" && !this.watching;
      if (!amid || (await sure(nodes("sure_leave"), say("leave")))) leave();
    });
    this.#wire();
  }

  /** Another table, or none: nothing of the old one is left. */
  arrive(table) {
    this.#table = table;
    this.#view = null;
    this.#chosen = "";
    this.#rulesOf = "";
    this.#ofGame.clear();
    byId("rules").open = false;
    byId("invitation").value = invitation(table);
  }

  get watching() {
    const you = this.#view?.you ?? "";
    return Boolean(you) && this.#view.watchers.includes(you);
  }

  /** The names of all who are here. */
  get names() {
    return [...(this.#view?.seats.map((seat) => seat.name) ?? []), ...(this.#view?.watchers ?? [])];
  }

  /** Bring the focus to where every key of the game works. */
  focus() {
    this.#area.focus();
  }

  /** The phone was shaken: that throws, but accepts nothing. */
  shaken() {
    if (this.#view && this.#board.throwsOnEnter) this.#play.press("enter");
  }

  show(view) {
    this.#view = view;
    this.#play.update(view.keys);
    this.#showTitle();
    this.#board.show(view);
    this.#seats.show(view);
    const keys = keysNow(view);
    for (const { key } of view.keys) this.#ofGame.add(key);
    this.#buttons.show(keys, waitingFor(view));
    this.#keyList.show(keys, mayBegin(view) && view.stage === "waiting", this.#ofGame);
    this.#showActs();
    this.#askOptions();
  }

  /** What was chosen, but not yet sent, goes before whatever is asked now. */
  settle() {
    this.#options.settle();
  }

  showOptions(options) {
    this.#options.show(options);
  }

  showRules(page) {
    fill(byId("rules-text"), rulesNodes(page, 4));
  }

  #press(key) {
    if (!this.#ofGame.has(key) && key in this.#roomKeys) this.#roomKeys[key]();
    else this.#play.press(key);
  }

  #showTitle() {
    const title = gameName(this.#view.game);
    write(byId("table-title"), this.#view.private ? `${title}, ${say("private")}` : title);
  }

  #showActs() {
    const { you, master, stage, seats, watchers } = this.#view;
    const mastering = you !== "" && you === master;
    const playing = stage === "playing" || stage === "starting";
    const seat = seats.find((one) => one.name === you);
    write(byId("begin"), say(stage === "over" ? "again" : "begin"));
    offer(byId("begin"), mastering && !playing);
    // What comes next stands out: more players first, if they are too few.
    const enough = seats.length >= leastPlayers(this.#view.game);
    byId("begin").classList.toggle("main", enough);
    byId("add-bot").classList.toggle("main", !enough);
    write(byId("pause"), say(this.#view.paused ? "go_on" : "pause"));
    offer(byId("add-bot"), mastering && !playing);
    offer(byId("pause"), mastering && playing);
    this.#showLevels(mastering && !playing);
    offer(byId("look-back-at"), stage === "over" && Boolean(seat) && reviews(this.#view.game));
    offer(byId("close"), mastering);
    offer(byId("sit"), watchers.includes(you) && !playing);
    offer(byId("return"), Boolean(seat?.away));
    show(byId("record"), Boolean(this.#view.draw?.secret), byId("table-title"));
    byId("record").href = `/tables/${encodeURIComponent(this.#table)}/record`;
    show(byId("privacy"), mastering, byId("table-title"));
    byId("private").checked = this.#view.private;
    const choosing = mastering && !playing;
    show(byId("options-form"), choosing, byId("table-title"));
    show(byId("options-text"), !choosing, byId("table-title"));
  }

  #showLevels(adding) {
    const levels = botLevels(this.#view.game);
    show(byId("bot-levels"), adding && levels.length > 1, byId("table-title"));
    const select = byId("bot-level");
    for (const option of select.options) {
      option.hidden = option.disabled = !levels.some((level) => level.id === option.value);
    }
    if (select.selectedOptions[0]?.disabled) select.value = "regular";
    write(byId("bot-note"), levels.find((level) => level.id === select.value)?.note ?? "");
  }

  /** What can be chosen changes with what is chosen. */
  #askOptions() {
    const chosen = JSON.stringify([this.#view.game, this.#view.options]);
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    byId("rules-page").href = rulesAddress(this.#view.game, this.#view.options);
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
    onPress(byId("add-bot"), () => ask({ do: "add_bot", level: byId("bot-level").value }));
    byId("bot-level").addEventListener("change", () => this.#showLevels(true));
    onPress(byId("look-back-at"), () => ask({ do: "review" }));
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
    onPress(byId("copy"), () => this.#copyLink());
    this.#wireReview();
  }

  #wireReview() {
    for (const step of ["first", "earlier", "later", "latest", "copy"]) {
      onPress(byId(`review-${step}`), () => this.#review[step](), { often: step !== "copy" });
    }
    document.addEventListener("copy", (event) => {
      // Whoever has marked something means that; else it is the message that was just reviewed.
      if (!hasFocus(byId("area")) || !getSelection().isCollapsed || !this.#review.message) return;
      event.preventDefault();
      event.clipboardData.setData("text/plain", this.#review.message);
      this.#tell(say("copied_message"), { passing: true });
    });
  }

  async #copyLink() {
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

/** The keys that do something now; after a game its questions can still be asked. */
function keysNow({ stage, keys }) {
  return stage === "playing" ? keys : keys.filter((key) => /^[a-z]$/.test(key.key));
}

/** What stands on the button for Enter while that does nothing. */
function waitingFor({ stage, play }) {
  if (stage !== "playing") return say(stage);
  return play?.on_go ? say("turn_of", { player: play.on_go }) : say("playing");
}

function mayBegin({ you, master }) {
  return you !== "" && you === master;
}
