// Pages of rules and lists of options, as they are shown in several places.

import { bdi, make } from "./dom.js";
import { say } from "./words.js";

/** A help page as nodes, with headings of this level. */
export function rulesNodes(page, level) {
  return page.sections.flatMap((section) => [
    make(`h${level}`, {}, section.title),
    ...section.paragraphs.map((paragraph) => make("p", { dir: "auto" }, paragraph)),
  ]);
}

/** Options with their values, to be read. */
export function optionNodes(options) {
  return options.flatMap((option) => [
    make("dt", {}, option.label),
    make("dd", {}, bdi(valueOf(option))),
  ]);
}

function valueOf(option) {
  if (option.kind === "switch") return say(option.default ? "yes" : "no");
  const way = option.choices.find((one) => one.value === option.default);
  return way ? way.label : String(option.default);
}
