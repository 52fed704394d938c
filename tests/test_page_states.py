"""Every state of the page, light and dark, wide and narrow: for all eyes and all readers."""

import re
from contextlib import contextmanager
from functools import cache

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import MISSING, Person, RoomThread

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

WIDE = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ZOOMED = {"viewport": {"width": 320, "height": 256}}
"""A window of 1280 by 1024 at 400 %."""

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"color-contrast-enhanced": {"enabled": True}, "target-size": {"enabled": True}},
    "resultTypes": ["violations", "incomplete"],
}


def door(one, other):
    """Nothing has been done yet."""


def lobby(one, other):
    one.enters()


def tables(one, other):
    other.enters().opens()
    one.enters()
    one.page.wait_for_selector("#tables .join")


def looked_at(one, other):
    tables(one, other)
    one.page.click("#tables .look")
    one.until(lambda: one.focus == "look-title")


def options(one, other):
    other.enters()
    one.enters().opens()
    one.page.wait_for_selector("#option-tokens")


def own_go(one, other):
    options(one, other)
    other.page.wait_for_selector("#tables .join")
    other.comes()
    one.until(lambda: len(one.view["seats"]) == 2)
    one.page.click("#begin")
    one.until(lambda: one.my_go)


def with_dice(one, other):
    own_go(one, other)
    one.rests()
    one.page.locator('#keys button[data-key="enter"]').click()
    one.until(lambda: len(one.view["play"]["dice"]) == 3)
    one.page.locator(
        '#keys button[data-key^="shift"], #keys button[data-key]:has(svg)'
    ).first.click()
    one.until(lambda: any(die["selected"] for die in one.view["play"]["dice"]))


def others_go(one, other):
    own_go(other, one)


def end(one, other):
    one.enters().opens(tokens=1)
    one.page.click("#add-bot")
    one.until(lambda: len(one.view["seats"]) == 2)
    one.page.click("#begin")
    for _ in range(200):
        if one.view["stage"] == "over":
            break
        enter = one.page.locator('#keys button[data-key="enter"]')
        if one.my_go and enter.is_visible():
            enter.click()
        one.page.wait_for_timeout(180)
    one.until(lambda: one.view["stage"] == "over")


def help_open(one, other):
    own_go(one, other)
    one.page.click("#rules summary")
    one.page.click("#keys-help summary")
    one.page.wait_for_selector("#rules-text h4")


def settings_open(one, other):
    one.enters()
    one.page.click("#settings summary")


def question(one, other):
    options(one, other)
    one.page.click("#close")
    one.page.wait_for_selector("#ask[open]")


def refused(one, other):
    own_go(one, other)
    one.rests()
    other.presses("Enter")
    options_before = one.view["number"]
    one.until(lambda: one.view["number"] >= options_before)
    one.page.evaluate("document.querySelector('#chat-form').requestSubmit()")


def name_refused(one, other):
    one.page.fill("#name", "   ")
    one.page.press("#name", "Enter")
    one.page.wait_for_selector("#name-problem:not(:empty)")


def taken(one, other):
    one.enters()
    one.window()
    one.page.wait_for_selector("#taken:not([hidden])")


STATES = [
    door, lobby, tables, looked_at, options, own_go, with_dice, others_go, end, help_open,
    settings_open, question, refused, name_refused, taken,
]  # fmt: skip


@contextmanager
def shown(browser, state, size, lang="en", **more):
    """The page of one person in a state, with another one in the same room."""
    with RoomThread() as room:
        one = Person(browser, room.address, "Ana", lang, **{**size, **more})
        other = Person(browser, room.address, "Bruno", "en")
        state(one, other)
        yield one
        one.ends()
        other.ends()


@cache
def axe():
    return Axe()


def violations(page):
    found = axe().run(page, options=RULES).response
    faults = [
        (one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]
    ]
    # What a program cannot decide is a fault too, unless it is about a colour behind a picture.
    faults += [
        (one["id"], [node["html"][:120] for node in one["nodes"]])
        for one in found["incomplete"]
        if one["id"] not in ("color-contrast", "color-contrast-enhanced")
    ]
    return faults


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_state_is_for_all_eyes_and_readers(browser, state):
    with shown(browser, state, ZOOMED, "fr") as one:
        for size in (ZOOMED, PHONE, WIDE):
            one.page.set_viewport_size(size["viewport"])
            assert_nothing_cut_off(one.page, size)
            for scheme in ("light", "dark"):
                one.page.emulate_media(color_scheme=scheme)
                assert violations(one.page) == [], (size, scheme)


def assert_nothing_cut_off(page, size):
    """Nothing is outside of its place, and nothing needs scrolling sideways."""
    outside = page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter((part) => {
          if (part.closest(".unseen, #area, [hidden], svg, option, .die")) return false;
          const box = part.getBoundingClientRect();
          return box.width && (box.right > innerWidth + 1 || box.left < -1
            || part.scrollWidth > part.clientWidth + 1 && part.clientWidth
               && getComputedStyle(part).display !== "inline");
        }).map((part) => part.outerHTML.slice(0, 120))"""
    )
    # The text of a field may be longer than the field: it scrolls by itself.
    assert [part for part in outside if not part.startswith(("<input", "<select"))] == [], size
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


def test_nothing_moves_for_those_who_want_no_motion(browser):
    with shown(browser, with_dice, WIDE, reduced_motion="reduce") as one:
        moving = "document.getAnimations().length"
        assert one.page.evaluate(moving) == 0
        style = "getComputedStyle(document.querySelector('.die')).transitionDuration"
        assert one.page.evaluate(style) == "0s"
        one.page.emulate_media(reduced_motion="no-preference")
        assert one.page.evaluate(style) != "0s"


def test_light_or_dark_as_one_has_chosen(browser):
    with shown(browser, settings_open, WIDE, color_scheme="light") as one:

        def paper():
            colour = one.page.evaluate("getComputedStyle(document.body).backgroundColor")
            return sum(map(int, re.findall(r"\d+", colour)[:3]))

        assert paper() > 600
        one.page.select_option("#set-look", "dark")
        assert paper() < 150
        one.page.emulate_media(color_scheme="dark")
        one.page.select_option("#set-look", "light")
        assert paper() > 600
        one.page.reload()
        one.page.wait_for_selector("#lobby:not([hidden])")
        assert paper() > 600


def test_tokens_can_be_counted_at_a_glance(browser):
    with shown(browser, own_go, WIDE) as one:
        groups = one.page.evaluate(
            "[...document.querySelectorAll('#pot .group')].map((one) => one.childElementCount)"
        )
        assert groups == [5, 5, 5, 5, 1]
        assert one.page.locator("#seats li.on-go").count() == 1
        assert "on turn" in one.page.locator("#seats li.on-go").text_content()


def test_dice_are_pictures_and_words(browser):
    with shown(browser, with_dice, WIDE) as one:
        dice = one.view["play"]["dice"]
        shown_faces = one.page.evaluate(
            "[...document.querySelectorAll('#dice .die')].map((die) => "
            "[die.querySelectorAll('circle').length, die.matches('.selected')])"
        )
        assert shown_faces == [[die["face"], die["selected"]] for die in dice]
        for die in dice:
            assert str(die["face"]) in one.page.locator("#dice-text").text_content()
        assert "selected" in one.page.locator("#dice-text").text_content()


def test_the_last_dice_stay_to_be_seen(browser):
    """When a go is over, those who look have not had the time to see what those who hear know."""
    with shown(browser, with_dice, WIDE) as one:
        one.rests()
        one.page.locator('#keys button[data-key^="shift"]:visible').click()
        one.until(lambda: not any(die["selected"] for die in one.view["play"]["dice"]))
        faces = [str(die["face"]) for die in one.view["play"]["dice"]]
        one.page.locator('#keys button[data-key="enter"]').click()
        one.until(lambda: not one.my_go)
        seen = "[...document.querySelectorAll('#dice.past .die')].map((die) => die.dataset.face)"
        one.until(lambda: one.page.evaluate(seen) == faces)
        assert "The latest roll: Ana, " in one.page.locator("#dice-text").text_content()
