// Which key of the game a key press is.
//
// Digit keys count by their place, as an AZERTY keyboard gives "&" for the key 1; letters count by
// what they write, so that S stays S on every keyboard.

const NO_KEYS = new Set(["Dead", "Process", "Unidentified"]);
const NAMED = { Enter: "enter", " ": "space", Spacebar: "space", Backspace: "backspace" };
const PAGING = { PageUp: "pageup", PageDown: "pagedown" };

/** A key that does nothing, but must not scroll or move the focus either. */
export const NOTHING = "nothing";

/** The name of a key ("enter", "1", "shift+1", "d", "pageup"), NOTHING, or "" if it is not ours. */
export function keyOf(event) {
  if (!event.key || NO_KEYS.has(event.key) || event.isComposing || event.keyCode === 229) return "";
  if (event.ctrlKey || event.altKey || event.metaKey) return "";
  if (event.getModifierState?.("AltGraph")) return "";
  const key = digitOf(event) || otherOf(event);
  return event.repeat && key ? NOTHING : key;
}

function digitOf(event) {
  const place = /^(Digit|Numpad)([1-6])$/.exec(event.code ?? "");
  if (!place) {
    // A phone's keyboard tells no place.
    return !event.code && /^[1-6]$/.test(event.key) ? event.key : "";
  }
  const [, row, digit] = place;
  if (row === "Numpad" && !/^[0-9]$/.test(event.key)) {
    // With Num Lock on, Shift makes it End, Down and so on, and says nothing of Shift.
    return event.getModifierState?.("NumLock") ? `shift+${digit}` : NOTHING;
  }
  return event.shiftKey ? `shift+${digit}` : digit;
}

function otherOf(event) {
  if (event.key in NAMED) return event.shiftKey ? "" : NAMED[event.key];
  if (event.key in PAGING) return `${event.shiftKey ? "shift+" : ""}${PAGING[event.key]}`;
  const letter = event.key.toLowerCase();
  if (/^[a-z]$/.test(letter)) return letter;
  // In another writing, such as Cyrillic, the place of the key tells the letter.
  const place = /^Key([A-Z])$/.exec(event.code ?? "")?.[1];
  return place && /^\p{L}$/u.test(letter) ? place.toLowerCase() : "";
}
