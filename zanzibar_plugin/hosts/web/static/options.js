// What is chosen at a table before the game: real form controls for the master, text for others.

import { byId, fill, Kept, make, markWrong, write } from "./dom.js";
import { optionNodes } from "./page.js";
import { say } from "./words.js";

const SETTLES = 3000;

export class Options {
  #rows = new Kept(byId("options-form"), byId("table-title"));
  #choose;
  #refresh;
  #unsent = new Set();
  #asked = new Map();
  #timer = 0;
  #byHand = false;

  /** `choose(option, value)` resolves when it is done; `refresh()` asks for the options anew. */
  constructor(choose, refresh) {
    this.#choose = choose;
    this.#refresh = refresh;
    byId("options-form").addEventListener("submit", (event) => event.preventDefault());
  }

  show(options) {
    fill(byId("options-text"), optionNodes(options));
    this.#rows.keep(options, {
      key: (option) => `${option.kind} ${option.name}`,
      create: (option) => this.#create(option),
      update: (row, option) => update(row, option, (control) => this.#busy(control)),
    });
  }

  #create(option) {
    const id = `option-${option.name}`;
    const control = controlOf(option, id);
    control.setAttribute("aria-describedby", `${id}-help`);
    control.addEventListener("input", () => this.#unsent.add(control));
    control.addEventListener("change", () => this.#plan(control, option.kind));
    control.addEventListener("blur", () => this.#send(control));
    control.addEventListener("pointerdown", () => { this.#byHand = true; });
    control.addEventListener("keydown", (event) => {
      this.#byHand = false;
      if (event.key === "Enter") this.#send(control);
    });
    const label = make("label", { for: id }, option.label);
    const help = make("p", { id: `${id}-help`, class: "help" });
    const inner = option.kind === "switch" ? [control, label] : [label, control];
    return make("div", { class: `option ${option.kind}` }, ...inner, help);
  }

  /** Whatever was chosen, but not yet sent, is sent now: something else is about to be asked. */
  settle() {
    for (const control of [...this.#unsent]) this.#send(control);
  }

  #plan(control, kind) {
    this.#unsent.add(control);
    clearTimeout(this.#timer);
    // Somebody who looks through a list by keys has not chosen yet.
    const wait = kind === "switch" || this.#byHand ? 0 : SETTLES;
    this.#timer = setTimeout(() => this.#send(control), wait);
  }

  async #send(control) {
    if (!this.#unsent.has(control)) return;
    this.#unsent.delete(control);
    // Until the answer is there, what one has chosen is not overwritten by what was before it.
    this.#asked.set(control, (this.#asked.get(control) ?? 0) + 1);
    const done = await this.#choose(control.id.replace("option-", ""), valueIn(control));
    this.#asked.set(control, this.#asked.get(control) - 1);
    markWrong(control, !done);
    this.#refresh();
  }

  #busy(control) {
    return this.#unsent.has(control) || Boolean(this.#asked.get(control));
  }
}

function controlOf(option, id) {
  if (option.kind === "choice") return make("select", { id }, ...waysOf(option));
  if (option.kind === "switch") return make("input", { id, type: "checkbox" });
  return make("input", { id, type: "number", inputmode: "numeric", step: "1" });
}

function valueIn(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "number" ? control.valueAsNumber : control.value;
}

function update(row, option, busy) {
  const control = row.querySelector("input, select");
  write(row.querySelector("label"), option.label);
  const help = [option.help];
  if (option.kind === "number") {
    control.min = option.low;
    control.max = option.high;
    help.push(say("from_to", { low: option.low, high: option.high }));
  }
  if (option.kind === "choice") {
    const [are, wanted] = [[...control.options], option.choices].map((ways) =>
      ways.map((way) => `${way.value} ${way.label}`).join("\n"),
    );
    if (are !== wanted) control.replaceChildren(...waysOf(option));
    help.push(option.choices.find((way) => way.value === option.default)?.help ?? "");
  }
  write(row.querySelector(".help"), help.filter(Boolean).join(" "));
  // What somebody is just choosing stays as he has it.
  if (busy(control)) return;
  if (option.kind === "switch") control.checked = option.default === true;
  else if (control.value !== String(option.default)) control.value = option.default;
}

function waysOf(option) {
  return option.choices.map(({ value, label }) => {
    const way = make("option", { value }, label);
    way.defaultSelected = value === option.default;
    return way;
  });
}
