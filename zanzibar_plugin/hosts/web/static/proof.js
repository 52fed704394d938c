// The computation of a game's dice, by the words of docs/checkable-dice.md.

const FORM = "zanzibar dice 1";
const LIMIT = 252;
const FACES = 6;

/** The SHA-256 in hex of 32 bytes in hex. */
export async function digestOf(value) {
  return hexOf(await crypto.subtle.digest("SHA-256", bytesOf(value)));
}

/**
 * What a game's record shows of the dice that were agreed upon: "fair", "unfair", or "unread" if it
 * does not tell its throws.
 */
export async function resultBy(draw, record) {
  const { game, digest, secret, parts, events } = record;
  const agreed = game === draw.game && digest === draw.digest && secret === draw.secret;
  if (!agreed || plain(parts) !== plain(draw.parts)) return "unfair";
  const end = events.findIndex(({ event }) => event === "game_over");
  if (end >= 0 && end < events.length - 1) return "unfair";
  const throws = events.filter(({ event }) => event === "thrown").map((event) => event.new);
  if (!throws.some((faces) => faces !== undefined)) return "unread";
  const dieOf = await computed(draw);
  for (const [number, faces] of throws.entries()) {
    if (!Array.isArray(faces) || !faces.length) return "unfair";
    const right = await Promise.all(faces.map((_, die) => dieOf(number, die)));
    if (!faces.every((face, die) => face === right[die])) return "unfair";
  }
  return "fair";
}

function plain(parts) {
  return JSON.stringify(parts.map(({ name, commitment, value }) => [name, commitment, value]));
}

/** The dice of a game, by the number of the throw and of the die in it. */
async function computed({ game, secret, parts }) {
  const use = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), use, false, ["sign"]);
  const lines = parts.map(({ commitment, value }) => `${commitment} ${value}\n`).join("");
  return async (number, die) => {
    for (let counter = 0; ; counter++) {
      const said = `${FORM}\ngame ${game}\n${lines}throw ${number} die ${die} counter ${counter}\n`;
      const sign = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(said));
      const byte = new Uint8Array(sign).find((one) => one < LIMIT);
      if (byte !== undefined) return (byte % FACES) + 1;
    }
  };
}

function bytesOf(value) {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new Error("these are no 32 bytes in hex");
  return new Uint8Array(value.match(/../g).map((pair) => parseInt(pair, 16)));
}

/** Bytes in hex. */
export function hexOf(bytes) {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
