"""The line to the server: lost, back, taken over, restarted: said once, plainly, and mended."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from browser import MISSING, Person, RoomThread, people
from room_client import Process

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


def started(process):
    """Started from a thread of its own: the browser's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, process.start()).result()


@contextmanager
def process_at(data):
    """A room in a process of its own, which may be stopped and started again."""
    process = Process(data, "bot=0.05", "turn=0.05")
    started(process)
    process.address = f"http://127.0.0.1:{process.port}"
    try:
        yield process
    finally:
        process.kill()


def begins(one):
    one.enters().opens()
    one.page.click("#add-bot")
    one.until(lambda: len(one.view["seats"]) == 2)
    one.page.click("#begin")
    one.until(lambda: one.my_go)
    one.rests()


LOST, FOUND = "The connection is lost. Trying again.", "Connected again."


def test_a_server_that_is_killed_and_comes_back(browser, tmp_path):
    with process_at(tmp_path) as process:
        one = Person(browser, process.address, "Ana", "en")
        begins(one)
        one.presses("Enter")
        one.until(lambda: one.throws == 1)
        one.is_quiet()
        heard = one.told
        process.kill()
        one.hears(LOST)
        assert one.page.locator("#connection").text_content() == LOST
        one.page.wait_for_timeout(2500)
        # Said once, however often it is tried; and a key that cannot be sent is answered.
        assert one.spoken.count(LOST) == 1
        assert one.focus == "area"
        started(process)
        one.hears(FOUND)
        one.until(lambda: one.throws == 1 and one.my_go)
        assert one.page.locator("#connection").text_content() == ""
        one.presses(str(one.view["play"]["dice"][0]["face"]))
        one.until(lambda: any(die["selected"] for die in one.view["play"]["dice"]))
        one.is_quiet()
        assert [said for said in one.spoken if said in heard] == heard
        assert one.spoken.count(FOUND) == 1
        assert one.page.locator("#area").count() == 1 and one.focus == "area"
        # The browser itself notes the lost line, which is no fault of the page.
        one.faults[:] = [fault for fault in one.faults if "WebSocket" not in fault]
        one.ends()


def test_a_key_that_cannot_be_sent_is_answered(browser, tmp_path):
    with process_at(tmp_path) as process:
        one = Person(browser, process.address, "Ana", "en")
        begins(one)
        process.kill()
        one.hears(LOST)
        one.presses("t")
        one.until(lambda: one.spoken.count(LOST) == 2)
        one.faults.clear()
        one.ends()


def test_a_server_that_stops_politely_says_so_once(browser, tmp_path):
    with process_at(tmp_path) as process:
        one = Person(browser, process.address, "Ana", "en")
        begins(one)
        process.terminate()
        closing = "The room is closing. It will be back soon."
        one.hears(closing)
        process.wait()
        one.page.wait_for_timeout(1500)
        assert one.spoken.count(closing) == 1 and LOST not in one.spoken
        assert one.page.locator("#connection").text_content() == closing
        started(process)
        one.hears(FOUND)
        one.until(lambda: one.page.locator("#connection").text_content() == "")
        one.presses("t")
        one.until(
            lambda: any(said.startswith("It is your turn. Rolls made") for said in one.spoken)
        )
        one.faults[:] = [fault for fault in one.faults if "WebSocket" not in fault]
        one.ends()


def test_what_was_missed_is_heard_afterwards(browser):
    with (
        RoomThread() as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "fr")) as (ana, bruno),
    ):
        ana.opens()
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        # Bruno's line breaks without a farewell.
        (line,) = [one for one in room.room._clients.values() if one.name == "Bruno"]
        room.do(cut(line))
        for n in range(3):
            ana.page.fill("#chat", f"Missed {n}")
            ana.page.press("#chat", "Enter")
            ana.hears(f"Ana: Missed {n}")
        bruno.hears("Ana: Missed 2")
        said = [one for one in bruno.spoken if "Missed" in one]
        assert said == [f"Ana: Missed {n}" for n in range(3)] or said == [
            "Ana: Missed 0 Ana: Missed 1 Ana: Missed 2"
        ]
        assert bruno.focus == "area"


def test_what_was_missed_at_one_table_is_not_measured_by_another(browser):
    """At the second table many more entries were heard than at the first."""
    with (
        RoomThread() as room,
        people(browser, room, ("Ana", "en"), ("Bruno", "en")) as (ana, bruno),
    ):
        ana.opens()
        bruno.comes()
        bruno.hears("You sit down at the table.")
        bruno.page.click("#back")
        bruno.until(lambda: bruno.focus == "lobby-title")
        bruno.opens()
        for n in range(12):
            bruno.page.fill("#chat", f"Here {n}")
            bruno.page.press("#chat", "Enter")
            bruno.hears(f"Bruno: Here {n}")
        ana.page.fill("#chat", "Missed")
        ana.page.press("#chat", "Enter")
        ana.hears("Ana: Missed")
        bruno.page.click("#back")
        bruno.until(lambda: bruno.focus == "lobby-title")
        bruno.page.locator("#tables .card", has_text="Ana").locator(".back").click()
        bruno.is_at_the_table()
        bruno.hears("Ana: Missed")
        assert bruno.spoken.count("You sit down at the table.") == 1


async def cut(line):
    line._request.transport.abort()


def test_another_window_takes_over_and_gives_back(browser):
    with RoomThread() as room:
        one = Person(browser, room.address, "Ana", "en")
        begins(one)
        second = one.window(one.page.input_value("#invitation").removeprefix(room.address))
        taken = "This table is now open in another window."
        one.hears(taken)
        assert one.spoken.count(taken) == 1
        one.until(lambda: one.focus == "taken-title")
        one.page.wait_for_timeout(1200)
        # It does not fight for the table.
        second.wait_for_selector("#area [role=option]:focus")
        assert second.evaluate("document.querySelector('#taken').hidden")
        one.page.bring_to_front()
        one.page.click("#here")
        one.is_at_the_table()
        second.wait_for_selector("#taken:not([hidden])")
        one.presses("t")
        one.until(
            lambda: any(said.startswith("It is your turn. Rolls made") for said in one.spoken)
        )
        one.ends()


def test_a_reload_brings_one_back_to_the_table_at_once(browser):
    with RoomThread() as room:
        one = Person(browser, room.address, "Ana", "en")
        begins(one)
        one.page.reload()
        one.is_at_the_table()
        one.presses("t")
        one.until(
            lambda: any(said.startswith("It is your turn. Rolls made") for said in one.spoken)
        )
        # What was heard before is not heard again.
        assert not any("sits down" in said for said in one.spoken)
        one.ends()


def test_nobody_needs_to_wait_for_a_tab_that_was_asleep(browser, tmp_path):
    """Whoever looks at the page again is connected at once, not after a long pause."""
    with process_at(tmp_path) as process:
        one = Person(browser, process.address, "Ana", "en")
        begins(one)
        process.kill()
        one.hears(LOST)
        one.page.wait_for_timeout(4000)
        started(process)
        one.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        one.hears(FOUND)
        one.faults.clear()
        one.ends()
