"""Writes all golden transcripts anew."""

from tests.transcripts import RECORDS, golden, transcript
from zanzibar_plugin import plugin

for recording in RECORDS:
    for language in plugin.catalogs.languages:
        golden(recording, language).write_text(transcript(recording, language), encoding="utf-8")
