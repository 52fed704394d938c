// Tokens one can count at a glance: in groups of five.  The number itself is written beside them.

import { make } from "./dom.js";

const GROUP = 5;

/** So many tokens as an image without a name. */
export function pips(count) {
  const groups = [];
  for (let left = count; left > 0; left -= GROUP) {
    const many = Math.min(left, GROUP);
    groups.push(make("span", { class: "group" }, ...Array.from({ length: many }, () => make("i"))));
  }
  return make("span", { class: "pips", "aria-hidden": "true" }, ...groups);
}
