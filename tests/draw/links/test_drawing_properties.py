"""Test links on random tiles with any ports: width at the edge, joining tiles, room, and planes."""

import re
from math import dist, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Point, Size
from generator.base.ports import CORNERS, turn_port
from generator.base.shapes import fill_box
from generator.board.lattice import LATTICES, Place
from generator.draw.draw import draw_game
from generator.draw.findings import cramped_notes
from generator.draw.links import draw_links, plot_of
from generator.draw.links.caps import CAPS
from generator.pack.game import LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.items import Stroke
from generator.picture.raster import Rasteriser
from tests.tools.examples import try_times
from tests.tools.make_pack import loaded, make, no_art, svg

SIZES = {
    "square": ("rect", Size(36, 36)),
    "hex": ("hex", Size(40, 20 * sqrt(3))),
    "pointed": ("hex pointed", Size(20 * sqrt(3), 40)),
    "triangle": ("triangle", Size(40, 20 * sqrt(3))),
    "octagon": ("octagon", Size(36, 36)),
    "circle": ("circle", Size(36, 36)),
}
PLOTS = {name: plot_of(fill_box(*size)) for name, size in SIZES.items()}


def sides(plot):
    return tuple(side.port for side in plot.sides if side.port)


def ports(plot):
    """Names of ports of a shape."""
    names = sides(plot)
    if not names:
        return st.integers(0, 359).map(str)
    return st.sampled_from(
        [*(name + part for name in names for part in ("", "1", "2", "1/3")), *CORNERS[names]]
    )


def drawing(text, kind="square", width=5.0):
    styles = {"road": LinkStyle(width, "#e0a040", Stroke(0.5, "#203040"))}
    return draw_links(parse_tile(text, sides(PLOTS[kind])), PLOTS[kind], 2, styles, no_art)


BARE = LinkStyle(2.4, "#000000", cap=CAPS["butt"])
LOOK = try_times(0.6)
DPI = 508
"""20 pixels a mm."""


def span(render_items, parts, place, along, deep):
    """Return the inked stretches of a line `deep` mm inside the port's side, in mm from its middle."""
    at = place.middle + place.inward.scaled(deep)
    pixels = render_items(parts, (at.x - 3, at.y - 3, 6, 6), DPI)[..., 3] > 128
    steps = np.arange(-2.9, 2.9, 0.025)
    inked = [pixels[int((along.y * s + 3) * 20), int((along.x * s + 3) * 20)] for s in steps]
    return steps[inked]


@LOOK
@given(st.sampled_from(sorted(PLOTS)), st.data())
def test_link_has_its_full_width_in_the_middle_of_each_port(render_items, kind, data):
    plot = PLOTS[kind]
    chosen = data.draw(st.lists(ports(plot), min_size=1, max_size=3, unique=True))
    joint = data.draw(st.sampled_from("-,")) if len(chosen) > 1 else "-"
    course = data.draw(st.sampled_from(["", "(sharp)", "(straight)"])) if len(chosen) > 1 else ""
    tile = parse_tile(f"{joint.join(chosen)}:a{course}", sides(plot))
    parts = draw_links(tile, plot, 2, {"a": BARE}, no_art).items
    for port in chosen:
        place = plot.side(port)
        others = [plot.side(other).middle for other in chosen if other != port]
        if min((dist(place.middle, other) for other in others), default=9) < 6:
            continue
        inked = span(render_items, parts, place, place.inward.turned(90), 0.05)
        assert (min(inked), max(inked)) == pytest.approx((-1.2, 1.2), abs=0.11), port
        assert len(inked) == pytest.approx(2.4 / 0.025, abs=6)


SHAPES = {"square": "square", "hex flat": "hex", "hex pointed": "pointed", "triangular": "triangle"}


@try_times(2)
@given(st.sampled_from(sorted(SHAPES)), st.data())
def test_touching_tiles_meet_port_to_port_in_every_turn(shape, data):
    """Place two neighbours with turns of their own and compare their facing ports."""
    lattice = LATTICES[shape]
    plot = PLOTS[SHAPES[shape]]
    turns = st.sampled_from(range(0, 360, lattice.turn_step))
    place = Place(data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3)))
    across, neighbour = data.draw(st.sampled_from(list(lattice.neighbours(place))))
    part = data.draw(st.sampled_from(["", "1", "2", "1/3", "3/4"]))
    port = across + part
    meets = [on_table(lattice, plot, place, data.draw(turns), port)]
    meets.append(on_table(lattice, plot, neighbour, data.draw(turns), lattice.facing(port)))
    (one, ahead), (other, back) = meets
    assert dist(one, other) < 0.01
    assert dist(ahead, back.scaled(-1)) < 1e-6


def on_table(lattice, plot, place, turn, port):
    """Return the place and direction of a port, by its name on the turned tile."""
    lies = lattice.table_turn(place, turn)
    part = port[len(port.rstrip("1234/")) :]
    own = next(name + part for name in sides(plot) if lattice.turn_port(name + part, lies) == port)
    side = plot.side(own)
    box = plot.box
    middle = Point(box.w / 2, box.h / 2)
    tall = box.h
    scale = box.w if lattice.name in {"square", "free"} else tall
    at = lattice.box_centre(place, turn)
    return (side.middle - middle).turned(lies) + Point(
        at.x * scale, at.y * tall
    ), side.inward.turned(lies)


ON_TILE = """\
name: Room
version: "1"
links: {{road: {{width: 3mm, fill: "#888888"}}}}
features: {{well: {{svg: well.svg, size: {size}mm}}}}
components:
  tiles: {{title: T, size: {shape}, bleed: 2mm, safe: 0mm, links: w, data: [{{id: a, w: "{ways}"}}], front: t.yaml}}
"""


@pytest.mark.parametrize("shape", ["36mm", "hex 36mm", "circle 40mm"])
@pytest.mark.parametrize(
    "ways", ["0-2:road@well 1-3:road@well", "0:road@well 2:road@well", "0-1-2:road@well 3:road"]
)
@pytest.mark.parametrize("size", [4, 8, 12, 17, 25])
def test_feature_keeps_its_size_or_is_noted_with_its_room(shape, ways, size, tmp_path):
    """Compare the red ink of features without a note with the area of their discs.

    If features overlap or leave the tile, a note gives the size that fits.
    """
    names = {"36mm": "nesw", "hex 36mm": ["n", "ne", "s", "sw"]}.get(
        shape, ["0", "90", "180", "270"]
    )
    for digit, name in enumerate(names):
        ways = (
            ways.replace(f"{digit}-", f"<{name}>-")
            .replace(f"-{digit}", f"-<{name}>")
            .replace(f"{digit}:", f"<{name}>:")
        )
    (tmp_path / "well.svg").write_text(svg('<circle cx="5" cy="5" r="5" fill="#ff0000"/>'))
    (tmp_path / "t.yaml").write_text("- fill: white\n- links: {}\n")
    text = ON_TILE.format(size=size, shape=shape, ways=ways.replace("<", "").replace(">", ""))
    (tmp_path / "game.yaml").write_text(text)
    game = loaded(tmp_path)
    components = draw_game(game)
    face = components[0].designs[0].front
    pixels = np.asarray(Rasteriser(game.fonts).face(face, 254)).astype(int)
    red = (pixels[..., 0] > 200) & (pixels[..., 1] < 60) & (pixels[..., 2] < 60)
    count = ways.count("@well")
    notes = list(cramped_notes(components))
    if notes:
        (room,) = re.findall(rf"has too little room: ([\d.]+) of {size} mm on a front", notes[0])
        assert float(room) < size
        rows, columns = np.nonzero(red)
        assert max(np.ptp(rows), np.ptp(columns)) / 10 >= size - 0.2
    else:
        assert 2 * (red.sum() / 100 / count / np.pi) ** 0.5 == pytest.approx(size, abs=0.1)


def test_junction_corners_are_as_round_as_fillet(render_items):
    def ink(fillet):
        style = LinkStyle(4, "#000000", fillet=fillet)
        tile = parse_tile("n-e-s-w:a", sides(PLOTS["square"]))
        parts = draw_links(tile, PLOTS["square"], 2, {"a": style}, no_art).items
        return [
            tuple(render_items(parts, (18 + off - 0.05, 18 - off - 0.05, 0.1, 0.1), 254)[0, 0])[3]
            > 128
            for off in (2.5, 3.5)
        ]

    assert [ink(fillet) for fillet in (0.01, 3.0, 12.0)] == [
        [False, False],
        [True, False],
        [True, True],
    ]


def test_links_declared_apart_keep_casing_between_them(render_items):
    """Draw two links that share a side, joined and with `apart`."""
    joined, separate = (
        drawing(f"n-s:road n-e:road{how}", width=4.0).items for how in ("", "(apart)")
    )
    place = PLOTS["square"].side("n")
    dark_pixels = []
    for parts in (joined, separate):
        pixels = render_items(parts, (place.middle.x - 4, 0.4, 10, 9), 254)
        dark_pixels.append(((pixels[..., 0] < 60) & (pixels[..., 3] > 200)).sum(axis=1))
    assert dark_pixels[1].sum() > 1.15 * dark_pixels[0].sum()


@pytest.mark.parametrize(
    "angles", [(0, 90, 180), (10, 130, 250), (0, 60, 200, 300), (15, 75, 135, 195, 255, 315)]
)
def test_hub_on_a_circle_has_a_leg_at_every_angle(angles, render_items, count_areas):
    plot = PLOTS["circle"]
    parts = drawing(",".join(map(str, angles)) + ":road", "circle", 3.0).items
    pixels = render_items(parts, tuple(plot.box), 150)[..., 3] > 128
    assert count_areas(pixels) == 1
    ring = [plot.centre + Point(0, -14).turned(turn) for turn in range(360)]
    inked = np.array([pixels[int(p.y / 25.4 * 150), int(p.x / 25.4 * 150)] for p in ring])
    assert (inked != np.roll(inked, 1)).sum() == 2 * len(angles)
    assert all(inked[angle] for angle in angles)


def test_art_of_an_area_fills_the_area_and_nothing_else(tmp_path):
    layout = "- fill: white\n- links: {}\n"
    more = "areas: {wood: {fill: white, svg: wood.svg}}"
    files = {"wood.svg": svg('<rect width="10" height="10" fill="#00aa00"/>')}
    table = "id,w\none,area n e: wood\n"
    game = loaded(make(tmp_path, layout, table, more, "links: w", "40mm", files))
    (component,) = draw_game(game)
    pixels = np.asarray(Rasteriser(game.fonts).face(component.designs[0].front, 127)).astype(int)
    green = (pixels[..., 1] > 120) & (pixels[..., 0] < 60)
    scale = 127 / 25.4
    off = 3.0
    is_green_at = {
        at: green[int((at[1] + off) * scale), int((at[0] + off) * scale)]
        for at in ((20, 1), (39, 20), (20, 39), (1, 20))
    }
    assert list(is_green_at.values()) == [True, True, False, False]
    rim = {side.port: side for side in plot_of(fill_box("rect", Size(40, 40))).sides}
    assert set(rim) == {"n", "e", "s", "w"}


@LOOK
@given(st.sampled_from(["square", "hex", "pointed", "octagon"]), st.data())
def test_crossing_has_colour_of_link_declared_over(render_items, kind, data):
    """Cross two links of different colours in any order and either plane."""
    plot = PLOTS[kind]
    names = sides(plot)
    half = len(names) // 2
    first, second = data.draw(
        st.lists(st.sampled_from(range(half)), min_size=2, max_size=2, unique=True)
    )
    a, b = ((names[n], turn_port(names[n], names, half)) for n in (first, second))
    plane, above = data.draw(st.sampled_from([("(over)", 0), ("(under)", 1), ("", 1)]))
    styles = {
        name: LinkStyle(3, colour, Stroke(0.4, "#ffffff"))
        for name, colour in (("x", "#ff0000"), ("y", "#0000ff"))
    }
    tile = parse_tile(f"{'-'.join(a)}:x{plane} {'-'.join(b)}:y", names)
    items = draw_links(tile, plot, 2, styles, no_art).items
    pixel = render_items(items, (plot.centre.x - 0.1, plot.centre.y - 0.1, 0.2, 0.2), 254)[0, 0]
    assert tuple(pixel[:3]) == ((255, 0, 0), (0, 0, 255))[above]


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("n-s:road n-se:road ne-sw:road", (0, 3.1)),
        ("n-se:road n-s:road ne-sw:road se-ne:road", (0, 3.1)),
        ("n-s:road ne-sw:road s-se:road", (0, -3.1)),
    ],
)
def test_bridge_keeps_its_casing_among_links_that_share_ports(text, gap, render_items):
    """Pass a later link over links that others join; its casing stays dark on both sides."""
    plot = PLOTS["hex"]
    at = plot.centre + Point(*gap)
    pixels = render_items(
        drawing(text, "hex", 3.0).items, (at.x - 0.05, at.y - 1.6, 0.1, 3.2), 508
    )[:, 0]
    dark = (pixels[:, :3].sum(axis=1) < 250) | (pixels[:, 3] < 128)
    assert dark.any()
    middle = render_items(
        drawing(text, "hex", 3.0).items, (plot.centre.x - 0.1, plot.centre.y - 0.1, 0.2, 0.2), 254
    )[0, 0]
    assert tuple(middle[:3]) == (0xE0, 0xA0, 0x40)
