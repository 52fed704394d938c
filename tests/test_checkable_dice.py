"""Dice that can be checked: how they are agreed upon, computed, recorded and verified."""

import asyncio
import hashlib
import hmac
import json
import secrets
from collections import Counter
from dataclasses import replace

import pytest
from room_client import BRIEF, FAST, MemoryStore, clients_of, in_room, room_at

from zanzibar_plugin import cli
from zanzibar_plugin.room.checkable import Draw, Part, dice_of, digest_of, is_value, new_secret
from zanzibar_plugin.room.export import fault_in

SHORT = replace(FAST, draw=0.3)


def sha(value):
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


def slow_die(draw, throw, die):
    """A die by the words of the page about it, written anew."""
    counter = 0
    while True:
        lines = ["zanzibar dice 1", f"game {draw.game}"]
        lines += [f"{part.commitment} {part.value}" for part in draw.parts]
        lines += [f"throw {throw} die {die} counter {counter}", ""]
        mac = hmac.new(bytes.fromhex(draw.secret), "\n".join(lines).encode(), hashlib.sha256)
        for byte in mac.digest():
            if byte < 252:
                return byte % 6 + 1
        counter += 1


def a_draw(seed=1, parts=2, game="table 1"):
    secret = hashlib.sha256(b"secret %d" % seed).hexdigest()
    values = [hashlib.sha256(b"value %d %d" % (seed, n)).hexdigest() for n in range(parts)]
    return Draw(game, secret, tuple(Part(f"P{n}", sha(v), v) for n, v in enumerate(values)))


# The numbers.


@pytest.mark.parametrize("parts", [0, 1, 2, 12])
def test_the_dice_are_those_of_the_description(parts):
    draw = a_draw(parts=parts)
    dice = dice_of(draw)
    for throw in range(30):
        for count in (1, 2, 3):
            assert dice(throw, count) == [slow_die(draw, throw, die) for die in range(count)]


def test_bytes_that_favour_low_faces_are_passed_over(monkeypatch):
    answers = [bytes([255, 252, 253] + [254] * 29), bytes([252, 251] + [0] * 30)]
    asked = []

    def digest(key, message, name):
        asked.append(message.decode().rsplit(" ", 1)[1].strip())
        return answers[len(asked) - 1]

    monkeypatch.setattr("zanzibar_plugin.room.checkable.hmac.digest", digest)
    assert dice_of(a_draw())(0, 1) == [251 % 6 + 1]
    assert asked == ["0", "1"]


def test_all_faces_are_as_likely():
    dice = dice_of(a_draw(seed=3))
    faces = Counter(face for throw in range(20_000) for face in dice(throw, 3))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    # Chi-squared with 5 degrees of freedom; fixed numbers, so that this fails never or always.
    assert sum((n - 10_000) ** 2 / 10_000 for n in faces.values()) < 20


def test_every_part_of_it_counts():
    draws = [a_draw(), a_draw(seed=2), a_draw(parts=1), a_draw(game="table 2")]
    turned = a_draw()
    draws.append(turned._replace(parts=turned.parts[::-1]))
    seen = {tuple(face for throw in range(20) for face in dice_of(d)(throw, 3)) for d in draws}
    assert len(seen) == len(draws)


@pytest.mark.parametrize(
    "value", [None, 5, "", "ab", "g" * 64, "A" * 64, "0" * 63, "0" * 65, "é" * 64]
)
def test_what_is_no_value(value):
    assert not is_value(value)
    assert is_value(new_secret()) and new_secret() != new_secret()
    assert digest_of("zz") == ""


# At a table.


class PageClient:
    """A client that gives its part, as a page does, in the way it is told to."""

    def __init__(self, client):
        self.client = client
        self.value = secrets.token_hex(32)

    async def enters(self):
        one = self.client
        await one.does("hello", name=one.name, secret=one.secret, lang="en", checks=True)
        return self

    @property
    def draw(self):
        return self.client.view.get("draw")

    async def is_asked(self, for_):
        await self.client.until(lambda: self.draw and self.draw["for"] == for_)

    async def commits(self, value=None):
        await self.is_asked("commitment")
        await self.client.does("commit", commitment=sha(value or self.value))

    async def reveals(self, value=None):
        await self.is_asked("value")
        await self.client.does("reveal", value=value or self.value)


async def pages_at(clients, *names, **options):
    """Pages at one table, the first its master, and the table."""
    pages = [await PageClient(await clients(name)).enters() for name in names]
    table = await pages[0].client.opens(tokens=2, **options)
    for page in pages[1:]:
        await page.client.comes(table)
    return pages, table


async def plays_out(*pages):
    await asyncio.gather(*(page.client.plays() for page in pages))
    for page in pages:
        await page.client.until(lambda page=page: page.draw and page.draw["secret"])


def test_a_game_whose_dice_all_can_check():
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("add_bot")
        zoe = await PageClient(await clients("Zoe")).enters()
        await zoe.client.comes(table, watch=True)
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        digest = ana.draw["digest"]
        assert ana.draw["asked"] == ["Ana", "Bruno"] and ana.draw["secret"] == ""
        assert ana.client.view["stage"] == "starting"
        # Nobody's value may be shown before all are bound.
        await ana.commits()
        assert ana.draw["parts"] == []
        assert await ana.client.ask("reveal", value=ana.value) != ""
        assert await ana.client.ask("commit", commitment=sha(ana.value)) != ""
        assert await zoe.client.ask("commit", commitment=sha(zoe.value)) != ""
        await bruno.commits()
        await ana.is_asked("value")
        assert [part["value"] for part in ana.draw["parts"]] == ["", ""]
        await bruno.reveals()
        assert ana.client.view["stage"] == "starting"
        await ana.reveals()
        await ana.client.until_stage("playing")
        # The game keeps the secret until its end.
        while_playing = json.dumps(ana.client.all)
        await plays_out(ana, bruno)
        draw = ana.draw
        assert draw["secret"] not in while_playing
        assert sha(draw["secret"]) == digest == draw["digest"]
        assert [(p["name"], p["value"]) for p in draw["parts"]] == [
            ("Ana", ana.value),
            ("Bruno", bruno.value),
        ]
        status, record = await clients.get(f"/tables/{table}/record")
        assert status == 200 and fault_in(json.loads(record)) is None
        assert "owner" not in record

    in_room(test)


def test_bots_alone_and_clients_without_a_page_need_nobodys_part():
    async def test(clients, room):
        ana = await clients("Ana")
        table = await ana.opens(tokens=1)
        await ana.does("add_bot")
        await ana.does("begin")
        await ana.plays()
        status, record = await clients.get(f"/tables/{table}/record")
        assert status == 200 and fault_in(json.loads(record)) is None
        assert json.loads(record)["parts"] == []

    in_room(test)


def test_a_wrong_value_cancels_the_start_and_the_next_goes_without_it():
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.commits()
        await bruno.commits()
        await bruno.reveals(secrets.token_hex(32))
        await ana.client.until_stage("waiting")
        assert any(
            "a part for the dice is wrong. Players: Bruno." in line for line in ana.client.lines
        )
        assert any("Players: you." in line for line in bruno.client.lines)
        first = ana.draw
        assert first is None
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        assert ana.draw["asked"] == ["Ana"]
        ana.value = secrets.token_hex(32)
        await ana.commits()
        await ana.reveals()
        await plays_out(ana, bruno)
        assert [part["name"] for part in ana.draw["parts"]] == ["Ana"]
        # The one after it asks all again.
        await ana.client.does("begin")
        await bruno.is_asked("commitment")
        assert ana.draw["asked"] == ["Ana", "Bruno"]

    in_room(test)


@pytest.mark.parametrize("stage", ["commitment", "value"])
def test_a_part_that_is_missing_cancels_the_start(stage):
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.commits()
        if stage == "value":
            await bruno.commits()
            await ana.reveals()
        await ana.client.until_stage("waiting")
        assert any("is missing. Players: Bruno." in line for line in ana.client.lines)
        # Or the table master goes on without the player.
        await ana.client.does("kick", name="Bruno")
        await ana.client.does("add_bot")
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        ana.value = secrets.token_hex(32)
        await ana.commits()
        await ana.reveals()
        await ana.client.until_stage("playing")

    in_room(test, pace=SHORT)


@pytest.mark.parametrize("how", ["leave", "kick", "drop"])
def test_who_goes_in_the_midst_of_it_cancels_the_start(how):
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await bruno.commits()
        if how == "leave":
            await bruno.client.does("leave")
        elif how == "kick":
            await ana.client.does("kick", name="Bruno")
        else:
            bruno.client.breaks()
        await ana.client.until_stage("waiting")
        assert any(line.startswith("The game does not begin") for line in ana.client.lines)
        await ana.client.until(lambda: "Bruno" not in ana.client.seats)

    in_room(test, pace=replace(BRIEF, draw=5))


def test_nothing_else_can_be_done_while_a_game_begins():
    async def test(clients, room):
        (ana, _bruno), table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        for do, with_ in (
            ("begin", {}),
            ("add_bot", {}),
            ("choose", {"option": "tokens", "value": 5}),
        ):
            assert await ana.client.ask(do, **with_) != ""
        zoe = await PageClient(await clients("Zoe")).enters()
        assert await zoe.client.ask("come", table=table) != ""
        await zoe.client.comes(table, watch=True)
        await ana.client.does("say", text="Wait")

    in_room(test)


def test_a_server_that_starts_anew_still_keeps_its_promise():
    async def run():
        store = MemoryStore()
        async with room_at(store) as room, clients_of(room.port) as clients:
            (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
            await ana.client.does("begin")
            await ana.commits()
            digest = ana.draw["digest"]
            values = ana.value, bruno.value
        async with room_at(store) as room, clients_of(room.port) as clients:
            ana = await PageClient(await clients("Ana")).enters()
            bruno = await PageClient(await clients("Bruno")).enters()
            ana.value, bruno.value = values
            await ana.client.comes(table)
            await bruno.client.comes(table)
            assert ana.draw["digest"] == digest and ana.draw["asked"] == ["Bruno"]
            await bruno.commits()
            await ana.reveals()
            await bruno.reveals()
            await ana.client.does("key", key="enter")
        # In the middle of the game too: the dice go on as they were promised.
        async with room_at(store) as room, clients_of(room.port) as clients:
            ana = await PageClient(await clients("Ana")).enters()
            bruno = await PageClient(await clients("Bruno")).enters()
            await ana.client.comes(table)
            await bruno.client.comes(table)
            await plays_out(ana, bruno)
            _, record = await clients.get(f"/tables/{table}/record")
            record = json.loads(record)
            assert record["digest"] == digest and fault_in(record) is None
            assert [part["value"] for part in record["parts"]] == [*values]

    asyncio.run(run())


# Verifying.


def a_record(throws=3):
    draw = a_draw(game="abc 1")
    dice = dice_of(draw)
    events = [{"event": "game_started", "players": ["P0", "P1"]}]
    events += [{"event": "thrown", "new": dice(n, 3)} for n in range(throws)]
    return {
        "form": "zanzibar record 1",
        "game": draw.game,
        "digest": draw.digest,
        "secret": draw.secret,
        "parts": [part._asdict() for part in draw.parts],
        "events": events,
    }


def verified(capsys, tmp_path, record):
    file = tmp_path / "record.json"
    file.write_text(record if isinstance(record, str) else json.dumps(record))
    status = cli.main(["--lang", "en", "verify", str(file)])
    told = capsys.readouterr()
    assert told.err == "" and told.out.count("\n") == 1
    return status, told.out.removeprefix(f"{file}: ").strip()


def test_a_right_record(capsys, tmp_path):
    assert verified(capsys, tmp_path, a_record()) == (0, "All 3 throws are right.")
    assert verified(capsys, tmp_path, a_record(1)) == (0, "1 throw is right.")


def test_the_first_throw_that_does_not_fit_is_named(capsys, tmp_path):
    record = a_record()
    right = record["events"][2]["new"]
    wrong = [right[0] % 6 + 1, *right[1:]]
    record["events"][2]["new"] = record["events"][3]["new"] = wrong
    said = ", ".join(map(str, wrong)), ", ".join(map(str, right))
    sentence = "Throw 2 does not fit: it has {}, and should have {}.".format(*said)
    assert verified(capsys, tmp_path, record) == (1, sentence)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"form": "x"}, "This is no record of a game."),
        ({"secret": "00" * 32}, "The secret is not the one that the room was bound to."),
        ({"secret": "x"}, "The record has no game or no secret."),
        ({"game": "a\nb"}, "The record has no game or no secret."),
        ({"parts": 5}, "The record has no parts."),
        ({"parts": [5]}, "The record has no parts."),
        (
            {"parts": [{"name": "P0", "commitment": "00" * 32, "value": "00" * 32}]},
            "The part of P0 is not the one it was bound to.",
        ),
        ({"events": None}, "The record has no events."),
        ({"events": [5]}, "The record has no events."),
        ({"events": [{"event": "thrown", "new": ["x"]}]}, "Throw 1 has no dice."),
    ],
)
def test_what_is_wrong_with_a_record_is_said(capsys, tmp_path, change, sentence):
    assert verified(capsys, tmp_path, {**a_record(), **change}) == (1, sentence)


@pytest.mark.parametrize("content", ["", "{", "[]", "5", "null", "\x00", "[" * 5000])
def test_what_is_no_record_at_all(capsys, tmp_path, content):
    assert verified(capsys, tmp_path, content) == (1, "This is no record of a game.")
