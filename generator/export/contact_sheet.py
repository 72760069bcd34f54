"""Draw contact sheets: the fronts or backs of all designs of a component in one picture, with their names."""

from bisect import bisect_right
from math import ceil, sqrt

from PIL import Image, ImageDraw, ImageFont

from generator.base.fonts import FontSet, missing_letters
from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH, pixels
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export.face_names import FRONT
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


def draw_contact_sheet(
    component: DrawnComponent, fonts: FontSet, raster: Rasteriser, dpi: float, side: str
) -> Image.Image:
    """Draw the fronts (or backs) of all designs in rows, each cut to its outline."""
    size = component.spec.outline.size
    dpi = min(dpi, _max_dpi(component))
    width, height = (pixels(length, dpi) for length in size)
    gap = pixels(GAP_MM, dpi)
    text_size = max(12, pixels(3.2, dpi))
    # Two lines of text stand below each picture.
    step_x = width + gap
    step_y = height + gap + 2 * text_size
    outline = component.spec.outline if side == FRONT else component.spec.behind
    faces = [
        (design, face.cut(outline)) for design in component.designs if (face := _face(design, side))
    ]
    columns = max(1, min(len(faces), ceil(sqrt(len(faces) * step_y / step_x))))
    rows = ceil(len(faces) / columns)
    sheet = Image.new("RGB", (columns * step_x + gap, rows * step_y + gap), PAPER)
    for index, (design, face) in enumerate(faces):
        left = gap + index % columns * step_x
        top = gap + index // columns * step_y
        picture = raster.face(face, dpi, Rect(0, 0, *size)).resize((width, height))
        sheet.paste(picture, (left, top), picture)
        caption = Rect(left, top + height + text_size // 4, width, text_size)
        _caption(ImageDraw.Draw(sheet), caption, design, fonts)
    return sheet


def _caption_font(fonts: FontSet, text: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the usual font in a size in pixels, or the one of the game that lacks the fewest characters of a text."""
    usual = fonts.find("Alegreya Sans", 700)
    lacks = {usual: len(missing_letters(text, usual))}
    if lacks[usual]:
        lacks |= {file: len(missing_letters(text, file)) for file in fonts.files}
    file = min(lacks, key=lambda file: lacks[file])
    return ImageFont.truetype(str(file.path), size)


def _max_dpi(component: DrawnComponent) -> float:
    """Return the resolution at which the sheet has `MAX_PIXELS`."""
    width, height = (side + GAP_MM for side in component.spec.outline.size)
    area = width * height * max(1, len(component.designs))
    return MM_PER_INCH * sqrt(MAX_PIXELS / area)


def _face(design: DrawnDesign, side: str) -> Face | None:
    return design.front if side == FRONT else design.back


def _caption(draw: ImageDraw.ImageDraw, box: Rect, design: DrawnDesign, fonts: FontSet) -> None:
    """Draw the title at the left, the count at the right, and the id below; `box` is that of the first line."""
    size = int(box.h)
    font = _caption_font(fonts, "", size)
    times = f"× {design.count}"
    available = box.w - draw.textlength(times, font) - size / 2
    _line(
        draw, (box.x, box.y), design.title, _caption_font(fonts, design.title, size), available, INK
    )
    draw.text((box.right, box.y), times, PALE, font, anchor="ra")
    if design.title != design.id:
        below = (box.x, box.bottom)
        _line(draw, below, design.id, _caption_font(fonts, design.id, size), box.w, PALE)


def _line(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    font: ImageFont.FreeTypeFont,
    width: float,
    colour: str,
) -> None:
    """Draw a line of text from its top left; shrink a long one, then shorten it."""
    line = " ".join(text.splitlines())
    length = font.getlength(line)
    scale = max(MIN_TEXT_SCALE, width / length) if length > width else 1.0
    smaller = font.font_variant(size=scale * font.size)
    shortened = _shorten(line, smaller, width)
    draw.text((at[0], at[1] + font.size), shortened, colour, smaller, anchor="ls")


def _shorten(text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """Return a text with an ellipsis, as long as fits."""
    if font.getlength(text) <= width:
        return text
    # A title may be as long as a book, so the largest number of characters that fits is bisected.
    count = bisect_right(
        range(1, len(text) + 1), width, key=lambda count: font.getlength(text[:count] + "…")
    )
    return text[:count] + "…"
