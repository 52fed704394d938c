"""Where an event is spoken, and what several sentences share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.naming import combination
from zanzibar_plugin.ruleset import Ruleset, Words
from zanzibar_plugin.state import State
from zanzibar_plugin.text import Field, Listing, Text, text
from zanzibar_plugin.text import Words as OwnWords

Sentences: TypeAlias = tuple[Text, ...]


class Scene:
    """Where an event is spoken: the table, the words of its rules, and who listens."""

    __slots__ = ("listener", "ruleset", "state")

    def __init__(self, ruleset: Ruleset, state: State, listener: str | None) -> None:
        self.ruleset = ruleset
        self.state = state
        self.listener = listener

    def named(self, dice: Faces) -> Field:
        """A combination as these rules call it."""
        return combination(dice, self.state.setting.rules)


def spoken(words: Words) -> Field:
    """A name or note: from the catalogs, or in an operator's own words."""
    return Text(words, {}) if isinstance(words, str) else OwnWords(words)


def tokens(tokens: Mapping[str, int], scene: Scene) -> Text:
    # L10N: {holdings} is a list of names with numbers: "Ana 3, Bruno 5, and you 2".
    return text("Tokens: {holdings}.", holdings=each(tokens, scene))


def named(players: Iterable[str], scene: Scene) -> Listing:
    """Names in a list, the listener's own as "you"."""
    return Listing(
        tuple(
            # L10N: The listener, in a list of names: "Ana, Bruno, and you".
            text("you") if player == scene.listener else player
            for player in players
        )
    )


def each(numbers: Mapping[str, int], scene: Scene) -> Listing:
    return Listing(
        tuple(
            # L10N: One entry of a list: how many tokens the listener holds.
            text("you {number}", number=number)
            if player == scene.listener
            # L10N: One entry of a list: a name and how many tokens that player holds.
            else text("{player} {number}", player=player, number=number)
            for player, number in numbers.items()
        )
    )
