"""Whatever is sent to a room: a clear answer or a clean end, and the neighbours notice nothing."""

import asyncio
import json
import random
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import aiohttp
import pytest
from room_client import BRIEF, CATALOGS, PATIENCE, WIDE, RawClient, in_room, secret_of

from zanzibar_plugin.hosts.web.limits import Addresses, Bucket, WebLimits
from zanzibar_plugin.room.hall import Limits
from zanzibar_plugin.text import Text


def said(sentence):
    return CATALOGS.catalog("en").say(Text(sentence, {}))


NO_HELLO = said("Give your name first.")
NOT_UNDERSTOOD = "The room does not understand this message."
NO_TABLE = "There is no such table, or it is closed."


@asynccontextmanager
async def neighbours(clients, rest=0.0):
    """Two who play all the while, and have heard every entry of their table when it is over."""
    bianca, carlo = await clients("Bianca"), await clients("Carlo")
    await carlo.comes(await bianca.opens(tokens=2))
    await bianca.does("begin")
    games = 0

    async def play():
        nonlocal games
        while True:
            await asyncio.gather(bianca.plays(rest=rest), carlo.plays(rest=rest))
            games += 1
            await bianca.does("begin")
            await carlo.until_stage("playing")

    playing = asyncio.create_task(play())
    try:
        yield
        before = games
        async with asyncio.timeout(PATIENCE):
            while games == before and not playing.done():
                await asyncio.sleep(0.01)
    finally:
        playing.cancel()
        (end,) = await asyncio.gather(playing, return_exceptions=True)
    assert isinstance(end, asyncio.CancelledError), end
    assert bianca.numbers == [*range(1, max(bianca.numbers) + 1)]
    assert carlo.numbers == [*range(carlo.numbers[0], max(carlo.numbers) + 1)]
    assert not any("refused" in one or "taken_over" in one for one in (*bianca.all, *carlo.all))


def beside_a_game(test, rest=0.0, **settings):
    async def both(clients, room):
        async with neighbours(clients, rest):
            await test(clients, room)

    in_room(both, **settings)


# Messages.


NO_MESSAGES = [
    "", " ", "x", "{", "}", "[]", "null", "true", "7", '"do"', "{}", '{"do":7}', '{"do":null}',
    '{"do":["hello"]}', "[" * 4000, '{"a":' * 700, "9" * 4000, "NaN", "\0", '{"do":"hello"',
    '{"do":"hello"}{"do":"hello"}', "{'do':'hello'}", '{"do":"\\ud800',
]  # fmt: skip


def test_what_is_no_message_is_answered_so():
    async def test(clients, room):
        ana = await clients("Ana")
        for line in NO_MESSAGES:
            ana.all.clear()
            await ana.send(line)
            await ana.until(lambda: any("refused" in one for one in ana.all))
            assert ana.all[-1] == {"refused": NOT_UNDERSTOOD, "id": None}, line
        await ana.does("tables")

    beside_a_game(test, web_limits=replace(WIDE, patience=1000))


def test_who_sends_only_nonsense_is_cut_off_with_an_answer():
    async def test(clients, room):
        ana = await clients("Ana")
        for _ in range(40):
            await ana.send("nonsense")
        await ana.until_ended()
        refused = [one["refused"] for one in ana.all if "refused" in one]
        assert refused == [NOT_UNDERSTOOD] * 20

    beside_a_game(test)


ODD = [
    None, True, False, 0, -1, 10**300, 1.5, "", " ", "x" * 1000, "\0", "\u202e", "\ud800", [], [[]],
    {}, {"a": {"b": []}}, "../../etc/passwd", "' OR 1=1 --", "<script>", "__class__", "{0.x}", "%s",
]  # fmt: skip
WORDS = ("table", "game", "name", "key", "text", "option", "value", "private", "after", "watch",
         "options", "secret", "lang")  # fmt: skip
DOINGS = ("tables", "look", "open", "come", "away", "rules", "options", "join", "leave", "key",
          "say", "choose", "add_bot", "remove_bot", "begin", "pause", "set_private", "hand_over",
          "kick", "close", "watch", "dance", "", "_receive", "hello")  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_odd_values_everywhere(seed):
    """Every message is answered, whatever it holds, and no fault of the program shows."""
    chance = random.Random(seed)

    async def test(clients, room):
        ana = await clients("Ana")
        for _ in range(250):
            with_ = {word: chance.choice(ODD) for word in chance.sample(WORDS, 3)}
            if chance.random() < 0.5:
                with_ |= {"game": "421", "table": ana.at, "option": "tokens", "key": "enter"}
            do = chance.choice(DOINGS)
            answer = await ana.ask(do, **with_)
            assert answer not in ("The room could not do this.",), (do, with_)
            assert "fault" not in answer, (do, with_)

    beside_a_game(test)


def test_every_odd_value_in_every_place():
    async def test(clients, room):
        ana = await clients("Ana")
        for do, word in [
            ("look", "table"), ("come", "table"), ("come", "after"), ("open", "game"),
            ("open", "private"), ("rules", "game"), ("rules", "options"), ("key", "key"),
            ("say", "text"), ("choose", "option"), ("choose", "value"), ("remove_bot", "name"),
            ("hand_over", "name"), ("kick", "name"), ("set_private", "private"), ("hello", "lang"),
        ]:  # fmt: skip
            for value in ODD:
                if not ana.at:
                    await ana.does("open", game="421")
                rest = {
                    "hello": {"name": "Ana", "secret": ana.secret},
                    "choose": {"option": "tokens", "value": 5},
                    "come": {"table": ana.at},
                    "rules": {"game": "421"},
                }.get(do, {})
                answer = await ana.ask(do, **{**rest, word: value})
                assert "could not do this" not in answer, (do, word, value)
                assert "fault" not in answer and "disk" not in answer, (do, word, value)
                if do == "open" and ana.at:
                    await ana.does("leave")

    beside_a_game(test, limits=Limits(tables_of_owner=1000))


def test_odd_ids_of_messages():
    async def test(clients, room):
        ana = await clients("Ana")
        for number in (True, 1.5, "7", None, [], {}, -1, 10**300):
            ana.all.clear()
            await ana.tell("tables", id=number)
            await ana.does("rules", game="421")
            done = [one["done"] for one in ana.all if "done" in one]
            assert done[:-1] == ([number] if isinstance(number, int) else [])

    beside_a_game(test)


@pytest.mark.parametrize("size", [4097, 100_000, 5_000_000])
def test_a_message_that_is_too_long_ends_its_line(size):
    async def test(clients, room):
        ana = await clients("Ana")
        with_ = {"do": "say", "text": ""}
        with_["text"] = "x" * (size - len(json.dumps(with_)))
        with suppress(ConnectionError):
            await ana.send(json.dumps(with_))
        await ana.until_ended()
        assert ana._line.close_code in (aiohttp.WSCloseCode.MESSAGE_TOO_BIG, 1006)

    beside_a_game(test)


def test_a_message_may_be_as_long_as_is_said():
    async def test(clients, room):
        ana = await clients("Ana")
        line = {"do": "tables", "id": 1, "text": ""}
        line["text"] = "x" * (4096 - len(json.dumps(line)))
        await ana.send(json.dumps(line))
        await ana.until(lambda: ana.answers.get(1) == "")

    beside_a_game(test)


def test_bytes_and_broken_frames_end_their_line():
    async def test(clients, room):
        ana = await clients("Ana")
        await ana._line.send_bytes(b"\x00\x01")
        await ana.until_ended()
        for payload, first in (
            (b"\xff\xfe", 0x81),  # no UTF-8
            (b"{}", 0x83),  # a kind of frame there is not
            (b"{}", 0xF1),  # reserved bits
            (b"x" * 2000, 0x01),  # a message in parts, without an end
        ):
            raw = RawClient(room.port)
            await raw.greets(room.port)
            for _ in range(4):
                try:
                    await raw.frames(payload, first)
                except ConnectionError:
                    break
            await raw.until_ended()
            raw.close()
        async with asyncio.timeout(PATIENCE):
            while room.addresses.connections > 2:
                await asyncio.sleep(0.02)

    beside_a_game(test)


# People.


@pytest.mark.parametrize(
    "name",
    [None, 7, "", "  ", " Ana", "Ana ", "A\tB", "A\nB", "A\0B", "A\x7fB", "A\u202eB", "A\u2066B",
     "A\u200bB", "\ud800", "\ufdd0", "\U000e0041", "x" * 41, ["Ana"], {"a": 1}],
)  # fmt: skip
def test_names_nobody_can_say_are_refused_with_a_sentence(name):
    async def test(clients, room):
        ana = await clients.connect("Ana")
        answer = await ana.ask("hello", name=name, secret=ana.secret, lang="en")
        assert answer.startswith("A player's name ")
        assert await ana.ask("tables") == NO_HELLO
        assert all(character.isprintable() for character in answer)

    in_room(test)


def test_names_with_marks_and_letters_of_all_kinds_are_welcome():
    async def test(clients, room):
        for name in (
            "Živa Đorđević",
            "Zoé",
            "O'Neil & <b>",
            "李",
            "Анна",
            "x" * 40,
            "{name}",
            "%s",
        ):
            client = await clients(name)
            await client.opens()
            await client.does("say", text="{0.__class__} %s {player}")
            assert client.lines[-1] == f"{name}: {{0.__class__}} %s {{player}}"

    in_room(test)


@pytest.mark.parametrize(
    "secret", [None, "", "short", "x" * 31, "x" * 201, 32 * [1], {"x": 1}, 10**40]
)
def test_no_secret_no_seat(secret):
    async def test(clients, room):
        ana = await clients.connect("Ana")
        answer = await ana.ask("hello", name="Ana", secret=secret, lang="en")
        assert answer == "The page has no proper secret. Please load it anew."
        assert await ana.ask("open", game="421") == NO_HELLO

    in_room(test)


def test_a_seat_cannot_be_had_without_its_secret():
    async def test(clients, room):
        ana, bruno = await clients("Ana"), await clients("Bruno")
        table = await ana.opens()
        await bruno.comes(table)
        await ana.does("begin")
        ana.breaks()
        await bruno.until(lambda: bruno.seats["Ana"]["away"] == "dropped")
        owner = room.hall.find(table).party.seat("Ana").owner
        for forged in (owner, owner.ljust(32, "x"), ana.secret.lower(), ana.secret + " "):
            mallory = await clients.connect("Ana", secret=forged)
            await mallory.does("hello", name="Ana", secret=forged, lang="en", owner=owner)
            assert mallory.hello["yours"] == []
            for with_ in ({}, {"watch": True}, {"owner": owner}, {"person": "Ana"}):
                answer = await mallory.ask("come", table=table, **with_)
                assert answer == "There is a Ana at this table already. Choose another name."
            await mallory.does("hello", name="Mallory", secret=forged, lang="en")
            await mallory.comes(table, watch=True)
            assert await mallory.ask("kick", name="Bruno") == "Only the table master can do that."
            await mallory.does("key", key="enter")
            await mallory.does("leave")
        # No message and no view gives away who owns a seat.
        assert owner not in json.dumps([bruno.all, mallory.all])
        again = await clients("Ana")
        assert again.hello["yours"] == [table]

    in_room(test, pace=BRIEF)


def test_one_line_is_one_person():
    async def test(clients, room):
        ana = await clients("Ana")
        answer = await ana.ask("hello", name="Bob", secret=secret_of("Bob"), lang="en")
        assert answer == "The page has no proper secret. Please load it anew."
        await ana.opens()

    beside_a_game(test)


def test_unknown_tables_and_doings():
    async def test(clients, room):
        ana = await clients("Ana")
        for table in ("", "nothing", "x" * 3000, "../x", None, 7):
            for do in ("look", "come"):
                assert await ana.ask(do, table=table) == NO_TABLE
        assert await ana.ask("dance") == NOT_UNDERSTOOD
        for do in ("join", "leave", "key", "say", "begin", "close", "kick"):
            assert await ana.ask(do) == "You are not at a table."
        assert await ana.ask("open", game="chess") == "There is no such game here."

    beside_a_game(test)


# Lines.


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "null", "", "http://[::1",
     "http://127.0.0.1.evil.example", "x"],
)  # fmt: skip
def test_pages_of_other_sites_cannot_connect(origin):
    async def test(clients, room):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await clients.connect("Ana", headers={"Origin": origin})
        assert refused.value.status == 403

    in_room(test)


def test_our_own_page_and_those_allowed_connect():
    async def test(clients, room):
        for origin in (f"http://127.0.0.1:{room.port}", "https://play.example"):
            ana = await clients.connect("Ana", headers={"Origin": origin})
            await ana.says_hello()

    in_room(test, origins=("https://play.example",))


def test_what_is_no_websocket_is_refused():
    async def test(clients, room):
        assert (await clients.get("/socket"))[0] == 400
        assert (await clients.get("/nothing"))[0] == 404
        for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py"):
            assert (await clients.get(path))[0] in (403, 404)

    beside_a_game(test)


def test_too_many_lines_from_one_address():
    async def test(clients, room):
        lines = [await clients(f"Person {number}") for number in range(5)]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await clients.connect("One more")
        assert refused.value.status == 503
        await lines[0].closes()
        async with asyncio.timeout(PATIENCE):
            while room.addresses.connections == 5:
                await asyncio.sleep(0.01)
        await clients("One more")

    in_room(test, web_limits=replace(WIDE, connections_per_address=5))


def test_half_open_sockets_disturb_nobody():
    async def test(clients, room):
        silent = []
        for sent in (b"", b"GET /sock", b"GET /socket HTTP/1.1\r\n", b"\0" * 100, b"\x16\x03\x01"):
            for _ in range(20):
                line = socket.create_connection(("127.0.0.1", room.port))
                silent.append(line)
                if sent:
                    line.sendall(sent)
        # Lines that are opened and then say nothing, or end in the midst of a frame.
        for frame in (b"", b"\x81", b"\x81\xfe\x0f\xff", b"\x81\x85\0\0\0\0he"):
            raw = RawClient(room.port)
            await raw.greets(room.port)
            if frame:
                await raw.sends(frame)
            silent.append(raw)
        await (await clients("Ana")).opens()
        for line in silent:
            line.close()
        async with asyncio.timeout(PATIENCE):
            while room.addresses.connections > 3:
                await asyncio.sleep(0.02)

    beside_a_game(test)


def test_a_line_without_a_hello_hears_nothing():
    async def test(clients, room):
        silent = await clients.connect("Ana")
        await asyncio.sleep(1.3)
        assert silent.all == []

    beside_a_game(test)


# Much of everything.


def test_a_thousand_tables_from_one_address():
    async def test(clients, room):
        too_many = said("Too many tables were opened from your network. Wait a little.")
        opened = 0
        for person in range(20):
            ana = await clients(f"Person {person}")
            for _ in range(50):
                answer = await ana.ask("open", game="421")
                if not answer:
                    opened += 1
                    await ana.does("away")
                else:
                    assert answer in (
                        too_many,
                        "You sit at too many tables already. Close or leave one first.",
                    )
            await ana.closes()
        assert answer == too_many
        assert opened <= 12 and len(room.hall) == opened + 1

    beside_a_game(test, web_limits=replace(WIDE, tables_per_minute=10))


def test_a_flood_of_everything_at_once():
    async def test(clients, room):
        floods = [await clients(f"Flood {number}") for number in range(8)]
        table = await floods[0].opens()

        async def flood(one):
            chance = random.Random(one.name)
            try:
                for _ in range(2000):
                    do = chance.choice(("look", "rules", "come", "say", "hello", "tables", "away"))
                    with_ = {"table": table, "game": "421", "text": "x", "watch": True}
                    await one.tell(do, name=one.name, secret=one.secret, **with_)
            except ConnectionError:
                pass
            await one.until_ended()

        await asyncio.gather(*map(flood, floods))
        for one in floods:
            assert any(message.get("refused") == "Not so fast, please." for message in one.all)
        async with asyncio.timeout(PATIENCE):
            while room.addresses.connections > 2:
                await asyncio.sleep(0.02)
        assert len(room._clients) == 2

    beside_a_game(test, rest=0.05, web_limits=replace(WIDE, messages_per_second=30, burst=40))


def test_buckets_fill_up_again(monkeypatch):
    now = 100.0
    monkeypatch.setattr("zanzibar_plugin.hosts.web.limits.time.monotonic", lambda: now)
    bucket = Bucket(2, 3)
    assert bucket.full
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    now += 1
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now += 1.5
    assert bucket.full


def test_addresses_are_counted_and_forgotten(monkeypatch):
    now = 100.0
    monkeypatch.setattr("zanzibar_plugin.hosts.web.limits.time.monotonic", lambda: now)
    addresses = Addresses(
        WebLimits(chats_per_minute=100_000, connections=3, connections_per_address=2)
    )
    assert [addresses.connect("a") for _ in range(3)] == [True, True, False]
    assert addresses.connect("b") and not addresses.connect("c")
    addresses.disconnect("a")
    assert addresses.connections == 2
    for number in range(3000):
        assert addresses.may_open(f"10.0.{number}")
        now += 1
    assert len(addresses._opened) <= 1001


def test_a_proxys_visitors_are_told_apart_only_if_it_is_trusted():
    async def visit(clients, address):
        return await clients.connect("Ana", headers={"X-Forwarded-For": f"6.6.6.6, {address}"})

    async def trusting(clients, room):
        for number in range(4):
            await visit(clients, f"10.0.0.{number}")
        with pytest.raises(aiohttp.WSServerHandshakeError):
            for _ in range(2):
                await visit(clients, "10.0.0.1")

    async def wary(clients, room):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            for number in range(4):
                await visit(clients, f"10.0.0.{number}")

    limits = replace(WIDE, connections_per_address=2)
    in_room(trusting, web_limits=limits, trust_proxy=True)
    in_room(wary, web_limits=limits)
