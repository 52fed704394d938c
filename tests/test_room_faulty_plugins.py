"""Games of others that do wrong: their tables say so, and nothing else in the room suffers."""

import pytest
from room_client import in_room
from tiny_game import TinyGame

from zanzibar_plugin import hookimpl
from zanzibar_plugin.hookspecs import GameInfo

SORRY = "The game cannot tell what happens."
FAULT = "The game has a fault and did not do this."


def faulty(**hooks):
    """The little game with some hooks that do wrong."""
    names = {name: hookimpl(hook) for name, hook in hooks.items()}
    return type("Faulty", (TinyGame,), names)("faulty")


def raises(*given, **more):
    raise RuntimeError("a fault of the game")


def test_a_sound_that_fails_takes_no_words_away():
    for wrong in (raises, lambda self: None, lambda self: {1}, lambda self: "no such sound"):

        async def test(clients, room):
            ana, bruno = await clients("Ana"), await clients("Bruno")
            table = await ana.opens("faulty")
            await bruno.comes(table)
            await ana.does("begin")
            await ana.hears("High die begins.")
            sent = [one for one in ana.all if "heard" in one]
            assert all(len(one["cues"]) == len(one["lines"]) for one in sent)
            begun = next(one for one in sent if "High die begins." in one["lines"])
            assert begun["cues"][begun["lines"].index("High die begins.")] == ""

        in_room(test, faulty(cue=wrong))


@pytest.mark.parametrize("wrong", [raises, lambda self: None, lambda self: 7])
def test_few_words_that_cannot_be_found_are_the_usual_ones(wrong):
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        await ana.does("brief", brief=True)
        await bruno.comes(await ana.opens("faulty"))
        await ana.does("begin")
        await ana.hears("High die begins.")

    in_room(test, faulty(announce_briefly=wrong))


@pytest.mark.parametrize("wrong", [raises, lambda self: None, lambda self: 7])
def test_what_cannot_be_told_is_said_to_be_so(wrong):
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        await bruno.comes(await ana.opens("faulty"))
        await ana.does("begin")
        await ana.hears(SORRY)
        await bruno.does("say", text="I hear you")
        await ana.hears("Bruno: I hear you")

    in_room(test, faulty(announce=wrong))


@pytest.mark.parametrize(
    "wrong", [raises, lambda self: {}, lambda self: {"seats": [], "on_go": {1, 2}, "over": False}]
)
def test_a_view_that_cannot_be_shown_is_shown_without_the_game(wrong):
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        await bruno.comes(await ana.opens("faulty"))
        await ana.does("begin")
        await bruno.until(lambda: bruno.view.get("stage") == "playing")
        assert bruno.view["play"] is None and [*bruno.seats] == ["Ana", "Bruno"]

    in_room(test, faulty(view=wrong))


@pytest.mark.parametrize(
    "info",
    [
        GameInfo("faulty", "Faulty", "", 2, "2", ()),
        GameInfo("faulty", "Faulty", "", None, 2, ()),
        GameInfo("faulty", object(), "", 2, 2, ()),
        GameInfo("faulty", "Faulty", "", 2, 2, (object(),)),
    ],
)
def test_a_game_that_describes_itself_wrongly_closes_the_room_to_nobody(info):
    async def test(clients, room):
        ana = await clients("Ana")
        assert "faulty" not in [game["id"] for game in ana.hello["games"]]
        await ana.opens()
        # Whoever asks for it all the same spoils nothing for the others.
        bruno = await clients("Bruno")
        await bruno.ask("open", game="faulty")
        await (await clients("Clio")).ask("tables")

    in_room(test, faulty(games=lambda self: [info]))


def test_a_bot_that_does_nothing_does_not_keep_its_table_waiting_silently():
    async def test(clients, room):
        ana = await clients("Ana")
        await ana.opens("faulty")
        await ana.does("add_bot")
        await ana.does("begin")
        await ana.does("leave")
        bruno = await clients("Bruno")
        await bruno.comes(next(iter(room.hall._keepers)), watch=True)
        await bruno.until(lambda: any(one.get("refused") == FAULT for one in bruno.all))

    in_room(test, faulty(bot_key=lambda self: "7"))


def test_rules_that_cannot_be_told_are_a_page_that_says_so():
    async def test(clients, room):
        status, page = await clients.get("/rules/faulty?lang=fr")
        assert status == 500 and 'lang="fr"' in page
        async with clients.session.get(f"http://127.0.0.1:{room.port}/rules/faulty") as answer:
            assert "script-src 'self'" in answer.headers["Content-Security-Policy"]

    in_room(test, faulty(help_page=raises))


def test_pressing_too_much_answers_every_press_and_throws_nobody_out():
    async def test(clients, room):
        ana = await clients("Ana")
        await ana.opens()
        for number in range(40):
            await ana.does("brief", brief=number % 2 == 0)
            await ana.does("come", table=ana.at)
        assert ana.at

    in_room(test)
