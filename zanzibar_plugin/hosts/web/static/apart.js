// What people have written stands apart, so that its direction cannot disturb the words around it.

import { bdi } from "./dom.js";

/**
 * A line as nodes, in which the names stand apart.  Of a `foreign` line, which one of them wrote,
 * what follows the name stands apart too.
 */
export function apart(line, names, foreign = false) {
  if (foreign) {
    const name = longestFirst(names).find((one) => line.startsWith(one)) ?? "";
    const between = line.startsWith(": ", name.length) ? ": " : " ";
    if (name) return [bdi(name), between, bdi(line.slice(name.length + between.length))];
    return [bdi(line)];
  }
  if (!names.length) return [line];
  const either = longestFirst(names).map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(${either.join("|")})(?![\\p{L}\\p{N}])`, "u");
  return line.split(found).map((part, place) => (place % 2 ? bdi(part) : part));
}

function longestFirst(names) {
  return [...names].filter(Boolean).sort((one, other) => other.length - one.length);
}
