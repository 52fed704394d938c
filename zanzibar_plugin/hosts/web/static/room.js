// The room's page: it joins the line, the voice and the four views (door, list, look, table).

import { changeLanguage, nameTable, tableInAddress } from "./address.js";
import { lastTold, person, rememberTold } from "./device.js";
import { apart } from "./apart.js";
import { dropQuestion, startQuestions } from "./ask.js";
import { standing } from "./board.js";
import { bdi, byId, fill, hasFocus, keepFocus, moveFocus, onPress, pressOnce, show, write } from "./dom.js";
import { Door } from "./door.js";
import { DrawKeeper } from "./draw.js";
import { setGames } from "./games.js";
import { History } from "./history.js";
import { Line, UNANSWERED } from "./line.js";
import { Lobby } from "./lobby.js";
import { Look } from "./look.js";
import { Review } from "./review.js";
import { Settings } from "./settings.js";
import { Shake } from "./shake.js";
import { Sound } from "./sound.js";
import { Speech } from "./speech.js";
import { Table } from "./table.js";
import { Voice } from "./voice.js";
import { labelled, language, say } from "./words.js";

/** What the page asks for by itself: it leaves the latest notice to be read. */
const READING = new Set(["options", "rules"]);
/** A heading that gets the focus in the moment it appears is not spoken by every reader. */
const BEFORE_FOCUS = 150;
const AFTER_FOCUS = 100;
const VIEWS = ["door", "lobby", "look", "table", "taken"];

class Room {
  #voice = new Voice(document.documentElement.lang);
  #speech = new Speech(byId("speech"), this.#voice);
  #sound = new Sound();
  #settings = new Settings();
  #history = new History(byId("history"));
  #draw = new DrawKeeper(
    (message) => this.line.ask(message),
    (result) => this.#tell(say(`dice_${result}`)),
  );
  #review = new Review(this.#history, (said, how) => this.#speech.tell(said, how));
  #mine = new Set();
  #at = "";
  #coming = null;
  #going = null;
  /** The number of the last entry this page was told of each table, spoken or still waiting. */
  #heardOf = new Map();
  #view = "";
  #greeted = false;
  #wasLost = false;
  #back = false;
  #settling = 0;

  constructor() {
    const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/socket`;
    this.line = new Line(address, {
      opened: () => this.#hello(),
      received: (message) => this.#receive(message),
      lost: () => this.#lost(),
    });
    this.door = new Door((name, lang) => this.#enter(name, lang));
    const acts = {
      open: (game, hidden) => this.#ask({ do: "open", game, private: hidden }),
      come: (table, watch) => this.#come(table, watch),
      look: (table) => this.#ask({ do: "look", table }),
      back: () => this.#list(),
    };
    this.lobby = new Lobby(acts, this.#mine);
    this.look = new Look(acts);
    this.table = new Table({
      ask: (message) => this.#ask(message),
      tell: (said, how) => (how?.passing ? this.#speech.tell(said, how) : this.#tell(said)),
      repeat: () => this.#speech.again() || this.#review.latest(),
      review: this.#review,
      verbosity: () => this.#changeVerbosity(),
      back: () => this.#ask({ do: "away" }),
      leave: () => this.#leave(),
    });
    pressOnce();
    this.#followSettings();
    onPress(byId("change-name"), () => this.#show("door", true));
    onPress(byId("here"), () => this.line.start());
    window.addEventListener("popstate", () => this.#follow());
    startQuestions();
  }

  start() {
    const known = [...byId("language").options].map((option) => option.value);
    const wanted = person.language;
    if (known.includes(wanted) && changeLanguage(wanted, language)) return;
    if (person.name) {
      write(byId("connection"), say("connecting"));
      this.line.start();
    } else {
      this.#show("door");
    }
  }

  // Asking.

  /** Ask the server; a refusal is spoken.  Resolves to whether it was done. */
  async #ask(message) {
    if (message.do !== "choose" && !READING.has(message.do)) this.table.settle();
    // Between hello and coming back to the table the room knows nothing of one's place there.
    if (message.do !== "come" && this.line.up) await this.#coming;
    const answer = await this.line.ask(message);
    // Only an answer to somebody's own deed: the loss itself is told once.
    if (answer === UNANSWERED && this.#greeted) this.#tell(say("lost"));
    if (answer.refused) this.#tell(answer.refused);
    else if ("done" in answer && !READING.has(message.do)) write(byId("notice"), "");
    return "done" in answer;
  }

  async #hello() {
    const { name, secret } = person;
    const brief = this.#settings.get("verbosity") === "brief";
    const checks = DrawKeeper.possible;
    const asked = { do: "hello", name, secret, lang: language, brief, checks };
    const answer = await this.line.ask(asked);
    if (!answer.refused) return;
    this.#show("door", true);
    this.door.complain(answer.refused);
    this.#tell(answer.refused);
    this.door.name.focus();
  }

  #enter(name, lang) {
    person.name = name;
    person.language = lang;
    if (changeLanguage(lang, language)) return;
    this.#greeted = false;
    if (this.line.up) this.#hello();
    else if (this.#wasLost) this.#tell(say("lost"));
    this.line.start();
  }

  async #come(table, watch) {
    const going = Symbol(table);
    this.#going = going;
    const after = this.#heardAt(table);
    const asked = { do: "come", table, watch, ...(after === null ? {} : { after }) };
    this.#coming = this.#ask(asked);
    const done = await this.#coming;
    if (done || this.#going !== going || !this.line.up) return;
    if (this.#at === table) {
      this.#at = "";
      this.#mine.delete(table);
    }
    if (this.#view === "" || this.#view === "table") this.#list();
  }

  async #leave() {
    const table = this.#at;
    if (await this.#ask({ do: "leave" })) this.#mine.delete(table);
  }

  // Hearing.

  #receive(message) {
    this.#take(message);
    keepFocus();
  }

  #take(message) {
    if ("hello" in message) this.#greet(message);
    else if ("tables" in message) this.lobby.showTables(message.tables, message.more);
    else if ("looked" in message) this.#looked(message.at, message.looked);
    else if ("at" in message) this.#arrive(message.at);
    else if ("heard" in message) this.#hear(message);
    else if ("table" in message) this.#see(message.table);
    else if ("options" in message) this.table.showOptions(message.options);
    else if ("review" in message) message.review.forEach((said) => this.#tell(said));
    else if ("rules" in message) this.table.showRules(message.rules);
    else if ("left" in message) this.#left();
    else if ("taken_over" in message) this.#taken(message.taken_over);
    else if ("stopping" in message) this.#stopping(message.stopping);
    else if ("refused" in message) this.#tell(message.refused);
  }

  #greet({ games, yours }) {
    this.line.settled();
    write(byId("connection"), "");
    if (this.#wasLost) this.#tell(say("found"));
    this.#wasLost = false;
    fill(byId("who"), labelled("your_name", [bdi(person.name)]));
    setGames(games);
    this.lobby.showGames();
    this.#mine.clear();
    for (const table of yours) this.#mine.add(table);
    const again = this.#greeted;
    this.#greeted = true;
    if (this.#at) this.#come(this.#at, this.table.watching);
    else if (!again) this.#follow();
  }

  /** Go where the address says. */
  #follow() {
    const table = tableInAddress();
    if (!this.#greeted) return;
    if (table && table === this.#at) this.#show("table", true);
    else if (table && this.#mine.has(table)) this.#come(table, false);
    else if (table) this.#lookOrList(table);
    else if (this.#at) this.#ask({ do: "away" });
    else this.#show("lobby", this.#view !== "");
  }

  async #lookOrList(table) {
    if (!(await this.#ask({ do: "look", table })) && this.line.up) this.#list();
  }

  #list() {
    nameTable("");
    this.#show("lobby", true);
  }

  #looked(table, looked) {
    nameTable(table);
    this.look.show(table, looked);
    this.#show("look", true);
  }

  #arrive(table) {
    const same = table === this.#at && this.#view === "table";
    this.#at = table;
    this.#mine.add(table);
    nameTable(table);
    this.#back = true;
    if (same) return;
    this.#history.open(table, this.#heardAt(table) ?? 0);
    this.#review.cleared();
    this.table.arrive(table);
  }

  #hear({ heard, lines, cues }) {
    const table = this.#at;
    const told = this.#heardAt(table);
    if (told !== null && heard <= told) return;
    this.#heardOf.set(table, heard);
    const written = cues.includes("chat");
    // What was not spoken before the page is loaded anew is told once more then.
    const then = () => rememberTold(table, heard);
    this.#speech.tell(lines.join(" "), { foreign: written, then });
    this.#sound.play(cues);
    for (const line of lines) this.#note(line, written, heard);
  }

  /** The last entry of a table that was heard here; null if none was. */
  #heardAt(table) {
    return this.#heardOf.get(table) ?? lastTold(table);
  }

  /** Keep a line to be read again. */
  #note(line, written = false, entry = 0) {
    this.#review.added(this.#history.add(line, this.table.names, written, entry));
  }

  #see(view) {
    // A journal that is shorter than it was, as after going back to a copy, is heard all the same.
    if (view.number < this.#heardAt(this.#at)) {
      this.#heardOf.set(this.#at, view.number);
      rememberTold(this.#at, view.number);
    }
    try {
      this.table.show(view);
    } finally {
      if (this.#at && this.#view !== "table") this.#show("table", true);
    }
    this.#history.follow();
    this.#draw.show(view, this.#at);
    // Whoever comes to a game that is on, or comes back to it, hears where it stands.
    if (this.#back && view.stage === "playing") this.#speech.tell(standingNow(view), { passing: true });
    this.#back = false;
  }

  #left() {
    this.#at = "";
    this.#list();
  }

  #lost() {
    this.#wasLost = true;
    write(byId("connection"), say("lost"));
    this.#tell(say("lost"));
  }

  #stopping(sentence) {
    this.line.expectLoss();
    this.#wasLost = true;
    write(byId("connection"), sentence);
    this.#tell(sentence);
  }

  #taken(sentence) {
    this.line.stop();
    this.#greeted = false;
    write(byId("taken-why"), sentence);
    this.#show("taken", true);
    this.#tell(sentence);
  }

  /** What is not of a table's journal: spoken, and to be read in one place. */
  #tell(said) {
    fill(byId("notice"), apart(said, this.table.names));
    if (this.#at) this.#note(said);
    this.#speech.tell(said);
  }

  // Choosing.

  #followSettings() {
    this.#settings.follow("look", (look) => {
      document.documentElement.dataset.look = look;
    });
    this.#settings.follow("sounds", (loudness) => this.#sound.setLoudness(loudness));
    this.#settings.follow("verbosity", (verbosity, chosen) => {
      if (!chosen) return;
      if (this.#greeted) this.line.ask({ do: "brief", brief: verbosity === "brief" });
      this.#speech.tell(say(`is_${verbosity}`), { passing: true });
    });
    this.#settings.follow("speed", (speed) => this.#voice.setSpeed(speed));
    this.#settings.follow("speaker", (speaker, chosen) => {
      this.#speech.speakByPage(speaker === "page");
      if (!chosen) return;
      const missing = speaker === "page" && !this.#voice.best;
      this.#speech.tell(say(missing ? "no_voice" : `by_${speaker}`), { passing: true });
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Control" && !event.repeat) this.#voice.hush();
    });
    this.#followShaking();
  }

  #followShaking() {
    const shake = new Shake(() => this.table.shaken());
    show(byId("set-shake").closest("div"), Shake.possible, byId("set-look"));
    this.#settings.follow("shake", async (wanted, chosen) => {
      if (!chosen) return;
      if (wanted === "no") shake.stop();
      else if (!(await shake.start())) {
        this.#settings.set("shake", "no");
        this.#speech.tell(say("no_shaking"), { passing: true });
      }
    });
    // A phone may let a page ask only when it has been touched.
    document.addEventListener("click", () => {
      if (this.#settings.get("shake") === "yes") shake.start();
    }, { once: true });
  }

  #changeVerbosity() {
    const brief = this.#settings.get("verbosity") === "brief";
    this.#settings.set("verbosity", brief ? "normal" : "brief");
  }

  /**
   * Show one of the views; `move` brings the focus to its heading.  The old view is there, unseen,
   * until then: hidden at once it would drop the focus.
   */
  #show(view, move = false) {
    if (view === this.#view) return;
    const inside = document.activeElement !== document.body && !hasFocus(byId("banner"));
    const before = this.#view;
    const first = before === "";
    this.#view = view;
    dropQuestion();
    clearTimeout(this.#settling);
    const title = byId(`${view}-title`);
    document.title = `${title.textContent} – ${say("title")}`;
    byId(view).hidden = false;
    if (move && (!first || inside || view === "table")) {
      this.#speech.giveWay();
      byId(before)?.classList.add("leaving");
      this.#settling = setTimeout(() => this.#settle(view), BEFORE_FOCUS);
    } else {
      this.#settle("");
    }
  }

  /** The focus goes to the heading of the view it was moved to; at a table, to the game's keys. */
  #settle(moved) {
    const view = byId(this.#view);
    // Whoever is in the new view already stays where he is.
    if (moved && moved === this.#view && !hasFocus(view)) {
      if (moved === "table") this.table.focus();
      else moveFocus(byId(`${moved}-title`));
    }
    // A heading is not spoken by every reader if the view before goes in the same moment.
    this.#settling = setTimeout(() => this.#hideOthers(), moved ? AFTER_FOCUS : 0);
  }

  #hideOthers() {
    for (const one of VIEWS) {
      byId(one).classList.remove("leaving");
      byId(one).hidden = one !== this.#view;
    }
  }
}

/** Whose go it is, as a sentence. */
function standingNow(view) {
  const { said } = standing(view).find(({ kind }) => kind.startsWith("go")) ?? { said: [] };
  return said.map((part) => part.textContent ?? part).join("");
}

new Room().start();
