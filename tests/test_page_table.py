"""What people do at a table on a real page, besides playing."""

import pytest
from browser import MISSING, RoomThread, people

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


@pytest.fixture
def two(browser):
    """Ana, master of a table, and Bruno."""
    with RoomThread() as room, people(browser, room, ("Ana", "en"), ("Bruno", "en")) as here:
        ana, bruno = here
        ana.opens()
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        yield here


def test_a_variant_is_not_lost_when_something_else_is_chosen_at_once(two):
    ana, _ = two
    ana.page.select_option("#option-preset", "french-bar-11")
    ana.page.locator("#option-preset").focus()
    ana.until(lambda: ana.view["game"] == "french-bar-11")
    ana.page.select_option("#option-preset", "421")
    ana.page.check("#option-dry_charge") if ana.page.locator(
        "#option-dry_charge"
    ).count() else ana.page.click("#add-bot")
    ana.until(lambda: ana.view["game"].startswith("421"))


def test_a_variant_chosen_a_moment_before_the_beginning_is_played(two):
    ana, _ = two
    ana.page.select_option("#option-preset", "belgian")
    ana.page.click("#begin")
    ana.until(lambda: ana.view["stage"] == "playing")
    assert ana.view["game"] == "belgian" and ana.view["play"]["game"] == "belgian"
    # Nothing that was done is refused.
    assert ana.page.locator("#notice").text_content() == ""


def test_looking_through_variants_by_arrows_chooses_only_the_last(two):
    ana, bruno = two
    ana.page.locator("#option-preset").focus()
    ana.presses("ArrowDown", "ArrowDown", "ArrowDown")
    ana.until(lambda: ana.view["game"] != "421")
    chosen = [line for line in bruno.told if line.startswith("Variant")]
    assert len(chosen) == 1 and ana.focus == "option-preset"


def test_leaving_a_game_is_asked_first(two):
    ana, bruno = two
    ana.page.click("#begin")
    ana.until(lambda: ana.my_go)
    bruno.page.click("#leave")
    bruno.until(lambda: bruno.focus == "ask-no")
    bruno.presses("Escape")
    bruno.until(lambda: bruno.focus == "leave")
    assert bruno.view["seats"][1]["away"] == ""
    bruno.page.click("#leave")
    bruno.page.click("#ask-yes")
    bruno.until(lambda: bruno.focus == "lobby-title")
    ana.until(lambda: ana.view["seats"][1]["away"] == "left")


def test_who_is_sent_away_is_told_and_keeps_a_focus(two):
    ana, bruno = two
    bruno.page.locator("#chat").focus()
    ana.page.locator("#seats .kick:visible").click()
    ana.page.click("#ask-yes")
    bruno.hears("The table master sends you away from the table.")
    bruno.until(lambda: bruno.focus == "lobby-title")
    ana.until(lambda: len(ana.view["seats"]) == 1)
    # The button with which it was done is gone with its row.
    assert ana.focus != "room"


@pytest.mark.parametrize("place", ["#chat", "#option-tokens", "#close", "#settings summary"])
def test_a_table_that_is_closed_leaves_everybody_with_a_focus(two, place):
    ana, bruno = two
    (bruno if place in ("#chat", "#settings summary") else ana).page.locator(place).focus()
    ana.page.click("#close")
    ana.page.click("#ask-yes")
    for one in two:
        one.hears("This table is closed.")
        one.until(lambda one=one: one.page.locator("#lobby").is_visible())
        assert one.page.evaluate("document.activeElement !== document.body")


def test_a_game_that_begins_takes_nobodys_focus(two):
    ana, bruno = two
    bruno.page.locator("#chat").focus()
    bruno.page.keyboard.type("Hel")
    ana.page.click("#begin")
    ana.until(lambda: ana.my_go)
    bruno.until(lambda: bruno.view["stage"] == "playing")
    bruno.page.keyboard.type("lo")
    assert bruno.page.input_value("#chat") == "Hello"


def test_the_end_tells_who_has_won_and_offers_the_next_game(two):
    ana, bruno = two
    ana.page.locator("#option-tokens").fill("1")
    ana.presses("Tab")
    ana.until(lambda: ana.view["options"]["tokens"] == 1)
    ana.page.click("#begin")
    for _ in range(300):
        if ana.view["stage"] == "over":
            break
        for one in two:
            enter = one.page.locator('#keys button[data-key="enter"]:not([aria-disabled])')
            if one.my_go and enter.is_visible():
                enter.click()
        ana.page.wait_for_timeout(180)
    for one in two:
        one.until(lambda one=one: one.view["stage"] == "over")
        result = one.page.locator("#state .result").all_text_contents()
        won = one.view["play"]["winners"] == [one.name]
        assert result[0] == ("You win the game!" if won else "You lose the game.")
        # No button that does nothing says that it rolls or accepts.
        stale = one.page.locator('#keys button[data-key="enter"]:visible').all_text_contents()
        assert stale in ([], ["game over"])
    assert ana.page.locator("#begin.main").inner_text() == "Play again"
    ana.page.click("#begin")
    bruno.until(lambda: bruno.view["stage"] == "playing")


def test_a_pause_is_named_by_what_the_button_does(two):
    ana, _ = two
    ana.page.click("#begin")
    ana.until(lambda: ana.my_go)
    assert ana.page.locator("#pause").inner_text() == "Pause"
    ana.page.click("#pause")
    ana.until(lambda: ana.view["paused"])
    ana.until(lambda: ana.page.locator("#pause").inner_text() == "Go on")


def test_one_must_select_where_one_may_not_accept(browser):
    """In this variant everybody throws as often as the first player: Enter alone does nothing."""
    with RoomThread() as room, people(browser, room, ("Ana", "en")) as (ana,):
        ana.opens("lyon-vache")
        ana.page.click("#add-bot")
        ana.until(lambda: len(ana.view["seats"]) == 2)
        ana.page.click("#begin")
        hint = "No die is selected. Select those to roll again."
        for _ in range(400):
            usable = {one["key"] for one in ana.view["keys"]}
            dice = (ana.view["play"] or {}).get("dice") or []
            if ana.my_go and dice and "enter" not in usable:
                ana.until(lambda: hint in ana.page.locator("#state").text_content())
                return
            if ana.my_go and "enter" in usable:
                ana.page.locator('#keys button[data-key="enter"]').click()
            ana.page.wait_for_timeout(120)
        raise AssertionError("it never came to that")


def test_ones_own_tables_come_first_and_old_ones_last(browser):
    with (
        RoomThread() as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "en")) as (ana, bruno),
    ):
        ana.opens()
        bruno.page.wait_for_selector("#tables .join")
        bruno.opens()
        bruno.page.click("#back")
        bruno.until(lambda: bruno.focus == "lobby-title")
        bruno.until(lambda: bruno.page.locator("#tables .card").count() == 2)
        first = bruno.page.locator("#tables .card").first
        assert "Bruno" in first.locator("h3").text_content()
        assert first.locator(".back").is_visible() and not first.locator(".join").is_visible()
        second = bruno.page.locator("#tables .card").last.locator(".join")
        about = second.get_attribute("aria-describedby").split()
        texts = [bruno.page.locator(f"#{one}").text_content() for one in about]
        assert texts == ["Players: Ana", "waiting for players"]
