"""The keys of the game on a real page: of every keyboard, once each, and nowhere else."""

import pytest
from browser import MISSING, RoomThread, people

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

SHIFT, CONTROL, ALT = 8, 2, 1
NUM_LOCK_OFF = {"location": 3}

# What the keys of each keyboard send: (key, code, modifiers) and the game's name for it.
FRENCH = [
    *((key, f"Digit{n}", 0, str(n)) for n, key in enumerate("&é\"'(-", 1)),
    *((str(n), f"Digit{n}", SHIFT, f"shift+{n}") for n in range(1, 7)),
    ("a", "KeyQ", 0, "a"),
    ("d", "KeyD", 0, "d"),
    ("D", "KeyD", SHIFT, "d"),
]
GERMAN = [
    *((str(n), f"Digit{n}", 0, str(n)) for n in range(1, 7)),
    *((key, f"Digit{n}", SHIFT, f"shift+{n}") for n, key in enumerate('!"§$%&', 1)),
    ("s", "KeyS", 0, "s"),
    ("z", "KeyY", 0, "z"),
    ("y", "KeyZ", 0, "y"),
]
ITALIAN = [(key, f"Digit{n}", SHIFT, f"shift+{n}") for n, key in enumerate('!"£$%&', 1)]
FRENCH_MAC = [("§", "Digit6", 0, "6"), ("6", "Digit6", SHIFT, "shift+6")]
CANADIAN = [("2", "Digit2", 0, "2"), ('"', "Digit2", SHIFT, "shift+2")]
NUMBERS = [(str(n), f"Numpad{n}", 0, str(n)) for n in range(1, 7)]
CYRILLIC = [("с", "KeyS", 0, "s"), ("д", "KeyD", 0, "d"), ("т", "KeyT", 0, "t")]
PHONE = [("4", "", 0, "4"), ("t", "", 0, "t")]


@pytest.fixture(scope="module")
def table(browser):
    """Ana in a long game against a bot."""
    with RoomThread() as room, people(browser, room, ("Ana", "en")) as (one,):
        one.opens(tokens=99)
        one.page.click("#add-bot")
        one.until(lambda: len(one.view["seats"]) == 2)
        one.page.click("#begin")
        one.until(lambda: one.my_go)
        one.rests()
        yield one


@pytest.fixture
def ana(table):
    """The same at her go, after her first throw of several, with the focus where keys play."""
    table.rests()  # a view that is being left is still there for a moment
    if not table.page.locator("#area").is_visible():
        table.page.goto(f"{table.address}/?lang=en")
        table.page.locator("#tables .back").click()
        table.is_at_the_table()
    table.page.mouse.move(0, 0)
    table.page.click("#to-area")
    table.page.keyboard.press("Home")
    table.rests()
    for _ in range(40):
        table.until(lambda: table.my_go)
        fresh = table.throws == 1 and not any(d["selected"] for d in table.view["play"]["dice"])
        if fresh and table.view["play"]["limit"] == 3:
            break
        table.presses("Enter")
        table.rests()
    table.page.sent.clear()
    table.page.evaluate("announced.length = 0")
    return table


KEYBOARDS = {
    "azerty": FRENCH,
    "qwertz": GERMAN,
    "italian": ITALIAN,
    "mac azerty": FRENCH_MAC,
    "canadian": CANADIAN,
    "numpad": NUMBERS,
    "phone": PHONE,
    "serbian cyrillic": CYRILLIC,
}


def test_the_keys_of_every_keyboard(ana):
    for name, keyboard in KEYBOARDS.items():
        ana.page.sent.clear()
        for key, code, modifiers, _ in keyboard:
            ana.key(key, code, modifiers)
        wanted = [name for *_, name in keyboard]
        ana.until(lambda wanted=wanted: len(ana.keys_sent) == len(wanted))
        assert ana.keys_sent == wanted, name


def dispatch(one, **event):
    """An event as only a script can make it; returns whether the page took it for its own."""
    return one.page.evaluate(
        """(given) => {
          const { lock, ...rest } = given;
          const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...rest });
          if (lock) event.getModifierState = (name) => lock.includes(name);
          document.activeElement.dispatchEvent(event);
          return event.defaultPrevented;
        }""",
        event,
    )


NOT_OURS = [
    {"key": "Dead", "code": "BracketLeft"},
    {"key": "Process", "code": "Digit1"},
    {"key": "Unidentified", "code": ""},
    {"key": "a", "code": "KeyA", "isComposing": True},
    {"code": "Digit1"},
    {"key": "1", "code": "Digit1", "ctrlKey": True},
    {"key": "d", "code": "KeyD", "altKey": True},
    {"key": "d", "code": "KeyD", "metaKey": True},
    {"key": "4", "code": "Digit4", "lock": ["AltGraph"]},
    {"key": "Escape", "code": "Escape"},
    {"key": "F5", "code": "F5"},
    {"key": "F6", "code": "F6"},
    {"key": "PageUp", "code": "PageUp", "ctrlKey": True},
    {"key": "w", "code": "KeyW", "ctrlKey": True},
    {"key": "Insert", "code": "Insert"},
    {"key": "CapsLock", "code": "CapsLock"},
    {"key": "F4", "code": "F4", "altKey": True},
    {"key": "7", "code": "Digit7"},
    {"key": "/", "code": "Slash"},
    {"key": "ArrowLeft", "code": "ArrowLeft", "altKey": True},
    {"key": "Enter", "code": "Enter", "shiftKey": True},
]


def test_what_is_not_ours_is_left_alone(ana):
    for event in NOT_OURS:
        assert dispatch(ana, **event) is False, event
        ana.page.wait_for_timeout(20)
        assert ana.keys_sent == [] and ana.faults == [], event


def test_a_digit_is_kept_from_the_browser(ana):
    """The key 4 of a French keyboard would open a search in Firefox, Space would scroll."""
    for event in (
        {"key": "'", "code": "Digit4"},
        {"key": " ", "code": "Space"},
        {"key": "Backspace", "code": "Backspace"},
        {"key": "PageUp", "code": "PageUp"},
        {"key": "End", "code": "Numpad1"},
        {"key": "ArrowDown", "code": "Numpad2"},
    ):
        assert dispatch(ana, **event) is True
    assert ana.page.evaluate("scrollY") == 0


def test_shift_on_the_numbers_puts_back(ana):
    """With Num Lock it comes as End, Down … and without any Shift."""
    dispatch(ana, key="End", code="Numpad1", lock=["NumLock"])
    dispatch(ana, key="ArrowDown", code="Numpad2", lock=["NumLock"])
    dispatch(ana, key="End", code="Numpad1")
    ana.until(lambda: len(ana.keys_sent) == 2)
    assert ana.keys_sent == ["shift+1", "shift+2"]
    assert ana.page.evaluate("document.activeElement.tabIndex") == 0


def test_a_die_is_put_back_without_shift(ana):
    high, mid, low = (die["face"] for die in ana.view["play"]["dice"])
    ana.presses(str(high), str(low))
    ana.until(lambda: sum(die["selected"] for die in ana.view["play"]["dice"]) == 2)
    ana.presses("Backspace", "Backspace")
    ana.until(lambda: not any(die["selected"] for die in ana.view["play"]["dice"]))
    assert ana.keys_sent == [str(high), str(low), f"shift+{low}", f"shift+{high}"]
    # With nothing to put back one hears what is selected.
    ana.presses("Backspace")
    ana.until(lambda: ana.keys_sent[-1] == "space")
    assert mid


@pytest.mark.parametrize("field", ["#chat", "#invitation", "#set-sounds", "#door #name"])
def test_in_a_field_keys_are_letters(ana, field):
    if field == "#set-sounds":
        ana.page.click("#settings summary")
    if field == "#door #name":
        ana.page.click("#back")
        ana.until(lambda: ana.focus == "lobby-title")
        ana.page.click("#change-name")
        ana.page.locator("#name").fill("")
        field = "#name"
    ana.page.locator(field).focus()
    ana.presses("c", "d", "s", "t", "1", "r", "k", "v", "Space", "Backspace")
    ana.page.wait_for_timeout(80)
    assert ana.keys_sent == []
    if field in ("#chat", "#name"):
        assert ana.page.input_value(field) == "cdst1rkv"


def hold(one, key, code):
    """Keep a key down for a while."""
    line = one.context.new_cdp_session(one.page)
    text = "\r" if key == "Enter" else key
    event = {"key": key, "code": code, "text": text, "windowsVirtualKeyCode": 13}
    for times in range(12):
        line.send("Input.dispatchKeyEvent", {"type": "keyDown", "autoRepeat": times > 0, **event})
        one.page.wait_for_timeout(60)
    line.send("Input.dispatchKeyEvent", {"type": "keyUp", **event, "text": ""})
    line.detach()


def test_a_key_held_down_has_one_effect(ana):
    before = ana.view["play"]["throws"]
    ana.presses(str(ana.view["play"]["dice"][0]["face"]))
    ana.until(lambda: any(die["selected"] for die in ana.view["play"]["dice"]))
    hold(ana, "Enter", "Enter")
    assert ana.keys_sent.count("enter") == 1
    assert ana.view["play"]["throws"] == before + 1


def test_a_button_held_down_or_clicked_twice_has_one_effect(ana):
    ana.presses(str(ana.view["play"]["dice"][0]["face"]))
    button = ana.page.locator('#keys button[data-key="enter"]')
    ana.until(lambda: button.inner_text().startswith("Roll again"))
    button.focus()
    hold(ana, "Enter", "Enter")
    ana.until(lambda: ana.throws == 2)
    assert ana.keys_sent.count("enter") == 1
    ana.rests()
    ana.presses("Shift+Tab")
    ana.page.locator('#keys button[data-key="d"]').dblclick()
    ana.page.locator("#chat").fill("Once")
    ana.page.locator("#chat").focus()
    hold(ana, "Enter", "Enter")
    ana.hears("Ana: Once")
    ana.page.wait_for_timeout(100)
    assert ana.spoken.count("Ana: Once") == 1
    assert ana.keys_sent.count("d") == 1


def test_two_presses_in_one_breath_are_one(ana):
    """The second would accept, unheard, what the first has thrown."""
    ana.presses(str(ana.view["play"]["dice"][0]["face"]))
    ana.until(lambda: any(die["selected"] for die in ana.view["play"]["dice"]))
    ana.presses("Enter", "Enter")
    ana.page.wait_for_timeout(150)
    assert ana.keys_sent.count("enter") == 1
    assert ana.throws == 2 and ana.my_go


def test_every_documented_key_has_a_button_large_enough_for_a_finger(ana):
    keys = {one["key"] for one in ana.view["keys"]}
    buttons = ana.page.locator("#keys button:visible")
    assert {one.get_attribute("data-key") for one in buttons.all()} == keys
    for one in ana.page.locator("button:visible, summary:visible, input:visible").all():
        box = one.bounding_box()
        part = one.get_attribute("id") or one.text_content()
        if one.get_attribute("type") == "checkbox":
            box = ana.page.locator(f'label[for="{one.get_attribute("id")}"]').bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44, part


def test_a_die_that_is_tapped_is_selected_and_put_back(ana):
    face = str(ana.view["play"]["dice"][1]["face"])
    ana.page.locator(f'#dice .die[data-face="{face}"]').first.click()
    ana.until(lambda: any(die["selected"] for die in ana.view["play"]["dice"]))
    ana.page.locator(f'#dice .die.selected[data-face="{face}"]').click()
    ana.until(lambda: not any(die["selected"] for die in ana.view["play"]["dice"]))
    assert ana.keys_sent == [face, f"shift+{face}"]


def test_the_room_has_its_own_keys(ana):
    ana.presses("t")
    ana.until(lambda: any("Rolls made" in said for said in ana.spoken))
    last = next(said for said in ana.spoken if "Rolls made" in said)
    ana.page.sent.clear()
    ana.presses("r")
    ana.until(lambda: ana.spoken.count(last) == 2)
    ana.presses("k")
    ana.until(lambda: any("Page Up" in said for said in ana.spoken))
    told = next(said for said in ana.spoken if "Page Up" in said)
    # All that do something now, each with what it does.
    for one in ana.view["keys"]:
        assert f"{one['label']}." in told
    assert told.startswith("Enter: Accept ")
    listed = ana.page.locator("#keys-now li").all_text_contents()
    assert " ".join(listed) == told
    assert ana.keys_sent == []


def test_arrows_read_the_table_and_change_nothing(ana):
    texts = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"):
        ana.presses(key)
        texts.append(ana.page.evaluate("document.activeElement.textContent"))
    assert texts[0].startswith("It is your turn.")
    assert texts[1].startswith("Dice: ") and texts[2].startswith("Tokens: ")
    assert texts[3] == texts[2]
    ana.presses("Home")
    assert ana.page.evaluate("document.activeElement.tabIndex") == 0
    ana.presses("d")
    ana.until(lambda: ana.keys_sent == ["d"])
    # The text of the option with the focus stays as it is, so that it is not read again.
    ana.presses("End")
    shown = ana.page.evaluate("document.activeElement.textContent")
    ana.page.evaluate(
        "window.changes = 0; new MutationObserver(() => window.changes++).observe("
        "document.activeElement, { childList: true, characterData: true, subtree: true })"
    )
    ana.presses("Enter")
    ana.page.wait_for_timeout(300)
    assert ana.page.evaluate("window.changes") == 0
    assert ana.page.evaluate("document.activeElement.textContent") == shown


def test_who_comes_by_a_readers_own_cursor_gets_all_keys_after_the_first(ana):
    """Then only Enter and Space come through, and the first of them only fetches the focus."""
    ana.page.evaluate("document.activeElement.blur()")
    ana.page.wait_for_timeout(600)
    ana.page.evaluate("document.querySelector('#area [role=option]').focus()")
    ana.presses("Enter")
    ana.page.wait_for_timeout(200)
    assert ana.keys_sent == [] and ana.focus == "area"
    ana.presses("d")
    ana.until(lambda: ana.keys_sent == ["d"])
    ana.page.evaluate("focusLost.length = 0")  # it was taken and given back on purpose
