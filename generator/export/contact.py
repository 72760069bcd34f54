"""Draw a contact sheet: every design of a component with its title, id and count."""

from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw, ImageFont

from generator.base.fonts import FontSet, missing_letters
from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH, pixels
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.picture.face import Face
from generator.picture.raster import Rasteriser

PAPER = "#ffffff"
INK = "#202428"
PALE = "#6a737b"
# Between pictures.
GAP_MM = 4.0

# The scale to which a long title or id shrinks before it is shortened.
MIN_TEXT_SCALE = 0.6

# Of the whole sheet. Components of many designs are drawn smaller, because huge pictures do not
# open.
MAX_PIXELS = 40_000_000


@dataclass(frozen=True)
class _Cell:
    """Sizes of a cell in pixels."""

    width: int
    height: int
    gap: int
    text: int

    @property
    def step(self) -> tuple[int, int]:
        return self.width + self.gap, self.height + self.gap + 2 * self.text


def draw_contact_sheet(
    component: DrawnComponent, fonts: FontSet, raster: Rasteriser, dpi: float, side: str
) -> Image.Image:
    """Draw the fronts (or backs) of all designs in rows, each cut to its outline."""
    size = component.spec.outline.size
    dpi = min(dpi, _max_dpi(component))
    cell = _Cell(
        pixels(size.w, dpi), pixels(size.h, dpi), pixels(GAP_MM, dpi), max(12, pixels(3.2, dpi))
    )
    outline = component.spec.outline if side == "front" else component.spec.behind
    faces = [
        (design, face.cut(outline)) for design in component.designs if (face := _face(design, side))
    ]
    columns = max(1, min(len(faces), ceil(sqrt(len(faces) * cell.step[1] / cell.step[0]))))
    rows = ceil(len(faces) / columns)
    sheet = Image.new(
        "RGB", (columns * cell.step[0] + cell.gap, rows * cell.step[1] + cell.gap), PAPER
    )
    names = _CaptionFonts(fonts, cell.text)
    for index, (design, face) in enumerate(faces):
        left = cell.gap + index % columns * cell.step[0]
        top = cell.gap + index // columns * cell.step[1]
        picture = raster.face(face, dpi, Rect(0, 0, *size)).resize((cell.width, cell.height))
        sheet.paste(picture, (left, top), picture)
        _caption(sheet, (left, top + cell.height + cell.text // 4), design, names, cell)
    return sheet


@dataclass(frozen=True)
class _CaptionFonts:
    """The fonts of captions, in one size in pixels."""

    fonts: FontSet
    size: int

    def font_for(self, text: str) -> ImageFont.FreeTypeFont:
        """Return the usual font, or the one of the game that lacks the fewest characters of a text."""
        usual = self.fonts.find("Alegreya Sans", 700)
        lacks = {usual: len(missing_letters(text, usual))}
        if lacks[usual]:
            lacks |= {file: len(missing_letters(text, file)) for file in self.fonts.files}
        file = min(lacks, key=lambda file: lacks[file])
        return ImageFont.truetype(str(file.path), self.size)


def _max_dpi(component: DrawnComponent) -> float:
    """Return the resolution at which the sheet has `MAX_PIXELS`."""
    width, height = (side + GAP_MM for side in component.spec.outline.size)
    area = width * height * max(1, len(component.designs))
    return MM_PER_INCH * sqrt(MAX_PIXELS / area)


def _face(design: DrawnDesign, side: str) -> Face | None:
    return design.front if side == "front" else design.back


def _caption(
    sheet: Image.Image,
    at: tuple[int, int],
    design: DrawnDesign,
    fonts: _CaptionFonts,
    cell: _Cell,
) -> None:
    """Draw the title at the left, the count at the right, and the id below."""
    draw = ImageDraw.Draw(sheet)
    font = fonts.font_for("")
    times = f"× {design.count}"
    room = cell.width - draw.textlength(times, font) - cell.text / 2
    _line(draw, at, design.title, fonts.font_for(design.title), room, INK)
    draw.text((at[0] + cell.width, at[1]), times, PALE, font, anchor="ra")
    if design.title != design.id:
        below = at[0], at[1] + cell.text
        _line(draw, below, design.id, fonts.font_for(design.id), cell.width, PALE)


def _line(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    font: ImageFont.FreeTypeFont,
    width: float,
    colour: str,
) -> None:
    """Draw a line of text from its top left; shrink a long one, then shorten it."""
    smaller = font.font_variant(
        size=max(MIN_TEXT_SCALE, min(1.0, width / font.getlength(text))) * font.size
    )
    draw.text(
        (at[0], at[1] + font.size), _shorten(text, smaller, width), colour, smaller, anchor="ls"
    )


def _shorten(text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """Return a text with an ellipsis, as long as fits."""
    if font.getlength(text) <= width:
        return text
    shorter = (text[:count] + "…" for count in range(len(text), 0, -1))
    return next((line for line in shorter if font.getlength(line) <= width), "…")
