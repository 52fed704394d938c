"""Golden transcripts: for each recorded game and language, what everybody at the table hears.

`python -m tests.transcripts` writes them anew; read the difference before keeping it.
"""

from pathlib import Path

from zanzibar_plugin import plugin, record, replay
from zanzibar_plugin.speech import sentences

HERE = Path(__file__).parent
RECORDS = sorted(HERE.glob("*.yaml"))
BRIEF = ("421", "421-advice", "lyon-vache", "zanzibar-456")
"""The recordings that are also told in few words."""


def golden(recording: Path, language: str, few: bool = False) -> Path:
    """Where the transcript of a recording in a language lies."""
    return HERE / f"{recording.stem}.{'brief.' if few else ''}{language}.txt"


def transcript(recording: Path, language: str, few: bool = False) -> str:
    """What each player, and a spectator who presses keys, hears: a part for each listener."""
    recorded = record.read(recording)
    happened = list(replay.play(recorded, plugin.library))
    say = plugin.catalogs.catalog(language).say
    pressers = [pair.value[0].value for pair in recorded.keys]
    listeners = dict.fromkeys([*recorded.players, *pressers])
    parts = []
    for listener in listeners:
        lines = [listener, ""]
        for event, table in happened:
            said = sentences(table.ruleset, table.state, event, listener, few)
            lines += [" ".join(map(say, said))] if said else []
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
