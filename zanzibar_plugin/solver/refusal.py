"""Which games are not solved, in a sentence; nothing here computes anything."""

from __future__ import annotations

from zanzibar_plugin.rules import Rules
from zanzibar_plugin.text import Text, text

MOST_TOKENS = 99
"""Tokens at the table beyond which a game is not solved: it would take too long."""


def not_solved(rules: Rules, players: int, tokens: int | None = None) -> Text | None:
    """Why this game for so many players cannot be solved, or None.

    `tokens` are those at the table, if they are not what the rules say for a beginning.
    """
    if players != 2:
        return text("Only games of two players are worked out exactly as a whole.")
    if rules.lost_sets > 1:
        return text("A game of several sets is not worked out exactly, only a single set.")
    if tokens is None:
        pot, each = rules.supply.start(players)
        tokens = pot + each * players
    if tokens > MOST_TOKENS:
        return text("A game with more than {most} tokens is not worked out exactly.",
                    most=MOST_TOKENS)  # fmt: skip
    return None


def endless() -> Text:
    """By some rules nobody can be sure that the game ever ends."""
    return text("A game that may go on for ever is not worked out exactly.")


def not_sure() -> Text:
    """The numbers found could not be shown to be right."""
    return text("This game could not be worked out exactly enough.")


def no_numpy() -> Text:
    """The extra is not installed."""
    return text("Exact play needs numpy, which is not installed here.")


def not_three() -> Text:
    """Three are solved in the usual last phase, with not too many tokens."""
    return text("This game of three players is not worked out exactly.")
