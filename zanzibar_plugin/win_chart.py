"""A picture of how good it is to hold so many tokens: an SVG file with words for who cannot see it.

The two lines differ by colour, by dashes and by the marks on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from zanzibar_plugin.catalogs import Catalog
from zanzibar_plugin.odds import Point
from zanzibar_plugin.percent import percent
from zanzibar_plugin.text import Field, text

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 80, 20, 60, 70
STARTER, OTHER, INK, GRID = "#0b4f9e", "#a33c00", "#1a1a1a", "#d0d0d0"
_LABELS = 12


def chart(points: Sequence[Point], total: int, game: Field, catalog: Catalog) -> str:
    """The picture of two or more points, in a game with so many tokens, as the text of a file."""
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "role": "img",
            "aria-labelledby": "title description",
            "font-family": "sans-serif",
            "font-size": "14",
            "fill": INK,
        },
    )
    heading = catalog.say(
        text("Chance to win in the last phase, by the tokens held: {game}", game=game)
    )
    _add(root, "title", heading, id="title")
    _add(root, "desc", _description(points, total, catalog), id="description")
    _add(root, "rect", width=WIDTH, height=HEIGHT, fill="#ffffff")
    _add(root, "text", heading, x=LEFT, y=24, font_size=17)
    _axes(root, total, catalog)
    starts = catalog.say(text("starts the round"))
    follows = catalog.say(text("plays second"))
    _line(root, [(one.held, one.starter) for one in points], total, STARTER, "")
    _line(root, [(one.held, one.other) for one in points], total, OTHER, "6 4")
    for number, (said, colour, dashes) in enumerate(
        ((starts, STARTER, ""), (follows, OTHER, "6 4"))
    ):
        x, y = LEFT + 200 * number, 46
        _stroke(root, [(x, y - 5), (x + 34, y - 5)], colour, dashes)
        _mark(root, x + 17, y - 5, colour, dashes)
        _add(root, "text", said, x=x + 42, y=y)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _description(points: Sequence[Point], total: int, catalog: Catalog) -> str:
    """What the lines show, at their ends and in the middle."""
    shown = [points[0], points[len(points) // 2], points[-1]]
    lines = [
        text(
            "With {held} of {total} tokens: {starter} for whoever starts the round, {other} for "
            "whoever plays second.",
            held=one.held,
            total=total,
            starter=percent(one.starter, catalog.locale),
            other=percent(one.other, catalog.locale),
        )
        for one in shown
    ]
    return " ".join(map(catalog.say, lines))


def _axes(root: ElementTree.Element, total: int, catalog: Catalog) -> None:
    for tenths in range(0, 11, 2):
        _, y = _at(0, tenths / 10, total)
        _add(root, "line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, stroke=GRID)
        label = percent(tenths / 10, catalog.locale)
        _add(root, "text", label, x=LEFT - 8, y=y + 5, text_anchor="end")
    step = -(-total // _LABELS)
    for held in range(0, total + 1, step):
        x, y = _at(held, 0, total)
        _add(root, "line", x1=x, y1=y, x2=x, y2=y + 5, stroke=INK)
        _add(root, "text", str(held), x=x, y=y + 22, text_anchor="middle")
    left, bottom = _at(0, 0, total)
    _add(root, "line", x1=left, y1=bottom, x2=WIDTH - RIGHT, y2=bottom, stroke=INK)
    _add(root, "line", x1=left, y1=TOP, x2=left, y2=bottom, stroke=INK)
    across = catalog.say(text("tokens held, of {total}", total=total))
    _add(root, "text", across, x=(LEFT + WIDTH - RIGHT) // 2, y=HEIGHT - 16, text_anchor="middle")
    middle = (TOP + HEIGHT - BOTTOM) // 2
    up = catalog.say(text("chance to win"))
    _add(
        root, "text", up, x=18, y=middle, text_anchor="middle",
        transform=f"rotate(-90 18 {middle})",
    )  # fmt: skip


def _line(
    root: ElementTree.Element,
    values: Sequence[tuple[int, float]],
    total: int,
    colour: str,
    dashes: str,
) -> None:
    places = [_at(held, chance, total) for held, chance in values]
    _stroke(root, places, colour, dashes)
    for x, y in places:
        _mark(root, x, y, colour, dashes)


def _stroke(
    root: ElementTree.Element, places: Sequence[tuple[float, float]], colour: str, dashes: str
) -> None:
    line = _add(
        root, "polyline", points=" ".join(f"{x},{y}" for x, y in places), fill="none",
        stroke=colour, stroke_width=2,
    )  # fmt: skip
    if dashes:
        line.set("stroke-dasharray", dashes)


def _mark(root: ElementTree.Element, x: float, y: float, colour: str, dashes: str) -> None:
    if dashes:
        _add(root, "rect", x=round(x - 3, 1), y=round(y - 3, 1), width=6, height=6, fill=colour)
    else:
        _add(root, "circle", cx=x, cy=y, r=3.5, fill=colour)


def _at(held: float, chance: float, total: int) -> tuple[float, float]:
    """Where in the picture so many tokens and a chance are."""
    across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return round(LEFT + across * held / total, 1), round(TOP + up * (1 - chance), 1)


def _add(
    root: ElementTree.Element, tag: str, said: str | None = None, **given: str | float
) -> ElementTree.Element:
    """One more element, with attributes whose names have _ for -, and what stands in it."""
    attributes = {name.replace("_", "-"): str(value) for name, value in given.items()}
    made = ElementTree.SubElement(root, tag, attributes)
    made.text = said
    return made
