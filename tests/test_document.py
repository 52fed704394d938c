"""Documents: each fault with its line, nothing but `DocumentError`, round trips, merging."""

import json
import os
import pickle
import time

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zanzibar_plugin import document
from zanzibar_plugin.document import (
    MAX_BYTES,
    DocumentError,
    Fault,
    Node,
    from_data,
    merge,
    read_file,
    read_text,
    to_data,
)
from zanzibar_plugin.text import Text, text, texts

DEEP = "nested too deep"
ODD_WORDS = "yes no on off y n Y N Yes NO oN True TRUE False Null NULL ="
ODD_NUMBERS = """
    4:2:1 12:30:45 1:30.5 010 09 -010 0o17 0x1F 0b11 1_000 +1 1. .5 00.5 1e5 1E5 1.5e+3 -1.5e3
    .inf -.inf .nan .NaN NaN Infinity -Infinity 2026-02-30 2026-01-01 2026-01-01T10:00:00Z
    1000000000000000 1000000000000000.5
"""
PIECES = """
    a b y no 421 010 1e5 4:2:1 2026-02-30 . .. ... --- - -- ? : , [ ] { } # & * &a *a ! !! !!set <
    << | > |- >2 @ ` % %YAML %TAG ' " '' "" \\ \\u \\ud83d \\U00110000 \\x é 🎲
"""
LOADERS = sorted({yaml.SafeLoader, document._LOADER}, key=lambda loader: loader.__name__)


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def each_loader(request, monkeypatch):
    monkeypatch.setattr(document, "_LOADER", request.param)


def read(source):
    return read_text(source.encode() if isinstance(source, str) else source, "my.yaml")


def refused(source):
    with pytest.raises(DocumentError) as caught:
        read(source)
    error = caught.value
    assert error.file == "my.yaml"
    assert isinstance(error.problem, Text)
    place = f"my.yaml, line {error.line}: " if error.line else "my.yaml: "
    assert str(error).startswith(place)
    assert str(error).endswith(".")
    assert len(str(error)) < 250
    assert str(error).isprintable()
    return error


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("", 0, "is empty"),
        ("\n# only a comment\n", 0, "is empty"),
        ("---\n", 0, "is empty"),
        (b" " * (MAX_BYTES + 1), 0, "too large"),
        ("a: 1\nb: \0", 2, "U+0000"),
        ("\0" * 5000, 1, "U+0000"),
        ("a: 1\r\nb: \7", 2, "U+0007"),
        ("a: 1\rb: \x7f", 2, "U+007F"),
        ("a: x\u2028b", 1, "U+2028"),
        ("a: x\u0085b", 1, "U+0085"),
        ("a: 1\nb: x\ufeffy", 2, "U+FEFF"),
        ("a: 1\nb: caf\xe9\n".encode("latin-1"), 2, "not UTF-8"),
        (b"a: \xed\xa0\x80", 1, "not UTF-8"),
        ("a: 1".encode("utf-16"), 0, "UTF-16"),
        ("a: 1".encode("utf-16-le"), 0, "UTF-16"),
        ("a: 1".encode("utf-16-be"), 0, "UTF-16"),
        ("a:\n\tb: 1\n", 2, "tab begins this line"),
        ("a:\n  \tb: 1\n", 2, "tab begins this line"),
        ("a:\n  - 'x\n  - y\n", 2, "never closed"),
        ('a:\n  - "x\n  - y\n', 2, "never closed"),
        ("a: 1\nb: [1, 2\n", 2, "opened on line 2"),
        ("a: {b: 1\nc: 2}\n", 2, "opened on line 1"),
        ("a: 1\nb: c: d\n", 2, "colon is one too many"),
        ("a:\n  - b\n c: d\n", 3, "cannot be read as YAML"),
        ("a: 1\nb: @x\n", 2, "cannot be read as YAML"),
        ("a: &x 1\nb: *x\n", 1, "References"),
        ("a: 1\nb: *x\n", 2, "References"),
        ("a: &x [1]\n", 1, "References"),
        ("a: 1\nb: !!python/object/apply:os.system [x]\n", 2, "Types"),
        ("!!set {a, b}\n", 1, "Types"),
        ("a: !!str 1\n", 1, "Types"),
        ("a: ! 1\n", 1, "Types"),
        ("a: 1\n<<: {b: 1}\n", 2, "Merging"),
        ("%YAML 1.1\n---\na: 1\n", 1, "percent"),
        ("- " * 21, 1, DEEP),
        ("[" * 21 + "]" * 21, 1, DEEP),
        ("[\n" * 21 + "]\n" * 21, 21, DEEP),
        ("a: 1\nb: 2\na: 3\n", 3, "The key a is already on line 1"),
        ('{"a": 1,\n "b": {"c": 1,\n "c": 2}}', 3, "The key c is already on line 2"),
        ("a: 1\n'a': 3\n", 2, "already on line 1"),
        ("a: 1\n421: x\n", 2, "The key 421 is not a text"),
        ("a: 1\non: x\n", 2, "The key on is not a text"),
        ("y: x\n", 1, "The key y is not a text"),
        ("true: x\n", 1, "The key true is not a text"),
        ("null: x\n", 1, "The key null is not a text"),
        ("? \n: x\n", 1, "no key before the colon"),
        ("a: 1\n? [b]\n: 1\n", 2, "not a list"),
        ("a: 1\n---\nb: 1\n", 2, "second document"),
        ("---\n---\nb: 1\n", 2, "second document"),
        (": 1", 1, ""),
    ],
)
def test_fault(source, line, words, each_loader):
    error = refused(source)
    assert words in str(error)
    assert error.line == line


@pytest.mark.parametrize("word", ODD_WORDS.split())
def test_words_that_are_not_plain(word, each_loader):
    error = refused(f"a: 1\nb: {word}\n")
    assert str(error).startswith(f"my.yaml, line 2: {word} is not plain: ")
    assert to_data(read(f"b: '{word}'")) == {"b": word}


@pytest.mark.parametrize("word", ODD_NUMBERS.split())
def test_numbers_that_are_not_plain(word, each_loader):
    error = refused(f"a: 1\nb: {word}\n")
    assert error.line == 2
    assert f"{word} is not" in str(error)
    assert to_data(read(f'b: "{word}"')) == {"b": word}


@pytest.mark.parametrize(
    ("source", "data"),
    [
        ("null", None),
        ("~", None),
        ("a:\nb: 1\n", {"a": None, "b": 1}),
        (
            "[true, false, null, 0, -5, 1.5, -0.25, 421]",
            [True, False, None, 0, -5, 1.5, -0.25, 421],
        ),
        ("999999999999999", 999_999_999_999_999),
        (
            "a: 4-2-1\nb: nobody\nc: 3rd\nd: 1.2.3",
            {"a": "4-2-1", "b": "nobody", "c": "3rd", "d": "1.2.3"},
        ),
        ("'421': x\n\"<<\": z\n", {"421": "x", "<<": "z"}),
        ("a: |\n  yes\n  no\n", {"a": "yes\nno\n"}),
        ("\ufeffa: 1\r\nb: é\r\n", {"a": 1, "b": "é"}),
        ("---\na: 1\n...\n", {"a": 1}),
        ("[" * 20 + "]" * 20, json.loads("[" * 20 + "]" * 20)),
        ('{"a":\t[1,\t2]}', {"a": [1, 2]}),
        ('{"a": "\\ud83c\\udfb2\\/\\u0000"}', {"a": "\U0001f3b2/\0"}),
        ('["\\ud83c\\udfb2"]', ["\U0001f3b2"]),
        ('["\x7f\u2028"]', ["\x7f\u2028"]),
        (json.dumps({"k" * 2000: 1}), {"k" * 2000: 1}),
        ("{a: 1, b: [x, z],}", {"a": 1, "b": ["x", "z"]}),
    ],
)
def test_accepted(source, data, each_loader):
    read_again = to_data(read(source))
    assert read_again == data
    assert repr(read_again) == repr(data)


def test_lines(each_loader):
    node = read("# dice\n\na: 1\nb:\n  - x\n  - w: 2\n    z:\n")
    assert (node.line, node.key_line("a"), node.key_line("b"), node.key_line("c")) == (3, 3, 4, 3)
    items = node.value["b"]
    assert [item.line for item in items.value] == [5, 6]
    last = items.value[1]
    assert (last.key_line("z"), last.value["z"]) == (7, Node(None, 7))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        # Only JSON can have a letter in two escapes, so these are read as JSON.
        ('{"x":"\\ud83c\\udfb2","a":1,"b":{"a":2,"a":3}}', "The key a is there twice"),
        ('["\\ud83c\\udfb2", NaN]', "NaN is not a plain number"),
        ('["\\ud83c\\udfb2", -Infinity]', "-Infinity is not"),
        ('["\\ud83c\\udfb2", 1e5]', "1e5 is not a plain number"),
        ('["\\ud83c\\udfb2", ' + "1" * 5000 + "]", "is not a plain number"),
        ('["\\ud83c\\udfb2", ' + "[" * 20 + "]" * 20 + "]", DEEP),
        ('["\\ud83c"]', "half a letter"),
        ('{"\\ud83c": 1}', "half a letter"),
    ],
)
def test_json_fault(source, words, each_loader):
    error = refused(source)
    assert words in str(error)
    assert error.line in (0, 1)


@pytest.mark.parametrize(
    "source",
    [
        "[" * 100_000,
        "{" * 100_000,
        '{"a":' * 100_000,
        "- " * 100_000,
        "[{a: " * 100_000,
        "[\t" * 99_999,
    ],
    ids=lambda source: source[:5],
)
def test_hostile_nesting_is_refused_fast(source, each_loader):
    start = time.perf_counter()
    problem = str(refused(source))
    # The parser without C sees other faults first: a tab, or a mapping as a key.
    assert DEEP in problem or document._LOADER is yaml.SafeLoader
    assert time.perf_counter() - start < 2


@pytest.mark.skipif(document._LOADER is yaml.SafeLoader, reason="PyYAML without its C parser")
@pytest.mark.parametrize(
    "source",
    [
        json.dumps([{"seat": i, "dice": [4, 2, 1], "name": "x y"} for i in range(20_000)]),
        "".join(f"%TAG !a{i}! b\n" for i in range(50_000)) + "--- a",
        "a: " + "4:" * 400_000,
        "\n" * 999_990 + "\t@",
        "{" + ",".join(f'"{i}":1' for i in range(80_000)) + '," 1": "\\ud83c\\udfb2"}',
        '{"x":"\\ud83c\\udfb2",' + ",".join(f'"{i}":1' for i in range(80_000)) + ',"79999":1}',
    ],
    ids=["json", "directives", "colons", "lines", "keys", "duplicate"],
)
def test_large_files_are_read_fast(source):
    start = time.perf_counter()
    try:
        read(source)
    except DocumentError as error:
        assert error.problem
    assert time.perf_counter() - start < 5


def test_alias_bomb():
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    assert "References" in str(refused("\n".join(lines)))


def test_the_words_of_the_author_are_shown_harmlessly():
    key = "\u202e" + "\u200b" * 60
    error = refused(f"? '{key}'\n: 1\n? '{key}'\n: 1\n")
    shown = error.problem.fields["key"]
    assert shown.startswith("\\u202e\\u200b")
    assert len(shown) == 40
    assert shown.endswith("…")
    assert "The key {a} is" in str(refused("'{a}': 1\n'{a}': 2"))


def test_error():
    problem = text("{inner} Also {count}.", inner=texts("One die.", "{count} dice.", 2), count=3)
    error = DocumentError("f.json", 0, problem)
    assert str(error) == "f.json: 2 dice. Also 3."
    assert str(DocumentError("", 4, problem)) == "line 4: 2 dice. Also 3."
    assert str(DocumentError("", 0, problem)) == "2 dice. Also 3."
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.file, copy.line, copy.problem) == ("f.json", 0, problem)
    assert Fault(3, problem).line == 3


# Files


def test_read_file(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    assert to_data(read_file(path)) == {"a": 1}
    path.write_text("a: 1\nb: no\n")
    with pytest.raises(DocumentError) as caught:
        read_file(path)
    assert (caught.value.file, caught.value.line) == (str(path), 2)


def unreadable(path):
    with pytest.raises(DocumentError) as caught:
        read_file(path)
    assert caught.value.line == 0
    return str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    assert "no such file" in unreadable(tmp_path / "missing.yaml")
    assert "cannot be opened" in unreadable(tmp_path / "a\0b")
    assert "cannot be opened" in unreadable(tmp_path / ("x" * 5000))
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as stream:
        stream.truncate(10**12)
    assert "too large" in unreadable(huge)


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices")
def test_no_regular_files(tmp_path):
    assert "folder" in unreadable(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "pipe or a device" in unreadable(pipe)
    (tmp_path / "zero").symlink_to("/dev/zero")
    assert "pipe or a device" in unreadable(tmp_path / "zero")
    (tmp_path / "loop").symlink_to("loop")
    assert "cannot be opened" in unreadable(tmp_path / "loop")
    assert "no such file" in unreadable(tmp_path / os.fsdecode(b"\xff"))
    closed = tmp_path / "closed"
    closed.write_text("a: 1")
    closed.chmod(0)
    if os.geteuid():
        assert "cannot be opened" in unreadable(closed)


# Plain data

letters = st.characters(exclude_categories=("Cs",))
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**15) + 1, 10**15 - 1),
    st.integers(-(10**6), 10**6).map(lambda n: n / 1000),
    st.text(letters),
    st.sampled_from(["yes", "421", "<<", "~", "", "0x1", "=", "- a", "#", "🎲", "\x7f", "\u2028"]),
)
plain = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(letters), inner, max_size=4)
    ),
    max_leaves=12,
)
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(plain)
@relaxed
def test_data_round_trip(data):
    node = from_data(data)
    assert node.line == 0
    assert repr(to_data(node)) == repr(data)


@pytest.mark.parametrize("options", [{}, {"indent": 1}, {"indent": "\t"}, {"ensure_ascii": False}])
@given(data=plain)
@relaxed
def test_json_is_read_as_its_data(data, options, each_loader):
    node = read(json.dumps(data, **options))
    assert repr(to_data(node)) == repr(data)


@given(st.integers() | st.floats())
@relaxed
def test_numbers_of_data_are_those_of_texts(number):
    try:
        node = from_data([number])
    except DocumentError:
        with pytest.raises(DocumentError):
            read(json.dumps([number]))
    else:
        assert repr(to_data(read(json.dumps([number])))) == repr(to_data(node))


def nested(depth):
    data = []
    for _ in range(depth - 1):
        data = [data]
    return data


circle = []
circle.append(circle)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({1}, "type set"),
        ((1, 2), "type tuple"),
        ([b"x"], "type bytes"),
        ({"a": {1: 2}}, "The key 1 is not a text"),
        ({None: 2}, "The key None is not a text"),
        (nested(21), DEEP),
        (circle, DEEP),
        (float("nan"), "not a plain number"),
        (float("inf"), "15 digits"),
        (1e-9, "not a plain number"),
        (10**15, "15 digits"),
        (-(10**9000), "15 digits"),
        ("\ud83c", "half a letter"),
        ({"\ud83c": 1}, "half a letter"),
    ],
    ids=str.__class__.__name__.format,
)
def test_data_refused(data, words):
    with pytest.raises(DocumentError) as caught:
        from_data(data)
    assert words in str(caught.value)
    assert (caught.value.file, caught.value.line) == ("", 0)


def test_deepest_data():
    assert to_data(from_data(nested(20))) == nested(20)


# Nothing but DocumentError

space = [" ", "  ", "\n", "\n  ", "\n\t", "\r\n", "\r", "\t", ": ", "- ", "? ", '"a": ']
control = ["\0", "\x85", "\ufeff", "\u2028"]
pieces = st.sampled_from([*PIECES.split(), *space, *control])
yamlish = st.lists(pieces, max_size=40).map("".join)


def never_anything_else(data):
    try:
        node = read_text(data, "x")
    except DocumentError as error:
        assert str(error)
        assert 0 <= error.line <= data.count(b"\n") + data.count(b"\r") + 1
    else:
        again = to_data(node)
        assert repr(to_data(from_data(again))) == repr(again)


@given(data=st.binary(max_size=200))
@relaxed
def test_any_bytes(data, each_loader):
    never_anything_else(data)


@given(source=st.text() | yamlish)
@settings(relaxed, max_examples=400)
def test_any_text(source, each_loader):
    never_anything_else(source.encode())


@given(source=yamlish)
@settings(relaxed, max_examples=200)
def test_any_json_like_text(source, each_loader):
    never_anything_else(b"{" + source.encode())


# Merging


def join(base, changes):
    return to_data(merge(from_data(base), from_data(changes)))


def test_merge():
    base = {"a": {"x": 1, "y": [1, 2]}, "b": 1, "c": {"d": 1}}
    changes = {"a": {"y": [3], "z": 0}, "c": 5, "e": {}}
    expected = {"a": {"x": 1, "y": [3], "z": 0}, "b": 1, "c": 5, "e": {}}
    assert join(base, changes) == expected
    assert list(join(base, changes)) == ["a", "b", "c", "e"]


def test_merge_takes_away_what_is_null():
    base = {"a": {"x": 1, "y": [1, 2]}, "b": 1, "c": {"d": 1}, "e": None}
    changes = {"a": {"y": None, "z": None}, "c": None, "f": None}
    assert join(base, changes) == {"a": {"x": 1}, "b": 1, "e": None}
    # A null that takes nothing away stays, for whatever is changed later by what it stands in.
    assert join({}, {"changes": {"a": None}}) == {"changes": {"a": None}}
    assert join({"a": [1]}, {"a": [None]}) == {"a": [None]}
    assert join({"a": 1}, {"a": {"b": None}}) == {"a": {"b": None}}


def test_the_line_of_what_was_taken_away_is_that_of_the_null():
    merged = merge(read("a: 1\nb: 2\n"), read("# mine\n\nb:\n"))
    assert list(merged.value) == ["a"]
    assert merged.key_line("b") == 3


def test_merge_keeps_lines():
    base = read("a:\n  x: 1\n  z: 2\nb: 3\n")
    changes = read("# mine\n\n\n\n\na:\n  z: 5\nc: 6\n")
    merged = merge(base, changes)
    assert [(key, merged.key_line(key)) for key in merged.value] == [("a", 6), ("b", 4), ("c", 8)]
    inner = merged.value["a"]
    assert [(key, inner.key_line(key)) for key in inner.value] == [("x", 2), ("z", 7)]
    assert [child.line for child in inner.value.values()] == [2, 7]
    assert base == read("a:\n  x: 1\n  z: 2\nb: 3\n")


def without_nulls(data):
    """The same without every null in a mapping."""
    if isinstance(data, dict):
        return {key: without_nulls(one) for key, one in data.items() if one is not None}
    return [without_nulls(one) for one in data] if isinstance(data, list) else data


@given(plain, plain)
@relaxed
def test_merge_laws(one, other):
    mapping = without_nulls({"k": one, "m": {"n": other}})
    assert join(mapping, {}) == mapping
    assert join({}, mapping) == mapping
    full, changes = without_nulls(one), without_nulls(other)
    assert join(full, full) == full
    assert join(join(full, changes), changes) == join(full, changes)
    merged = join(one, other)
    if not (isinstance(one, dict) and isinstance(other, dict)):
        assert merged == other
    else:
        taken = [key for key, value in other.items() if value is None]
        assert list(merged) == [key for key in dict.fromkeys([*one, *other]) if key not in taken]
        for key in merged:
            if key not in other:
                assert merged[key] == one[key]
            elif key not in one:
                assert merged[key] == other[key]
            else:
                assert merged[key] == join(one[key], other[key])
