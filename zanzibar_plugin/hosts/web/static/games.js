// The games of the room, as the server told them at hello.

let known = [];

export function setGames(games) {
  known = games;
}

export function games() {
  return known;
}

/** How many must sit at a table of a game before it can begin. */
export function leastPlayers(id) {
  return known.find((game) => game.id === id)?.min_players ?? 1;
}

/** The levels at which bots of a game can play, each with a note if it is not all it could be. */
export function botLevels(id) {
  return known.find((game) => game.id === id)?.levels ?? [];
}

/** Whether a game that is over can be looked through. */
export function reviews(id) {
  return known.find((game) => game.id === id)?.reviews ?? false;
}

export function gameName(id) {
  return known.find((game) => game.id === id)?.name ?? id;
}
