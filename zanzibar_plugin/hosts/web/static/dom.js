// Small helpers for a page that changes under the user's hands without taking his focus away.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; strings become text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A name or other words of somebody else. */
export function bdi(said) {
  return make("bdi", {}, said);
}

/** Write a text, but touch nothing if it is there already. */
export function write(element, said) {
  if (element.textContent !== said) element.textContent = said;
}

/** Write nodes, but touch nothing if the same text is there already. */
export function fill(element, nodes) {
  const holder = document.createElement("div");
  holder.append(...nodes);
  const [is, wanted] = [[...element.childNodes], [...holder.childNodes]];
  const same = is.length === wanted.length && is.every((node, at) => node.isEqualNode(wanted[at]));
  if (!same) element.replaceChildren(...wanted);
}

/** Say of a field whether what stands in it is wrong. */
export function markWrong(field, wrong) {
  if (wrong) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

export function hasFocus(element) {
  return element.contains(document.activeElement);
}

let focused = null;
let moved = { to: null, at: -Infinity };
document.addEventListener("focusin", (event) => {
  focused = event.target;
  // Whoever comes back by himself means the place he has come to.
  if (focused !== moved.to) moved.to = null;
}, true);

/** Bring the focus somewhere; a key that was meant for the place before has no effect there. */
export function moveFocus(element) {
  moved = { to: element, at: performance.now() };
  element.focus();
}

/** If what had the focus has gone, the heading of the view that is shown gets it. */
export function keepFocus() {
  if (document.activeElement !== document.body || !focused) return;
  if (focused.isConnected && focused.checkVisibility?.() !== false) return;
  const title = document.querySelector("main > section:not([hidden], .leaving) h2");
  if (title) moveFocus(title);
}

/** Show or hide a part of the page; if it had the focus, `refuge` gets it. */
export function show(element, shown, refuge) {
  const moves = !shown && !element.hidden && hasFocus(element);
  element.hidden = !shown;
  if (moves) moveFocus(refuge);
}

/**
 * Offer a button or not.  One that has the focus stays where it is, without effect, until the
 * focus leaves it.
 */
export function offer(button, offered) {
  if (offered) {
    button.removeAttribute("aria-disabled");
    button.hidden = false;
  } else if (document.activeElement === button && !button.hidden) {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    button.addEventListener("blur", () => afterPointer(() => hideIfOff(button)), { once: true });
  } else {
    button.removeAttribute("aria-disabled");
    button.hidden = true;
  }
}

// A button that goes while a finger is on its neighbour would move that from under the finger.
let pressing = false;
for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => { pressing = kind === "pointerdown"; }, true);
}

function afterPointer(act) {
  if (!pressing) return act();
  const wait = () => setTimeout(act, 50); // the click comes after it
  document.addEventListener("pointerup", wait, { once: true, capture: true });
}

function hideIfOff(button) {
  if (button.getAttribute("aria-disabled") !== "true" || document.activeElement === button) return;
  button.removeAttribute("aria-disabled");
  button.hidden = true;
}

/**
 * What a press of the button does, as long as it is on offer.  The second of two quick presses does
 * nothing, unless the button may be pressed `often`.
 */
export function onPress(button, act, { often = false } = {}) {
  button.addEventListener("click", (event) => {
    if (event.detail > 1 && !often) return;
    if (button.getAttribute("aria-disabled") !== "true") act();
  });
}

/** The second of two presses within so many ms is no press of its own. */
export const SECOND_PRESS = 350;

/**
 * A key that is held down presses a button once; and the second of two quick presses does nothing
 * in a place that the page itself has led to between them.
 */
export function pressOnce() {
  document.addEventListener("keydown", (event) => {
    const pressing = event.key === "Enter" || event.key === " ";
    const strayed =
      pressing && event.target === moved.to && performance.now() - moved.at < SECOND_PRESS;
    if (strayed) event.stopPropagation();
    if (strayed || (event.repeat && event.key === "Enter")) event.preventDefault();
  }, true);
}

/**
 * Keep the children of an element in step with items: a child stays the same element as long as
 * its item is there.  If one that has the focus must go, its neighbour or `refuge` gets the focus.
 */
export class Kept {
  #parent;
  #children = new Map();
  #refuge;

  constructor(parent, refuge) {
    this.#parent = parent;
    this.#refuge = refuge;
  }

  /** `key` gives an item's name, `create` its element, and `update` brings that up to date. */
  keep(items, { key, create, update }) {
    const names = new Set(items.map(key));
    for (const [name, child] of this.#children) {
      if (names.has(name)) continue;
      this.#children.delete(name);
      const next = child.nextElementSibling ?? child.previousElementSibling;
      const moves = hasFocus(child);
      child.remove();
      if (moves) moveFocus(next?.querySelector(FOCUSABLE) ?? this.#refuge);
    }
    let place = this.#parent.firstElementChild;
    for (const item of items) {
      let child = this.#children.get(key(item));
      if (!child) {
        child = create(item);
        this.#children.set(key(item), child);
      }
      if (child === place) {
        place = place.nextElementSibling;
      } else {
        const here = hasFocus(child) ? document.activeElement : null;
        this.#parent.insertBefore(child, place);
        here?.focus();
      }
      update(child, item);
    }
  }

  get size() {
    return this.#children.size;
  }
}

const FOCUSABLE = "button:not([hidden]), a[href], input, select, [tabindex]";
