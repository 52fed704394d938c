// A question that must be answered before something is done that cannot be undone.

import { byId, fill } from "./dom.js";

/** Ask; resolves to whether the answer is yes.  The focus comes back to where it was. */
export function sure(question, yes) {
  const dialog = byId("ask");
  fill(byId("ask-question"), question);
  byId("ask-yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
