"""One table, many languages: everybody hears the same game, each in his own."""

import asyncio

from room_client import CATALOGS, MemoryStore, clients_of, registry, room_at

from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.sitting import happened_in, rebuilt
from zanzibar_plugin.room.voice import heard

PEOPLE = {"Fleur": "fr", "Italo": "it", "Esteban": "es", "Srđan": "sr"}
GAMES = registry()


def expected(journal, name, lang):
    """The lines of each entry for one listener, rendered straight from the journal."""
    game = GAMES.find("421")
    sittings = rebuilt(journal, GAMES, lambda throw, count: [1] * count)
    lines = []
    for data, sitting in zip(journal, sittings, strict=True):
        said = []
        for one in happened_in(data):
            if not isinstance(one, tuple):
                alone = game.heard_by(sitting.table, one)
                if alone in ("", name):
                    said.append(game.announce(sitting.table, one, name, lang))
            elif not isinstance(one, hp.Reminded) or one.name == name:
                said.append(heard(one, sitting, name, CATALOGS.catalog(lang), GAMES))
        lines.append([line for line in said if line])
    return lines


def test_everybody_hears_the_same_game_in_his_own_language():
    async def run():
        store = MemoryStore()
        async with room_at(store) as room, clients_of(room.port) as clients:
            people = [await clients(name, lang) for name, lang in PEOPLE.items()]
            edward = await clients("Edward", "en")
            table = await people[0].opens()
            for one in people[1:]:
                await one.comes(table)
            await edward.comes(table, watch=True)
            await people[0].does("choose", option="tokens", value=7)
            await people[0].does("choose", option="dry_charge", value=True)
            await people[0].does("add_bot")
            await people[0].does("begin")
            for one in people:
                # Answers are for the one who asks, refusals too.
                for key in ("d", "c", "s", "t", "space", "1", "enter", "2", "shift+2"):
                    await one.does("key", key=key)
                await one.does("say", text="/me ok")
            await people[0].does("pause")
            await people[0].does("pause")
            await asyncio.gather(*(one.plays() for one in people))
            for one in (*people, edward):
                await one.until_stage("over")
            journal = [entry.data for entry in await store.read(table)]
            everybody = [*people, edward]
            for one in everybody:
                await one.until(lambda one=one: one.numbers[-1] == len(journal))
            wanted = {}
            for one in everybody:
                # Each entry once and in order, from the one he came with.
                first = one.numbers[0]
                assert one.numbers == [*range(first, len(journal) + 1)]
                wanted[one.name] = expected(journal, one.name, one.lang)
                assert [one.heard[number] for number in one.numbers] == wanted[one.name][
                    first - 1 :
                ]
            assert_no_other_language(everybody, journal)
            assert_said_as_often(everybody, journal)
            # Views are in one's language too.
            phases = {one.name: one.view["play"]["name"] for one in everybody}
            assert len({*phases.values()}) > 1

    asyncio.run(run())


def assert_no_other_language(everybody, journal):
    """What is said otherwise in another language is not heard in that one."""
    languages = [one.lang for one in everybody]
    for one in everybody:
        said = {lang: expected(journal, one.name, lang) for lang in languages}
        for number, lines in one.heard.items():
            own = said[one.lang][number - 1]
            for lang in languages:
                foreign = {*said[lang][number - 1]} - {*own}
                assert not foreign & {*lines}, (one.lang, lang, lines)


def assert_said_as_often(everybody, journal):
    """What all hear has as many sentences for each of them."""
    first = max(one.numbers[0] for one in everybody)
    for number, data in enumerate(journal, 1):
        if number > first and all("player" not in one for one in data["happened"]):
            assert len({len(one.heard[number]) for one in everybody}) == 1, data


def test_a_language_can_be_changed_at_the_table():
    async def run():
        async with room_at(MemoryStore()) as room, clients_of(room.port) as clients:
            ana = await clients("Ana", "fr")
            table = await ana.opens()
            for tag in ("it", "it-CH", "IT_it"):
                await ana.does("hello", name="Ana", secret=ana.secret, lang=tag)
                assert ana.hello["lang"] == "it"
            await ana.does("add_bot")
            journal = [entry.data for entry in await room.store.read(table)]
            assert ana.lines[-1] == expected(journal, "Ana", "it")[-1][0]

    asyncio.run(run())


def test_what_was_missed_is_told_in_the_language_one_comes_back_with():
    async def run():
        async with room_at(MemoryStore()) as room, clients_of(room.port) as clients:
            ana, bruno = await clients("Ana", "fr"), await clients("Bruno", "es")
            table = await ana.opens(tokens=2)
            await bruno.comes(table)
            await bruno.does("away")
            await ana.does("say", text="Bruno ?")
            await ana.does("begin")
            await ana.does("key", key="enter")
            bruno = await clients("Bruno", "sr")
            await bruno.comes(table, after=2)
            journal = [entry.data for entry in await room.store.read(table)]
            await bruno.until(lambda: bruno.numbers[-1] == len(journal))
            wanted = expected(journal, "Bruno", "sr")
            assert [bruno.heard[number] for number in bruno.numbers] == wanted[2:]

    asyncio.run(run())
