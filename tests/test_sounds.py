"""The room's sounds: the files are those the program makes, and good for ears of all kinds."""

import cmath
import math
import runpy
import wave
from array import array
from functools import cache
from itertools import combinations

import pytest

from zanzibar_plugin import hookspecs
from zanzibar_plugin.hosts.web import sounds
from zanzibar_plugin.hosts.web.sounds import CUES, FOLDER, QUIET, RATE, finished, loudness, made
from zanzibar_plugin.room import voice

each = pytest.mark.parametrize("name", CUES)

SECONDS = {"roll": 0.7}
"""The longest a sound may be, where it may be longer than 0.6 s: it delays what is said next."""
BYTES, BYTES_TOGETHER = 30_000, 180_000
EAR = range(300, 2001)
"""Hz that most people hear, also with a hearing loss, and that small loudspeakers give."""
UNLIKE = 0.3
"""How far apart any two cues are at least, from 0 (alike but for loudness and delay) to 1."""

FRAME, HOP = 512, 220  # samples; a hop is 10 ms
DELAYS = range(-4, 5)  # hops


def read(path):
    """The samples of a file, which must be mono, of 16 bits, at 22,050 Hz."""
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert (file.getframerate(), file.getcomptype()) == (22_050, "NONE")
        samples = array("h", file.readframes(file.getnframes()))
        assert len(samples) == file.getnframes()
    return samples


@cache
def cue(name):
    """The samples of a file of the repository, from -1 to 1."""
    return [value / 32768 for value in read(FOLDER / f"{name}.wav")]


def decibels(ratio):
    return 20 * math.log10(ratio)


def transformed(values):
    """The discrete Fourier transform of as many values as a power of two."""
    if len(values) == 1:
        return values
    even, odd = transformed(values[::2]), transformed(values[1::2])
    turned = [cmath.exp(-2j * math.pi * at / len(values)) * one for at, one in enumerate(odd)]
    pairs = list(zip(even, turned, strict=True))
    return [one + two for one, two in pairs] + [one - two for one, two in pairs]


def powers(samples):
    """The power at each frequency, as pairs of Hz and power."""
    size = 1 << (len(samples) - 1).bit_length()
    found = transformed([*samples, *[0.0] * (size - len(samples))])[: size // 2]
    return [(at * RATE / size, abs(one) ** 2) for at, one in enumerate(found)]


def centroid(samples):
    """The mean frequency, weighted by power, in Hz."""
    found = powers(samples)
    return sum(hz * power for hz, power in found) / sum(power for _, power in found)


def share_for_the_ear(samples):
    """The part of the power that lies in `EAR`."""
    found = powers(samples)
    heard = sum(power for hz, power in found if EAR[0] <= hz <= EAR[-1])
    return heard / sum(power for _, power in found)


THIRDS = [250 * 2 ** (third / 3) for third in range(13)]  # of octaves: what an ear tells apart
HANN = [math.sin(math.pi * (at + 0.5) / FRAME) ** 2 for at in range(FRAME)]


def picture(samples):
    """What an ear makes of a sound: the sensation in each third of an octave, every 10 ms."""
    padded = [*[0.0] * (FRAME // 2), *samples, *[0.0] * FRAME]
    rows = []
    for start in range(0, len(padded) - FRAME, HOP):
        windowed = [w * v for w, v in zip(HANN, padded[start : start + FRAME], strict=True)]
        row = [0.0] * (len(THIRDS) - 1)
        for hz, power in powers(windowed):
            band = sum(edge <= hz for edge in THIRDS) - 1
            if 0 <= band < len(row):
                row[band] += power
        rows.append([power**0.3 for power in row])  # Stevens: ten times the power is twice as loud
    length = math.sqrt(sum(value * value for row in rows for value in row))
    return [[value / length for value in row] for row in rows]


def unlikeness(one, other):
    """1 less the cosine between two pictures, with the delay at which they are most alike."""
    return 1 - max(
        sum(
            a * b
            for at, row in enumerate(one)
            if 0 <= at + delay < len(other)
            for a, b in zip(row, other[at + delay], strict=True)
        )
        for delay in DELAYS
    )


@cache
def picture_of(name):
    return picture(cue(name))


def test_there_is_a_file_for_each_cue_and_no_other():
    assert {path.stem for path in FOLDER.glob("*.wav")} == set(CUES)
    assert {path.name for path in FOLDER.iterdir() if path.suffix != ".wav"} == {"LICENSE.txt"}
    assert {"come", "go"} == QUIET


def test_the_licence_is_that_of_the_project():
    said = (FOLDER / "LICENSE.txt").read_text("utf-8")
    assert "MIT" in said
    assert "Copyright (c) 2026 The zanzibar-plugin authors" in said


@each
def test_the_file_is_what_the_program_makes(name):
    in_file, now = read(FOLDER / f"{name}.wav"), made(name)
    assert len(in_file) == len(now), "run make sounds"
    # The last bit of a sine is a matter of the platform.
    assert max(abs(a - b) for a, b in zip(in_file, now, strict=True)) <= 1, "run make sounds"


def test_the_program_writes_all_files_in_silence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sounds, "CUES", {name: CUES[name] for name in ("select", "go")})
    sounds.write(tmp_path / "new")
    sounds.write(tmp_path / "new")
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert written == ["go.wav", "select.wav"]
    for name in written:
        assert read(tmp_path / "new" / name) == made(name.removesuffix(".wav"))
    assert "".join(capsys.readouterr()) == ""


def test_the_module_is_a_program_that_writes_where_the_files_are(monkeypatch):
    opened = []
    real = wave.open

    def noted(path, mode):
        opened.append((path, mode))
        return real("/dev/null", mode)

    monkeypatch.setattr(wave, "open", noted)
    with pytest.warns(RuntimeWarning, match="found in sys.modules"):
        runpy.run_module(sounds.__name__, run_name="__main__")
    assert opened == [(str(FOLDER / f"{name}.wav"), "wb") for name in CUES]


@each
def test_a_sound_is_short_and_its_file_small(name):
    assert 0.05 <= len(cue(name)) / RATE <= SECONDS.get(name, 0.6)
    assert (FOLDER / f"{name}.wav").stat().st_size <= BYTES


def test_all_files_together_are_small():
    assert sum(path.stat().st_size for path in FOLDER.glob("*.wav")) <= BYTES_TOGETHER


@each
def test_a_sound_does_not_clip(name):
    top = decibels(max(map(abs, cue(name))))
    assert top <= -8.95
    assert top >= (-16 if name in QUIET else -13)


@each
def test_a_sound_begins_and_ends_in_silence(name):
    samples = cue(name)
    assert samples[0] == samples[-1] == 0
    top = max(map(abs, samples))
    # A step to more than this within a tenth of a millisecond would be heard as a click.
    assert max(map(abs, samples[:3])) <= 0.06 * top
    # The last 2 ms are below what is heard in a quiet room.
    assert max(map(abs, samples[-round(0.002 * RATE) :])) <= 0.03 * top


@each
def test_a_sound_has_no_dc(name):
    samples = cue(name)
    assert abs(sum(samples) / len(samples)) <= 0.0005


def test_all_sounds_are_about_as_loud():
    loud = {name: decibels(loudness(cue(name))) for name in CUES}
    others = [value for name, value in loud.items() if name not in QUIET]
    assert max(others) - min(others) <= 3
    for name in QUIET:
        assert 3 <= min(others) - loud[name] <= 7


@each
def test_a_sound_is_where_ears_are_good(name):
    assert 350 <= centroid(cue(name)) <= 1500
    assert share_for_the_ear(cue(name)) >= 0.85


@pytest.mark.parametrize(("up", "down"), [("come", "go")])
def test_what_goes_up_and_what_goes_down(up, down):
    def halves(name):
        samples = cue(name)
        middle = len(samples) // 2
        return centroid(samples[:middle]), centroid(samples[middle:])

    # A whole tone at least; the first note still rings in the second half.
    begun, ended = halves(up)
    assert ended > begun * 1.12
    begun, ended = halves(down)
    assert ended < begun / 1.12


def test_a_call_rises_and_the_end_of_a_lost_game_falls():
    for name, rising in (("your_go", True), ("win", True), ("lose", False), ("over", False)):
        samples = cue(name)
        third = len(samples) // 3
        begun, ended = centroid(samples[:third]), centroid(samples[-third:])
        assert (ended > begun) is rising, name


@pytest.mark.parametrize(("one", "other"), [*combinations(CUES, 2)])
def test_any_two_cues_differ(one, other):
    assert unlikeness(picture_of(one), picture_of(other)) >= UNLIKE


def test_a_delay_or_another_loudness_makes_no_other_sound():
    samples = cue("your_go")
    changed = [*[0.0] * 441, *(value / 4 for value in samples)]
    assert unlikeness(picture_of("your_go"), picture(changed)) < UNLIKE / 10


@each
def test_a_slightly_different_pitch_makes_no_other_sound(name):
    samples = cue(name)
    higher = [samples[int(at * 1.03)] for at in range(int(len(samples) / 1.03))]
    assert unlikeness(picture_of(name), picture(higher)) < UNLIKE / 2


@pytest.mark.parametrize(("hz", "fails"), [(100, True), (300, False), (1000, False), (2500, True)])
def test_the_measure_of_what_ears_hear(hz, fails):
    tone = finished([math.sin(math.tau * (hz + 5) * at / RATE) for at in range(RATE // 4)], 0)
    assert (share_for_the_ear(tone) < 0.85) is fails
    assert centroid(tone) == pytest.approx(hz + 5, rel=0.02)


def test_loudness_is_that_of_the_loudest_moment():
    tone = [math.sin(math.tau * 1000 * at / RATE) for at in range(RATE)]
    moment = round(sounds.LOUDNESS_SECONDS * RATE)
    assert decibels(loudness(tone)) == pytest.approx(-4, abs=0.2)  # -3 dB, and 1 dB for the ear
    assert loudness([*tone[:moment], *[0.0] * RATE]) == pytest.approx(loudness(tone), rel=0.01)
    assert decibels(loudness(tone[: moment // 2]) / loudness(tone)) == pytest.approx(-3, abs=0.1)
    low = [math.sin(math.tau * 100 * at / RATE) for at in range(RATE)]
    assert decibels(loudness(low) / loudness(tone)) < -12


def test_every_cue_that_is_named_has_a_sound_and_every_sound_is_named():
    of_the_room = {"chat", "come", "go", "your_go"}
    assert {*hookspecs.CUES} | of_the_room == {*CUES}
    assert {*voice.CUES.values()} == of_the_room
