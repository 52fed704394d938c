"""Bots of each level, and looking back at a game, on a real page."""

import pytest
from browser import MISSING, RoomThread, people

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


@pytest.fixture
def two(browser):
    with RoomThread() as room, people(browser, room, ("Ana", "en"), ("Bruno", "en")) as here:
        here[0].opens(tokens=2)
        yield here


def adds(one, level):
    before = len(one.view["seats"])
    one.page.select_option("#bot-level", level)
    one.page.click("#add-bot")
    one.until(lambda: len(one.view["seats"]) == before + 1)
    one.until(lambda: one.page.locator("#seats li").count() == before + 1)
    return one.page.locator("#seats li").last.locator(".what").text_content()


def test_bots_of_a_level_are_added_and_shown(two):
    ana, bruno = two
    assert ana.page.get_by_label("New bots play as").input_value() == "regular"
    assert adds(ana, "expert") == ", bot, expert"
    # The choice stays for the next one.
    ana.page.click("#add-bot")
    ana.until(lambda: len(ana.view["seats"]) == 3)
    assert adds(ana, "beginner") == ", bot, beginner"
    assert adds(ana, "regular") == ", bot"
    assert ana.page.locator("#bot-note").text_content() == ""
    bruno.comes()
    assert not bruno.page.locator("#bot-level").is_visible()
    ana.page.click("#begin")
    ana.until(lambda: ana.view["stage"] == "playing")
    assert not ana.page.locator("#bot-level").is_visible()


def test_a_game_is_looked_back_at(two):
    ana, bruno = two
    bruno.comes()
    ana.until(lambda: len(ana.view["seats"]) == 2)
    assert not ana.page.locator("#look-back-at").is_visible()
    ana.page.click("#begin")
    for _ in range(400):
        if ana.view["stage"] == "over":
            break
        for one in two:
            if one.my_go:
                one.page.locator("#area").focus()
                one.presses("Enter")
        ana.page.wait_for_timeout(60)
    ana.until(lambda: ana.view["stage"] == "over")
    button = ana.page.get_by_role("button", name="What could I have done better?")
    ana.is_quiet()
    button.focus()
    ana.rests()
    before = len(ana.spoken)
    ana.presses("Enter")
    ana.until(lambda: len(ana.spoken) > before)
    ana.is_quiet()
    said = ana.spoken[before:]
    # It is spoken, it can be read again, and nobody else hears of it.
    history = ana.page.locator("#history li").all_text_contents()
    assert said and all(any(line in one for one in history) for line in said)
    assert not set(said) & set(bruno.spoken)
    assert ana.focus == "look-back-at"
