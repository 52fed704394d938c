"""The room knows games through the hooks alone: a second plugin's game plays in it unchanged."""

import asyncio

import pytest
from room_client import MemoryStore, clients_of, in_room, room_at, secret_of
from tiny_game import HOOKS, WORDS, Failing, TinyGame


def test_another_plugins_game_is_played_beside_ours():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno", "fr")
        clio, dario = await clients("Clio", "it"), await clients("Dario", "sr")
        games = {game["id"]: game["name"] for game in bruno.hello["games"]}
        assert games["high"] == WORDS["fr"]["name"] and "421" in games
        high = await ana.opens("high", again=False)
        await bruno.comes(high)
        ours = await clio.opens("421", tokens=3)
        await dario.comes(ours)
        await ana.does("begin")
        await clio.does("begin")
        await asyncio.gather(*(one.plays() for one in (ana, bruno, clio, dario)))
        assert "High die begins." in ana.lines and "Le plus haut commence." in bruno.lines
        assert ("You win!" in ana.lines) is ("Ana gagne." in bruno.lines)
        assert ana.view["stage"] == clio.view["stage"] == "over"
        assert not any("High" in line or "haut" in line for line in (*clio.lines, *dario.lines))

    in_room(test, TinyGame())


def test_it_has_its_own_limits_rules_options_and_bots():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens("high")
        assert await ana.ask("begin") == "Two must play."
        await ana.does("options")
        assert [option["name"] for option in ana.latest("options")] == ["again"]
        await ana.does("rules", game="high")
        assert ana.latest("rules")["title"] == "High die"
        await ana.does("add_bot")
        assert await bruno.ask("come", table=table) == "All seats are taken. You can watch."
        await bruno.comes(table, watch=True)
        await ana.does("begin")
        await ana.plays()
        await bruno.until_stage("over")

    in_room(test, TinyGame())


def test_its_table_survives_a_restart():
    async def run():
        store = MemoryStore()
        async with room_at(store, TinyGame()) as room, clients_of(room.port) as clients:
            ana, bruno = await clients("Ana"), await clients("Bruno")
            table = await ana.opens("high")
            await bruno.comes(table)
            await ana.does("begin")
            await ana.does("key", key="enter")
            await bruno.until(lambda: bruno.my_go)
            number = ana.numbers[-1]
        async with room_at(store, TinyGame()) as room, clients_of(room.port) as clients:
            ana, bruno = await clients("Ana"), await clients("Bruno")
            assert ana.hello["yours"] == [table]
            await ana.comes(table, after=number)
            await bruno.comes(table, after=number)
            assert bruno.my_go
            await asyncio.gather(ana.plays(), bruno.plays())
            assert ana.view["stage"] == "over"

    asyncio.run(run())


ASKED_BY_THE_ROOM_ONLY_AT_RESTARTS = ("restore", "apply")


@pytest.mark.parametrize("hook", sorted({*HOOKS} - {*ASKED_BY_THE_ROOM_ONLY_AT_RESTARTS}))
def test_a_game_that_raises_harms_its_own_table_only(hook):
    failing = Failing()

    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno", "fr")
        clio, dario = await clients("Clio"), await clients("Dario")
        bad = await ana.opens("failing")
        await ana.does("add_bot")
        await bruno.comes(bad, watch=True)
        good = await clio.opens("high")
        await dario.comes(good)
        await clio.does("begin")
        failing.fails = hook
        # Whatever is asked of the bad table is answered, be it with a refusal.
        for do, with_ in (
            ("options", {}),
            ("look", {"table": bad}),
            ("rules", {"game": "failing"}),
            ("choose", {"option": "again", "value": False}),
            ("begin", {}),
            ("key", {"key": "enter"}),
            ("say", {"text": "Hello?"}),
        ):
            answer = await ana.ask(do, **with_)
            assert isinstance(answer, str) and "RuntimeError" not in answer
        assert "Ana: Hello?" in ana.lines
        await bruno.hears("Ana: Hello?")
        # The other table plays on, and people still come into the room.
        await asyncio.gather(clio.plays(), dario.plays())
        assert clio.view["stage"] == "over"
        edna = await clients("Edna")
        await edna.comes(good, watch=True)
        # Its people can leave, come back, and close it.
        await bruno.does("leave")
        await bruno.comes(bad, watch=True)
        await ana.does("close")
        await bruno.until(lambda: not bruno.at)
        assert (await edna.ask("look", table=bad)) == "There is no such table, or it is closed."
        assert ana.numbers == sorted(set(ana.numbers))

    in_room(test, TinyGame(), failing)


@pytest.mark.parametrize("hook", ["view", "bot_key", "on_key", "on_turn_end", "heard_by"])
def test_a_game_plays_on_once_its_fault_is_gone(hook):
    failing = Failing()

    async def test(clients, room):
        ana = await clients("Ana")
        await ana.opens("failing")
        await ana.does("add_bot")
        await ana.does("begin")
        failing.fails = hook
        await ana.ask("key", key="enter")
        await asyncio.sleep(0.05)
        failing.fails = ""
        await ana.does("say", text="Is it over?")
        await ana.plays()
        await ana.until_stage("over")

    in_room(test, failing)


@pytest.mark.parametrize("hook", ASKED_BY_THE_ROOM_ONLY_AT_RESTARTS)
def test_a_table_that_cannot_be_brought_back_is_kept_and_told(hook):
    async def run():
        store, failing = MemoryStore(), Failing()
        async with room_at(store, TinyGame(), failing) as room, clients_of(room.port) as clients:
            ana, bruno = await clients("Ana"), await clients("Bruno")
            bad, good = await ana.opens("failing"), await bruno.opens("high")
            for one in (ana, bruno):
                await one.does("add_bot")
                await one.does("begin")
                await one.does("key", key="enter")
        before = list(store.journals[bad])
        failing.fails = hook
        async with room_at(store, TinyGame(), failing) as room, clients_of(room.port) as clients:
            assert list(room.hall.problems) == [bad]
            ana, bruno = await clients("Ana"), await clients("Bruno")
            assert await ana.ask("come", table=bad) == "There is no such table, or it is closed."
            await bruno.comes(good)
            status, said = await clients.get("/healthz")
            assert status == 200 and bad in said
        failing.fails = ""
        assert store.journals[bad] == before
        async with room_at(store, TinyGame(), failing) as room, clients_of(room.port) as clients:
            ana = await clients("Ana")
            await ana.comes(bad)
            await ana.plays()
            await ana.until_stage("over")

    asyncio.run(run())


def test_a_game_whose_plugin_is_gone_leaves_the_others_alone():
    async def run():
        store = MemoryStore()
        async with room_at(store, TinyGame()) as room, clients_of(room.port) as clients:
            ana = await clients("Ana")
            table = await ana.opens("high")
            await ana.does("add_bot")
            await ana.does("begin")
        async with room_at(store) as room, clients_of(room.port) as clients:
            assert list(room.hall.problems) == [table]
            ana = await clients("Ana", secret=secret_of("Ana"))
            assert ana.hello["yours"] == []
            await ana.opens("421")

    asyncio.run(run())
