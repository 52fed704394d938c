// The games of the room, as the server told them at hello.

let known = [];

export function setGames(games) {
  known = games;
}

export function games() {
  return known;
}

export function gameName(id) {
  return known.find((game) => game.id === id)?.name ?? id;
}
