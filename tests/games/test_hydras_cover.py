"""Test the necks on the booklet's covers: each starts at the body and ends in its own head."""

import math
import re
from pathlib import Path

import pytest

from generator.base.paths import read_path

THEME = Path(__file__).parents[2] / "templates" / "hydras" / "art" / "theme"
PATHS = re.compile(r"<path [^>]*/>")
Place = tuple[float, float]


def necks(picture: str) -> list[str]:
    """Return the SVG of each neck with its head, in drawing order."""
    starts = [match.start() for match in re.finditer(r'<g id="neck-\d+">', picture)]
    return [picture[start : _end(picture, start)] for start in starts]


def _end(picture: str, start: int) -> int:
    depth = 0
    for tag in re.finditer(r"<g\b|</g>", picture[start:]):
        depth += 1 if tag[0] == "<g" else -1
        if depth == 0:
            return start + tag.end()
    raise AssertionError("a group is not closed")


def outline_of(neck: str) -> tuple[Place, Place, float]:
    """Return the middle of a neck's foot, the middle of its end, and its slope there in degrees."""
    # The outline is the first filled path of a single part with a stroke: up one side, across the
    # end, down the other.
    skins = (
        read_path(path["d"])
        for path in (dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) for tag in PATHS.findall(neck))
        if path.get("fill", "none") != "none" and "stroke" in path
    )
    (edges,) = next(parts for parts in skins if len(parts) == 1)
    across = next(edge for edge in edges if not edge.handles)
    foot = _middle(edges[0].a, edges[-1].a if edges[-1].b == edges[0].a else edges[-1].b)
    slope = math.atan2(across.b[1] - across.a[1], across.b[0] - across.a[0])
    return foot, _middle(across.a, across.b), math.degrees(slope) - 90


def _middle(a: Place, b: Place) -> Place:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


@pytest.mark.parametrize(("name", "count"), [("cover", 7), ("back", 4), ("first", 2)])
def test_every_neck_ends_in_its_own_head(name: str, count: int) -> None:
    """Compare the end and the slope of each neck with the place and turn of its head."""
    necks_with_heads = necks((THEME / f"{name}.svg").read_text("utf-8"))
    assert len(necks_with_heads) == count
    for neck in necks_with_heads:
        _, end, direction = outline_of(neck)
        head = re.search(r'<g transform="translate\((\S+) (\S+)\) rotate\((\S+)\) scale', neck)
        assert head, "a neck without a head"
        x, y, turn = map(float, head.groups())
        assert math.dist((x, y), end) < 0.3
        assert abs((direction - turn + 90) % 180 - 90) < 20


def test_every_neck_on_the_cover_starts_behind_the_body() -> None:
    """Compare the foot of each neck with the circle of the body, which is drawn later."""
    picture = (THEME / "cover.svg").read_text("utf-8")
    body = max(
        re.finditer(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" fill="#2f5443"', picture),
        key=lambda circle: float(circle[3]),
    )
    x, y, radius = map(float, body.groups())
    for neck in necks(picture):
        foot, _, _ = outline_of(neck)
        assert math.dist(foot, (x, y)) < radius - 8
        assert picture.index(neck) < body.start()


def test_cover_is_small() -> None:
    """Limit the size, since every release and the wheel contain the cover; it once had 173 kB."""
    assert (THEME / "cover.svg").stat().st_size < 80_000
