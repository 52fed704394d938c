"""What is heard on a real page: once, in order, wherever the focus is, and as each one likes it."""

from itertools import pairwise

import pytest
from browser import MISSING, Person, RoomThread, people

pytestmark = [pytest.mark.page, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


@pytest.fixture
def room():
    with RoomThread() as made:
        yield made


@pytest.fixture
def two(browser, room):
    """Ana, master of a table, and Bruno, who speaks French."""
    with people(browser, room, ("Ana", "en"), ("Bruno", "fr")) as here:
        ana, bruno = here
        ana.opens()
        bruno.comes()
        ana.until(lambda: len(ana.view["seats"]) == 2)
        yield here


def says(one, text):
    one.page.fill("#chat", text)
    one.page.press("#chat", "Enter")
    one.until(lambda: one.page.input_value("#chat") == "")


def test_the_same_words_twice_are_heard_twice(two):
    ana, bruno = two
    for _ in range(3):
        says(ana, "Hello")
    bruno.until(lambda: bruno.spoken.count("Ana: Hello") == 3)
    raw = bruno.page.evaluate(
        "[...document.querySelectorAll('#speech p')].map((node) => node.textContent)"
    )
    hellos = [said for said in raw if said.startswith("Ana: Hello")]
    assert all(one != other for one, other in pairwise(hellos))


def test_all_is_heard_wherever_the_focus_is(two):
    ana, bruno = two
    for place in ("#area [role=option]", "#leave", "#settings summary", "#chat"):
        bruno.page.locator(place).first.focus()
        says(ana, f"Ready at {place}?")
        bruno.hears(f"Ana: Ready at {place}?")
    ana.page.click("#begin")
    ana.until(lambda: ana.my_go)
    ana.page.locator('#keys button[data-key="enter"]').click()
    bruno.until(lambda: bruno.throws == 1)
    bruno.is_quiet()
    assert [said for said in bruno.spoken if said in bruno.told] == bruno.told
    assert bruno.page.evaluate(
        "(place) => document.querySelector(place) === document.activeElement", place
    )


def test_a_flood_is_heard_whole_and_the_history_stays_short(two):
    ana, bruno = two
    for one in (ana, bruno):
        one.page.evaluate("document.querySelector('#history').replaceChildren()")
    many = 330
    ana.page.evaluate(
        """async (many) => {
          const { Line } = await import("/static/line.js");
          const name = localStorage.getItem("room.name");
          const secret = localStorage.getItem("room.secret").replace(/^./, "!");
          let line;
          await new Promise((ready) => {
            line = new Line(location.origin.replace("http", "ws") + "/socket", {
              opened: ready, received() {}, lost() {},
            });
            line.start();
          });
          await line.ask({ do: "hello", name: "Zoe", secret, lang: "en" });
          const table = new URLSearchParams(location.search).get("table");
          await line.ask({ do: "come", table, watch: true });
          for (let n = 0; n < many; n++) await line.ask({ do: "say", text: `Line ${n} of many` });
          window.flooded = true;
          window.keptLine = line;
        }""",
        many,
    )
    bruno.until(lambda: f"Zoe: Line {many - 1} of many" in " ".join(bruno.told))
    assert bruno.page.locator("#history li").count() == 300
    assert bruno.page.locator("#history li").last.text_content() == f"Zoe: Line {many - 1} of many"
    assert bruno.page.locator("#speech p").count() <= 5
    # It is spoken in order, and none is left out, though it takes its time.
    bruno.until(lambda: len(bruno.spoken) > 20)
    said = [line for line in bruno.spoken if line.startswith("Zoe: Line")]
    assert said == [f"Zoe: Line {n} of many" for n in range(len(said))]


HOSTILE = [
    "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>",
    "\u202eesrever \u2067desrever",
    "Z" * 10_000,
    "a\u0000b\u0007c",
    "\U0001f600" * 20,
    "مرحبا بالجميع",
    "-->]]>{{ words }} %s {player} \\u0000",
]


def test_what_people_write_breaks_nothing(two):
    ana, bruno = two
    for number, text in enumerate(HOSTILE, 1):
        ana.page.locator("#chat").focus()
        ana.page.keyboard.insert_text(text)
        ana.presses("Enter")
        bruno.until(lambda n=number: sum(line.startswith("Ana: ") for line in bruno.spoken) == n)
        assert_harmless(bruno)


def assert_harmless(bruno):
    heard = bruno.announced[-1]
    assert len(heard["said"]) < 320 and heard["dir"] == "auto"
    assert not {"\u202e", "\u2067", "\u0000", "\u0007"} & set(heard["said"])
    item = bruno.page.locator("#history li").last
    assert item.locator("bdi").all_text_contents()[0] == "Ana"
    assert item.text_content() == heard["said"]
    assert bruno.page.evaluate("window.hacked") is None
    assert bruno.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_names_of_all_writings_stand_apart(browser, room):
    names = ("علي", "en"), ("Ana <b>", "fr")
    with people(browser, room, *names) as (ali, ana):
        ali.opens()
        ana.comes()
        ali.until(lambda: len(ali.view["seats"]) == 2)
        ali.page.click("#begin")
        ana.until(lambda: ana.view["stage"] == "playing")
        ana.is_quiet()
        items = ana.page.locator("#history li", has_text="commence")
        apart = items.first.locator("bdi").all_text_contents()
        assert set(apart) == {"علي", "Ana <b>"}


# Reading again.


def test_messages_are_read_again_by_keys(two):
    ana, bruno = two
    for text in ("One", "Two", "Three"):
        says(ana, text)
    bruno.hears("Ana: Three")
    bruno.page.locator("#area [role=option]").first.focus()
    for key, wanted in (
        ("PageUp", "Ana: Two"),
        ("PageUp", "Ana: One"),
        ("PageDown", "Ana: Two"),
        ("Shift+PageUp", bruno.told[0]),
        ("PageUp", bruno.told[0]),
        ("Shift+PageDown", "Ana: Three"),
        ("PageDown", "Ana: Three"),
    ):
        before = len(bruno.spoken)
        bruno.presses(key)
        bruno.until(lambda n=before: len(bruno.spoken) == n + 1)
        assert bruno.spoken[-1] == wanted, key
    # R repeats the latest message, not the one that was read again.
    bruno.presses("Shift+PageUp", "r")
    bruno.until(lambda: bruno.spoken[-1] == "Ana: Three")
    # What is new does not move one's place.
    bruno.presses("PageUp", "PageUp")
    says(ana, "Four")
    bruno.hears("Ana: Four")
    before = len(bruno.spoken)
    bruno.presses("PageDown")
    bruno.until(lambda: len(bruno.spoken) > before)
    assert bruno.spoken[-1] == "Ana: One"


def test_a_message_is_copied_by_key_and_by_button(browser, room):
    with people(
        browser, room, ("Ana", "en"), permissions=["clipboard-read", "clipboard-write"]
    ) as (ana,):
        ana.opens()
        says(ana, "One")
        says(ana, "Two")
        ana.hears("Ana: Two")
        ana.page.locator("#area [role=option]").first.focus()
        ana.presses("PageUp", "Control+c")
        ana.hears("The message is copied.")
        assert ana.page.evaluate("navigator.clipboard.readText()") == "Ana: One"
        ana.page.click("#review-latest")
        ana.page.click("#review-copy")
        ana.until(lambda: ana.spoken.count("The message is copied.") == 2)
        assert ana.page.evaluate("navigator.clipboard.readText()") == "Ana: Two"
        # Whoever has marked something copies that.
        ana.page.evaluate(
            "getSelection().selectAllChildren(document.querySelector('#table-title'))"
        )
        ana.presses("Control+c")
        ana.page.wait_for_timeout(100)
        assert ana.page.evaluate("navigator.clipboard.readText()") == "Zanzibar (4, 2, 1)"


def test_what_was_said_is_still_there_on_a_page_loaded_anew(two):
    ana, bruno = two
    says(ana, "Before")
    bruno.hears("Ana: Before")
    lines = bruno.page.locator("#history li").all_text_contents()
    bruno.page.reload()
    bruno.is_at_the_table()
    bruno.until(lambda: bruno.page.locator("#history li").count() >= len(lines))
    assert bruno.page.locator("#history li").all_text_contents()[: len(lines)] == lines
    assert not any("Before" in said for said in bruno.spoken)
    bruno.presses("Shift+PageUp")
    bruno.hears(lines[0])


def test_the_history_follows_what_is_said_also_after_one_was_away(two):
    ana, bruno = two
    for n in range(30):
        says(ana, f"Line {n}")
    ana.hears("Ana: Line 29")
    ana.page.click("#back")
    ana.until(lambda: ana.focus == "lobby-title")
    ana.page.click("#tables .back")
    ana.is_at_the_table()
    says(bruno, "Last")
    ana.hears("Bruno: Last")
    rest = "(box => box.scrollHeight - box.scrollTop - box.clientHeight)"
    assert ana.page.evaluate(f"{rest}(document.querySelector('.history'))") < 40


def test_nothing_said_is_told_too(two):
    ana, _ = two
    ana.page.evaluate("document.querySelector('#history').replaceChildren()")
    ana.page.click("#review-earlier")
    ana.hears("Nothing was said yet.")


# Coming back.


def test_who_comes_back_to_a_game_hears_where_it_stands(two):
    ana, bruno = two
    ana.page.click("#begin")
    bruno.until(lambda: bruno.view["stage"] == "playing")
    bruno.page.click("#back")
    bruno.until(lambda: bruno.focus == "lobby-title")
    bruno.page.click("#tables .back")
    bruno.is_at_the_table()
    bruno.until(lambda: any(said.startswith("Ana joue en ce moment.") for said in bruno.spoken))
    ana.page.reload()
    ana.is_at_the_table()
    ana.hears("It is your turn. Rolls: 0 of 3.")


# Few words.


def test_few_words_by_key_and_for_good(two):
    ana, bruno = two
    bruno.presses("v")
    bruno.hears("Annonces brèves.")
    ana.page.click("#begin")
    ana.until(lambda: ana.my_go)
    ana.rests()
    ana.page.locator('#keys button[data-key="enter"]').click()
    bruno.until(lambda: bruno.throws == 1)
    ana.until(lambda: ana.throws == 1)
    dice = ", ".join(str(die["face"]) for die in ana.view["play"]["dice"])
    bruno.until(lambda: any(said.startswith(f"Ana\u00a0: {dice}") for said in bruno.spoken))
    ana.until(lambda: any(said.startswith(f"You roll {dice}") for said in ana.spoken))
    bruno.page.reload()
    bruno.is_at_the_table()
    assert bruno.page.input_value("#set-verbosity") == "brief"
    assert bruno.page.sent[-1]["do"] != "hello" and any(
        one.get("brief") is True for one in bruno.page.sent
    )
    bruno.presses("v")
    bruno.hears("Annonces normales.")


# A question that is open.


def test_what_happens_is_heard_while_a_question_is_open(two):
    ana, bruno = two
    ana.page.locator("#seats .kick:visible").click()
    ana.until(lambda: ana.page.evaluate("document.querySelector('#ask').open"))
    assert ana.focus == "ask-no"
    says(bruno, "Still here")
    ana.hears("Bruno: Still here")
    ana.rests()  # a second quick press of Enter does not answer the question
    ana.presses("Enter")
    ana.until(lambda: not ana.page.evaluate("document.querySelector('#ask').open"))
    assert ana.page.evaluate("document.activeElement.className") == "kick"
    assert len(ana.view["seats"]) == 2
    says(bruno, "And here")
    ana.hears("Bruno: And here")
    # The rest of the page was out of reach meanwhile, and is there again.
    assert ana.page.evaluate("document.querySelectorAll('[inert]').length") == 0


# The page's own voice.

_VOICES = """
  window.uttered = [];
  window.hushed = 0;
  const voices = (window.VOICES ?? []).map(([name, lang]) => ({ name, lang, localService: true }));
  class Utterance extends EventTarget {
    constructor(text) { super(); this.text = text; }
  }
  Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Utterance });
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => voices,
    addEventListener() {},
    cancel() { hushed++; },
    speak(one) {
      uttered.push({ text: one.text, lang: one.lang, voice: one.voice.name, rate: one.rate });
    },
  } });
"""


@pytest.mark.parametrize(
    ("lang", "voice"), [("fr", "Marie"), ("sr", "Hrvoje"), ("en", "Ann"), ("es", None)]
)
def test_the_page_speaks_by_itself_with_the_right_voice(browser, room, lang, voice):
    voices = [["Ann", "en-GB"], ["Marie", "fr_FR"], ["Hrvoje", "hr-HR"], ["Otto", "de-DE"]]
    one = Person(browser, room.address, "Ana", lang)
    one.page.add_init_script(f"window.VOICES = {voices!r};" + _VOICES)
    one.page.reload()
    one.enters().opens()
    one.page.click("#settings summary")
    one.page.select_option("#set-speaker", "page")
    one.page.select_option("#set-speed", "fast")
    says(one, "Hello")
    one.until(lambda: "Ana: Hello" in " ".join(one.told))
    uttered = lambda: one.page.evaluate("uttered")  # noqa: E731
    if voice is None:
        # Nobody is left without words: the screen reader goes on, and one is told.
        one.hears("Ana: Hello")
        assert uttered() == []
        assert any("lector de pantalla" in said for said in one.spoken)
    else:
        one.until(lambda: any(said["text"] == "Ana: Hello" for said in uttered()))
        hello = next(said for said in uttered() if said["text"] == "Ana: Hello")
        assert (hello["voice"], hello["rate"]) == (voice, 1.4)
        # And then no screen reader is told the same.
        assert "Ana: Hello" not in one.spoken
        one.presses("Control")
        assert one.page.evaluate("hushed") >= 1
        one.page.select_option("#set-speaker", "reader")
        says(one, "Bye")
        one.hears("Ana: Bye")
    one.ends()


# Sounds.

_AUDIO = """
  window.played = [];
  const real = AudioContext.prototype.createBufferSource;
  AudioContext.prototype.createBufferSource = function () {
    const source = real.call(this);
    const start = source.start.bind(source);
    source.start = (at) => { played.push([source.buffer.duration, at]); return start(at); };
    return source;
  };
"""


def test_sounds_go_with_events_and_can_be_off(browser, room):
    one = Person(browser, room.address, "Ana", "en")
    one.page.add_init_script(_AUDIO)
    one.page.reload()
    asked = []
    one.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    one.enters().opens()
    one.page.click("#add-bot")
    one.until(lambda: "come.wav" in asked)
    one.page.click("#begin")
    one.until(lambda: one.my_go and "your_go.wav" in asked)
    one.rests()
    one.presses("Enter")
    one.until(lambda: "roll.wav" in asked)
    says(one, "x")
    one.until(lambda: "chat.wav" in asked)
    one.until(lambda: len(one.page.evaluate("played")) >= 4)
    played = one.page.evaluate("played")
    # One after the other, never upon each other.
    for (length, at), (_, later) in pairwise(played):
        assert later >= at + length
    one.page.click("#settings summary")
    one.page.select_option("#set-sounds", "off")
    before = len(one.page.evaluate("played"))
    says(one, "y")
    one.hears("Ana: y")
    one.page.wait_for_timeout(200)
    assert len(one.page.evaluate("played")) == before
    one.ends()


# Shaking.


def shakes(one, strength=22, times=4):
    one.page.evaluate(
        """async ([strength, times]) => {
          for (let n = 0; n < times; n++) {
            window.dispatchEvent(new DeviceMotionEvent("devicemotion", {
              acceleration: { x: n % 2 ? strength : -strength, y: 0, z: 0 },
            }));
            await new Promise((ready) => setTimeout(ready, 50));
          }
        }""",
        [strength, times],
    )


def test_a_shaken_phone_throws_and_never_accepts(browser, room):
    with people(browser, room, ("Ana", "en"), has_touch=True) as (ana,):
        ana.opens()
        ana.page.click("#add-bot")
        ana.until(lambda: len(ana.view["seats"]) == 2)
        ana.page.click("#begin")
        ana.until(lambda: ana.my_go)
        shakes(ana)
        ana.page.wait_for_timeout(100)
        assert ana.keys_sent == []
        ana.page.click("#settings summary")
        ana.page.check("#set-shake")
        ana.rests()
        shakes(ana, strength=5)
        ana.page.wait_for_timeout(100)
        assert ana.keys_sent == []
        shakes(ana)
        ana.until(lambda: ana.throws == 1)
        ana.page.wait_for_timeout(1600)
        shakes(ana)
        ana.page.wait_for_timeout(200)
        assert ana.keys_sent == ["enter"] and ana.my_go
        face = str(ana.view["play"]["dice"][0]["face"])
        ana.page.locator(f'#keys button[data-key="{face}"]').click()
        ana.until(lambda: any(die["selected"] for die in ana.view["play"]["dice"]))
        ana.page.wait_for_timeout(1600)
        shakes(ana)
        ana.until(lambda: ana.throws == 2)


def test_a_phone_that_does_not_allow_it_is_told_so(browser, room):
    one = Person(browser, room.address, "Ana", "en", has_touch=True)
    one.page.add_init_script("DeviceMotionEvent.requestPermission = async () => 'denied'")
    one.page.reload()
    one.enters()
    one.page.click("#settings summary")
    one.page.click("#set-shake")
    one.hears("This device does not tell the page when it is shaken.")
    assert not one.page.is_checked("#set-shake")
    one.ends()
