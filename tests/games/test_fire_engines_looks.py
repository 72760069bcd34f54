"""Test that pieces differ in grey, for colour-blind players, and at their printed size."""

import ctypes
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from generator.base.geometry import Rect
from generator.picture.raster import Rasteriser
from tests.tools.read_pdf import read

GAME = "urban-insanity-fire-engines"
ART = Path(__file__).parents[2] / "templates" / GAME / "art"
KINDS = ("fire-bug", "arsonist", "fire-alarm")
SMALLEST_TEXT_PT = 6.5
DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
"""Matrix of Machado, Oliveira and Fernandes 2009 at full severity, for linear RGB."""
GREEN = (11, 122, 59)
"""Colour of EXIT signs and of nothing else."""


@pytest.fixture(scope="module")
def city(project_of):
    return project_of(GAME)


@pytest.fixture(scope="module")
def raster(city):
    return Rasteriser(city.game.fonts)


@pytest.fixture(scope="module")
def pixels(city, raster):
    """Return a function that gives a piece's front in linear RGB, four pixels per mm."""
    faces = {design.id: design.front for part in city.components for design in part.designs}

    def of(name):
        face = faces[name]
        picture = np.asarray(raster.face(face, 101.6, Rect(0, 0, *face.size)).convert("RGB")) / 255
        return np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)

    return of


@pytest.fixture(scope="module")
def figures(city):
    return city.figures


@pytest.fixture(scope="module")
def exit_tile(city):
    return next(
        design.front for part in city.components for design in part.designs if design.id == "exit"
    )


def lightness(linear):
    """Return the CIE lightness L*."""
    y = linear @ np.array([0.2126, 0.7152, 0.0722])
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


def seen_by_deuteranopes(linear):
    return np.clip(linear @ DEUTERANOPIA.T, 0, 1)


@pytest.mark.parametrize(
    "vision", [lambda linear: linear, seen_by_deuteranopes], ids=["grey", "deuteranopia"]
)
@pytest.mark.parametrize("pair", list(combinations(KINDS, 2)), ids="-".join)
def test_kinds_of_action_cards_differ_in_lightness(pixels, pair, vision):
    """Compare banners and pictures, which differ by a quarter of the scale of lightness."""
    one, other = (lightness(vision(pixels(name))) for name in pair)
    banner = np.s_[4 * 47 : 4 * 54, 4 * 3 : 4 * 54]
    assert abs(np.median(one[banner]) - np.median(other[banner])) >= 25
    picture = np.s_[: 4 * 44]
    assert np.abs(one[picture] - other[picture]).mean() >= 25


@pytest.mark.parametrize("name", ["building", "row", "hydrant-row", "station-end"])
def test_city_blocks_are_darker_than_lawn(pixels, name):
    """Compare the mean lightness, which differs by more than the eight steps of `pnp check`."""
    front = lightness(pixels(name))
    tall = name.endswith("row")
    block = front[4 * 18 : 4 * 22, 4 * 3 : 4 * 6] if tall else front[4 * 1 : 4 * 3, 4 * 10 : 4 * 30]
    lawn = (
        front[4 * 36 : 4 * 39, 4 * 26 : 4 * 38]
        if not tall
        else front[4 * 1 : 4 * 5, 4 * 26 : 4 * 34]
    )
    assert lawn.mean() - block.mean() > 10


@pytest.mark.parametrize(("sign", "x"), [("stop", 20), ("exit", 31.2), ("yield", 31.3)])
def test_signs_are_white_on_a_dark_shape(pixels, sign, x):
    """Count the light and the dark pixels of each sign."""
    front = lightness(pixels(sign))[4 * 17 : 4 * 23, round(4 * (x - 4)) : round(4 * (x + 4))]
    assert (front > 95).mean() > 0.06
    assert (front < 55).mean() > 0.4


def test_letters_on_pieces_are_at_least_6_5_points(printed):
    """Read the sizes of letters in the fonts of the pieces, not in the margins."""
    document = pypdfium2.PdfDocument(printed(GAME) / f"{GAME}-2-sheets-a4.pdf")
    sizes = {}
    for number, page in enumerate(document):
        if document.get_page_label(number) in {"i", "ii"}:
            continue  # the how-to-make pages are set in the type of the rules
        text = page.get_textpage()
        for at in range(text.count_chars()):
            matrix = pdfium.FS_MATRIX()
            pdfium.FPDFText_GetMatrix(text, at, matrix)
            name = ctypes.create_string_buffer(80)
            pdfium.FPDFText_GetFontInfo(text, at, name, 80, None)
            if name.value.split(b"+")[-1].startswith((b"Bungee", b"Fira")):
                size = pdfium.FPDFText_GetFontSize(text, at) * (matrix.c**2 + matrix.d**2) ** 0.5
                sizes.setdefault(round(size, 1), []).append(
                    chr(pdfium.FPDFText_GetUnicode(text, at))
                )
    assert sum(map(len, sizes.values())) > 900
    assert min(sizes) >= SMALLEST_TEXT_PT, sizes[min(sizes)]


@pytest.mark.parametrize(
    ("name", "signs"), [("drive", 3), ("highway", 2), ("mobsters", 1), ("right-of-way", 1)]
)
def test_exit_signs_in_figures_are_not_covered(figures, raster, exit_tile, name, signs):
    """Count the green of EXIT signs, on which no truck, token or arrow may lie."""
    scale = figures[name].piece / exit_tile.size.w
    one = count_exit_pixels(raster.face(exit_tile, 508 * scale))
    assert one > 500
    assert count_exit_pixels(raster.face(figures[name].face, 508)) > 0.95 * signs * one


def count_exit_pixels(picture):
    near = [
        abs(np.asarray(band).astype(np.int16) - level) < 25
        for band, level in zip(picture.convert("RGB").split(), GREEN, strict=True)
    ]
    return np.logical_and.reduce(near).sum()


def test_each_expansion_set_has_a_picture_of_its_own(printed):
    """Find six different pictures in two columns of the last page before the back cover."""
    pictures = sorted(ART.glob("sets/*.svg"))
    assert len(pictures) == 6
    assert len({picture.read_bytes() for picture in pictures}) == 6
    last = read(printed(GAME) / f"{GAME}-2-rules.pdf")[-2]
    large = [form for form in last.forms if form.w > 50]
    assert len({form.form for form in large}) == 6
    assert sorted(Counter(round(form.x) for form in large).values()) == [3, 3]


def test_backs_are_pale(city, raster):
    """Measure the share of full ink: backs of red and of dark blue took more than half of it."""
    backs = {part.spec.id: part.designs[0].back for part in city.components}
    for name in ("stations", "hydrants", "actions", "city"):
        face = backs[name]
        grey = raster.face(face, 101.6, Rect(0, 0, *face.size)).convert("L")
        assert 1 - np.asarray(grey).mean() / 255 < 0.3, name


def test_fire_truck_is_a_dark_silhouette_on_white(city, raster):
    face = next(part for part in city.components if part.spec.id == "truck").designs[0].front
    grey = np.asarray(raster.face(face, 101.6, Rect(0, 0, *face.size)).convert("L"))
    assert min(grey[:6].min(), grey[:, :4].min(), grey[:, -4:].min()) > 250
    for row in grey[52:76]:
        inked = np.flatnonzero(row < 250)
        # Black comes first from the left, for half a millimetre or more.
        assert row[inked[1] : inked[0] + 3].max() < 90
