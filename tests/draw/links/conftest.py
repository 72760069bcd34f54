"""Render links for tests: write items as basic SVG, and return resvg's pixels as arrays."""

from io import BytesIO
from itertools import count
from math import sqrt

import numpy as np
import pytest
from PIL import Image
from resvg import render, usvg

from generator.base.geometry import Size
from generator.base.shapes import fill_box
from generator.base.units import number
from generator.draw.links import draw_links, plot_of
from generator.draw.links.caps import CAPS
from generator.draw.links.patterns import PATTERNS
from generator.pack.game import LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.items import Group, Stroke
from tests.tools.make_pack import no_art

SIDE = 30.48
"""The side in mm of a square of exactly 720 pixels at 600 dpi, so that its edges lie between pixels."""


def write(items, ids):
    return "".join(element(item, ids) for item in items)


def element(item, ids):
    if isinstance(item, Group):
        name = f"c{next(ids)}"
        clip = f'<clipPath id="{name}"><path d="{item.clip}" clip-rule="evenodd"/></clipPath>'
        return f'{clip}<g clip-path="url(#{name})">{write(item.items, ids)}</g>'
    line = item.stroke
    if line is None:
        return f'<path d="{item.geometry.d}" fill="{item.fill}"/>'
    dash = f'stroke-dasharray="{" ".join(map(number, line.dash))}"' if line.dash else ""
    return (
        f'<path d="{item.geometry.d}" fill="{item.fill}" stroke="{line.colour}" stroke-width="{number(line.width)}" '
        f'stroke-linecap="{line.cap}" stroke-linejoin="{line.join}" {dash} '
        f'stroke-dashoffset="{number(line.dash_offset)}"/>'
    )


def picture(items, box, dpi, transform="", ground=""):
    """Return the RGBA pixels of a box (x, y, w, h in mm); `transform` acts on the links."""
    w = round(box[2] / 25.4 * dpi)
    h = round(box[3] / 25.4 * dpi)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="{" ".join(map(str, box))}" '
        f'preserveAspectRatio="none">{ground}<g transform="{transform}">{write(items, count())}</g></svg>'
    )
    png = bytes(render(usvg.Tree.from_str(svg, usvg.Options.default()), (1, 0, 0, 0, 1, 0)))
    return np.asarray(Image.open(BytesIO(png)).convert("RGBA")).astype(int)


@pytest.fixture(scope="session")
def square():
    return plot_of(fill_box("rect", Size(SIDE, SIDE)))


@pytest.fixture(scope="session")
def hexagon():
    return plot_of(fill_box("hex", Size(40, 40 * sqrt(3) / 2)))


@pytest.fixture(scope="session")
def render_items():
    return picture


@pytest.fixture(scope="session")
def link_style():
    """Return a function that makes a link style from its pattern and other fields."""

    def make(pattern="solid", width=7.0, cap="round", casing=0.7, fill="#e0a040"):
        return LinkStyle(
            width,
            fill,
            Stroke(casing, "#203040") if casing else None,
            PATTERNS[pattern],
            "#401010",
            CAPS[cap],
        )

    return make


@pytest.fixture(scope="session")
def draw_tile():
    """Return a function that draws a tile from its notation."""

    def make(text, outline, styles, bleed=3.0):
        notation = " ".join(map(with_kind, text.split()))
        ports = tuple(side.port for side in outline.sides)
        return draw_links(parse_tile(notation, ports), outline, bleed, styles, no_art)

    return make


def with_kind(link):
    """Return a link's notation with the kind `a` if it names none."""
    ports, at, feature = link.partition("@")
    return link if ":" in ports else f"{ports}:a{at}{feature}"


def fill_from(mask, seed):
    """Return the connected area of a mask around a seed, (row, column)."""
    connected = np.zeros_like(mask)
    front = np.zeros_like(mask)
    front[seed] = mask[seed]
    while front.any():
        connected |= front
        grown = connected.copy()
        grown[1:] |= connected[:-1]
        grown[:-1] |= connected[1:]
        grown[:, 1:] |= connected[:, :-1]
        grown[:, :-1] |= connected[:, 1:]
        front = grown & mask & ~connected
    return connected


@pytest.fixture(scope="session")
def count_areas():
    """Return a function that counts the separate areas of a mask."""

    def number_of(mask):
        rest = mask.copy()
        count = 0
        while rest.any():
            rest &= ~fill_from(rest, tuple(np.argwhere(rest)[0]))
            count += 1
        return count

    return number_of


@pytest.fixture(scope="session")
def shapes(square, hexagon):
    return {"square": square, "hexagon": hexagon}


@pytest.fixture(scope="session")
def render_tile(shapes, link_style, draw_tile, render_items):
    """Return a function that renders a tile from its shape, notation and link style."""

    def take(shape, text, box=None, dpi=150, bleed=3.0, **style):
        outline = shapes[shape]
        return render_items(
            draw_tile(text, outline, {"a": link_style(**style)}, bleed).items,
            tuple(box or outline.box),
            dpi,
        )

    return take
