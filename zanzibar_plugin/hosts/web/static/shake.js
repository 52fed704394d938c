// Shaking a phone to throw, where the browser tells of it.

const STRONG = 16; // m/s², well above walking
const SWINGS = 3;
const WITHIN = 700;
const REST = 1500;

export class Shake {
  #act;
  #swings = [];
  #rested = -Infinity;
  #listening = false;
  #moved = (event) => this.#measure(event);

  constructor(act) {
    this.#act = act;
  }

  /** Whether this device can be shaken, and its browser can tell of it. */
  static get possible() {
    return "DeviceMotionEvent" in window && navigator.maxTouchPoints > 0;
  }

  /** Listen from now on; resolves to false if the user or the browser does not allow it. */
  async start() {
    if (!Shake.possible) return false;
    if (!(await allowed())) return false;
    if (!this.#listening) window.addEventListener("devicemotion", this.#moved);
    this.#listening = true;
    return true;
  }

  stop() {
    window.removeEventListener("devicemotion", this.#moved);
    this.#listening = false;
  }

  #measure({ acceleration }) {
    const { x, y, z } = acceleration ?? {};
    const now = performance.now();
    if (Math.hypot(x ?? 0, y ?? 0, z ?? 0) < STRONG || now - this.#rested < REST) return;
    this.#swings = [...this.#swings.filter((at) => now - at < WITHIN), now];
    if (this.#swings.length < SWINGS) return;
    this.#swings = [];
    this.#rested = now;
    this.#act();
  }
}

/** Some phones ask their user, and only after he has touched something. */
async function allowed() {
  if (typeof DeviceMotionEvent.requestPermission !== "function") return true;
  try {
    return (await DeviceMotionEvent.requestPermission()) === "granted";
  } catch {
    return false;
  }
}
