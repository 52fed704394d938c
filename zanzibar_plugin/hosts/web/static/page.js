// Pages of rules and lists of options, as they are shown in several places.

import { bdi, make } from "./dom.js";
import { language, say } from "./words.js";

/** A help page as nodes, with headings of this level. */
export function rulesNodes(page, level) {
  return page.sections.flatMap((section) => [
    make(`h${level}`, {}, section.title),
    ...section.paragraphs.map((paragraph) => make("p", { dir: "auto" }, paragraph)),
  ]);
}

/** Where the rules of a game with these options stand on a page of their own. */
export function rulesAddress(game, options = {}) {
  const asked = new URLSearchParams({ lang: language, beside: "room" });
  for (const [name, value] of Object.entries(options)) asked.set(`o.${name}`, String(value));
  return `/rules/${encodeURIComponent(game)}?${asked}`;
}

/** Options with their values, to be read. */
export function optionNodes(options) {
  return options.map((option) => make(
    "div",
    {},
    make("dt", {}, option.label),
    make("dd", {}, bdi(valueOf(option))),
  ));
}

function valueOf(option) {
  if (option.kind === "switch") return say(option.default ? "yes" : "no");
  const way = option.choices.find((one) => one.value === option.default);
  return way ? way.label : String(option.default);
}
