// A question that must be answered before something is done that cannot be undone.
//
// It is no modal dialog: under one the live region is not heard, and what was written there is
// spoken again when it closes.  So the rest of the page is made inert instead, a moment later:
// at once, the question itself would not be heard.

import { byId, fill, keepFocus, moveFocus } from "./dom.js";

const BEFORE_INERT = 150;
const REST = "#banner, main";

let answer = null;

/** Ask; resolves to whether the answer is yes.  The focus comes back to where it was. */
export function sure(question, yes) {
  if (answer) return Promise.resolve(false);
  const dialog = byId("ask");
  const before = document.activeElement;
  fill(byId("ask-question"), question);
  byId("ask-yes").textContent = yes;
  dialog.show();
  moveFocus(byId("ask-no"));
  const silence = setTimeout(() => setInert(true), BEFORE_INERT);
  return new Promise((resolve) => {
    answer = (agreed) => {
      answer = null;
      clearTimeout(silence);
      setInert(false);
      if (before.isConnected && before.checkVisibility()) moveFocus(before);
      dialog.close();
      keepFocus();
      resolve(agreed);
    };
  });
}

/** What was asked about has gone, or is not to be seen any more: the answer is no. */
export function dropQuestion() {
  answer?.(false);
}

/** Have the question answered by its buttons, or by Escape. */
export function startQuestions() {
  byId("ask-yes").addEventListener("click", () => answer?.(true));
  byId("ask-no").addEventListener("click", () => answer?.(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !answer) return;
    event.preventDefault();
    answer(false);
  });
}

function setInert(inert) {
  for (const part of document.querySelectorAll(REST)) part.inert = inert;
}
