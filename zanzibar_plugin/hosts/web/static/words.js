// The words of the page in the reader's language, as the server wrote them into it.

const root = document.getElementById("room");
const words = JSON.parse(root.dataset.words);

/** The language of the page, as the server calls it. */
export const language = root.dataset.lang;

/** A phrase as plain text; `fields` fill its places, such as {player}. */
export function say(name, fields = {}) {
  return parts(name, fields).map((part) => part.said).join("");
}

/** The same as nodes: what somebody else has written stands apart, in its own direction. */
export function nodes(name, fields = {}) {
  return parts(name, fields).map((part) => {
    if (!part.field) return document.createTextNode(part.said);
    const apart = document.createElement("bdi");
    apart.textContent = part.said;
    return apart;
  });
}

/** "Label: content" as the language writes it; the content is nodes and strings. */
export function labelled(name, content) {
  const place = "\ufffc";
  const [before, after] = say("labelled", { option: say(name), value: place }).split(place);
  return [before, ...content, after];
}

function parts(name, fields) {
  return (words[name] ?? name).split(/(\{\w+\})/).map((part) => {
    const field = /^\{(\w+)\}$/.exec(part)?.[1];
    return field in fields ? { said: String(fields[field]), field: true } : { said: part };
  });
}
