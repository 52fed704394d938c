"""The list of tables says the same as if all of them were looked through each time."""

from hypothesis import given
from hypothesis import strategies as st

from zanzibar_plugin.room import directory
from zanzibar_plugin.room.directory import Directory
from zanzibar_plugin.room.party import Party, Seat, Stage
from zanzibar_plugin.room.people import Person

OWNERS = ("a", "b", "c")
MOST = 2

parties = st.builds(
    Party,
    game=st.just("421"),
    options=st.just({}),
    private=st.booleans(),
    master=st.just("A"),
    seats=st.lists(st.sampled_from((*OWNERS, "")), max_size=3).map(
        lambda owners: tuple(Seat(f"S{n}", owner) for n, owner in enumerate(owners))
    ),
    watchers=st.lists(st.sampled_from(OWNERS), max_size=2).map(
        lambda owners: tuple(Person(f"W{n}", owner) for n, owner in enumerate(owners))
    ),
    banned=st.frozensets(st.sampled_from(OWNERS), max_size=1),
    stage=st.sampled_from([stage for stage in Stage if stage is not Stage.CLOSED]),
    paused=st.just(False),
)
changes = st.lists(st.tuples(st.sampled_from("xyz"), st.one_of(st.none(), parties)), max_size=12)


def seen(found):
    return {(one["table"], one["mine"]) for one in found.tables}


@given(changes)
def test_whatever_happens_to_tables(steps):
    tables, looked_up = {}, Directory()
    for table, party in steps:
        before = looked_up.seen_by("a")
        if party is None:
            tables.pop(table, None)
            looked_up.drop(table)
            continue
        tables[table] = party
        told = looked_up.put(table, party, MOST)
        assert told or looked_up.seen_by("a") == before
        assert looked_up.put(table, party, MOST) is False
    for owner in OWNERS:
        own = {table for table, party in tables.items() if party.holds(owner)}
        others = {t for t, party in tables.items() if not party.private} - own
        assert set(looked_up.of_owner(owner)) == own
        found = looked_up.seen_by(owner)
        assert found.more == 0
        assert seen(found) == {(t, True) for t in own} | {(t, False) for t in others}
        for one in found.tables:
            party = tables[one["table"]]
            assert one["stage"] == party.stage and one["watchers"] == len(party.watchers)
            assert one["open"] == (not party.under_way and len(party.seats) < MOST)
        free = [one["open"] for one in found.tables if not one["mine"]]
        assert free == sorted(free, reverse=True)


def test_a_long_list_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(directory, "LISTED", 2)
    looked_up = Directory()
    for number in range(5):
        seats = (Seat("Ana", "a" if number == 4 else "b"),)
        party = Party("421", {}, False, "Ana", seats, (), frozenset(), Stage.WAITING, False)
        looked_up.put(f"t{number}", party, MOST)
    found = looked_up.seen_by("a")
    # One's own table is there in any case; those that have waited longest come next.
    assert [one["table"] for one in found.tables] == ["t4", "t0", "t1"]
    assert found.more == 2
