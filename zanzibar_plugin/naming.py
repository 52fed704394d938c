"""How combinations are called; dice are always said one by one, then the name if there is one."""

from __future__ import annotations

from collections.abc import Mapping

from zanzibar_plugin.dice import Faces
from zanzibar_plugin.ranking import Kind
from zanzibar_plugin.rules import Rules
from zanzibar_plugin.text import Dice, Field, Text, text, texts

# L10N: A combination in any sentence: the dice one by one ("6, 1, 1"), then its name. The name
# L10N: stands alone after the comma, in its basic form.
_FOUR_TWO_ONE = text("{dice}, four two one")
_NENETTE = text("{dice}, nénette")
# L10N: The highest combination of the other game, which is called like the game itself.
_ZANZIBAR = text("{dice}, zanzibar")
_SEQUENCE = text("{dice}, straight")
_TRIPLES = {
    6: text("{dice}, three sixes"),
    5: text("{dice}, three fives"),
    4: text("{dice}, three fours"),
    3: text("{dice}, three threes"),
    2: text("{dice}, three twos"),
    1: text("{dice}, three ones"),
}
# L10N: A pure is two ones and another die; it is named after the other die.
_PURES = {
    6: text("{dice}, pure of six"),
    5: text("{dice}, pure of five"),
    4: text("{dice}, pure of four"),
    3: text("{dice}, pure of three"),
    2: text("{dice}, pure of two"),
}
_BY_FACE: Mapping[Kind, Mapping[int, Text]] = {
    Kind.THREE_ONES: _TRIPLES,
    Kind.TRIPLE: _TRIPLES,
    Kind.PURE: _PURES,
}
_BY_KIND: Mapping[Kind, Text] = {
    Kind.FOUR_TWO_ONE: _FOUR_TWO_ONE,
    Kind.NENETTE: _NENETTE,
    Kind.ZANZIBAR: _ZANZIBAR,
    Kind.SEQUENCE: _SEQUENCE,
}


def combination(dice: Faces, rules: Rules) -> Field:
    """A combination as it is spoken in a sentence: its dice, and its name if it has one."""
    found = rules.by_dice.get(dice)
    if found is None:  # a single die, thrown for the start
        return Dice(dice)
    kind = found.kind
    if found.points is not None:
        # L10N: A combination without a name where points are compared: "6, 5, 1, 165 points".
        return texts(
            "{dice}, {count} point", "{dice}, {count} points", found.points, dice=Dice(dice)
        )
    name = _BY_KIND.get(kind) or _BY_FACE.get(kind, {}).get(dice[0])
    if name is None:
        return Dice(dice)
    return Text(name.msgid, {"dice": Dice(dice)})
