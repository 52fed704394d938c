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

export function gameName(id) {
  return known.find((game) => game.id === id)?.name ?? id;
}
