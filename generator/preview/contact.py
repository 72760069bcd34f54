"""A contact sheet: every design of a component with its title, id and count, on one picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw, ImageFont

from generator.core.fonts import FontSet
from generator.core.geometry import Rect
from generator.core.units import MM_PER_INCH, pixels
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.picture.face import Face
from generator.picture.raster import Rasteriser

PAPER = "#ffffff"
INK = "#202428"
PALE = "#6a737b"
GAP = 4.0
"""mm between pictures."""

SMALLEST = 0.6
"""How much smaller a long title or id is set before it is cut."""

MOST_PIXELS = 40_000_000
"""Of a whole sheet: a component of many designs is shown smaller, not in a picture that nobody can open."""


@dataclass(frozen=True)
class _Cell:
    """What one picture takes, in pixels."""

    width: int
    height: int
    gap: int
    text: int

    @property
    def step(self) -> tuple[int, int]:
        return self.width + self.gap, self.height + self.gap + 2 * self.text


def contact_sheet(component: DrawnComponent, fonts: FontSet, raster: Rasteriser, dpi: float, side: str) -> Image.Image:
    """The fronts (or backs) of all designs, row by row, each as it is cut out."""
    size = component.spec.outline.size
    dpi = min(dpi, _most_dpi(component))
    cell = _Cell(pixels(size.w, dpi), pixels(size.h, dpi), pixels(GAP, dpi), max(12, pixels(3.2, dpi)))
    outline = component.spec.outline if side == "front" else component.spec.behind
    faces = [(design, face.cut(outline)) for design in component.designs if (face := _face(design, side))]
    columns = max(1, min(len(faces), ceil(sqrt(len(faces) * cell.step[1] / cell.step[0]))))
    rows = ceil(len(faces) / columns)
    sheet = Image.new("RGB", (columns * cell.step[0] + cell.gap, rows * cell.step[1] + cell.gap), PAPER)
    names = ImageFont.truetype(str(fonts.find("Alegreya Sans", 700).path), cell.text)
    for index, (design, face) in enumerate(faces):
        left = cell.gap + index % columns * cell.step[0]
        top = cell.gap + index // columns * cell.step[1]
        picture = raster.face(face, dpi, Rect(0, 0, *size)).resize((cell.width, cell.height))
        sheet.paste(picture, (left, top), picture)
        _caption(sheet, (left, top + cell.height + cell.text // 4), design, names, cell)
    return sheet


def _most_dpi(component: DrawnComponent) -> float:
    width, height = (side + GAP for side in component.spec.outline.size)
    area = width * height * max(1, len(component.designs))
    return MM_PER_INCH * sqrt(MOST_PIXELS / area)


def _face(design: DrawnDesign, side: str) -> Face | None:
    return design.front if side == "front" else design.back


def _caption(
    sheet: Image.Image, at: tuple[int, int], design: DrawnDesign, font: ImageFont.FreeTypeFont, cell: _Cell
) -> None:
    """The design's title at the left and its count at the right, its id below."""
    draw = ImageDraw.Draw(sheet)
    times = f"× {design.count}"
    _line(draw, at, design.title, font, cell.width - draw.textlength(times, font) - cell.text / 2, INK)
    draw.text((at[0] + cell.width, at[1]), times, PALE, font, anchor="ra")
    if design.title != design.id:
        _line(draw, (at[0], at[1] + cell.text), design.id, font, cell.width, PALE)


def _line(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    font: ImageFont.FreeTypeFont,
    room: float,
    colour: str,
) -> None:
    """A text from its top left; a long one is set smaller, and cut when it is too long."""
    smaller = font.font_variant(size=max(SMALLEST, min(1.0, room / font.getlength(text))) * font.size)
    draw.text((at[0], at[1] + font.size), _cut(text, smaller, room), colour, smaller, anchor="ls")


def _cut(text: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    if font.getlength(text) <= room:
        return text
    kept: Sequence[str] = [text[:n] + "…" for n in range(len(text), 0, -1) if font.getlength(text[:n] + "…") <= room]
    return kept[0] if kept else "…"
