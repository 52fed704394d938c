"""The rules as a page of their own: of the table's real options, in every language."""

import pytest
from browser import MISSING, Person, RoomThread
from test_page_states import violations

from zanzibar_plugin import plugin

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]
TAGS = {"sr": "sr-Latn"}


def test_the_rules_of_a_table_on_a_page_of_their_own(browser):
    with RoomThread() as room:
        one = Person(browser, room.address, "Ana", "fr")
        one.enters().opens(tokens=7, dry_charge=True)
        one.page.click("#rules summary")
        one.page.wait_for_selector("#rules-text h4")
        page = plugin.help_page("421", {"tokens": 7, "dry_charge": True}, "fr")
        wanted = [text for section in (*page.sections, page.keys) for text in section.paragraphs]
        inside = one.page.locator("#rules-text p").all_text_contents()
        assert inside == wanted
        with one.context.expect_page() as opened:
            one.page.click("#rules-page")
        rules = opened.value
        rules.wait_for_load_state()
        assert rules.locator("main p, main li").all_text_contents() == wanted
        assert rules.locator("h1").text_content() == page.title
        assert "7" in rules.locator("main").text_content()
        one.page.bring_to_front()
        assert one.view["stage"] == "waiting"
        one.context.close()


@pytest.mark.parametrize("lang", plugin.catalogs.languages)
def test_the_page_leads_to_itself_in_every_language(browser, lang):
    with RoomThread() as room:
        one = Person(browser, room.address, "Ana", lang)
        page = one.page
        page.goto(f"{room.address}/rules/421?lang=en&o.tokens=11")
        if lang != "en":
            page.click(f'a[hreflang="{TAGS.get(lang, lang)}"]')
        wanted = plugin.help_page("421", {"tokens": 11}, lang)
        assert page.evaluate("document.documentElement.lang") == TAGS.get(lang, lang)
        assert page.locator("h2").first.text_content() == wanted.sections[0].title
        assert page.locator("main p").first.text_content() == wanted.sections[0].paragraphs[0]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []
        page.emulate_media(media="print", color_scheme="light")
        assert not page.locator("nav").is_visible()
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        page.emulate_media(media="screen")
        page.click("nav a >> nth=-1")
        page.wait_for_selector("#door:not([hidden])")
        assert page.evaluate("document.documentElement.lang") == TAGS.get(lang, lang)
        one.ends()


@pytest.mark.parametrize(
    ("path", "status"),
    [("/rules/chess", 404), ("/rules/421?o.tokens=x", 400), ("/rules/421?o.nothing=1", 400)],
)
def test_what_there_are_no_rules_for_is_said_in_ones_language(browser, path, status):
    with RoomThread() as room:
        one = Person(browser, room.address, "Ana", "it")
        mark = "&" if "?" in path else "?"
        answer = one.page.goto(f"{room.address}{path}{mark}lang=it")
        assert answer.status == status
        assert one.page.locator("h1").text_content().endswith(".")
        assert one.page.evaluate("document.documentElement.lang") == "it"
        assert violations(one.page) == []
        one.context.close()
