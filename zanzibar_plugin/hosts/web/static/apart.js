// What people have written stands apart, so that its direction cannot disturb the words around it.

import { bdi } from "./dom.js";

/**
 * A line as nodes, in which the names stand apart.  Of a `foreign` line, which one of them wrote,
 * what follows the name stands apart too.
 */
export function apart(line, names, foreign = false) {
  if (foreign) return written(line, names);
  const nodes = [];
  let rest = line;
  for (;;) {
    const found = first(rest, names);
    if (!found) return rest ? [...nodes, rest] : nodes;
    nodes.push(rest.slice(0, found.at), bdi(found.name));
    rest = rest.slice(found.at + found.name.length);
  }
}

function written(line, names) {
  for (const name of longestFirst(names)) {
    for (const between of [": ", " "]) {
      const head = name + between;
      if (line.startsWith(head)) return [bdi(name), between, bdi(line.slice(head.length))];
    }
  }
  return [bdi(line)];
}

/** Where the first name stands as a whole word; of several there, the longest. */
function first(line, names) {
  let best = null;
  for (const name of longestFirst(names)) {
    for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
      if (isLetter(line[at - 1]) || isLetter(line[at + name.length])) continue;
      if (!best || at < best.at) best = { at, name };
      break;
    }
  }
  return best;
}

function isLetter(character) {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function longestFirst(names) {
  return [...names].filter(Boolean).sort((one, other) => other.length - one.length);
}
