"""Test Hoses and Hydrants as a player gets it, read back from its sheets."""

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from generator.picture.items import PlacedArt, walk
from generator.pipeline.project import BuildRequest, Project
from tests.tools.read_pdf import read, render

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
TRIM = 36.0
BLEED = 2.0
PACK = Path(__file__).parents[2] / "templates" / "hoses-and-hydrants"


def tile_rows():
    return list(csv.DictReader((PACK / "tiles.csv").read_text("utf-8").splitlines()))


@pytest.fixture(params=PAPERS)
def paper(request):
    return request.param


@pytest.fixture
def file(hoses, paper):
    return hoses / f"hoses-and-hydrants-2-sheets-{paper}.pdf"


@pytest.fixture
def sheets_on_a4(hoses):
    """Return one of the files: the pixels of a tile do not depend on its paper."""
    return hoses / "hoses-and-hydrants-2-sheets-a4.pdf"


def test_two_double_sided_sheets_hold_28_tiles_each(file, paper):
    pages = read(file)
    assert len(pages) == 4
    for page in pages:
        assert (round(page.width, 2), round(page.height, 2)) == PAPERS[paper]
        assert len(page.forms) == 28
    assert [page.label for page in pages] == ["1 front", "1 back", "2 front", "2 back"]


def test_each_tile_is_printed_as_often_as_its_table_says(file):
    rows = tile_rows()
    assert sum(int(row["count"]) for row in rows) == 56
    pages = read(file)
    for sides in (pages[0::2], pages[1::2]):
        copies = [form.form for page in sides for form in page.forms]
        times = [copies.count(form) for form in dict.fromkeys(copies)]
        assert sorted(times) == sorted(int(row["count"]) for row in rows)


def test_each_face_is_stored_once(file):
    forms = {form.form for page in read(file) for form in page.forms}
    rows = tile_rows()
    assert len(forms) <= 2 * len(rows)
    assert len(forms) >= len(rows)


def test_every_back_lies_behind_its_front(file, paper):
    pages = read(file)
    for front, back in zip(pages[0::2], pages[1::2], strict=True):
        behind = {(round(PAPERS[paper][0] - form.x, 2), round(form.y, 2)) for form in back.forms}
        for form in front.forms:
            distance = min(np.hypot(form.x - x, form.y - y) for x, y in behind)
            assert distance <= 0.01


def test_back_is_the_mirror_image_of_its_front(sheets_on_a4):
    """Mirror the back page, as it appears when the sheet is held to the light, and compare the tiles."""
    for number in (0, 2):
        front = render(sheets_on_a4, number, 150)
        back = render(sheets_on_a4, number + 1, 150)[:, ::-1]
        for form in read(sheets_on_a4)[number].forms:
            box = _pixels(form, 150, TRIM)
            there = front[box]
            here = back[box]
            assert np.mean(np.abs(there - here) > 60) < 0.01
            assert there.std() > 20, "there is a picture to compare"


def test_fronts_are_not_their_own_mirror_image(sheets_on_a4):
    """Make sure that the test above can fail."""
    front = render(sheets_on_a4, 0, 100)
    forms = read(sheets_on_a4)[0].forms
    turned = [
        np.mean(np.abs(front[_pixels(f, 100, TRIM)] - front[_pixels(f, 100, TRIM)][:, ::-1]) > 60)
        for f in forms
    ]
    assert sum(share > 0.05 for share in turned) > 5


def test_tiles_lie_edge_to_edge_with_bleed_around_the_whole(file, paper):
    """Compare the distances of four columns and seven rows with the size of a tile."""
    for page in read(file):
        lefts = sorted({round(left, 2) for left, _ in corners(page)})
        tops = sorted({round(top, 2) for _, top in corners(page)})
        assert np.diff(lefts) == pytest.approx([TRIM] * 3, abs=0.01)
        assert np.diff(tops) == pytest.approx([TRIM] * 6, abs=0.01)
        for at, size in ((lefts, 0), (tops, 1)):
            assert at[0] >= 7
            assert at[-1] + TRIM <= PAPERS[paper][size] - 7
        ink = [(form.x - form.w / 2, form.x + form.w / 2) for form in page.forms]
        assert min(left for left, _ in ink) <= lefts[0] - BLEED + 0.01
        assert max(right for _, right in ink) >= lefts[-1] + TRIM + BLEED - 0.01


def corners(page):
    """Return the top left corner of each tile."""
    return [(form.x - TRIM / 2, form.y - TRIM / 2) for form in page.forms]


def test_crosses_mark_shared_corners_and_ticks_mark_every_cut(file):
    """Find two short lines that cross at each corner of four tiles, on fronts and backs.

    Find ticks on every cut, outside the bleed.
    """
    for page in read(file):
        lefts, tops = (
            {round(item, 3) for item in ones} for ones in zip(*corners(page), strict=True)
        )
        inner = {(x, y) for x in sorted(lefts)[1:] for y in sorted(tops)[1:]}
        assert len(inner) == 18
        short = [s for s in page.strokes if 2 < np.hypot(s.x2 - s.x1, s.y2 - s.y1) < 4]
        for x, y in inner:
            here = [
                s for s in short if np.hypot((s.x1 + s.x2) / 2 - x, (s.y1 + s.y2) / 2 - y) < 0.02
            ]
            assert sorted(abs(s.x1 - s.x2) < 0.01 for s in here) == [False, True], (x, y)
        for x in (*lefts, max(lefts) + TRIM):
            ticks = [s for s in page.strokes if abs(s.x1 - x) < 0.02 and abs(s.x2 - x) < 0.02]
            assert any(max(s.y1, s.y2) < min(tops) - BLEED for s in ticks)
            assert any(min(s.y1, s.y2) > max(tops) + TRIM + BLEED for s in ticks)


@pytest.mark.parametrize("number", range(4))
def test_colours_are_equal_on_both_sides_of_every_cut(sheets_on_a4, number):
    """Compare colours 0.4 mm on either side, so that an inexact cut shows no other hose."""
    dpi = 200
    picture = render(sheets_on_a4, number, dpi)
    off = round(0.4 / 25.4 * dpi)
    differing_shares = []
    for left, top in corners(read(sheets_on_a4)[number]):
        for x, y, across in ((left, top + 6, True), (left + 6, top, False)):
            u = round(x / 25.4 * dpi)
            v = round(y / 25.4 * dpi)
            length = round((TRIM - 12) / 25.4 * dpi)
            one, other = (
                (picture[v : v + length, u - off], picture[v : v + length, u + off])
                if across
                else (picture[v - off, u : u + length], picture[v + off, u : u + length])
            )
            if other.min() < 255 and one.min() < 250 and one.mean() < 250:
                differing_shares.append(np.mean(np.abs(one - other).max(axis=-1) > 90))
    assert len(differing_shares) >= 45
    assert max(differing_shares) < 0.12


def test_pdf_asks_for_actual_size_and_long_edge_flip(file):
    import pikepdf

    with pikepdf.open(file) as pdf:
        options = pdf.Root.ViewerPreferences
        assert options.PrintScaling == "/None"
        assert options.Duplex == "/DuplexFlipLongEdge"
        assert options.PickTrayByPDFSize
        assert str(pdf.docinfo["/Title"]) == "Hoses and Hydrants 2 – sheets"
        for page in pdf.pages:
            assert page.TrimBox == page.MediaBox


def test_footers_name_game_sheet_side_and_settings(file):
    pages = read(file)
    for number, page in enumerate(pages):
        side = "back" if number % 2 else "front"
        assert f"Hoses and Hydrants 2 · Tiles · sheet {number // 2 + 1} of 2 · {side}" in page.text
        assert "100 %" in page.text
        assert "flip on the long edge" in page.text
    assert "100 mm" in pages[0].text
    assert "4 in" in pages[0].text


def test_ruler_is_100_mm_long(file):
    """Measure the longest stroke of each front."""
    for page in read(file)[0::2]:
        longest = max(np.hypot(s.x2 - s.x1, s.y2 - s.y1) for s in page.strokes)
        assert longest >= 100 - 0.05


def _pixels(form, dpi, size):
    scale = dpi / 25.4
    left = (form.x - size / 2) * scale
    top = (form.y - size / 2) * scale
    return slice(round(top), round(top + size * scale)), slice(
        round(left), round(left + size * scale)
    )


def test_all_medallions_have_one_size():
    """Measure the art of every firefighter and hydrant on both sides of the tiles."""
    (tiles,) = Project(BuildRequest("hoses-and-hydrants")).components
    medallions = Counter(
        (Path(item.art.name).stem, round(item.box.w, 2), round(item.box.h, 2))
        for face in tiles.faces
        for item, _ in walk(face.items)
        if isinstance(item, PlacedArt) and Path(item.art.name).stem != "ground"
    )
    # Eight designs of firefighters and of hydrants, each with two sides.
    assert medallions == {("firefighter", 14, 14): 16, ("hydrant", 14, 14): 16}


def test_medallions_differ_in_shape_and_colour():
    """Compare the round yellow medallion of a firefighter with the square blue one of a hydrant."""
    art = PACK / "art"
    raster = Project(BuildRequest("hoses-and-hydrants")).raster
    pictures = [
        np.asarray(raster.svg((art / f"{name}.svg").read_text("utf-8"), 100, 100)).astype(int)
        for name in ("firefighter", "hydrant")
    ]
    fire, hydrant = pictures
    near_corner = (13, 13)
    assert fire[near_corner][3] < 20, "a circle leaves its corners empty"
    assert hydrant[near_corner][3] > 240, "a square does not"
    yellow = fire[50, 6]
    blue = hydrant[50, 13]
    assert yellow[0] - yellow[2] > 100
    assert blue[2] - blue[0] > 80
