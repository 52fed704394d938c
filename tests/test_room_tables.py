"""Tables as people use them, over sockets: found, opened, joined, played and closed."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from room_client import MemoryStore, clients_of, in_room, room_at

from zanzibar_plugin.room.hall import Limits
from zanzibar_plugin.room.sqlite_store import SqliteStore

GONE = "There is no such table, or it is closed."


def test_hello_tells_games_language_and_what_is_ones_own():
    async def test(clients, room):
        ana = await clients("Ana", "fr-CA")
        assert (ana.hello["hello"], ana.hello["lang"], ana.hello["yours"]) == ("Ana", "fr", [])
        assert "421" in [game["id"] for game in ana.hello["games"]]
        assert ana.tables == []
        table = await ana.opens()
        await ana.does("hello", name="Anna", secret=ana.secret, lang="it")
        assert (ana.hello["hello"], ana.hello["lang"]) == ("Anna", "it")
        assert ana.hello["yours"] == [table]

    in_room(test)


def test_tables_are_listed_to_those_who_look_for_one():
    async def test(clients, room):
        ana, bruno, clio = [await clients(name) for name in ("Ana", "Bruno", "Clio")]
        table = await ana.opens()
        await bruno.until(lambda: bool(bruno.tables))
        (found,) = bruno.tables
        assert found == {
            "table": table,
            "game": "421",
            "master": "Ana",
            "players": ["Ana"],
            "watchers": 0,
            "stage": "waiting",
            "private": False,
            "open": True,
            "mine": False,
        }
        await clio.comes(table, watch=True)
        await ana.does("add_bot")
        await ana.does("begin")
        await bruno.until(lambda: bruno.tables[0]["stage"] == "playing")
        (found,) = bruno.tables
        assert (found["players"], found["watchers"], found["open"]) == (["Ana", "Alba"], 1, False)
        # Nobody who plays is disturbed by the list.
        assert ana.tables == [] and sum("tables" in message for message in ana.all) == 1
        await ana.does("close")
        await bruno.until(lambda: bruno.tables == [])

    in_room(test)


def test_a_list_that_is_as_it_was_is_not_told_again():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        await ana.opens()
        await bruno.until(lambda: bool(bruno.tables))
        told = len(bruno.all)
        await ana.does("say", text="Nothing about the table")
        await asyncio.sleep(1.2)
        assert len(bruno.all) == told
        await bruno.does("tables")
        assert len(bruno.all) == told + 2

    in_room(test)


def test_a_table_is_looked_at_before_one_joins():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno", "it")
        table = await ana.opens(tokens=7)
        await bruno.does("look", table=table)
        looked = bruno.latest("looked")
        assert [seat["name"] for seat in looked["seats"]] == ["Ana"]
        assert looked["options"]["tokens"] == 7 and looked["you"] == ""
        assert looked["rules"]["title"] and all(looked["rules"]["sections"])
        assert looked["choices"][0]["name"] == "preset"
        assert not bruno.at and len(ana.view["watchers"]) == 0
        await ana.does("add_bot")
        await ana.does("begin")
        await bruno.does("look", table=table)
        assert {seat["name"] for seat in bruno.latest("looked")["play"]["seats"]} == {"Ana", "Alba"}
        assert await bruno.ask("look", table="nothing") != ""

    in_room(test)


def test_rules_of_a_game():
    async def test(clients, room):
        ana = await clients("Ana", "es")
        await ana.does("rules", game="421", options={"tokens": 5})
        assert ana.latest("rules")["sections"]
        for with_ in ({"game": "chess"}, {}, {"game": "421", "options": {"tokens": 0}}):
            assert await ana.ask("rules", **with_) != ""
        status, page = await clients.get("/rules/421?lang=fr")
        assert status == 200 and 'lang="fr"' in page
        assert (await clients.get("/rules/chess"))[0] == 404
        assert (await clients.get("/rules/421?o.tokens=x"))[0] == 400

    in_room(test)


def test_a_private_table_is_found_by_its_id_alone():
    async def test(clients, room):
        ana, bruno, clio = [await clients(name) for name in ("Ana", "Bruno", "Clio")]
        await ana.does("open", game="421", private=True)
        await clio.does("tables")
        assert clio.tables == []
        await bruno.comes(ana.at)
        assert "Bruno sits down at the table." in ana.lines
        await bruno.does("away")
        await bruno.does("tables")
        assert [table["table"] for table in bruno.tables] == [ana.at]
        await ana.does("set_private", private=False)
        assert "The table is now public: everybody finds it in the list." in ana.lines
        await clio.until(lambda: bool(clio.tables))
        assert await bruno.ask("set_private", private=True) == "You are not at a table."

    in_room(test)


def test_options_are_chosen_presets_first_and_told_to_all():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno", "fr")
        table = await ana.opens()
        await bruno.comes(table, watch=True)
        await ana.does("options")
        names = [option["name"] for option in ana.latest("options")]
        assert names[0] == "preset" and {"tokens", "dry_charge"} <= {*names}
        await ana.does("choose", option="tokens", value=9)
        assert ana.lines[-1].endswith(": 9.")
        await bruno.until(lambda: bruno.lines[-1].endswith(": 9."))
        # Another preset has other options too: they hold now, and are shown.
        await ana.does("choose", option="preset", value="421-dry")
        assert ana.view["game"] == "421-dry" and ana.view["options"]["dry_charge"] is True
        assert ana.view["options"]["tokens"] == 21
        assert await ana.ask("choose", option="tokens", value=0) != ""
        assert await bruno.ask("choose", option="tokens", value=5) != ""
        await ana.does("options")
        assert {one["name"]: one["default"] for one in ana.latest("options")}["tokens"] == 21

    in_room(test)


def test_bots_come_and_go():
    async def test(clients, room):
        ana = await clients("Ana")
        await ana.opens()
        for _ in range(3):
            await ana.does("add_bot")
        await ana.does("remove_bot", name="Boris")
        await ana.does("remove_bot")
        assert [*ana.seats] == ["Ana", "Alba"] and ana.seats["Alba"]["bot"]
        assert ana.lines[-1] == "The bot Clio leaves the table."

    in_room(test)


@pytest.mark.parametrize("how", [("begin", {}), ("key", {"key": "enter"})], ids=["begin", "enter"])
def test_a_game_begins_and_after_it_the_next_one(how):
    do, with_ = how

    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens(tokens=1)
        assert await ana.ask(do, **with_) != ""
        await bruno.comes(table)
        assert await bruno.ask(do, **with_) != ""
        for turn in range(2):
            if turn:
                # A late Enter says that the game is over, and begins nothing.
                await ana.does("key", key="enter")
                assert ana.view["stage"] == "over"
                await ana.does("begin")
            else:
                await ana.does(do, **with_)
            assert ana.view["stage"] == "playing"
            await asyncio.gather(ana.plays(), bruno.plays())
            await bruno.until_stage("over")
            assert [*ana.seats] == ["Ana", "Bruno"]
        assert ana.numbers == [*range(1, len(ana.numbers) + 1)]
        # Between two games seats are free to take and options to choose.
        clio = await clients("Clio")
        await clio.comes(table)
        await ana.does("choose", option="tokens", value=2)
        await ana.does("begin")
        assert [seat["name"] for seat in ana.view["play"]["seats"]] == ["Ana", "Bruno", "Clio"]

    in_room(test)


def test_who_watches_joins_and_who_comes_late_watches():
    async def test(clients, room):
        ana, bruno, clio = [await clients(name) for name in ("Ana", "Bruno", "Clio")]
        table = await ana.opens(tokens=1)
        await bruno.comes(table, watch=True)
        assert bruno.lines == ["You are watching this table."]
        assert bruno.view["watchers"] == ["Bruno"]
        await bruno.does("join")
        assert bruno.lines[-1] == "You sit down at the table." and bruno.view["watchers"] == []
        await ana.does("begin")
        refused = await clio.ask("come", table=table)
        assert refused == "The game has begun. You can watch it." and not clio.at
        await clio.comes(table, watch=True)
        assert clio.view["play"]["seats"]
        assert await clio.ask("key", key="s") == ""
        assert clio.lines[-1]

    in_room(test)


def test_chat():
    async def test(clients, room):
        ana, bruno = await clients("Ana", "fr"), await clients("Bruno", "sr")
        await bruno.comes(await ana.opens(), watch=True)
        await ana.does("say", text="Salut !")
        await bruno.does("say", text="/me maše")
        for one in (ana, bruno):
            await one.hears("Bruno maše")
            assert one.lines[-2:] == ["Ana: Salut !", "Bruno maše"]
        assert await ana.ask("say", text=" ") != ""

    in_room(test)


def test_a_pause():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        await bruno.comes(await ana.opens())
        await ana.does("add_bot")
        await ana.does("begin")
        await ana.does("pause")
        assert ana.view["paused"]
        await bruno.hears("Ana pauses the game.")
        heard = len(ana.numbers)
        assert await ana.ask("key", key="enter") == "The game is paused."
        await asyncio.sleep(0.05)
        assert len(ana.numbers) == heard
        await bruno.does("key", key="s")
        await ana.does("pause")
        await bruno.hears("The game goes on.")
        await ana.does("key", key="enter")

    in_room(test)


def test_a_bot_waits_while_the_game_is_paused():
    async def test(clients, room):
        ana = await clients("Ana")
        await ana.opens()
        await ana.does("add_bot")
        await ana.does("begin")
        await ana.does("key", key="enter")
        await ana.does("pause")
        # Throws and takes: it would be the bot's go.
        number = ana.numbers[-1]
        await asyncio.sleep(0.05)
        assert ana.numbers[-1] == number
        await ana.does("pause")
        await ana.does("key", key="enter")
        await ana.until(lambda: any(line.startswith("Alba") for line in ana.lines))

    in_room(test)


def test_the_table_is_handed_over():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        await bruno.comes(await ana.opens())
        await ana.does("hand_over", name="Bruno")
        await bruno.hears("You are now the table master.")
        assert "Bruno is now the table master." in ana.lines
        assert await ana.ask("begin") == "Only the table master can do that."
        await bruno.does("begin")

    in_room(test)


def test_the_master_leaves_and_has_an_heir():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens()
        await bruno.comes(table)
        await ana.does("leave")
        assert not ana.at and ana.lines[-2:] == [
            "You leave the table.",
            "Bruno is now the table master.",
        ]
        await bruno.hears("You are now the table master.")
        assert "Ana leaves the table." in bruno.lines and [*bruno.seats] == ["Bruno"]
        await bruno.does("add_bot")

    in_room(test)


def test_who_leaves_a_game_is_played_for_and_may_come_back():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens()
        await bruno.comes(table)
        await ana.does("begin")
        await ana.does("leave")
        await bruno.hears("Ana is away. A bot plays on.")
        await bruno.until(lambda: bruno.my_go)
        assert bruno.view["master"] == "Bruno"
        await ana.comes(table)
        assert ana.seats["Ana"]["away"] == "left"
        await ana.does("join")
        assert ana.seats["Ana"]["away"] == ""
        await bruno.hears("Ana is back.")

    in_room(test)


def test_whoever_is_sent_away_hears_so_and_stays_away():
    async def test(clients, room):
        people = ana, bruno, clio, dario = [
            await clients(name) for name in ("Ana", "Bruno", "Clio", "Dario")
        ]
        table = await ana.opens()
        for one in people[1:]:
            await one.comes(table, watch=one is dario)
        away = "The table master sends you away from the table."
        await ana.does("kick", name="Bruno")
        await bruno.until(lambda: not bruno.at)
        assert bruno.lines[-1] == away
        await clio.hears("The table master sends somebody away: Bruno.")
        await ana.does("begin")
        for one in (clio, dario):
            await ana.does("kick", name=one.name)
            await one.until(lambda one=one: not one.at)
            assert away in one.lines
        for one in people[1:]:
            for watch in (True, False):
                refused = await one.ask("come", table=table, watch=watch, after=0)
                assert refused == "You cannot come back to this table."
            again = await clients(one.name, secret=one.secret)
            assert again.hello["yours"] == []
        # A bot plays on for whom was seated.
        assert ana.seats["Clio"]["away"] == "kicked" and "Dario" not in ana.view["watchers"]

    in_room(test)


def test_a_closed_table_is_no_more():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens()
        await bruno.comes(table)
        assert await bruno.ask("close") == "Only the table master can do that."
        await ana.does("close")
        await bruno.until(lambda: not bruno.at)
        assert bruno.lines[-1] == ana.lines[-1] == "This table is closed."
        assert await ana.ask("come", table=table) == await bruno.ask("look", table=table) == GONE
        await bruno.opens()
        # Nothing of it comes later, and nothing of it is kept.
        await asyncio.sleep(0.3)
        assert table not in room.store.journals and len(room.hall) == 1

    in_room(test)


def test_one_sits_at_one_table_at_a_time():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        first = await ana.opens()
        assert await ana.ask("open", game="421") == "You are at a table. Leave it first."
        second = await bruno.opens()
        await ana.comes(second)
        assert ana.at == second
        await bruno.does("say", text="Welcome")
        await ana.hears("Bruno: Welcome")
        # A table one does not get into is no reason to lose one's own.
        await bruno.does("kick", name="Ana")
        await ana.until(lambda: not ana.at)
        await ana.comes(first)
        assert await ana.ask("come", table=second) == "You cannot come back to this table."
        await ana.does("say", text="Still here")

    in_room(test)


def test_tables_survive_a_restart(tmp_path):
    async def run():
        path = tmp_path / "tables.sqlite3"
        for part in range(3):
            store = await SqliteStore.open(path, synchronous="NORMAL")
            async with room_at(store) as room, clients_of(room.port) as clients:
                ana, bruno = await clients("Ana"), await clients("Bruno")
                if part == 0:
                    await bruno.comes(await ana.opens(tokens=3))
                    await ana.does("begin")
                    number = 0
                else:
                    (table,) = ana.hello["yours"]
                    await ana.comes(table, after=number)
                    await bruno.comes(table, after=number)
                    assert ana.view["options"]["tokens"] == 3 and ana.view["master"] == "Ana"
                if part == 2:
                    await asyncio.gather(ana.plays(), bruno.plays())
                    assert ana.view["stage"] == "over"
                    await ana.does("close")
                    return
                await bruno.does("say", text=f"Part {part}")
                await ana.hears(f"Bruno: Part {part}")
                number = max(ana.numbers)

    asyncio.run(run())


def test_a_server_that_stops_says_so():
    async def run():
        async with room_at(MemoryStore()) as room, clients_of(room.port) as clients:
            ana = await clients("Ana", "en")
            await ana.opens()
            await room._shut_down(None)
            await ana.until_ended()
            assert ana.latest("stopping") == "The room is closing. It will be back soon."

    asyncio.run(run())


def test_a_table_nobody_listens_to_is_closed_in_the_end():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table, kept = await ana.opens(), await bruno.opens()
        await ana.closes()
        async with asyncio.timeout(10):
            while len(room.hall) == 2 or table in room.store.journals:
                await asyncio.sleep(0.02)
        assert room.hall.find(kept) is not None

    in_room(test, limits=Limits(abandoned=0.2))


def test_nobody_sits_at_too_many_tables():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        for _ in range(2):
            table = await ana.opens()
            await ana.does("away")
        refused = "You sit at too many tables already. Close or leave one first."
        assert await ana.ask("open", game="421") == refused
        # Whoever has left a game does not sit there any more.
        await bruno.comes(table)
        await ana.comes(table)
        await ana.does("begin")
        await ana.does("leave")
        await ana.opens()
        full = "There are too many tables in this room just now."
        await bruno.does("leave")
        assert await bruno.ask("open", game="421") == full

    in_room(test, limits=Limits(tables=3, tables_of_owner=2))


def test_a_journal_with_a_gap_is_left_out_and_kept(tmp_path):
    file = tmp_path / "tables.sqlite3"

    async def test():
        async with room_at(await SqliteStore.open(file)) as room, clients_of(room.port) as clients:
            ana = await clients("Ana")
            table = await ana.opens()
            await ana.does("add_bot")
            await ana.does("add_bot")
        with closing(sqlite3.connect(file)) as journals, journals:
            journals.execute("DELETE FROM entries WHERE number = 2")
        async with room_at(await SqliteStore.open(file)) as room:
            assert table in room.hall.problems
            assert len(room.hall) == 0
            assert [entry.number for entry in await room.store.read(table)] == [1, 3]

    asyncio.run(test())
