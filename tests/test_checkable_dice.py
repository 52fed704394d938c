"""Dice that can be checked: how they are agreed upon, computed, recorded and verified."""

import asyncio
import hashlib
import hmac
import json
import secrets
from collections import Counter
from dataclasses import replace

import pytest
from room_client import (
    BRIEF,
    CATALOGS,
    FAST,
    USUAL,
    MemoryStore,
    clients_of,
    in_room,
    room_at,
    secret_of,
)
from tiny_game import Failing, TinyGame

from zanzibar_plugin import cli
from zanzibar_plugin.room import happenings as hp
from zanzibar_plugin.room.checkable import Draw, Part, dice_of, digest_of, is_value, new_secret
from zanzibar_plugin.room.export import checked, record_of
from zanzibar_plugin.room.people import owner_of
from zanzibar_plugin.room.voice import names_in
from zanzibar_plugin.text import Text

SHORT = replace(FAST, draw=0.3)
WRONG = (
    "The game does not begin: a secret number for the dice is not the one that was promised. It "
    "should come from: {}. The next start does without it."
)
MISSING = (
    "The game does not begin: a secret number for the dice is missing. It should come from: {}. "
    "The next start does without it."
)
WITHOUT = "The game begins without a secret number for the dice from: {}."


def is_right(record):
    return not isinstance(checked(record), Text)


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


async def pages_at(clients, *names, game="421"):
    """Pages at one table, the first its master, and the table."""
    pages = [await PageClient(await clients(name)).enters() for name in names]
    tokens = {"tokens": 2} if game == "421" else {}
    table = await pages[0].client.opens(game, **tokens)
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
        assert status == 200 and is_right(json.loads(record))
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
        assert status == 200 and is_right(json.loads(record))
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
        await ana.client.hears(WRONG.format("Bruno"))
        await bruno.client.hears(WRONG.format("you"))
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
        await ana.client.hears(MISSING.format("Bruno"))
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
            assert record["digest"] == digest and is_right(record)
            assert [part["value"] for part in record["parts"]] == [*values]

    asyncio.run(run())


# When a start comes to nothing, and what comes after it.


async def begin_together(*pages, master=None):
    """The table master, the first one, begins; all of these give a new number."""
    await (master or pages[0]).client.does("begin")
    for page in pages:
        page.value = secrets.token_hex(32)
        await page.commits()
    for page in pages:
        await page.reveals()
    await pages[0].client.until_stage("playing")


async def comes_true(condition):
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.02)


async def record_of_table(clients, table, game=""):
    status, record = await clients.get(f"/tables/{table}/record", params={"game": game})
    return json.loads(record) if status == 200 else None


async def fails(pages, who):
    """A start in which one of the pages shows another number than it was bound by."""
    await pages[0].client.does("begin")
    for page in pages:
        page.value = secrets.token_hex(32)
        await page.commits()
    await who.reveals("00" * 32)
    await pages[0].client.until_stage("waiting")


def test_only_those_who_failed_last_are_left_out_and_all_is_on_record():
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        await fails([ana, bruno], bruno)
        await fails([ana], ana)
        await ana.client.does("begin")
        await bruno.is_asked("commitment")
        assert bruno.draw["asked"] == ["Bruno"]
        await bruno.commits()
        await bruno.reveals()
        await ana.client.hears(WITHOUT.format("you"))
        await bruno.client.hears(WITHOUT.format("Ana"))
        await plays_out(ana, bruno)
        record = await record_of_table(clients, table)
        assert is_right(record) and [part["name"] for part in record["parts"]] == ["Bruno"]
        first, second = record["cancelled"]
        assert (first["names"], first["why"]) == (["Bruno"], "wrong")
        assert (second["names"], second["game"]) == (["Ana"], f"{table} 2")
        assert record["game"] == f"{table} 3" and record["finished"]
        assert checked(record).cancelled == 2
        # Those before an earlier game are no part of the next record.
        await begin_together(ana, bruno)
        await plays_out(ana, bruno)
        assert (await record_of_table(clients, table))["cancelled"] == []
        again = await record_of_table(clients, table, f"{table} 3")
        assert again == record
        assert await record_of_table(clients, table, f"{table} 2") is None

    in_room(test)


def test_whoever_is_off_the_line_when_a_game_begins_is_named():
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        bruno.client.breaks()
        (keeper,), owner = room.hall.keepers(), owner_of(secret_of("Bruno"))
        await comes_true(lambda: not keeper.listening(owner))
        await ana.client.does("begin")
        await ana.commits()
        await ana.reveals()
        await ana.client.hears(WITHOUT.format("Bruno"))

    in_room(test)


def test_whoever_leaves_keeps_nobody_of_the_same_name_out():
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        await fails([ana, bruno], bruno)
        await bruno.client.does("leave")
        other = PageClient(await clients("Bruno", secret="quite another person " * 3))
        await other.enters()
        await other.client.comes(table)
        await ana.client.does("begin")
        await other.is_asked("commitment")
        assert other.draw["asked"] == ["Ana", "Bruno"]
        await other.client.does("leave")
        await ana.client.until_stage("waiting")
        await ana.client.hears("The game does not begin, because somebody leaves: Bruno.")
        await bruno.client.comes(table)
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        # He failed at the last attempt at which anybody did.
        assert ana.draw["asked"] == ["Ana"]

    in_room(test)


def test_whoever_is_spoken_of_hears_you():
    assert names_in(hp.StartCancelled(("Ana", "Bruno"), "left")) >= {"Ana", "Bruno"}
    assert names_in(hp.Begun({"players": ["Zoe"]}, ("Ana",))) == {"Ana"}

    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.client.does("kick", name="Bruno")
        await bruno.client.until(lambda: bruno.client.at == "")
        heard = [line for lines in bruno.client.heard.values() for line in lines]
        assert "The game does not begin, because somebody leaves: you." in heard

    in_room(test)


def test_time_is_given_for_each_of_the_two_steps():
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.commits()
        await asyncio.sleep(0.6)
        await bruno.commits()
        await ana.is_asked("value")
        await asyncio.sleep(0.6)
        await ana.reveals()
        await bruno.reveals()
        await ana.client.until_stage("playing")

    in_room(test, pace=replace(FAST, draw=1))


def test_a_full_disk_does_not_hold_up_a_page_that_asks_again():
    async def test(clients, room):
        (ana, _bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        room.store.full = True
        assert await ana.client.ask("commit", commitment=sha(ana.value)) != ""
        room.store.full = False
        await ana.commits()

    in_room(test)


@pytest.mark.parametrize("hook", ["setup", "save"])
def test_a_fault_of_the_game_is_nobodys(hook):
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno", game="failing")
        await ana.client.does("begin")
        await ana.commits()
        await bruno.commits()
        await ana.reveals()
        failing.fails = hook
        await bruno.reveals()
        await ana.client.until_stage("waiting")
        assert ana.client.lines[-1] == "The game has a fault and did not do this."
        failing.fails = ""
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        assert ana.draw["asked"] == ["Ana", "Bruno"]

    failing = Failing()
    in_room(test, failing)


def test_a_number_that_is_none_or_copied_is_refused():
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        no = "This is no proper secret number."
        for wrong in (None, 5, "x", "A" * 64, ["0" * 64]):
            assert await ana.client.ask("commit", commitment=wrong) == no
        await ana.commits()
        assert await bruno.client.ask("commit", commitment=sha(ana.value)) == no
        await bruno.commits()

    in_room(test)


def test_between_two_games():
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        await begin_together(ana, bruno)
        await plays_out(ana, bruno)
        first = ana.draw
        await ana.client.does("begin")
        await ana.is_asked("commitment")
        for key in ("enter", "1", "f9"):
            assert await bruno.client.ask("key", key=key) == "The game has not begun yet."
        assert await bruno.client.ask("key", key="s") == ""
        await ana.commits("11" * 32)
        await bruno.commits("22" * 32)
        await ana.reveals("00" * 32)
        await ana.client.until_stage("over")
        # The game that is over can be checked and saved as before.
        assert ana.draw == first
        assert (await record_of_table(clients, table))["game"] == first["game"]
        await begin_together(bruno, master=ana)
        await plays_out(ana, bruno)
        record = await record_of_table(clients, table)
        assert record["events"][0]["event"] == "game_started"
        assert record["events"][-1]["event"] == "game_over"

    in_room(test)


def test_all_numbers_are_shown_as_the_game_begins():
    async def test(clients, room):
        (ana, bruno), _table = await pages_at(clients, "Ana", "Bruno")
        await begin_together(ana, bruno)
        assert [part["value"] for part in ana.draw["parts"]] == [ana.value, bruno.value]
        assert ana.draw["secret"] == "" and ana.draw["asked"] == []
        await bruno.client.does("say", text="Good luck")
        await ana.client.until(lambda: ana.draw is None)

    in_room(test)


def test_a_game_that_is_closed_in_its_midst_can_be_checked():
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        await begin_together(ana, bruno)
        await ana.client.does("key", key="enter")
        assert await record_of_table(clients, table) is None
        await ana.client.does("close")
        await bruno.client.until(lambda: bruno.client.at == "")
        draw = next(m["table"]["draw"] for m in reversed(bruno.client.all) if "table" in m)
        assert sha(draw["secret"]) == draw["digest"]
        # What is shown last comes before the farewell.
        assert "left" in bruno.client.all[-1] and "table" in bruno.client.all[-2]
        record = await record_of_table(clients, table, draw["game"])
        assert is_right(record) and not record["finished"] and not checked(record).finished
        assert record["secret"] == draw["secret"]
        # For a while only.
        await comes_true(lambda: not room.store.journals)
        assert await record_of_table(clients, table) is None

    in_room(test, limits=replace(USUAL, abandoned=0.4, broken_off=0.2))


@pytest.mark.parametrize("stage", ["waiting", "starting"])
def test_a_table_that_is_closed_without_a_game_shows_no_secret(stage):
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        if stage == "starting":
            await ana.client.does("begin")
            await ana.commits()
        await ana.client.does("close")
        await bruno.client.until(lambda: bruno.client.at == "")
        shown = [message["table"]["draw"] for message in bruno.client.all if "table" in message]
        assert not any(draw and draw["secret"] for draw in shown)
        assert await record_of_table(clients, table) is None
        await comes_true(lambda: not room.store.journals)

    in_room(test)


def test_a_game_that_does_not_tell_its_dice_cannot_be_checked():
    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno", game="high")
        await begin_together(ana, bruno)
        await plays_out(ana, bruno)
        assert CATALOGS.catalog("en").say(checked(await record_of_table(clients, table))) == UNREAD

    in_room(test, TinyGame())


def test_a_record_is_made_once_for_all_who_want_it(monkeypatch):
    made = []

    def counted(entries, game):
        made.append(game)
        return record_of(entries, game)

    monkeypatch.setattr("zanzibar_plugin.room.keeper.record_of", counted)

    async def test(clients, room):
        (ana, bruno), table = await pages_at(clients, "Ana", "Bruno")
        await begin_together(ana, bruno)
        await plays_out(ana, bruno)
        found = await asyncio.gather(*(record_of_table(clients, table) for _ in range(20)))
        assert len(made) == 1 and all(one == found[0] for one in found)
        await ana.client.does("say", text="Again?")
        await record_of_table(clients, table)
        assert len(made) == 2

    in_room(test)


def test_old_journals_are_read():
    old = {"room": "begun", "saved": {"game": "421"}}
    assert hp.from_data(old) == hp.Begun({"game": "421"})
    for wrong in ({"room": "begun"}, {**old, "more": 1}, {"room": "gone", "without": []}):
        with pytest.raises(ValueError, match="not something that happens"):
            hp.from_data(wrong)


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
        "cancelled": [],
        "finished": True,
        "events": [*events, {"event": "game_over"}],
    }


def all_told(capsys, tmp_path, record):
    file = tmp_path / "record.json"
    file.write_text(record if isinstance(record, str) else json.dumps(record))
    status = cli.main(["--lang", "en", "verify", str(file)])
    told = capsys.readouterr()
    assert told.err == ""
    return status, told.out.removeprefix(f"{file}: ").splitlines()


def verified(capsys, tmp_path, record):
    status, lines = all_told(capsys, tmp_path, record)
    assert len(lines) == 1 or status == 0
    return status, lines[0]


PARTS = "Secret numbers in these dice, beside the room's: P0 and P1."


def test_a_right_record(capsys, tmp_path):
    right = "3 throws checked: all is right."
    assert all_told(capsys, tmp_path, a_record()) == (0, [right, PARTS])
    assert verified(capsys, tmp_path, a_record(1)) == (0, "1 throw checked: all is right.")


def test_what_else_is_told_of_a_right_record(capsys, tmp_path):
    record = a_record()
    record["events"].pop()
    record["cancelled"] = [{"game": "abc 0", "names": ["P0"], "why": "missing"}]
    _, lines = all_told(capsys, tmp_path, record)
    assert lines[1:] == [
        PARTS,
        "This game was not played to its end.",
        "Starts that were broken off before this game: 1.",
    ]
    nobodys = Draw("abc 2", "01" * 32, ())
    events = [{"event": "thrown", "new": dice_of(nobodys)(0, 3)}, {"event": "game_over"}]
    bare = {"game": nobodys.game, "secret": nobodys.secret, "digest": nobodys.digest}
    record = {**record, **bare, "parts": [], "cancelled": [], "events": events}
    _, lines = all_told(capsys, tmp_path, record)
    assert lines[1:] == [
        "No player has a secret number in these dice: the room alone could choose them."
    ]


def test_nothing_in_a_record_moves_the_screen(capsys, tmp_path):
    record = a_record()
    record["parts"][0]["name"] = "\x1b[31mEve\u202e"
    _, lines = all_told(capsys, tmp_path, record)
    assert lines[1] == "Secret numbers in these dice, beside the room's: ?[31mEve? and P1."
    record["parts"][0]["value"] = "00" * 32
    assert "\x1b" not in verified(capsys, tmp_path, record)[1]
    file = tmp_path / "\x1b[31mq.json"
    file.write_text("{}")
    cli.main(["--lang", "en", "verify", str(file)])
    assert "\x1b" not in capsys.readouterr().out


def test_files_that_cannot_be_a_record(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(cli, "BIGGEST_RECORD", 1000)
    file = tmp_path / "big.json"
    file.write_text(json.dumps("x" * 1000))
    assert cli.main(["--lang", "en", "verify", str(file)]) == 1
    assert "is too big to be a record." in capsys.readouterr().err
    assert cli.main(["--lang", "en", "verify", "/dev/zero"]) == 1
    assert cli.main(["--lang", "en", "verify", "a\0b"]) == 2
    assert "a?b cannot be read:" in capsys.readouterr().err


def test_the_first_throw_that_does_not_fit_is_named(capsys, tmp_path):
    record = a_record()
    right = record["events"][2]["new"]
    wrong = [right[0] % 6 + 1, *right[1:]]
    record["events"][2]["new"] = record["events"][3]["new"] = wrong
    said = ", ".join(map(str, wrong)), ", ".join(map(str, right))
    sentence = "Throw number 2 does not fit: the record says {}, the computation gives {}.".format(
        *said
    )
    assert verified(capsys, tmp_path, record) == (1, sentence)


NO_NAME = "The record lacks the name of the game, or the room's secret number."
NO_DICE = "The dice of throw number 1 are missing."
UNREAD = "The dice of this game cannot be checked: its record does not tell them."
RECORD = a_record()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"form": "x"}, "This is no record of a game."),
        ({"secret": "00" * 32}, "The room's secret number is not the one that was promised."),
        ({"secret": "x"}, NO_NAME),
        ({"game": "a\nb"}, NO_NAME),
        ({"game": "\ud800"}, NO_NAME),
        ({"game": ""}, NO_NAME),
        ({"parts": 5}, "The record lacks the players' secret numbers."),
        ({"parts": [5]}, "The record lacks the players' secret numbers."),
        (
            {"parts": [{"name": "P0", "commitment": "00" * 32, "value": "00" * 32}]},
            "This secret number is not the one that was promised: P0.",
        ),
        ({"events": None}, "The record lacks what happens in the game."),
        ({"events": [5]}, "The record lacks what happens in the game."),
        ({"cancelled": 5}, "The record lacks what happens in the game."),
        ({"events": []}, "The record has no throws."),
        ({"events": [{"event": "thrown", "new": ["x"]}]}, NO_DICE),
        ({"events": [{"event": "thrown", "new": []}]}, NO_DICE),
        ({"events": [{"event": "thrown", "face": 5}]}, UNREAD),
        (
            {"events": [*RECORD["events"], {"event": "thrown", "new": [1]}]},
            "The record goes on after the end of the game.",
        ),
    ],
)
def test_what_is_wrong_with_a_record_is_said(capsys, tmp_path, change, sentence):
    assert verified(capsys, tmp_path, {**a_record(), **change}) == (1, sentence)


@pytest.mark.parametrize("content", ["", "{", "[]", "5", "null", "\x00", "[" * 5000])
def test_what_is_no_record_at_all(capsys, tmp_path, content):
    assert verified(capsys, tmp_path, content) == (1, "This is no record of a game.")
