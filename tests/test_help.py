"""Help pages: every paragraph is shown somewhere, and what a page says is true of its rules."""

import re

import pytest
from hypothesis import given
from playing import LANGUAGES, LIBRARY, bundled, changed, dice, played
from rules_strategy import rules_files
from test_random_rules import short

from zanzibar_plugin.catalogs import Catalogs
from zanzibar_plugin.facts import cases_of, filled
from zanzibar_plugin.help import as_html, as_markdown, as_text, page_of
from zanzibar_plugin.schema import rules_of
from zanzibar_plugin.traits import NAMES, PART_NAMES, holds

CATALOGS = Catalogs()


def pot_of(number):
    return {"supply": {"pot": number}, "options": {"tokens": {"default": number}}}


def phase(**fields):
    given = {
        "label": "play",
        "throws": 3,
        "follow": "free",
        "payer": "each_other",
        "amount": "best_value",
        "ends": "first_empty",
        "leave": "never",
    }
    return {**given, **fields}


def single(**fields):
    """A game of one phase, with no pot and five tokens each."""
    return {
        "supply": {"pot": 0, "each": 5},
        "phases": {"charge": None, "discharge": None, "play": phase(**fields)},
        "options": {"tokens": None, "dry_charge": None},
    }


def phases(**fields):
    return {"phases": {"charge": fields, "discharge": fields}}


def listed(*kinds):
    """All combinations as a list of two classes, or of one of each kind named before them."""
    rules = played(bundled("421"))
    names = ["".join(map(str, one.dice)) for one in rules.combinations]
    first = [{"dice": [names.pop()], "value": 3, "kind": kind} for kind in kinds]
    values = ("all", "all_but_one", 2)
    rest = [{"dice": [names.pop()], "value": value} for value in values]
    rest.append({"dice": names, "value": 1})
    return {"ranking": None, "values": None, "combinations": [*first, *rest]}


THROW_OFF = {"ties": "throw_off"}
MADE = [
    ("421", {}),
    ("421-dry", {}),
    ("zanzibar-456", {}),
    ("zanzibar-456-simple", {}),
    ("zanzibar-456-own-hand", {}),
    ("belgian", {}),
    ("cafe-pot-minus-one", {}),
    ("lyon-vache", {}),
    ("bar-11-no-pairs", {}),
    *(("421", phases(throws=1, follow=follow)) for follow in ("first", "free")),
    *(("421", phases(follow=follow)) for follow in ("first", "free")),
    ("421", {**phases(follow="first_exactly"), "announce_last": True}),
    ("lyon-vache", {"phases": {"charge": {"throws": 3}, "discharge": {"throws": 2}}}),
    ("421", {"phases": {"charge": {"follow": "first"}}}),
    ("421", {"phases": {"charge": {"follow": "free"}, "discharge": {"throws": 2}}}),
    ("421", {"phases": {"charge": {"follow": "first_exactly"}}, "announce_last": True}),
    ("421", {"phases": {"discharge": {"throws": 1}}}),
    ("421", {"phases": {"charge": {"amount": 2}, "discharge": {"amount": 2}}}),
    ("421", {"phases": {"charge": {"amount": 1}, "discharge": {"amount": "payer_value"}}}),
    ("421", {"phases": {"discharge": {"starter": "most_tokens"}}}),
    *(("421", {"start": {"first": first}}) for first in ("die_high", "die_low")),
    *(("421", {"start": {"next": after}}) for after in ("winner", "rotate")),
    *(("421", {"ties": ties}) for ties in ("earlier_wins", "cancel")),
    ("421", THROW_OFF),
    ("421", {**THROW_OFF, "throw_off": {"throws": 2, "order": "reverse", "stake": "one"}}),
    ("421", {**THROW_OFF, "throw_off": {"scope": "worst"}}),
    ("421", {"nenette_penalty": 1}),
    ("421", {"lock_kept": True}),
    ("421", {"repeat_step": 2}),
    ("zanzibar-456", {"repeat_step": 2}),
    ("421", {"lost_sets": 2}),
    ("421", listed()),
    ("421", listed("nenette")),
    ("421", {"repeat_step": 2, **listed("four_two_one", "zanzibar", "three_ones", "triple")}),
    ("421", {**listed("pure", "sequence", "plain", "nenette"), "nenette_penalty": 2}),
    ("421", {"ranking": {"triples": "low_first"}}),
    ("421", {"ranking": {"triples": "low_first", "pairing": "pair_first"}}),
    ("421", {"ranking": {"pairing": "pairs_above"}}),
    ("421", {"ranking": {"top": ["421"]}, "values": {"three_ones": None}}),
    ("421", {"ranking": {"rest": "sum"}}),
    ("421", {"ranking": {"rest": "sum", "die_points": {"1": 100, "6": 60}}}),
    ("421", {"ranking": {"sequences": ["321"]}}),
    ("421", {"ranking": {"sequences": []}, "values": {"sequence": None}}),
    ("421", {"values": {"triple": 4, "pure": 5}}),
    ("421", {"values": {"four_two_one": "all"}}),
    ("421", {"values": {"four_two_one": 1}}),
    ("421", {"supply": {"each": 3, "by_players": {"2": {"pot": 3, "each": 0}, "3": {"each": 2}}}}),
    ("421", {"supply": {"per_extra": {"above": 4, "add": 2}}}),
    ("421", single()),
    ("421", single(amount=2)),
    ("421", single(amount="payer_value")),
    ("421", single(amount=2, ends={"turns": 3})),
    ("421", {"lost_sets": 2, "phases": {"charge": {"leave": "never"}}}),
    ("421", single(payer="best", ends={"turns": 4}, leave="turn_end")),
    ("421", single(payer="best", ends={"target": 7}, leave="phase_end", amount=2)),
    ("421", single(payer="best", amount="payer_value", throws=1)),
    ("421", single(ends="one_holder", leave="turn_end")),
    ("421", {"phases": {"charge": {"ends": {"turns": 5}, "leave": "never"}}}),
    (
        "421",
        {
            "options": {"tokens": None},
            "phases": {"charge": {"ends": {"target": 6}}, "discharge": {"ends": "first_empty"}},
        },
    ),
    ("421", {"phases": {"discharge": None, "charge": {"amount": 2}}}),
]
RULESETS = [changed(base, change) for base, change in MADE]
GAMES = [(ruleset, played(ruleset)) for ruleset in RULESETS]


def shown(ruleset, rules):
    """The paragraphs on a page, each with the case it is said for."""
    cases = cases_of(ruleset, rules)
    return [
        (paragraph, case)
        for section in ruleset.help
        if holds(section.when, cases[""][0].traits)
        for paragraph in section.paragraphs
        for case in cases[paragraph.for_each]
        if holds(paragraph.when, case.traits)
    ]


EVERY = [paragraph for section in bundled("421").help for paragraph in section.paragraphs]
SHOWN = [shown(ruleset, rules) for ruleset, rules in GAMES]


def test_every_paragraph_is_shown_somewhere():
    seen = {paragraph.msgid for page in SHOWN for paragraph, _ in page}
    missing = [paragraph.msgid for paragraph in EVERY if paragraph.msgid not in seen]
    assert not missing, "\n".join(missing)


ALL_NAMES = {**NAMES, **PART_NAMES}


def cases_with(name, value):
    """The games, by number, that have this value of a trait, as a whole or in a part."""
    return [
        number
        for number, (ruleset, rules) in enumerate(GAMES)
        for cases in cases_of(ruleset, rules).values()
        for case in cases
        if value in case.traits.get(name, ())
    ]


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in ALL_NAMES.items() for value in values]
)
def test_every_trait_is_had_and_told(name, value):
    numbers = cases_with(name, value)
    assert numbers, "no game here has it"
    asked = [one for one in EVERY if value in one.when.get(name, ())]
    sections = [one for one in bundled("421").help if value in one.when.get(name, ())]
    if asked or sections:
        told = [one.msgid for number in numbers for one, _ in SHOWN[number]]
        inside = [p.msgid for section in sections for p in section.paragraphs]
        assert set(told) & {*(one.msgid for one in asked), *inside}


def test_conditions_name_traits():
    own = {"options", *(f"option_{option.name}" for option in bundled("421").options)}
    for one in (*EVERY, *bundled("421").help):
        assert set(one.when) <= {*ALL_NAMES, *own}, one


FAMILY = [(ruleset, played(ruleset)) for ruleset in LIBRARY.rulesets()]


def english(ruleset):
    page = page_of(ruleset, ruleset.defaults(), CATALOGS.catalog("en"))
    return [paragraph for section in page.sections for paragraph in section.paragraphs]


BEATS = re.compile(r"((?:\d, ){2}\d)(?:, [a-zé ]+)? beats ((?:\d, ){2}\d)")


def faces(words):
    return dice(words.replace(", ", ""))


@pytest.mark.parametrize(("ruleset", "rules"), [*GAMES, *FAMILY])
def test_examples_are_true(ruleset, rules):
    """Each "4, 1, 1 beats 3, 3, 3" of a page is so, and is listed to be checked at loading."""
    said = [pair for paragraph in english(ruleset) for pair in BEATS.findall(paragraph)]
    listed_pairs = {
        tuple(map(dice, pair)) for paragraph, _ in shown(ruleset, rules) for pair in paragraph.beats
    }
    for stronger, weaker in said:
        assert rules.strength(faces(stronger)) > rules.strength(faces(weaker))
        assert (faces(stronger), faces(weaker)) in listed_pairs
    for stronger, weaker in listed_pairs:
        assert rules.strength(stronger) > rules.strength(weaker)


WORTH = re.compile(r"((?:\d, ){2}\d) is worth (\d+)")
VALUE = re.compile(r"((?:\d, ){2}\d)(?:, called \w+)?\. (?:Its|Their) value is (\d+)")
POINTS = re.compile(r"((?:\d, ){2}\d) has (\d+)")


@pytest.mark.parametrize(("ruleset", "rules"), [*GAMES, *FAMILY])
def test_values_are_true(ruleset, rules):
    """As `zanzibar combinations` lists them."""
    for paragraph in english(ruleset):
        for shown_dice, value in [*WORTH.findall(paragraph), *VALUE.findall(paragraph)]:
            assert rules.by_dice[faces(shown_dice)].value == int(value), paragraph
        for shown_dice, points in POINTS.findall(paragraph):
            assert rules.by_dice[faces(shown_dice)].points == int(points), paragraph


def test_the_patterns_find_something():
    said = "\n".join(paragraph for ruleset, _ in FAMILY for paragraph in english(ruleset))
    for pattern in (BEATS, WORTH, VALUE, POINTS):
        assert len(set(pattern.findall(said))) >= 2, pattern


@short
@given(rules_files())
def test_examples_of_random_rules_are_true(file):
    ruleset = file.ruleset
    rules = rules_of(ruleset, ruleset.defaults())
    test_examples_are_true(ruleset, rules)
    test_values_are_true(ruleset, rules)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_in_every_language(lang):
    catalog = CATALOGS.catalog(lang)
    for ruleset, _ in [*GAMES, *FAMILY]:
        page = page_of(ruleset, ruleset.defaults(), catalog)
        assert page.title
        for section in (*page.sections, page.keys):
            assert section.title.strip()
            assert section.paragraphs
            assert len(set(section.paragraphs)) == len(section.paragraphs), section.title
        whole = as_text(page)
        assert not {"{", "}"} & set(whole)
        assert whole.count("\n\n") == len(page.sections) + 1
        assert as_markdown(page).startswith("# ")
        assert f'<html lang="{lang}">' in as_html(page, lang)


# The 25 points that the page of 421 states, by words of the paragraphs that carry them.

POINTS_OF_421 = {
    1: "also called 4, 2, 1",
    2: "played with three dice",
    3: "by {min_players} to {max_players} players",
    4: "The aim is to get rid of all your tokens. At the start",
    5: "The usual number of tokens is {tokens_default}",
    6: "The game has two phases",
    7: "Whoever has no token when the loading is over",
    8: "The last one left, with all the tokens, has lost",
    9: "when the first of three players stops after two rolls",
    10: "any one of your dice, two of them, or all three. A die",
    11: "the player with the weakest combination takes tokens. How many",
    12: "In the loading these tokens come from the table",
    13: "Nobody can take more than there is. For example",
    14: "The player who took the tokens starts the next round",
    15: "The strongest combination is {dice_421}. Its value",
    16: "Then come three ones: {dice_111}",
    17: "three of a kind are stronger: {dice_666} beats {dice_611}",
    18: "A pure, also said to be in the air",
    19: "by their highest die: {straights}",
    20: "{dice_621} beats {dice_554}, and {dice_521} beats {dice_433}",
    21: "The weakest of all is {dice_221}, called nénette",
    22: "When two combinations are exactly equal, the later one",
    23: "Every bar and every region has its own way",
    24: "Dry loading is off at this table",
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("point", POINTS_OF_421)
def test_the_points_of_421(point, lang):
    ruleset, rules = bundled("421"), played(bundled("421"))
    catalog = CATALOGS.catalog(lang)
    (found,) = [one for one in shown(ruleset, rules) if POINTS_OF_421[point] in one[0].msgid]
    paragraph, case = found
    said = catalog.say(filled(paragraph, rules, case.facts))
    page = page_of(ruleset, ruleset.defaults(), catalog)
    assert said in [one for section in page.sections for one in section.paragraphs]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_key_is_on_the_page(lang):
    """The last of the points of 421."""
    ruleset = bundled("421")
    page = page_of(ruleset, ruleset.defaults(), CATALOGS.catalog(lang))
    assert len(page.keys.paragraphs) == 8
    shown_keys = {key for row in ruleset.keys for key in row.keys}
    assert shown_keys >= {
        "enter",
        "space",
        *"dcst",
        *"123456",
        *(f"shift+{n}" for n in range(1, 7)),
    }
    exact = bundled("lyon-vache")
    page = page_of(exact, exact.defaults(), CATALOGS.catalog(lang))
    assert len(page.keys.paragraphs) == 9


def test_the_page_of_421_dry():
    ruleset = bundled("421")
    page = as_text(page_of(ruleset, ruleset.choose({"dry_charge": True}), CATALOGS.catalog("en")))
    assert "Dry loading is on at this table" in page
    assert "In the loading everybody has one roll only" in page


# Every line of the rules of 4-5-6, and both variants.

LINES_OF_456 = [
    "by 2 to 12 players",
    "Everybody begins with 20 tokens",
    "With 2 players, everybody begins with 15 tokens",
    "up to 3 times",
    "at most as often as the first player really did",
    "The strongest combination is 6, 5, 4, called zanzibar. Its value is 4",
    "1, 1, 1 beats 2, 2, 2, and 5, 5, 5 beats 6, 6, 6",
    "Three of a kind are worth 3",
    "Then comes the straight 3, 2, 1. Its value is 2",
    "a one counts 100 points, a six 60",
    "6, 5, 1 has 165 points, 6, 2, 2 has 64, and 5, 4, 2 has 11",
    "All other combinations are worth 1",
    "the earlier one in the round is the stronger",
    "the player who was last takes the tokens",
    "takes tokens from every other player",
    "the strongest combination of the round says",
    "Whoever holds fewer tokens than are due pays what there is",
    "Whoever is the first to have no token left has won",
    "if that is none of them, they win together",
    "the first player in the order of the seats starts",
    "The player with the strongest combination starts the next round",
    "With simple points each die counts the number it shows",
    "by the combination that player has",
]


@pytest.mark.parametrize("line", LINES_OF_456)
def test_the_page_of_456(line):
    ruleset = bundled("zanzibar-456")
    assert line in as_text(page_of(ruleset, ruleset.defaults(), CATALOGS.catalog("en")))
