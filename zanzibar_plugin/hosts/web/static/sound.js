// Sound cues.  They go with the words and never stand for them.

const LOUDNESS = { off: 0, quiet: 0.2, medium: 0.5, loud: 1 };
const BETWEEN = 0.08;
const LONGEST_QUEUE = 1.5;

export class Sound {
  #audio = null;
  #volume = null;
  #loudness = 0;
  #known = new Map();
  #free = 0;

  constructor() {
    // A browser plays nothing before the first touch or key.
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => this.#wake(), { capture: true });
    }
  }

  /** How loud: "off", "quiet", "medium" or "loud". */
  setLoudness(name) {
    this.#loudness = LOUDNESS[name];
    if (this.#volume) this.#volume.gain.value = this.#loudness;
  }

  /** Play the sounds of these names, one after the other; names without a sound play nothing. */
  async play(names) {
    if (!this.#loudness || this.#audio?.state !== "running") return;
    const wanted = names.filter(Boolean);
    const sounds = await Promise.all(wanted.map((name) => this.#load(name)));
    for (const sound of sounds) if (sound) this.#start(sound);
  }

  #start(sound) {
    const now = this.#audio.currentTime;
    const at = Math.max(now, this.#free);
    // Sounds that would come long after their words are left out.
    if (at - now > LONGEST_QUEUE) return;
    this.#free = at + sound.duration + BETWEEN;
    const source = this.#audio.createBufferSource();
    source.buffer = sound;
    source.connect(this.#volume);
    source.start(at);
  }

  #wake() {
    if (!this.#loudness) return;
    if (!this.#audio) {
      if (!window.AudioContext) return;
      this.#audio = new AudioContext();
      this.#volume = this.#audio.createGain();
      this.#volume.gain.value = this.#loudness;
      this.#volume.connect(this.#audio.destination);
    }
    if (this.#audio.state === "suspended") this.#audio.resume().catch(() => {});
  }

  #load(name) {
    if (!this.#known.has(name)) {
      const loading = fetch(`/static/sounds/${encodeURIComponent(name)}.wav`)
        .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(answer.status)))
        .then((data) => this.#audio.decodeAudioData(data))
        .catch(() => {
          this.#known.delete(name); // perhaps it can be had the next time
          return null;
        });
      this.#known.set(name, loading);
    }
    return this.#known.get(name);
  }
}
