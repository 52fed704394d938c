// Writing to the others at the table.

import { byId } from "./dom.js";

/** `say(text)` resolves to whether it was said; what was not said stays in the field. */
export function startChat(say) {
  const field = byId("chat");
  byId("chat-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = field.value;
    if (said.trim() && (await say(said)) && field.value === said) field.value = "";
  });
}
