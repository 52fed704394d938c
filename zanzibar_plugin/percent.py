"""Chances as they are written in a language: 50.8%, 50,8 %."""

from __future__ import annotations

from functools import lru_cache


def percent(chance: float, locale: str) -> str:
    """A chance from 0 to 1 in percent, to one decimal place, as CLDR writes it for the locale."""
    from babel.numbers import format_percent

    return format_percent(chance, format=_pattern(locale), locale=locale)


@lru_cache(maxsize=64)
def _pattern(locale: str) -> str:
    from babel import Locale

    pattern: str = Locale.parse(locale).percent_formats[None].pattern
    return pattern.replace("#,##0", "0.0")
