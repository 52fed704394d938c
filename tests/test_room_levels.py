"""Levels of bots in a room, and looking back at a game."""

import asyncio

import pytest
from room_client import BRIEF, in_room
from tiny_game import TinyGame

from zanzibar_plugin.hookspecs import LEVELS
from zanzibar_plugin.registry import Registry


def test_bots_of_each_level_are_seated_and_told():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno", "fr")
        (game,) = [one for one in ana.hello["games"] if one["id"] == "421"]
        assert [one["id"] for one in game["levels"]] == list(LEVELS) and game["reviews"]
        await bruno.comes(await ana.opens())
        for level in LEVELS:
            await ana.does("add_bot", level=level)
        await ana.does("add_bot")
        bots = [seat for seat in ana.view["seats"] if seat["bot"]]
        assert [seat["level"] for seat in bots] == [*LEVELS, "regular"]
        assert [seat["level"] for seat in ana.view["seats"] if not seat["bot"]] == ["", ""]
        names = [seat["name"] for seat in bots]
        await ana.hears(f"The bot {names[0]} sits down at the table, a beginner.")
        await ana.hears(f"The bot {names[1]} sits down at the table.")
        await ana.hears(f"The bot {names[2]} sits down at the table, an expert.")

    in_room(test)


@pytest.mark.parametrize("level", ["master", "", 3, None, [], {"a": 1}])
def test_odd_levels_are_refused(level):
    async def test(clients, room):
        ana = await clients("Ana")
        await ana.opens()
        assert await ana.ask("add_bot", level=level) == "Bots of this game do not play like that."

    in_room(test)


def test_each_bot_plays_at_its_level(monkeypatch):
    asked = set()

    async def test(clients, room):
        game = room.games.find("421")
        monkeypatch.setattr(
            type(game),
            "bot_key",
            lambda self, table, player, level="regular": (
                asked.add((player, level))
                or self._call("bot_key", table=table, player=player, level="regular")
            ),
        )
        ana = await clients("Ana")
        await ana.opens(tokens=3)
        for level in LEVELS:
            await ana.does("add_bot", level=level)
        names = [seat["name"] for seat in ana.view["seats"]][1:]
        await ana.does("begin")
        await ana.plays()
        assert {(name, level) for name, level in asked if name in names} == {
            *zip(names, LEVELS, strict=True)
        }

    in_room(test, pace=BRIEF)


def test_a_game_that_is_over_is_looked_back_at():
    async def test(clients, room):
        ana, bruno, clio = await clients("Ana"), await clients("Bruno", "it"), await clients("Clio")
        table = await ana.opens(tokens=4)
        await bruno.comes(table)
        await clio.comes(table, watch=True)
        await ana.does("review")
        await ana.until(lambda: nothing_to_look_at(ana))
        await ana.does("begin")
        await asyncio.gather(ana.plays(), bruno.plays())
        number = ana.view["number"]
        for one in (ana, bruno):
            await one.does("review")
            await one.until(lambda one=one: reviews(one))
            (said,) = reviews(one)
            assert said and all(isinstance(line, str) and line for line in said)
        assert reviews(ana) != reviews(bruno)
        # It is told to nobody else, and is no entry of the table.
        assert not reviews(clio) and room.hall.find(table).number == number
        await clio.does("review")
        await clio.until(lambda: any("You did not play" in str(one) for one in clio.all))

    in_room(test, pace=BRIEF)


def reviews(client):
    return [one["review"] for one in client.all if "review" in one]


def nothing_to_look_at(client):
    return any("no game here to look back at" in one.get("refused", "") for one in client.all)


def test_a_game_without_levels_and_reviews_has_regular_bots():
    games = Registry()
    games.register(TinyGame(), "tiny")
    (info,) = games.games("en")
    game = games.find(info.id)
    assert [one.id for one in game.bot_levels("en")] == ["regular"] and not game.reviews
