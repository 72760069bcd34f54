"""Test that skewed scans are straightened before they are cut."""

import math
import re

import numpy as np
import pypdfium2
import pytest
from PIL import Image, ImageDraw

from tests.tools.foreign_pdfs import Canvas
from tests.tools.read_pdf import read

DPI = 300
SCAN_DPI = 254
PX_PER_MM = DPI / 25.4
CARD = (63.0, 88.0)
# The middles of red squares on each card.
SPOTS = ((6.0, 6.0), (57.0, 6.0), (6.0, 82.0))


def scanned_sheet(path, degrees, ground="white"):
    """Save nine cards on A4, turned clockwise; at 10 pixels per mm all edges are exact."""
    image = Image.new("RGB", (2100, 2970), ground)
    draw = ImageDraw.Draw(image)
    for row in range(3):
        for column in range(3):
            x = 10.5 + CARD[0] * column
            y = 16.5 + CARD[1] * row
            fill = (255, 200 + 5 * row, 150 + 40 * column)
            draw.rectangle(find_pixels(x, y, *CARD), outline="black", width=3, fill=fill)
            for across, down in SPOTS:
                draw.rectangle(
                    find_pixels(x + across - 1.5, y + down - 1.5, 3, 3), fill=(200, 0, 0)
                )
    turned = (
        image.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=ground) if degrees else image
    )
    turned.save(path, **({"resolution": SCAN_DPI} if path.suffix == ".pdf" else {}))
    return path


def find_pixels(x, y, w, h):
    """Return the two opposite corner pixels of a rectangle in mm, both inside."""
    return 10 * x, 10 * y, 10 * (x + w) - 1, 10 * (y + h) - 1


def relay(pnp, path, folder, *more):
    result = pnp("relay", path, "-o", folder, "--paper", "a4", "--marks", "none", *more)
    assert result.exit_code == 0, result.output
    return re.sub(r"\s+", " ", result.output), next(folder.rglob("*-sheets-a4.pdf"))


def find_spots(path):
    """Yield the middles of each card's red squares on the first page, in mm from its trim corner."""
    (page, *_) = read(path)
    document = pypdfium2.PdfDocument(path)
    picture = np.asarray(document[0].render(scale=DPI / 72).to_pil().convert("RGB"))
    document.close()
    for form in page.forms:
        left = form.x - CARD[0] / 2
        top = form.y - CARD[1] / 2
        middles = []
        for across, down in SPOTS:
            x, y = (
                round((start + off - 4) * PX_PER_MM) for start, off in ((left, across), (top, down))
            )
            part = picture[y : y + round(8 * PX_PER_MM), x : x + round(8 * PX_PER_MM)].astype(int)
            weights = np.clip(part[..., 1].max() - part[..., 1], 0, None) * (part[..., 0] > 150)
            middle = [
                (weights.sum(1 - axis) * (np.arange(weights.shape[axis]) + 0.5)).sum()
                / weights.sum()
                for axis in (1, 0)
            ]
            middles.append(((x + middle[0]) / PX_PER_MM - left, (y + middle[1]) / PX_PER_MM - top))
        yield middles


@pytest.mark.parametrize(
    ("degrees", "ground", "grid"),
    [
        (1.0, "white", ("--grid", "3x3")),
        (-0.43, "#f1efe8", ()),
        (2.37, "#d8d8d8", ("--grid", "3x3 of 63 x 88 mm")),
        (0.27, "white", ()),
    ],
)
def test_cards_of_a_skewed_scan_are_straightened_and_in_place(degrees, ground, grid, tmp_path, pnp):
    path = scanned_sheet(tmp_path / "scan.pdf", degrees, ground)
    output, sheets = relay(pnp, path, tmp_path / "out", *grid)
    side = "right" if degrees > 0 else "left"
    assert (
        f"page 1 is a scan that is turned {abs(degrees):.1f} degrees to the {side}: pnp has straightened it"
        in output
    )
    assert "askew" not in output
    cards = list(find_spots(sheets))
    assert len(cards) == 9
    for spots in cards:
        for spot, expected in zip(spots, SPOTS, strict=True):
            assert spot == pytest.approx(expected, abs=0.1)
        (x, y), (far, level), _ = spots
        assert abs(math.degrees(math.atan2(level - y, far - x))) < 0.1


def test_straight_scan_is_not_turned(tmp_path, pnp):
    output, sheets = relay(pnp, scanned_sheet(tmp_path / "scan.pdf", 0.0), tmp_path / "out")
    assert "9 pieces" in output
    assert "turned" not in output
    for spots in find_spots(sheets):
        assert np.array(spots) == pytest.approx(np.array(SPOTS), abs=0.1)


def test_art_with_slanted_lines_is_not_straightened(tmp_path, pnp):
    """Expect full-page art to stay as it is: it has lines in all directions."""
    image = Image.new("RGB", (1240, 1754), "white")
    draw = ImageDraw.Draw(image)
    for number in range(200):
        x = 37 * number % 1240
        y = 59 * number % 1754
        turn = math.radians(2 + 53 * number % 170)
        ends = (x, y, x + 300 * math.cos(turn), y + 300 * math.sin(turn))
        draw.line(ends, fill=(40, 2 * number % 255, 120), width=5)
    draw.rectangle((60, 60, 1180, 1694), outline="black", width=6)
    image.save(tmp_path / "art.pdf", resolution=150)
    result = pnp("relay", tmp_path / "art.pdf", "-o", tmp_path, "--grid", "2x2", "--show")
    assert "page 1" in result.output
    assert "straightened" not in result.output


def test_skewed_picture_on_part_of_a_page_is_reported(tmp_path, pnp):
    scan = tmp_path / "scan.png"
    scanned_sheet(scan, 1.0)
    canvas = Canvas(str(tmp_path / "loose.pdf"), pagesize=(420 * 72 / 25.4, 297 * 72 / 25.4))
    canvas.drawImage(str(scan), 0, 0, 210 * 72 / 25.4, 297 * 72 / 25.4)
    canvas.save()
    result = pnp("relay", tmp_path / "loose.pdf", "-o", tmp_path, "--grid", "3x3", "--show")
    output = re.sub(r"\s+", " ", result.output)
    assert (
        "page 1 is turned 1.0 degrees to the right, so its pieces are crooked; straighten the page first"
        in output
    )
