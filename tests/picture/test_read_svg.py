"""Test that a face in a release is read back from its SVG with all its items."""

import io
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.spill import SpillFile
from generator.draw.art.library import art_from_svg
from generator.picture.face import Face
from generator.picture.images import read_pixels
from generator.picture.items import (
    Box,
    Circle,
    Gradient,
    Group,
    PlacedImage,
    Polygon,
    Shape,
    Stroke,
    fonts_of,
    images_of,
    text_runs,
    words_of,
)
from generator.picture.items import Path as PathData
from generator.picture.read_svg import read_items
from generator.pipeline.project import BuildRequest, Project
from tests.tools.make_face import svg_of

ROOT = Path(__file__).parents[2]
PACKS = sorted(
    path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/data/packs/*/game.yaml")
)
GAMES = sorted(path.parent.name for path in (ROOT / "templates").glob("*/game.yaml"))


def read_back(face):
    """Return the face that is read from the SVG of a face."""

    def read_image(address):
        return read_pixels("an image", b64decode(address.partition(",")[2]), SpillFile())

    return Face(
        read_items(ET.fromstring(svg_of(face)), art_from_svg, read_image, face.label),
        face.size,
        face.bleed,
        face.label,
    )


def font_keys(face):
    return sorted(font.key for font in fonts_of(face))


def check_round_trip(face):
    """Assert that a face read from its SVG has the same SVG, words, runs, fonts and images."""
    back = read_back(face)
    assert svg_of(back) == svg_of(face)
    assert words_of(back) == words_of(face)
    assert [run.text for run in text_runs(back)] == [run.text for run in text_runs(face)]
    assert font_keys(back) == font_keys(face)
    assert [image.key for image in images_of(back)] == [image.key for image in images_of(face)]


@pytest.mark.parametrize("pack", PACKS + [f"templates/{name}" for name in GAMES])
def test_faces_of_a_pack_survive_a_round_trip_through_svg(pack):
    faces = Project(BuildRequest(str(ROOT / pack))).faces.values()
    assert faces
    for face in faces:
        check_round_trip(face)


def image_of(width, height):
    """Return a stored PNG in two colours."""
    png = io.BytesIO()
    picture = Image.new("RGB", (width, height), "red")
    picture.paste("blue", (0, 0, width // 2, height))
    picture.save(png, "PNG")
    return read_pixels("an image", png.getvalue(), SpillFile())


FADING = Gradient(((0.0, "#ff0000"), (1.0, "#0000ff80")), 0.6, 0.8)
DASHED = Stroke(0.4, "#00ff00", "round", "bevel", (2.0, 1.0), 0.5)


@pytest.mark.parametrize(
    "item",
    [
        Shape(Box(Rect(1, 2, 3, 4), 0.5), FADING),
        Shape(Circle(Point(5, 5), 2), Gradient(((0.0, "#ffffff"), (1.0, "#000000")), 0, 0), DASHED),
        Shape(Polygon((Point(0, 0), Point(9, 0), Point(0, 9))), "none", DASHED),
        Shape(PathData("M0 0h9v9z"), "#12345678"),
        Group(
            (Shape(Box(Rect(0, 0, 9, 9)), "#ff0000"),), Affine(0, 1, -1, 0, 9, 0), "M0 0h5v5z", 0.5
        ),
        PlacedImage(image_of(8, 4), Rect(1, 2, 6, 6), "cover", "left"),
    ],
    ids=[
        "a gradient across",
        "a gradient outwards",
        "a dashed line",
        "a path",
        "a group",
        "an image",
    ],
)
def test_item_survives_a_round_trip_through_svg(item):
    check_round_trip(Face((item,), Size(10, 10), 1.0, "a face"))
