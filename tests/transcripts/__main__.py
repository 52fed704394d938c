"""Writes all golden transcripts anew."""

from tests.transcripts import BRIEF, RECORDS, golden, transcript
from zanzibar_plugin import plugin

for recording in RECORDS:
    for language in plugin.catalogs.languages:
        for few in (False, True) if recording.stem in BRIEF else (False,):
            said = transcript(recording, language, few)
            golden(recording, language, few).write_text(said, encoding="utf-8")
