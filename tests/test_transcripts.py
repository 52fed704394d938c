import pytest

from tests.transcripts import BRIEF, HERE, RECORDS, golden, transcript
from zanzibar_plugin import events as ev
from zanzibar_plugin import plugin, record, replay

LANGUAGES = plugin.catalogs.languages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("recording", RECORDS, ids=lambda path: path.stem)
def test_the_game_sounds_as_it_did(recording, language):
    """After a wanted change: `python -m tests.transcripts`, and read the difference."""
    assert transcript(recording, language) == golden(recording, language).read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("recording", BRIEF)
def test_the_game_in_few_words_sounds_as_it_did(recording, language):
    path = HERE / f"{recording}.yaml"
    said = golden(path, language, few=True).read_text("utf-8")
    assert transcript(path, language, few=True) == said
    assert len(said) < 0.8 * len(golden(path, language).read_text("utf-8"))


def test_no_transcript_is_missing_and_none_is_left_over():
    wanted = {golden(recording, language) for recording in RECORDS for language in LANGUAGES}
    wanted |= {golden(HERE / name, language, few=True) for name in BRIEF for language in LANGUAGES}
    assert set(HERE.glob("*.txt")) == wanted


def test_every_game_has_a_recording():
    played = {record.read(recording).rules for recording in RECORDS}
    assert {ruleset.id for ruleset in plugin.library.rulesets()} == played


def test_every_kind_of_event_is_heard_in_some_recording():
    kinds = {
        type(happened.event)
        for recording in RECORDS
        for happened in replay.play(record.read(recording), plugin.library)
    }
    assert kinds == set(ev.NAMES)


def test_the_game_of_421_has_everything_in_it():
    """A tie, capped payments, a falling limit, both phases, a leaver, the end, all refusals."""
    recorded = record.read(HERE / "421.yaml")
    events = [happened.event for happened in replay.play(recorded, plugin.library)]
    kinds = {type(event) for event in events}
    assert set(ev.NAMES) - kinds == {
        ev.ThrowOffStarted, ev.LastAnnounced, ev.PenaltyPaid, ev.SetEnded, ev.SetStarted,
    }  # fmt: skip
    ended = [event for event in events if isinstance(event, ev.TurnEnded)]
    assert any(event.moved < event.value for event in ended if event.source == "table")
    assert any(event.moved < event.value for event in ended if event.source != "table")
    assert any(event.limit < 3 for event in events if isinstance(event, ev.Thrown))
    assert {event.reason for event in events if isinstance(event, ev.Refused)} == {
        "not_your_go", "not_thrown", "no_such_die", "none_selected", "game_over", "spectator",
    }  # fmt: skip
    assert {event.key for event in events if isinstance(event, ev.Answered)} == {
        "d", "c", "s", "t", "space",
    }  # fmt: skip
    turns: list[list[tuple[int, ...]]] = [[]]
    for event in events:
        if isinstance(event, ev.Accepted):
            turns[-1].append(event.dice)
        elif isinstance(event, ev.TurnComplete):
            turns.append([])
    assert any(len(set(turn)) < len(turn) for turn in turns)
