"""The room's short sounds, made from nothing: `python -m zanzibar_plugin.hosts.web.sounds`.

Players mostly hear the game, so a sound must say at once what happened, leave the speech alone
and not tire anyone after a hundred turns.  Three rules follow from that.  Sounds are short.  Their
strength lies between 300 and 2000 Hz: above that many people hear little, below that small
loudspeakers give little.  And they differ in what survives bad hearing and bad loudspeakers: in
rhythm, in length, in being struck, rattled or sung, not just in pitch.

The files are in the repository, so that a room needs no building; a test compares them with what
this program makes.
"""

from __future__ import annotations

import math
import wave
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

Samples: TypeAlias = list[float]
"""A sound, one number for each 1/`RATE` second; of any strength until `finished`."""

FOLDER = Path(__file__).parent / "static" / "sounds"
RATE = 22_050
"""Samples a second: enough for 11 kHz, and nothing here that matters is above 4 kHz."""
PEAK_DB = -9.0
"""The highest that any sample may reach, in dB of full scale: speech stays the louder."""
LOUDNESS_DB = -21.5
"""How loud a sound is, as `loudness` measures it, in dB of full scale; its peak may forbid it."""
QUIET_DB = -5.0
"""How much less loud are those who come and go: they concern a player least."""
LOUDNESS_SECONDS = 0.125
"""How long the ear takes to form its impression of loudness: what sound level meters call fast."""

_FADE_IN = 0.001
"""Seconds: shorter than what the ear can tell from a sudden beginning, which a knock needs."""
_FADE_OUT = 0.1
"""The part of a sound: what still rings shall not be heard to stop."""
_LOWEST_HZ = 60.0
# The ear hears bass less: a filter of one pole here is within 3 dB of what sound level meters
# use (A-weighting) from 300 to 2000 Hz.
_EAR_HZ = 500.0


class Partial(NamedTuple):
    """One of the tones that a struck thing rings with."""

    ratio: float
    """Its frequency, as a multiple of the note's."""
    strength: float
    decay: float
    """Seconds until it has fallen to 1/e, that is by 9 dB."""


# A wooden bar, as of a marimba but with the partials of a string: those who do not hear the
# fundamental well hear the same note in them.
_BAR = (Partial(1, 1.0, 0.13), Partial(2, 0.35, 0.09), Partial(3, 0.12, 0.05))
# The same bar struck with a softer mallet.
_SOFT_BAR = (Partial(1, 1.0, 0.15), Partial(2, 0.18, 0.10))
# Small thin bars, which ring short, so that notes in quick succession stay apart.
_LIGHT_BAR = (Partial(1, 1.0, 0.06), Partial(2, 0.3, 0.04))
# A wooden table, a chip of bone, a die against the cup: partials of plates are no multiples.
_TABLE = (Partial(1, 1.0, 0.040), Partial(1.58, 0.7, 0.028), Partial(2.74, 0.35, 0.014))
_CHIP = (Partial(1, 1.0, 0.018), Partial(1.47, 0.6, 0.012), Partial(2.09, 0.3, 0.007))
_DIE = (Partial(1, 1.0, 0.012), Partial(1.83, 0.8, 0.009), Partial(2.6, 0.4, 0.005))
_FELT = (Partial(1, 1.0, 0.035), Partial(1.59, 0.5, 0.025))
_DRAWER = (Partial(1, 1.0, 0.040), Partial(1.59, 0.6, 0.030), Partial(2.14, 0.3, 0.020))
_TICK = (Partial(1, 1.0, 0.060), Partial(2, 0.25, 0.030))
_DOOR = (Partial(1, 1.0, 0.040), Partial(2, 0.3, 0.025))
_BUBBLE = (Partial(1, 1.0, 0.09), Partial(2, 0.1, 0.05))


def silence(seconds: float) -> Samples:
    """That many seconds of nothing."""
    return [0.0] * round(seconds * RATE)


def struck(
    hz: float,
    partials: Sequence[Partial],
    seconds: float,
    attack: float = 0.002,
    glide: tuple[float, float] | None = None,
) -> Samples:
    """A note of `seconds` that begins within `attack` seconds and rings away.

    A `glide` is a ratio and seconds: within these, the pitch goes to that multiple of `hz`.
    """
    to, gliding = glide or (1.0, 1.0)
    out = silence(seconds)
    turned = 0.0
    for at in range(len(out)):
        time = at / RATE
        rising = math.sin(math.pi / 2 * min(1.0, time / attack)) ** 2
        out[at] = rising * sum(
            part.strength * math.exp(-time / part.decay) * math.sin(math.tau * part.ratio * turned)
            for part in partials
        )
        turned += hz * to ** min(1.0, time / gliding) / RATE
    return out


def noise(random: Random, hz: float, width: float, seconds: float, decay: float) -> Samples:
    """A burst of noise around `hz`, `width` Hz wide, that falls to 1/e in `decay` seconds."""
    # A resonator of two poles.  Only `random.random` is used: no other method of `Random` is
    # promised to give the same numbers in another version of Python.
    radius = math.exp(-math.pi * width / RATE)
    first, second = 2 * radius * math.cos(math.tau * hz / RATE), -radius * radius
    gain = math.sqrt(1 - radius * radius)
    out = silence(seconds)
    before = last = 0.0
    for at in range(len(out)):
        blown = (random.random() * 2 - 1) * math.exp(-at / RATE / decay)
        before, last = last, gain * blown + first * last + second * before
        out[at] = last
    return out


def mixed(seconds: float, parts: Iterable[tuple[float, float, Samples]]) -> Samples:
    """Sounds together, each with its beginning in seconds and its strength; cut at `seconds`."""
    out = silence(seconds)
    for start, strength, part in parts:
        for at, value in zip(range(round(start * RATE), len(out)), part, strict=False):
            out[at] += strength * value
    return out


def pressed(samples: Samples, times: float) -> Samples:
    """The sound, from -1 to 1, with its peaks rounded off; the more so, the higher `times`.

    A knock is a high peak and little else: with no more room than a note it would hardly be
    heard.  At 1 `times` little changes; at 3 the sound is clearly another.
    """
    top = max(map(abs, samples))
    return [math.tanh(times * value / top) for value in samples]


def damped(samples: Samples) -> Samples:
    """The sound as if touched: its last third falls to nothing."""
    falling = len(samples) // 3
    kept = samples[: len(samples) - falling]
    rest = samples[len(kept) :]
    return kept + [
        value * math.cos(math.pi / 2 * at / falling) ** 2 for at, value in enumerate(rest)
    ]


def loudness(samples: Sequence[float]) -> float:
    """The RMS of the loudest `LOUDNESS_SECONDS` as the ear weighs it, in the units of `samples`.

    It makes a click comparable with a note.  A sound that is shorter counts as followed by
    silence, as it is when heard.
    """
    width = round(LOUDNESS_SECONDS * RATE)
    heard = _without_bass(samples, _EAR_HZ)
    power = most = 0.0
    for at, value in enumerate(heard):
        power += value * value
        if at >= width:
            power -= heard[at - width] ** 2
        most = max(most, power)
    return math.sqrt(most / width)


def amplitude(decibels: float) -> float:
    """What to multiply by for a change of that many dB."""
    return 10 ** (decibels / 20)


def finished(samples: Samples, louder: float) -> array[int]:
    """The sound as it is written: no hum, no clicks at its ends, and `louder` dB than most."""
    # DC would click, and deep bass only takes strength from what loudspeakers do give.
    out = _without_bass(samples, _LOWEST_HZ)
    _fade(out)
    gain = amplitude(LOUDNESS_DB + louder) / loudness(out)
    top = max(map(abs, out))
    gain = min(gain, amplitude(PEAK_DB) / top)
    return array("h", (round(gain * value * 32767) for value in out))


def _without_bass(samples: Sequence[float], hz: float) -> Samples:
    """Less what is below `hz`: 3 dB less there, and 6 dB more with each octave down."""
    keep = math.exp(-math.tau * hz / RATE)
    out: Samples = []
    last = filtered = 0.0
    for value in samples:
        filtered = keep * filtered + (1 + keep) / 2 * (value - last)
        last = value
        out.append(filtered)
    return out


def _fade(samples: Samples) -> None:
    """Make both ends silent, in place."""
    rising, falling = round(_FADE_IN * RATE), round(_FADE_OUT * len(samples))
    for at in range(rising):
        samples[at] *= math.sin(math.pi / 2 * at / rising) ** 2
    for at in range(falling):
        samples[-1 - at] *= math.sin(math.pi / 2 * at / falling) ** 2


def _roll() -> Samples:
    """Dice rattle in a cup, then three fall on felt and settle."""
    random = Random(421)
    parts: list[tuple[float, float, Samples]] = []
    time = 0.0
    # Two shakes, each a cluster of knocks: an even rattle would sound like a machine.
    for shake in range(2):
        time = 0.165 * shake
        for _ in range(6):
            hz = 620 + 420 * random.random()
            strength = 0.35 + 0.35 * random.random()
            parts.append((time, strength, struck(hz, _DIE, 0.06, attack=0.001)))
            parts.append((time, strength, noise(random, hz * 1.2, 500, 0.05, 0.008)))
            time += 0.014 + 0.018 * random.random()
    for start, strength, hz in (
        *((0.365, 1.0, 400), (0.425, 0.8, 470), (0.470, 0.9, 360)),
        *((0.530, 0.4, 490), (0.572, 0.3, 430), (0.600, 0.15, 480)),
    ):
        parts.append((start, strength, struck(hz, _FELT, 0.12, attack=0.0015)))
        parts.append((start, 0.7 * strength, struck(hz * 2.3, _DIE, 0.06, attack=0.001)))
        parts.append((start, 0.9 * strength, noise(random, 700, 700, 0.06, 0.010)))
    return pressed(mixed(0.62, parts), 2.4)


def _select() -> Samples:
    """A soft tick that goes up an octave."""
    # The glide is over while the tick is still strong: where it ends is what is noticed.
    contact = noise(Random(6), 1500, 800, 0.02, 0.003)
    tick = struck(640, _TICK, 0.08, glide=(2.0, 0.045))
    return mixed(0.08, ((0, 1.0, tick), (0, 0.5, contact)))


def _accept() -> Samples:
    """A knuckle on a wooden table, once."""
    contact = noise(Random(3), 900, 900, 0.03, 0.004)
    knock = struck(450, _TABLE, 0.18, attack=0.001)
    return pressed(mixed(0.18, ((0, 1.0, knock), (0, 0.8, contact))), 2.5)


def _your_go() -> Samples:
    """Two bars struck, a fifth upwards, short and long: a call."""
    first, second = struck(587.33, _BAR, 0.13), struck(880.00, _BAR, 0.28)
    return mixed(0.42, ((0, 0.85, damped(first)), (0.14, 1.0, second)))


def _tokens() -> Samples:
    """Chips of bone pushed across the table: they slide and click against each other."""
    random = Random(11)
    parts = [(0.0, 0.20, noise(random, 1500, 900, 0.26, 0.12))]
    for start, strength, hz in (
        *((0.015, 0.7, 1180), (0.075, 1.0, 1010), (0.110, 0.6, 1320)),
        *((0.175, 0.9, 1090), (0.205, 0.5, 1240)),
    ):
        parts.append((start, strength, struck(hz, _CHIP, 0.08, attack=0.001)))
    return pressed(mixed(0.27, parts), 1.3)


def _win() -> Samples:
    """Five light bars upwards, a major chord, quickly: glad, and soon over."""
    notes = (523.25, 659.26, 783.99, 1046.50, 1318.51)
    bars = [struck(hz, _LIGHT_BAR, 0.46) for hz in notes]
    return mixed(0.46, ((0.065 * at, 1.0, bar) for at, bar in enumerate(bars)))


def _lose() -> Samples:
    """Three soft bars downwards, slower."""
    notes = (523.25, 440.00, 349.23)
    bars = [struck(hz, _SOFT_BAR, 0.50, attack=0.02) for hz in notes]
    return mixed(0.50, ((0.14 * at, 1.0, bar) for at, bar in enumerate(bars)))


def _over() -> Samples:
    """Two chords that come to rest, neither glad nor sad."""
    parts = []
    for start, long, chord in (
        (0.0, 0.15, (523.25, 698.46, 880.00)),
        (0.17, 0.29, (523.25, 659.26, 783.99)),
    ):
        for at, hz in enumerate(chord):
            # Struck one just after the other: together they would be one high peak.
            note = damped(struck(hz, _SOFT_BAR, long - 0.008 * at, attack=0.01))
            parts.append((start + 0.008 * at, 1.0, note))
    return mixed(0.46, parts)


def _refused() -> Samples:
    """Two dull thuds, as of a drawer that does not open."""
    thud = struck(360, _DRAWER, 0.25, attack=0.004, glide=(0.85, 0.08))
    return pressed(mixed(0.25, ((0, 1.0, thud), (0.12, 0.9, thud))), 2.0)


def _chat() -> Samples:
    """One bubble: a note that slips up into its place and purls."""
    note = struck(760, _BUBBLE, 0.22, attack=0.02, glide=(1.25, 0.05))
    return [
        value * (0.65 + 0.35 * math.cos(math.tau * 24 * (at / RATE - 0.02)))
        for at, value in enumerate(note)
    ]


def _come() -> Samples:
    """Two quiet notes up: a door that opens."""
    return mixed(0.20, ((0, 1.0, _door(415.30)), (0.08, 1.0, _door(554.37))))


def _go() -> Samples:
    """The same two notes down: it closes."""
    return mixed(0.20, ((0, 1.0, _door(554.37)), (0.08, 1.0, _door(415.30))))


def _door(hz: float) -> Samples:
    return struck(hz, _DOOR, 0.20, attack=0.008)


CUES: Mapping[str, Callable[[], Samples]] = MappingProxyType(
    {
        "roll": _roll,
        "select": _select,
        "accept": _accept,
        "your_go": _your_go,
        "tokens": _tokens,
        "win": _win,
        "lose": _lose,
        "over": _over,
        "refused": _refused,
        "chat": _chat,
        "come": _come,
        "go": _go,
    }
)
"""What makes each sound, by its name: that of its file, and by which the page asks for it."""

QUIET = frozenset({"come", "go"})
"""The cues that are `QUIET_DB` less loud than the others."""


def made(name: str) -> array[int]:
    """The samples of a cue, from -32768 to 32767."""
    return finished(CUES[name](), QUIET_DB if name in QUIET else 0.0)


def write(folder: Path) -> None:
    """Write every sound to `folder` as NAME.wav: mono, 16 bits, `RATE` samples a second."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in CUES:
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(made(name).tobytes())


if __name__ == "__main__":
    write(FOLDER)
