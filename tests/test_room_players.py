"""Players who drop out, come back, do nothing, read nothing: nobody else is kept waiting."""

import asyncio
import statistics
import time
from dataclasses import replace

import pytest
from room_client import (
    BRIEF,
    FAST,
    WIDE,
    MemoryStore,
    RawClient,
    clients_of,
    in_room,
    room_at,
    secret_of,
)

from zanzibar_plugin import plugin

NAMES = ("Ana", "Bruno", "Clara", "Dario", "Eva", "Franco", "Gaia", "Hana", "Ivo", "Jana", "Karl",
         "Luka")  # fmt: skip


async def table_of(clients, count, **options):
    """People at a table whose game has begun; the first one is master and starts."""
    people = [await clients(name) for name in NAMES[:count]]
    table = await people[0].opens(**options)
    for one in people[1:]:
        await one.comes(table)
    await people[0].does("begin")
    for one in people:
        await one.until_stage("playing")
    return table, people


async def events(room, table):
    """All events of the game in a table's journal."""
    entries = await room.store.read(table)
    return [one for entry in entries for one in entry.data["happened"] if "event" in one]


def assert_fair(happened, players, tokens):
    """Throw limits were kept and no token was lost or made."""
    for event in happened:
        if event["event"] == "thrown":
            assert event["throw"] <= event["limit"]
        if event["event"] == "turn_started":
            assert event["table"] + sum(event["tokens"].values()) == tokens


# Leaving and dropping.


@pytest.mark.parametrize("phase", ["charge", "discharge"])
@pytest.mark.parametrize("count", [2, 12])
def test_who_drops_amid_his_go_is_played_for(count, phase):
    async def test(clients, room):
        tokens = 1 if phase == "discharge" else 21
        table, (ana, *others) = await table_of(clients, count, tokens=tokens)
        playing = [asyncio.create_task(one.plays()) for one in others]
        await ana.plays(lambda: ana.view["play"]["phase"]["id"] != phase)
        await ana.until(lambda: ana.my_go or ana.view["stage"] == "over")
        if ana.view["stage"] == "over":  # the dice would not have it
            await asyncio.gather(*playing)
            return
        await ana.does("key", key="enter")
        in_midst = ana.my_go
        ana.breaks()
        watcher = await clients("Zoe")
        await watcher.comes(table, watch=True)
        await watcher.until(lambda: watcher.seats["Ana"]["away"] or watcher.view["stage"] == "over")
        if in_midst:
            assert watcher.seats["Ana"]["away"] == "dropped"
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        await watcher.until_stage("over")
        assert_fair(await events(room, table), NAMES[:count], tokens)

    in_room(test, pace=BRIEF)


def test_a_table_of_bots_and_somebody_away_keeps_the_limits():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2, tokens=6)
        await ana.does("key", key="enter")
        ana.breaks()
        await bruno.hears("Ana is away. A bot plays on.")
        assert bruno.view["master"] == "Bruno"
        await bruno.plays()
        happened = await events(room, table)
        assert_fair(happened, ("Ana", "Bruno"), 6)
        # The bot went on with the throw that was there: it did not start anew.
        thrown = [event for event in happened if event["event"] == "thrown"]
        assert [event["throw"] for event in thrown[:2]] in ([1, 2], [1, 1])
        assert thrown[0]["player"] == "Ana"

    in_room(test, pace=BRIEF)


def test_a_short_break_is_no_leaving():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2)
        for _ in range(3):
            bruno.breaks()
            await asyncio.sleep(0.05)
            bruno = await clients("Bruno")
            await bruno.comes(table, after=10**9)
        await asyncio.sleep(1.2 * room.settings.pace.grace)
        assert not any("away" in line for line in ana.lines)
        assert bruno.seats["Bruno"]["away"] == ""

    in_room(test, pace=replace(FAST, grace=2))


def test_who_comes_back_hears_what_was_missed_once_and_plays_on():
    async def test(clients, room):
        table, (ana, bruno, clio) = await table_of(clients, 3)
        await ana.does("key", key="enter")
        await bruno.until(lambda: max(bruno.numbers) == max(ana.numbers))
        before = bruno.numbers
        bruno.breaks()
        await ana.hears("Bruno is away. A bot plays on.")
        await asyncio.gather(*(one.plays(lambda: len(ana.numbers) < 40) for one in (ana, clio)))
        again = await clients("Bruno", "it")
        assert again.hello["yours"] == [table]
        await again.comes(table, after=before[-1])
        await again.until(lambda: again.seats["Bruno"]["away"] == "")
        await ana.hears("Bruno is back.")
        await again.until(lambda: max(again.numbers) == max(ana.numbers))
        heard = [*before, *again.numbers]
        assert heard == [*range(before[0], max(ana.numbers) + 1)]
        # Once more, with nothing missed, and to a table one is at already.
        number = again.numbers[-1]
        await again.does("come", table=table, after=0)
        assert again.numbers[-1] == number
        await asyncio.gather(ana.plays(), again.plays(), clio.plays())
        assert again.numbers == sorted({*again.numbers})

    in_room(test, pace=BRIEF)


@pytest.mark.parametrize("after", [None, -1, 10**30, "3", 1.5, True, [], 2])
def test_odd_numbers_to_come_back_with(after):
    async def test(clients, room):
        ana = await clients("Ana")
        table = await ana.opens()
        for _ in range(4):
            await ana.does("add_bot")
        await ana.does("away")
        await ana.comes(table, after=after)
        missed = {2: [3, 4, 5], True: [2, 3, 4, 5]}.get(
            after if type(after) in (int, bool) else 0, []
        )
        assert ana.numbers == missed or after in (2, True)
        await ana.does("say", text="Hello")
        assert ana.numbers[-1] == 6

    in_room(test)


def test_more_is_missed_than_a_line_bears_at_once():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens()
        await bruno.comes(table)
        await bruno.does("away")
        for number in range(700):
            await ana.tell("say", text=f"Line {number}")
        await ana.does("say", text="The last one")
        # It is taken from the journal, also after the memory has forgotten the beginning.
        await bruno.comes(table, after=2)
        assert bruno.numbers == [*range(3, 704)]
        assert bruno.lines[-1] == "Ana: The last one" and "Ana: Line 0" in bruno.lines
        await ana.does("say", text="And on")
        await bruno.hears("Ana: And on")
        assert bruno.numbers == [*range(3, 705)]

    in_room(test, web_limits=replace(WIDE, waiting_lines=60))


def test_everybody_is_gone_and_comes_back():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2)
        await ana.does("key", key="enter")
        await bruno.until(lambda: max(bruno.numbers) == max(ana.numbers))
        number = max(ana.numbers)
        for one in (ana, bruno):
            one.breaks()
        await asyncio.sleep(3 * room.settings.pace.grace)
        keeper = room.hall.find(table)
        assert (keeper.number, keeper.ears, keeper._timers.names()) == (number, 0, ())
        # The first one back waits for the other for the time of grace; then a bot plays.
        bruno = await clients("Bruno")
        await bruno.comes(table, after=number)
        assert bruno.view["play"]["on_go"] == "Ana"
        await bruno.hears("Ana is away. A bot plays on.")
        await bruno.until(lambda: bruno.my_go)
        ana = await clients("Ana")
        await ana.comes(table, after=number)
        await ana.until(lambda: ana.seats["Ana"]["away"] == "")
        assert ana.numbers[0] == number + 1 and ana.view["master"] == "Bruno"
        await asyncio.gather(ana.plays(), bruno.plays())
        assert ana.view["stage"] == "over"

    in_room(test, pace=BRIEF)


def test_after_all_have_dropped_the_table_has_a_master_again():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2)
        watcher = await clients("Zoe")
        await watcher.comes(table, watch=True)
        ana.breaks()
        bruno.breaks()
        await watcher.until(lambda: all(seat["away"] for seat in watcher.seats.values()))
        assert watcher.view["master"] == "Zoe"
        await watcher.does("leave")
        bruno = await clients("Bruno")
        await bruno.comes(table)
        await bruno.until(lambda: bruno.view["master"] == "Bruno")
        await bruno.does("pause")

    in_room(test, pace=BRIEF)


def test_those_who_drop_before_the_game_leave_their_seats():
    async def test(clients, room):
        ana, bruno, zoe = [await clients(name) for name in ("Ana", "Bruno", "Zoe")]
        table = await ana.opens()
        await bruno.comes(table)
        await zoe.comes(table, watch=True)
        ana.breaks()
        zoe.breaks()
        await bruno.hears("You are now the table master.")
        await bruno.hears("Zoe leaves the table.")
        await bruno.until(lambda: [*bruno.seats] == ["Bruno"] and not bruno.view["watchers"])

    in_room(test, pace=BRIEF)


# Windows and tables.


def test_a_second_window_takes_over():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2)
        number = max(ana.numbers)
        second = await clients("Ana")
        await ana.until_ended()
        assert ana.latest("taken_over") == "This table is now open in another window."
        await second.comes(table, after=number)
        await second.does("key", key="enter")
        await asyncio.sleep(1.2 * room.settings.pace.grace)
        assert not any("away" in line for line in bruno.lines)
        assert room.hall.find(table).ears == 2
        await asyncio.gather(second.plays(), bruno.plays())

    in_room(test, pace=replace(FAST, grace=2))


def test_windows_that_come_one_upon_the_other_leave_nothing_behind():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2)
        windows = [await clients.connect("Ana") for _ in range(20)]
        for window in windows:
            await window.tell("hello", name="Ana", secret=window.secret, lang="en")
            await window.tell("come", table=table, after=0)
        await windows[-1].until(lambda: bool(windows[-1].view))
        for window in (ana, *windows[:-1]):
            await window.until_ended()
        keeper = room.hall.find(table)
        assert keeper.ears == 2
        windows[-1].breaks()
        await bruno.hears("Ana is away. A bot plays on.")
        assert keeper.ears == 1

    in_room(test, pace=BRIEF)


def test_who_watches_another_table_hears_that_one_alone():
    async def test(clients, room):
        first, (ana, _) = await table_of(clients, 2)
        edna, fabio = await clients("Edna"), await clients("Fabio")
        second = await edna.opens()
        await fabio.comes(second)
        zoe = await clients("Zoe")
        for _ in range(3):
            await zoe.comes(first, watch=True)
            await zoe.comes(second, watch=True)
        await zoe.until(lambda: zoe.view["master"] == "Edna")
        heard = len(zoe.all)
        await ana.does("say", text="First")
        await ana.does("key", key="enter")
        await edna.does("say", text="Second")
        await zoe.hears("Edna: Second")
        since = zoe.all[heard:]
        assert [message["lines"] for message in since if "heard" in message] == [["Edna: Second"]]
        assert all(one["table"]["master"] == "Edna" for one in since if "table" in one)
        # At the first table nobody counts Zoe any more, at the latest after the time of grace.
        await ana.until(lambda: not ana.view["watchers"])
        assert zoe.view["watchers"] == ["Zoe"]

    in_room(test, pace=BRIEF)


# Those who do nothing.


IDLE = replace(FAST, remind=0.15, idle=0.3)


def test_who_does_nothing_is_reminded_and_then_played_for():
    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2)
        await bruno.hears("Ana does nothing. A bot plays on.")
        assert "Everybody is waiting for you." in ana.lines
        assert "Everybody is waiting for you." not in bruno.lines
        assert ana.lines.index("Everybody is waiting for you.") < ana.lines.index(
            "A bot plays for you now. Press any key of the game to play on yourself."
        )
        assert bruno.view["master"] == "Bruno"
        await bruno.until(lambda: bruno.my_go)
        await ana.does("key", key="s")
        assert "You play on yourself." in ana.lines and ana.seats["Ana"]["away"] == ""
        await bruno.hears("Ana is back.")

    in_room(test, pace=IDLE)


def test_what_others_do_gives_the_idle_no_more_time():
    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2)
        line = "Ana does nothing. A bot plays on."
        for number in range(200):
            await bruno.does("say", text=f"Hurry up {number}")
            await bruno.does("key", key="s")
            await asyncio.sleep(0.02)
            if line in bruno.lines:
                break
        assert line in bruno.lines
        assert sum("Everybody is waiting for you." in lines for lines in ana.heard.values()) == 1

    in_room(test, pace=IDLE)


def test_who_presses_keys_is_not_idle():
    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2)
        await ana.does("key", key="enter")
        for _ in range(25):
            await asyncio.sleep(0.06)
            await ana.does("key", key="d")
        assert not any("does nothing" in line for line in bruno.lines)
        await bruno.hears("Ana does nothing. A bot plays on.")

    in_room(test, pace=replace(IDLE, remind=0.6, idle=1.2))


def test_a_game_of_people_who_all_do_nothing_comes_to_its_end():
    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2, tokens=2)
        for one in (ana, bruno):
            await one.until_stage("over")
            assert one.numbers == sorted({*one.numbers})
            assert one.seats[one.name]["away"] == "idle"
        # Both are here; who is back first is master again.
        await bruno.does("join")
        assert bruno.view["master"] in ("Ana", "Bruno")

    in_room(test, pace=replace(IDLE, remind=0.03, idle=0.06))


# Those who do not read.


async def round_trips(speaker, listeners, count):
    """How long each of some messages takes until everybody has heard it."""
    took = []
    for number in range(count):
        line = f"{speaker.name}: {number} of {count} {'x y ' * 60}".strip()
        began = time.perf_counter()
        await speaker.does("say", text=line.partition(": ")[2])
        await asyncio.gather(*(one.hears(line) for one in listeners))
        took.append(time.perf_counter() - began)
    return took


async def raw_at(port, name, table):
    """A client at a table, which then reads no more."""
    raw = RawClient(port)
    await raw.greets(port)
    await raw.tells("hello", name=name, secret=secret_of(name), lang="en")
    await raw.tells("come", table=table, watch=True)
    return raw


def test_one_who_reads_nothing_delays_nobody_and_is_cut_off():
    async def test(clients, room):
        people = [await clients(name) for name in NAMES[:11]]
        table = await people[0].opens()
        for one in people[1:]:
            await one.comes(table)
        alone = await round_trips(people[0], people, 40)
        deaf = await raw_at(room.port, "Zoe", table)
        await people[0].until(lambda: people[0].view["watchers"] == ["Zoe"])
        (line,) = [one for one in room._clients.values() if one.name == "Zoe"]
        most = 0
        together = []
        while line._keeper is not None and len(together) < 2000:
            together += await round_trips(people[0], people, 10)
            most = max(most, len(line._out))
        assert line._keeper is None
        assert 1 < most <= room.limits.waiting_lines
        # One who kept the others waiting would do so for half a second, hundreds of times as long.
        assert statistics.median(together) < 40 * statistics.median(alone)
        # The line is closed, the spectator gone after the time of grace, and nothing is left.
        await people[0].until(lambda: people[0].view["watchers"] == [])
        async with asyncio.timeout(10):
            while line in room._clients.values() or room.addresses.connections > 11:
                await asyncio.sleep(0.02)
        assert room.hall.find(table).ears == 11
        deaf.close()

    limits = replace(WIDE, waiting_lines=60, send_seconds=0.5)
    in_room(test, web_limits=limits, small=True, pace=BRIEF)


def test_one_who_was_cut_off_comes_back_and_has_missed_nothing():
    async def test(clients, room):
        ana = await clients("Ana")
        table = await ana.opens()
        deaf = await raw_at(room.port, "Bruno", table)
        await deaf.tells("join")
        await ana.until(lambda: "Bruno" in ana.seats)
        number = max(ana.numbers)
        (line,) = [one for one in room._clients.values() if one.name == "Bruno"]
        while line._keeper is not None:
            await round_trips(ana, [ana], 10)
        bruno = await clients("Bruno")
        await bruno.comes(table, after=number)
        assert bruno.numbers == [*range(number + 1, max(ana.numbers) + 1)]
        deaf.close()

    limits = replace(WIDE, waiting_lines=60, send_seconds=0.5)
    in_room(test, web_limits=limits, small=True)


def test_a_half_open_line_is_dropped():
    async def test(clients, room):
        ana = await clients("Ana")
        table = await ana.opens()
        silent = await raw_at(room.port, "Zoe", table)
        await silent.tells("join")
        await ana.until(lambda: "Zoe" in ana.seats)
        await ana.does("begin")
        # It answers no ping, as a computer that sleeps; others answer theirs.
        await ana.until(lambda: ana.seats["Zoe"]["away"] == "dropped")
        assert room.addresses.connections == 1
        zoe = await clients("Zoe")
        await zoe.comes(table)
        await zoe.until(lambda: zoe.seats["Zoe"]["away"] == "")
        silent.close()

    in_room(test, web_limits=replace(WIDE, heartbeat_seconds=1), pace=BRIEF)


def test_a_flood_is_throttled_then_cut_off_and_others_play_on():
    async def test(clients, room):
        table, (ana, bruno) = await table_of(clients, 2, tokens=3)
        flood = await clients("Zoe")
        await flood.comes(table, watch=True)
        playing = asyncio.gather(ana.plays(), bruno.plays())

        async def floods():
            try:
                for number in range(5000):
                    await flood.tell("say", text=str(number))
            except ConnectionError:
                pass
            await flood.until_ended()

        await floods()
        refused = [one["refused"] for one in flood.all if "refused" in one]
        assert {*refused} == {"Not so fast, please."}
        assert len(refused) <= room.limits.patience
        said = [line for line in ana.lines if line.startswith("Zoe: ")]
        assert len(said) < 3 * room.limits.burst
        # The flooder stays away for a while only because the line is gone.
        await ana.until(lambda: not ana.view["watchers"])
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await (await clients("Zoe")).comes(table, watch=True)

    limits = replace(WIDE, messages_per_second=15, burst=40)
    in_room(test, web_limits=replace(limits, messages_per_second=50), pace=BRIEF)


# What goes wrong with the disk.


def test_what_cannot_be_written_has_not_happened(monkeypatch):
    monkeypatch.setattr("zanzibar_plugin.room.keeper.RETRY", 0.05)
    store = MemoryStore()

    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2)
        await ana.does("key", key="enter")
        shown, number = ana.view, max(ana.numbers)
        store.full = True
        sorry = "The room cannot write to its disk just now. Nothing has changed: please try again."
        for do, with_ in (("key", {"key": "enter"}), ("say", {"text": "x"}), ("pause", {})):
            assert await ana.ask(do, **with_) == sorry
        assert await (await clients("Zoe")).ask("open", game="421") == sorry
        assert ana.view == shown and max(ana.numbers) == number
        # Who drops now is played for as soon as that can be written.
        bruno.breaks()
        await asyncio.sleep(3 * room.settings.pace.grace)
        assert ana.seats["Bruno"]["away"] == ""
        store.full = False
        await ana.plays(lambda: not ana.seats["Bruno"]["away"])
        store.full = True
        await asyncio.sleep(0.1)
        store.full = False
        await ana.plays()
        assert ana.view["stage"] == "over"
        assert ana.numbers == [*range(1, max(ana.numbers) + 1)]

    in_room(test, store=store, pace=BRIEF)


def test_the_room_brings_every_window_the_same_after_a_restart():
    async def run():
        store, shown = MemoryStore(), {}
        table = None
        for part in range(2):
            async with room_at(store) as room, clients_of(room.port) as clients:
                if not table:
                    table, people = await table_of(clients, 3)
                    await people[0].does("key", key="enter")
                for name in (*NAMES[:3], "Zoe"):
                    one = await clients(name, plugin.catalogs.languages[part - 1])
                    await one.does("hello", name=name, secret=one.secret, lang="fr")
                    await one.comes(table, watch=True)
                    view = {**one.view, "number": 0, "watchers": []}
                    assert shown.setdefault(name, view) == view

    asyncio.run(run())


def test_a_go_has_an_end_whatever_is_pressed():
    """Questions give time, but a table must not wait for ever."""

    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2)
        await ana.does("key", key="enter")
        given_up = "Ana does nothing. A bot plays on."
        for _ in range(400):
            if given_up in bruno.lines:
                break
            await ana.ask("key", key="t")
            await asyncio.sleep(0.02)
        assert given_up in bruno.lines

    in_room(test, pace=replace(FAST, remind=5, idle=10, go=0.5))


def test_a_pause_ends_by_itself():
    async def test(clients, room):
        _, (ana, bruno) = await table_of(clients, 2)
        await ana.does("key", key="enter")
        await ana.does("pause")
        await bruno.until(lambda: bruno.view["paused"])
        await bruno.until(lambda: not bruno.view["paused"])

    in_room(test, pace=replace(FAST, pause=0.2))
