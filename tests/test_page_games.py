"""Whole games on real pages: by keys and by buttons, each in his own language, heard once."""

from itertools import pairwise

import pytest
from browser import MISSING, RoomThread, people

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]
TAGS = {"sr": "sr-Latn"}


def by_keys(one):
    """Throw once, choose the lowest die, throw again, accept."""
    play = one.view["play"]
    dice = play["dice"]
    if len(dice) == 3 and play["throws"] == 1 and play["limit"] > 1:
        if any(die["selected"] for die in dice):
            return one.presses("Enter")
        return one.presses(str(dice[-1]["face"]))
    return one.presses("Enter")


def by_buttons(one):
    """The same by what can be clicked or tapped."""
    dice = one.view["play"]["dice"]
    face = dice[-1]["face"] if len(dice) == 3 and one.throws == 1 else 0
    chosen = any(die["selected"] for die in dice)
    button = one.page.locator(f'#keys button[data-key="{face}"]')
    if face and not chosen and one.view["play"]["limit"] > 1 and button.is_visible():
        return button.click()
    return one.page.locator('#keys button[data-key="enter"]').click()


def play(hands):
    """Everybody plays in his manner until the game is over."""
    rest = next(iter(hands))
    rest.rests()
    for _ in range(400):
        if all(one.view["stage"] == "over" for one in hands):
            return
        for one, manner in hands.items():
            if one.my_go:
                before = one.view["number"]
                manner(one)
                one.until(lambda one=one, n=before: one.view["number"] > n or not one.my_go)
                # Two presses in one breath are one.
                one.rests()
        rest.page.wait_for_timeout(10)
    raise AssertionError("the game does not end")


def assert_heard_once(one):
    """All the server told this page was announced: once, in order, in the page's language."""
    one.is_quiet()
    said = one.announced
    heard = [each["said"] for each in said if each["said"] in set(one.told)]
    assert heard == one.told
    assert {each["lang"] for each in said} == {TAGS.get(one.lang, one.lang)}
    # Nothing else was announced but what the page itself has found out about the dice.
    words = one.page.evaluate("JSON.parse(document.body.dataset.words)")
    checked = [words["dice_fair"]] if one.view["stage"] == "over" and one.view["draw"] else []
    seated = one.name in [part["name"] for part in (one.view["draw"] or {}).get("parts", ())]
    others = [each["said"] for each in said if each["said"] not in one.told]
    assert others == (checked if seated else [])
    times = [each["at"] for each in said]
    assert all(later - sooner >= 240 for sooner, later in pairwise(times))
    # What was heard stands in the history, line by line.
    lines = [line for entry in one.page.received for line in entry.get("lines", ())]
    lines += others
    assert one.page.locator("#history li").all_text_contents() == lines


@pytest.mark.parametrize("game", ["421", "zanzibar-456"])
def test_a_whole_game_in_four_languages(browser, game):
    names = ("Fleur", "fr"), ("Srđan", "sr"), ("Esteban", "es"), ("Italo", "it")
    options = {"tokens": 3} if game == "421" else {}
    with RoomThread() as room, people(browser, room, *names) as here:
        fleur, srdjan, esteban, italo = here
        fleur.opens(game, **options)
        srdjan.comes()
        esteban.comes()
        italo.comes(watch=True)
        fleur.page.click("#begin")
        fleur.until(lambda: fleur.my_go)
        assert fleur.focus == "area"
        if game == "421":
            play({fleur: by_keys, srdjan: by_buttons, esteban: by_keys})
            assert fleur.view["play"]["over"]
        else:
            # This game is long: one round of it is enough, with the end of a turn for all.
            turn = fleur.view["play"]["turn"]
            fleur.rests()
            while fleur.view["play"]["turn"] == turn:
                for one, manner in ((fleur, by_keys), (srdjan, by_buttons), (esteban, by_keys)):
                    if one.my_go:
                        before = one.view["number"]
                        manner(one)
                        one.until(lambda one=one, n=before: one.view["number"] > n)
                        one.rests()
                fleur.page.wait_for_timeout(10)
        for one in here:
            assert_heard_once(one)
        assert len({tuple(one.told) for one in here}) == 4


def test_a_game_by_keys_alone_from_the_door_on(browser):
    """No mouse at all: Tab, Enter and the game's keys."""
    with RoomThread() as room, people(browser, room, ("Ana", "en")) as (ana,):

        def tab_to(name, key="Tab"):
            for _ in range(60):
                ana.presses(key)
                if ana.focus == name:
                    return
            raise AssertionError(f"{name} cannot be reached by Tab")

        tab_to("open-game")
        for _ in range(3):
            ana.presses("Tab")
        assert ana.page.evaluate("document.activeElement.matches('#open-form button')")
        ana.presses("Enter")
        ana.is_at_the_table()
        tab_to("add-bot")
        ana.presses("Enter")
        ana.until(lambda: len(ana.view["seats"]) == 2)
        tab_to("option-tokens")
        ana.presses("Control+a", "2", "Tab")
        ana.until(lambda: ana.view["options"].get("tokens") == 2)
        tab_to("area", "Shift+Tab")
        ana.presses("Enter")
        ana.until(lambda: ana.my_go)
        ana.rests()
        play({ana: by_keys})
        assert ana.focus == "area"
        ana.is_quiet()
        tab_to("begin")
        ana.presses("Enter")
        ana.until(lambda: ana.view["stage"] == "playing")
        assert ana.focus == "area"
