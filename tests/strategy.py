"""The figures and the picture of docs/strategy.md: `python -m tests.strategy` makes them anew.

A block of the page stands between `<!-- name -->` and `<!-- end -->`; its text is made here.
"""

import re
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from playing import LIBRARY, bundled, played  # noqa: E402

from zanzibar_plugin.bots import again  # noqa: E402
from zanzibar_plugin.catalogs import Catalogs  # noqa: E402
from zanzibar_plugin.dice import without  # noqa: E402
from zanzibar_plugin.naming import combination  # noqa: E402
from zanzibar_plugin.odds import chance, points  # noqa: E402
from zanzibar_plugin.situation import ME, Described, Held, beginning, state_of  # noqa: E402
from zanzibar_plugin.solver.advisor import Advisor  # noqa: E402
from zanzibar_plugin.solver.chances import best_play  # noqa: E402
from zanzibar_plugin.solver.habits import against  # noqa: E402
from zanzibar_plugin.solver.solutions import Solutions, solutions  # noqa: E402
from zanzibar_plugin.speech import spoken  # noqa: E402
from zanzibar_plugin.win_chart import chart  # noqa: E402

PAGE = ROOT / "docs" / "strategy.md"
PICTURE = ROOT / "docs" / "win-chance.svg"
BLOCK = re.compile(r"(<!-- ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
ENGLISH = Catalogs().catalog("en")

GAMES = (
    ("421", {}),
    ("421", {"tokens": 11}),
    ("421", {"dry_charge": True}),
    ("french-bar-21", {}),
    ("french-bar-11", {}),
    ("zanzibar-456", {}),
)
TYPICAL = ("411", "311", "211", "543", "321", "665", "652", "551", "542", "641", "521", "433",
           "322", "221")  # fmt: skip


@lru_cache(maxsize=16)
def _solved(name: str, options: tuple[tuple[str, object], ...] = ()) -> tuple:
    """The rules of a game, its solution, and an advisor; nothing is kept on disk."""
    rules = played(bundled(name), **dict(options))
    with tempfile.TemporaryDirectory() as folder:
        found: Solutions = solutions(rules, 2, Path(folder), None, False)
    return rules, found.duel, Advisor(rules, found)


def solved(name, options=()):
    return _solved(name, tuple(dict(options).items()))


def percent(share):
    return f"{float(share):.1%}"


def dice_of(digits):
    return tuple(int(digit) for digit in digits)


def said(dice, rules):
    return ENGLISH.say(combination(dice, rules))


def listed(some):
    """Dice as a reader hears them, with semicolons between."""
    return "; ".join(", ".join(map(str, dice)) for dice in some)


def table(heading, rows):
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def title(name, options):
    extra = ", ".join(
        {"tokens": f"{value} tokens", "dry_charge": "dry loading"}[option]
        for option, value in options.items()
    )
    return ENGLISH.say(spoken(bundled(name).name)) + (f", {extra}" if extra else "")


def combinations():
    """The chance of a combination, by its pattern, and of anything that has a name."""
    rules = played(bundled("421"))
    rows = [
        ("4, 2, 1, and any other three different dice", (4, 2, 1)),
        ("6, 1, 1, and any other pair with a third die", (6, 1, 1)),
        ("6, 6, 6, and any other three of a kind", (6, 6, 6)),
    ]
    shown = []
    for label, dice in rows:
        found = [chance(dice, roll, rules) for roll in (1, 2, 3)]
        shown.append([label, *(f"{percent(one)} ({one})" for one in found)])
    named = [_any_of(lambda one: one.kind not in ("plain", "nenette"), roll) for roll in (1, 2, 3)]
    top = [_any_of(lambda one: one.kind in ("four_two_one", "three_ones"), r) for r in (1, 2, 3)]
    shown.append(["4, 2, 1 or three ones", *map(percent, top)])
    shown.append(["any combination with a name, but the nénette", *map(percent, named)])
    return table(["combination", "within 1 roll", "within 2 rolls", "within 3 rolls"], shown)


def _any_of(wanted, rolls):
    rules = played(bundled("421"))
    return best_play(lambda dice, _: Fraction(wanted(rules.by_dice[dice])), rolls).value


def starting():
    """Who is better off at the beginning of the game."""
    rows = [
        [title(name, options), percent(duel.start), percent(1 - duel.start)]
        for name, options in GAMES
        for duel in (solved(name, options)[1],)
    ]
    return table(["game", "first player", "second player"], rows)


def holding():
    """The chance to win by tokens held in the unloading."""
    rows = []
    for name in ("421", "french-bar-21"):
        for one in points(solved(name)[1]):
            if one.held in (1, 2, 5, 10, 11, 16, 19, 20):
                rows.append([title(name, {}), one.held, percent(one.starter), percent(one.other)])
    return table(["game", "tokens of 21", "starts the round", "plays second"], rows)


def _best(name, dice, roll, held=None, phase=None):
    rules, _, advisor = solved(name)
    held = held or beginning(rules, 2)
    return advisor.advise(state_of(rules, Described(dice, roll, held=held, phase=phase)), ME).best


def _keeps(best, dice):
    kept = without(dice, best.again)
    return "accept" if best.stop else f"keep {listed([kept])}" if kept else "roll all again"


def typical():
    """What the first player does with typical dice, after the first and the second roll."""
    rules = solved("421")[0]
    middle, phase = Held(10, (11,), 0), "discharge"
    rows = []
    for digits in TYPICAL:
        dice = dice_of(digits)
        begin = [_keeps(_best("421", dice, roll), dice) for roll in (1, 2)]
        later = [_keeps(_best("421", dice, roll, middle, phase), dice) for roll in (1, 2)]
        rows.append([said(dice, rules), *begin, *later])
    phases = ("loading", "unloading")
    heading = [f"{phase}, after roll {roll}" for phase in phases for roll in (1, 2)]
    return table(["dice", *heading], rows)


def _accepted(name, roll, held=None, phase=None):
    """The combinations with which the first player stops, the strongest first."""
    rules = solved(name)[0]
    return [one.dice for one in rules.combinations if _best(name, one.dice, roll, held, phase).stop]


def stopping():
    """With what the first player stops at the beginning of 421."""
    rules = solved("421")[0]
    lines = []
    for roll in (1, 2):
        stops = _accepted("421", roll)
        share = sum(_falls(dice) for dice in stops)
        goes_on = [one.dice for one in rules.combinations if one.dice not in stops]
        lines.append(
            f"- After roll {roll} the first player accepts {len(stops)} of the 56 combinations, "
            f"which are {percent(Fraction(share, 216))} of all rolls of three dice. "
            f"Worth another roll are: {listed(goes_on)}.\n"
        )
    return "".join(lines)


def _falls(dice):
    return {3: 6, 2: 3, 1: 1}[len(set(dice))]


def ending():
    """How often the first player stops after the first roll, by tokens held."""
    rows = []
    for mine in (1, 2, 5, 10, 16, 19, 20):
        held = Held(mine, (21 - mine,), 0)
        row = []
        for roll in (1, 2):
            stops = _accepted("421", roll, held, "discharge")
            row.append(percent(Fraction(sum(map(_falls, stops)), 216)))
        rows.append([mine, 21 - mine, *row])
    return table(
        ["your tokens", "the other's", "accepts after roll 1", "accepts after roll 2"], rows
    )


def changing():
    """Dice that are accepted when ahead and not when behind."""
    lines = []
    ahead = set(_accepted("421", 1, Held(1, (20,), 0), "discharge"))
    behind = set(_accepted("421", 1, Held(20, (1,), 0), "discharge"))
    rules = solved("421")[0]
    only = [one.dice for one in rules.combinations if one.dice in ahead - behind]
    lines.append(
        f"With 1 token against 20 the first player accepts these after roll 1, and with 20 "
        f"against 1 not: {listed(only)}.\n"
    )
    other = [one.dice for one in rules.combinations if one.dice in behind - ahead]
    if other:
        lines.append(f"The other way round: {listed(other)}.\n")
    return "".join(lines)


def _missing(rules, dice):
    """The dice that do not belong to the strongest combination."""
    wanted, thrown = list(rules.combinations[0].dice), []
    for face in dice:
        if face in wanted:
            wanted.remove(face)
        else:
            thrown.append(face)
    return tuple(thrown)


def habits():
    """What simple ways to play win against best play."""
    rows = []
    for name, options in GAMES:
        rules, duel, _ = solved(name, options)

        def for_the_top(dice, left, rules=rules):
            return _missing(rules, dice)

        def content(dice, left, rules=rules):
            plain = rules.by_dice[dice].kind in ("plain", "nenette")
            return _missing(rules, dice) if plain else ()

        def regular(dice, left, rules=rules):
            return again(rules, dice, left)

        row = [title(name, options)]
        for habit in (lambda dice, left: (), for_the_top, regular, content):
            match = against(duel, habit)
            row.append(percent(1 - (match.first + match.second) / 2))
        rows.append(row)
    return table(
        ["game", "stops at once", "always for the strongest", "the regular bot",
         "content with any name"],
        rows,
    )  # fmt: skip


def points_game():
    """4-5-6: with what the first player stops."""
    rules = solved("zanzibar-456")[0]
    lines = []
    for roll in (1, 2):
        stops = _accepted("zanzibar-456", roll)
        weakest = [said(dice, rules) for dice in stops[-3:]]
        goes_on = len(rules.combinations) - len(stops)
        share = percent(Fraction(sum(map(_falls, stops)), 216))
        lines.append(
            f"- After roll {roll} the first player accepts {len(stops)} combinations and rolls on "
            f"with {goes_on}; {share} of all rolls of three dice are accepted. The weakest of "
            f"those accepted: {'; '.join(weakest)}.\n"
        )
    return "".join(lines)


BLOCKS: dict[str, Callable[[], str]] = {
    "combinations": combinations,
    "starting": starting,
    "holding": holding,
    "stopping": stopping,
    "typical": typical,
    "ending": ending,
    "changing": changing,
    "habits": habits,
    "points-game": points_game,
}


def page(old: str) -> str:
    """The page with each block made anew."""
    return BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found[2]]()}{found[3]}", old)


def picture() -> str:
    """The picture of the page: the unloading of 421."""
    found = LIBRARY.find("421")
    return chart(points(solved("421")[1]), 21, spoken(found.name), ENGLISH)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
