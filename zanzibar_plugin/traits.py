"""What is special about some rules, in words a help page can ask for.

A help page is chosen by these traits and never by a game's id, so that it fits any rules file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zanzibar_plugin.ranking import Kind, Ranking, Value, Worth
from zanzibar_plugin.rules import Amount, Ends, Follow, Leave, Payer, Phase, PhaseStarter, Rules

Traits = Mapping[str, frozenset[str]]


def traits_of(rules: Rules) -> Traits:
    """Every trait with its values, most of them one; a trait of the phases has one for each."""
    return {
        **_of_phases(rules),
        **_of_turns(rules),
        **_of_combinations(rules),
        **_of_supply(rules),
    }


def holds(when: Mapping[str, tuple[str, ...]], traits: Traits) -> bool:
    """Whether the conditions of a paragraph or section hold."""
    return all(traits.get(name, frozenset()) & set(values) for name, values in when.items())


NAMES: Mapping[str, tuple[str, ...]] = {
    "course": ("loading_unloading", "all_pay", "other"),
    "phases": ("one", "more"),
    "throws": ("same", "differ"),
    "single_throw": ("everywhere", "somewhere", "nowhere"),
    "dry_loading": ("yes", "no"),
    "follow": tuple(Follow),
    "follows": ("same", "differ"),
    "end": tuple(Ends),
    "amount": (*Amount, "fixed"),
    "phase_starter": tuple(PhaseStarter),
    "first": ("seat", "die_high", "die_low"),
    "next": ("loser", "winner", "rotate"),
    "ties": ("later_wins", "earlier_wins", "throw_off", "cancel"),
    "throw_off_throws": ("one", "more"),
    "throw_off_order": ("forward", "reverse"),
    "throw_off_stake": ("same", "one"),
    "throw_off_scope": ("both", "worst"),
    "penalty": ("yes", "no"),
    "lock_kept": ("yes", "no"),
    "repeat": ("yes", "no"),
    "sets": ("one", "more"),
    "ranking": ("short", "listed"),
    "pairing": ("triple_first", "pair_first", "pairs_above", "no_pairs"),
    "triples": ("high_first", "low_first"),
    "rest": ("digits", "sum"),
    "kinds": tuple(Kind),
    "three_ones": ("yes", "no"),
    "nenette": ("yes", "no"),
    "straights": ("one", "more"),
    "points": ("special", "faces"),
    "example": ("yes", "no"),
    "triple_value": ("face", "flat"),
    "pure_value": ("third", "flat"),
    "four_two_one_value": ("number", "all", "all_but_one"),
    "pot": ("yes", "no"),
    "each": ("yes", "no"),
    "by_players": ("yes", "no"),
    "per_extra": ("yes", "no"),
}
"""All traits of a game and the values they can have."""

RANKED = frozenset(
    {
        "pairing", "triples", "rest", "kinds", "three_ones", "nenette", "straights", "points",
        "triple_value", "pure_value", "four_two_one_value", "ranking", "example",
    }
)  # fmt: skip
"""The traits of a ranking."""

PART_NAMES: Mapping[str, tuple[str, ...]] = {
    "phase_payer": tuple(Payer),
    "phase_ends": tuple(Ends),
    "phase_leave": tuple(Leave),
    "phase_follow": tuple(Follow),
    "phase_amount": (*Amount, "fixed"),
    "supply_pot": ("yes", "no"),
    "supply_each": ("yes", "no"),
    "class_value": ("number", "all", "all_but_one"),
}
"""Those of a single phase, of the supply for a number of players, or of a class of equals."""


def course_of(rules: Rules) -> str:
    """The course of a game: the two classic phases, all paying the weakest, or something else."""
    kinds = [(phase.payer, phase.ends, phase.leave) for phase in rules.phases]
    if kinds == [
        (Payer.TABLE, Ends.TABLE_EMPTY, Leave.PHASE_END),
        (Payer.BEST, Ends.ONE_HOLDER, Leave.TURN_END),
    ]:
        return "loading_unloading"
    if kinds == [(Payer.EACH_OTHER, Ends.FIRST_EMPTY, Leave.NEVER)]:
        return "all_pay"
    return "other"


def _one(value: str) -> frozenset[str]:
    return frozenset([value])


def _yes(holds: object) -> frozenset[str]:
    return _one("yes" if holds else "no")


def _each(values: Iterable[str]) -> frozenset[str]:
    return frozenset(values)


def _of_phases(rules: Rules) -> Traits:
    phases = rules.phases
    throws = {phase.throws for phase in phases}
    course = course_of(rules)
    followed = [phase.follow.value for phase in phases if phase.throws > 1]
    single = "everywhere" if throws == {1} else "somewhere" if 1 in throws else "nowhere"
    return {
        "course": _one(course),
        "phases": _one("one" if len(phases) == 1 else "more"),
        "throws": _one("same" if len(throws) == 1 else "differ"),
        "single_throw": _one(single),
        # Whom to follow is no question where there is one throw only.
        "dry_loading": _yes(course == "loading_unloading" and _dry(phases)),
        "follow": _each(followed),
        "follows": _one("differ" if len(set(followed)) > 1 else "same"),
        "end": _one(phases[-1].ends.value),
        "amount": _each(map(_amount, phases)),
        "phase_starter": _one(_starter(phases[1:])) if len(phases) > 1 else frozenset(),
    }


def _starter(later: Sequence[Phase]) -> str:
    special = PhaseStarter.MOST_TOKENS
    return (special if any(p.starter is special for p in later) else PhaseStarter.AS_USUAL).value


def _dry(phases: Sequence[Phase]) -> bool:
    return phases[0].throws == 1 and phases[1].throws > 1


def _amount(phase: Phase) -> str:
    return "fixed" if isinstance(phase.amount, int) else phase.amount.value


def _of_turns(rules: Rules) -> Traits:
    throw_off = rules.throw_off
    return {
        "first": _one(rules.first.value),
        "next": _one(rules.next.value),
        "ties": _one(rules.tie.value),
        "throw_off_throws": _one("one" if throw_off.throws == 1 else "more"),
        "throw_off_order": _one(throw_off.order.value),
        "throw_off_stake": _one(throw_off.stake.value),
        "throw_off_scope": _one(throw_off.scope.value),
        "penalty": _yes(rules.penalty),
        "lock_kept": _yes(rules.lock_kept),
        "repeat": _yes(rules.repeat_step),
        "sets": _one("one" if rules.lost_sets == 1 else "more"),
    }


def _of_combinations(rules: Rules) -> Traits:
    ranking = rules.ranking
    if ranking is None or not _usual(rules, ranking):
        return listed(rules)
    values = {one.kind: one.value for one in rules.combinations}
    straights = sum(one.kind is Kind.SEQUENCE for one in rules.combinations)
    faces = all(face == points for face, points in ranking.die_points.items())
    triples = {one.value for one in rules.combinations if one.kind is Kind.TRIPLE}
    pures = {one.value for one in rules.combinations if one.kind is Kind.PURE}
    best = values.get(Kind.FOUR_TWO_ONE)
    traits = {
        "example": _example(rules),
        "ranking": _one("short"),
        "three_ones": _yes(Kind.THREE_ONES in values),
        "nenette": _yes(Kind.NENETTE in values),
        "points": _one("faces" if faces else "special"),
        "pairing": _one(ranking.pairing.value),
        "triples": _one(ranking.triples.value),
        "rest": _one(ranking.rest.value),
        "kinds": _each(kind.value for kind in values),
        "triple_value": _one("face" if len(triples) > 1 else "flat"),
        "pure_value": _one("third" if len(pures) > 1 else "flat"),
    }
    if straights:
        traits["straights"] = _one("one" if straights == 1 else "more")
    if best is not None:
        word = best.value if isinstance(best, Worth) else "number"
        traits["four_two_one_value"] = _one(word)
    return traits


def listed(rules: Rules) -> Traits:
    """The traits of combinations that are told one by one, since no words describe their order."""
    return {"example": _example(rules), "ranking": _one("listed"), "nenette": _one("no")}


def _usual(rules: Rules, ranking: Ranking) -> bool:
    """Whether the paragraphs about a ranking have words for all of it.

    They know the usual tops and bottoms, straights from high to low, points for ones and sixes,
    and a value for each kind or one that follows from the dice.
    """
    tops = (((4, 2, 1), (1, 1, 1)), ((4, 2, 1),), ((6, 5, 4),))
    points = all(ranking.die_points[face] == face for face in (2, 3, 4, 5))
    in_order = list(ranking.sequences) == sorted(ranking.sequences, reverse=True)
    known = ranking.top in tops and ranking.bottom in ((), ((2, 2, 1),))
    return known and points and in_order and _values_by_kind(rules)


def _values_by_kind(rules: Rules) -> bool:
    values: dict[Kind, set[Value]] = {}
    for one in rules.combinations:
        values.setdefault(one.kind, set()).add(one.value)
    named = (Kind.TRIPLE, Kind.PURE, Kind.SEQUENCE, Kind.PLAIN)
    if any(isinstance(value, Worth) for kind in named for value in values.get(kind, ())):
        return False
    by_die = all(
        one.value == one.dice[0] or len(values[one.kind]) == 1
        for one in rules.combinations
        if one.kind in (Kind.TRIPLE, Kind.PURE)
    )
    return by_die and all(len(values.get(kind, ())) < 2 for kind in (Kind.SEQUENCE, Kind.PLAIN))


def _example(rules: Rules) -> frozenset[str]:
    strongest = rules.combinations[0].value
    return _yes(isinstance(strongest, int) and strongest > 1 and _by_value(rules))


def _by_value(rules: Rules) -> bool:
    return any(phase.amount is Amount.BEST_VALUE for phase in rules.phases)


def _of_supply(rules: Rules) -> Traits:
    supply = rules.supply
    return {
        "pot": _yes(supply.pot),
        "each": _yes(supply.each),
        "by_players": _yes(supply.by_players),
        "per_extra": _yes(supply.extra_add),
    }
