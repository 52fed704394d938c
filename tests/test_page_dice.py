"""The dice as pages agree upon them and check them: a real browser's own SHA-256."""

import json
from dataclasses import replace

import pytest
from browser import MISSING, RoomThread, people
from room_client import FAST

from zanzibar_plugin.room.export import fault_in

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


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
        ana.hears("Checked: your part is in the dice of this game.")
        bruno.hears("C'est vérifié\u00a0: ta part est dans les dés de cette partie.")
        draw = ana.view["draw"]
        assert [part["name"] for part in draw["parts"]] == ["Ana", "Bruno"]
        values = [m["value"] for p in (ana, bruno) for m in p.page.sent if m["do"] == "reveal"]
        assert sorted(values) == sorted(part["value"] for part in draw["parts"])
        with ana.page.expect_download() as download:
            ana.page.click("#record")
        record = json.loads(download.value.path().read_text("utf-8"))
        assert fault_in(record) is None


@pytest.mark.parametrize("lie", ["secret", "own value", "other commitment"])
def test_a_room_that_cheats_is_found_out(browser, monkeypatch, lie):
    from zanzibar_plugin.room import keeper, shown

    honest = shown.draw_of

    def cheating(party):
        draw = dict(honest(party))
        if draw["secret"]:
            parts = [dict(part) for part in draw["parts"]]
            if lie == "secret":
                draw["secret"] = "00" * 32
            elif lie == "own value":
                parts[0]["value"] = "00" * 32
            else:
                parts[1]["commitment"] = "00" * 32
            draw["parts"] = parts
        return draw

    monkeypatch.setattr(shown, "draw_of", cheating)
    assert keeper.view_of is shown.view_of
    with (
        RoomThread() as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "en")) as (ana, bruno),
    ):
        ana.opens(tokens=1)
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        ana.page.click("#begin")
        plays_out(ana, bruno)
        ana.hears("The dice of this game are not those that were promised!")


def test_a_page_that_gives_nothing_holds_nobody_up_for_long(browser):
    with (
        RoomThread(pace=replace(FAST, draw=1)) as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "en")) as (ana, bruno),
    ):
        ana.opens()
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        bruno.page.evaluate(
            "Object.defineProperty(crypto, 'getRandomValues', { value() { throw 1 } })"
        )
        ana.page.click("#begin")
        sorry = (
            "The game does not begin: a part for the dice is missing. Players: Bruno. At the next "
            "attempt the dice do without it."
        )
        ana.hears(sorry)
        ana.rests()
        ana.page.click("#begin")
        ana.until(lambda: ana.my_go)
        bruno.faults.clear()
