"""The dice as pages agree upon them and check them: a real browser's own SHA-256."""

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest
from browser import MISSING, RoomThread, people
from room_client import FAST
from tiny_game import TinyGame

from zanzibar_plugin.room import hall, keeper, shown
from zanzibar_plugin.room.checkable import digest_of, new_secret
from zanzibar_plugin.room.export import checked
from zanzibar_plugin.text import Text

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

FAIR = "Checked: the dice of this game are right, and your secret number counts in them."
UNFAIR = "Attention: the dice of this game do not pass the check!"
LEFT_OUT = "Your secret number does not count in the dice of this game."
UNREAD = "The dice of this game cannot be checked: its record does not tell them."
RESULTS = {FAIR, UNFAIR, LEFT_OUT, UNREAD}


def plays_out(*hands):
    for _ in range(400):
        for one in hands:
            if one.my_go:
                one.page.locator('#keys button[data-key="enter"]:visible').click(timeout=5000)
                one.rests()
        if all(one.view["stage"] == "over" for one in hands):
            return
        hands[0].page.wait_for_timeout(20)
    raise AssertionError("the game does not end")


@contextmanager
def at_a_table(browser, *more, game="421", **settings):
    """Ana and Bruno, each with a page, at a table of a room."""
    with (
        RoomThread(*more, **settings) as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "en")) as (ana, bruno),
    ):
        ana.opens(game, **({"tokens": 1} if game == "421" else {}))
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        yield ana, bruno, room


def results(one):
    return [line for line in one.spoken if line in RESULTS]


def has_found(one, result):
    """This is the only result that somebody has heard."""
    one.hears(result)
    assert results(one) == [result]


def record_of(one):
    with one.page.expect_download() as download:
        one.page.click("#record")
    return json.loads(download.value.path().read_text("utf-8"))


def shows_late(one):
    """Somebody's page is slow with its value, so that the room shows the others something more."""
    one.page.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (line) {
            setTimeout(() => send.call(this, line), line.includes('"reveal"') ? 800 : 0);
          };
        }"""
    )


def sent(one, do):
    return [message for message in one.page.sent if message["do"] == do]


def test_each_page_gives_its_part_and_checks_it(browser):
    with (
        RoomThread() as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "fr")) as (ana, bruno),
    ):
        ana.opens(tokens=1)
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, FAIR)
        bruno.hears(
            "C'est vérifié\u00a0: les dés de cette partie sont justes, et ton nombre secret y a "
            "servi."
        )
        draw = ana.view["draw"]
        assert [part["name"] for part in draw["parts"]] == ["Ana", "Bruno"]
        values = [m["value"] for p in (ana, bruno) for m in sent(p, "reveal")]
        assert sorted(values) == sorted(part["value"] for part in draw["parts"])
        assert not isinstance(checked(record_of(ana)), Text)
        # It is told once, also if the page is loaded anew.
        bruno.page.reload()
        bruno.is_at_the_table()
        bruno.page.wait_for_timeout(1000)
        assert not any("rifi" in line for line in bruno.spoken)


# Rooms that cheat.


class Lies:
    """What a cheating room shows: `tell`, if set, changes what is shown of the dice to `name`."""

    def __init__(self, monkeypatch):
        self.tell = lambda draw, view, name: draw
        self._honest = shown.view_of
        monkeypatch.setattr(keeper, "view_of", self._view_of)

    def _view_of(self, sitting, name, lang, games):
        view = dict(self._honest(sitting, name, lang, games))
        if view["draw"] is not None:
            draw = {**view["draw"], "parts": [dict(part) for part in view["draw"]["parts"]]}
            view["draw"] = self.tell(draw, view, name)
        return view


@pytest.fixture
def lies(monkeypatch):
    return Lies(monkeypatch)


def _other_secret(draw):
    draw["secret"] = "00" * 32


def _shouted_secret(draw):
    draw["secret"] = draw["secret"].upper()


def _other_own_value(draw):
    draw["parts"][0]["value"] = "00" * 32


def _other_commitment(draw):
    draw["parts"][1]["commitment"] = "00" * 32


def _added_part(draw):
    value = new_secret()
    draw["parts"].append({"name": "Eve", "commitment": digest_of(value), "value": value})


def _own_left_out(draw):
    del draw["parts"][0]


def _renamed(draw):
    draw["game"] += "9"


def _no_list(draw):
    draw["parts"] = None


def _no_parts(draw):
    draw["parts"] = [None]


def _no_value(draw):
    draw["parts"][0].update(commitment="x", value=None)


def _no_secret(draw):
    draw["secret"] = ""


@pytest.mark.parametrize(
    "lie",
    [
        _other_secret,
        _shouted_secret,
        _other_own_value,
        _other_commitment,
        _added_part,
        _own_left_out,
        _renamed,
        _no_list,
        _no_parts,
        _no_value,
        _no_secret,
    ],
)
def test_a_room_that_shows_other_numbers_at_the_end_is_found_out(browser, lies, lie):
    def tell(draw, view, name):
        if draw["secret"]:
            lie(draw)
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, UNFAIR)


def test_a_page_binds_itself_once_for_a_game(browser, lies):
    """Asked anew with the digest of another secret, it does not give the value it has shown."""
    other = new_secret()

    def tell(draw, view, name):
        if name == "Ana" and "Ana" not in draw["asked"] and draw["for"] == "value":
            draw.update(digest=digest_of(other), asked=["Ana"], parts=[])
            draw["for"] = "commitment"
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room):
        shows_late(bruno)
        ana.page.click("#begin")
        ana.hears(UNFAIR)
        assert len(sent(ana, "commit")) == 1


def test_a_page_does_not_follow_another_digest_before_its_value_is_shown(browser, lies):
    other = new_secret()

    def tell(draw, view, name):
        if name == "Ana" and draw["for"] == "value":
            draw.update(digest=digest_of(other), asked=["Ana"], parts=[])
            draw["for"] = "commitment"
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, _bruno, _room):
        ana.page.click("#begin")
        has_found(ana, UNFAIR)
        assert len(sent(ana, "commit")) == 1 and sent(ana, "reveal") == []


def test_a_page_shows_its_value_to_one_list_only(browser, lies):
    def tell(draw, view, name):
        if name == "Ana" and draw["for"] == "value" and "Ana" not in draw["asked"]:
            draw["asked"] = ["Ana"]
            _added_part(draw)
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room):
        shows_late(bruno)
        ana.page.click("#begin")
        has_found(ana, UNFAIR)
        assert len(sent(ana, "reveal")) == 1


def test_a_list_without_this_page_gets_no_value(browser, lies):
    def tell(draw, view, name):
        if name == "Ana" and draw["for"] == "value":
            _own_left_out(draw)
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, _bruno, _room):
        ana.page.click("#begin")
        has_found(ana, UNFAIR)
        assert sent(ana, "reveal") == []


def test_a_page_that_was_never_asked_for_its_value_says_so(browser, lies):
    """C: committed, never asked, and at the end left out."""

    def tell(draw, view, name):
        if name == "Ana" and (draw["for"] == "value" or draw["secret"]):
            draw["asked"] = []
            _own_left_out(draw)
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        ana.until(lambda: sent(bruno, "reveal"))
        # The room gives a value of its own instead.
        assert sent(ana, "reveal") == []
        value = "ab" * 32
        _room.do(_reveals_for_ana(_room, value))
        plays_out(ana, bruno)
        has_found(ana, UNFAIR)


async def _reveals_for_ana(room, value):
    from zanzibar_plugin.room import happenings as hp
    from zanzibar_plugin.room import requests

    (table,) = room.room.hall.keepers()
    means = table._means("en")
    commitment = hp.Committed("Ana", digest_of(value))
    revealed = (commitment, hp.Revealed("Ana", value))
    await table._commit(requests._after(revealed, table.sitting, means))
    table._go_on()


def test_fake_starts_crowd_nothing_out(browser, lies):
    fakes = iter(range(100))

    def tell(draw, view, name):
        if name == "Ana" and draw["for"] == "" and not draw["secret"]:
            draw.update(game=f"fake {next(fakes)}", asked=["Ana"], parts=[])
            draw.update(digest=digest_of(new_secret()))
            draw["for"] = "commitment"
        elif draw["secret"]:
            draw["secret"] = new_secret()
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room), pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown, "_well_on", lambda sitting: False)
        ana.page.click("#begin")
        ana.until(lambda: ana.view["stage"] == "playing")
        for number in range(12):
            bruno.page.fill("#chat", f"Message {number}")
            bruno.page.press("#chat", "Enter")
            ana.until(lambda n=number: len(sent(ana, "commit")) > n)
        plays_out(ana, bruno)
        has_found(ana, UNFAIR)


def test_others_left_out_of_what_one_sees_are_found_in_the_record(browser, lies):
    """L: Ana is shown herself alone, from the beginning to the end."""

    def tell(draw, view, name):
        if name == "Ana":
            draw["parts"] = draw["parts"][:1]
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, UNFAIR)
        has_found(bruno, FAIR)


def _other_face(record):
    thrown = next(event for event in record["events"] if event["event"] == "thrown")
    thrown["new"][0] = thrown["new"][0] % 6 + 1


def _more_throws(record):
    record["events"].append(record["events"][1])


def _other_game(record):
    record["game"] += "1"


def _no_faces(record):
    thrown = next(event for event in record["events"] if event["event"] == "thrown")
    thrown["new"] = []


def _no_throws(record):
    record["events"] = [event for event in record["events"] if event["event"] != "thrown"]


@pytest.mark.parametrize(
    ("lie", "result"),
    [
        (_other_face, UNFAIR),
        (_more_throws, UNFAIR),
        (_other_game, UNFAIR),
        (_no_faces, UNFAIR),
        (_no_throws, UNREAD),
        (lambda record: record.pop("events"), UNFAIR),
    ],
)
def test_a_record_that_lies_is_found_out(browser, monkeypatch, lie, result):
    honest = hall.Hall.record

    async def lying(self, table, game):
        record = json.loads(await honest(self, table, game))
        lie(record)
        return json.dumps(record)

    monkeypatch.setattr(hall.Hall, "record", lying)
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, result)


def test_no_record_at_all_is_no_proof(browser, monkeypatch):
    async def none(self, table, game):
        return ""

    monkeypatch.setattr(hall.Hall, "record", none)
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, UNFAIR)
        for one in (ana, bruno):
            assert all("404" in fault for fault in one.faults)
            one.faults.clear()


# Rooms that do not cheat, when things go otherwise than usual.


def test_a_page_that_was_not_asked_says_that_its_number_is_not_in(browser):
    with at_a_table(browser, pace=replace(FAST, draw=1)) as (ana, bruno, _room):
        gives_nothing(bruno)
        ana.page.click("#begin")
        ana.hears(SORRY)
        ana.rests()
        ana.page.click("#begin")
        plays_out(ana, bruno)
        begins = "The game begins without a secret number for the dice from: Bruno."
        assert any(begins in line for line in ana.spoken)
        has_found(bruno, LEFT_OUT)
        has_found(ana, FAIR)


def test_who_comes_back_under_another_name_gets_no_false_alarm(browser, lies):
    """F: the number is found by its digest."""

    def tell(draw, view, name):
        if draw["secret"]:
            view["you"] = "Anna"
        return draw

    lies.tell = tell
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, FAIR)


def test_a_page_loaded_anew_in_the_midst_of_it_still_checks(browser):
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        ana.until(lambda: ana.view["stage"] == "playing")
        ana.page.reload()
        ana.is_at_the_table()
        plays_out(ana, bruno)
        has_found(ana, FAIR)


def test_a_game_that_is_closed_in_its_midst_is_checked(browser):
    with at_a_table(browser) as (ana, bruno, _room):
        ana.page.click("#begin")
        ana.until(lambda: ana.my_go)
        ana.rests()
        ana.page.locator('#keys button[data-key="enter"]:visible').click()
        ana.until(lambda: ana.throws == 1)
        ana.page.click("#close")
        ana.page.get_by_role("button", name="Close the table").last.click()
        bruno.hears(FAIR)
        has_found(ana, FAIR)


def test_a_game_that_does_not_tell_its_dice_is_not_said_to_be_right(browser):
    with at_a_table(browser, TinyGame(), game="high") as (ana, bruno, _room):
        ana.page.click("#begin")
        plays_out(ana, bruno)
        has_found(ana, UNREAD)


def test_a_second_game_is_checked_too(browser):
    with at_a_table(browser) as (ana, bruno, _room):
        for number in (1, 2):
            ana.rests()
            ana.page.click("#begin")
            ana.until(lambda: ana.view["stage"] == "playing")
            bruno.until(lambda: bruno.view["stage"] == "playing")
            plays_out(ana, bruno)
            ana.until(lambda number=number: results(ana) == [FAIR] * number)


def test_a_page_asks_again_if_the_room_could_not_write(browser):
    with at_a_table(browser) as (ana, bruno, room):
        store = room.room.store
        append = store.append

        async def refuses(table, expected, data):
            if data["happened"][0].get("room") == "committed":
                store.full = not store.had
                store.had = True
            try:
                return await append(table, expected, data)
            finally:
                store.full = False

        store.had, store.append = False, refuses
        ana.page.click("#begin")
        ana.until(lambda: ana.view["stage"] == "playing")
        assert len(sent(ana, "commit")) + len(sent(bruno, "commit")) >= 3


SORRY = (
    "The game does not begin: a secret number for the dice is missing. It should come from: Bruno. "
    "The next start does without it."
)


def gives_nothing(one):
    """This page's browser has no chance to give."""
    one.page.evaluate("Object.defineProperty(crypto, 'getRandomValues', { value() { throw 1 } })")


def test_a_page_that_gives_nothing_holds_nobody_up_for_long(browser):
    with at_a_table(browser, pace=replace(FAST, draw=1)) as (ana, bruno, _room):
        gives_nothing(bruno)
        ana.page.click("#begin")
        ana.hears(SORRY)
        ana.rests()
        ana.page.click("#begin")
        ana.until(lambda: ana.my_go)
