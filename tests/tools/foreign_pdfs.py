"""Make print-and-play files as other people publish them, each laid out in another way.

Each maker returns a `ForeignFile`: the PDF and the pieces that it holds. Nothing here imports from `generator`.
"""

import io
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pikepdf
import typst
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4
POKER = (63.5, 88.9)
NAMES = [
    a + b
    for a in ("Fox", "Owl", "Elk", "Bee", "Cod", "Hen", "Ant", "Ram")
    for b in ("red", "blue", "grey")
]


@dataclass
class ForeignFile:
    """A PDF with the size of its pieces in mm, and perhaps a second PDF with backs.

    `words` has the word on the front and on the back of each piece.
    """

    path: Path
    size: tuple[float, float]
    words: list[tuple[str, str]]
    backs: Path | None = None
    options: list[str] = field(default_factory=list)


def colour(name: str) -> tuple[float, float, float]:
    return 0.3 + 0.6 * share(name, 0), 0.3 + 0.6 * share(name, 1), 0.3 + 0.6 * share(name, 2)


def share(name: str, index: int) -> float:
    """Return a number between 0 and 1 derived from a name."""
    return sha256(name.encode()).digest()[index] / 255


def card(
    canvas: Canvas,
    x: float,
    y: float,
    w: float,
    h: float,
    word: str,
    bleed: float = 0.0,
    frame: bool = True,
):
    """Draw a card with its lower left corner at x, y in points, and with a frame along its trim unless disabled."""
    canvas.setFillColorRGB(*colour(word))
    canvas.rect(x - bleed, y - bleed, w + 2 * bleed, h + 2 * bleed, stroke=0, fill=1)
    if frame:
        canvas.rect(x, y, w, h, stroke=1, fill=0)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.roundRect(x + 5 * MM, y + 5 * MM, w - 10 * MM, h / 3, 3 * MM, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(x + 7 * MM, y + h - 12 * MM, word)
    canvas.circle(x + w * (0.3 + 0.4 * share(word, 3)), y + h * 0.55, 6 * MM, stroke=1, fill=0)


def places(page, size, columns, rows, gap=0.0):
    """Return the lower left corners, in points, of a grid in the middle of a page, row by row from the top."""
    w = size[0] * MM
    h = size[1] * MM
    x = (page[0] - columns * w - (columns - 1) * gap * MM) / 2
    y = (page[1] - rows * h - (rows - 1) * gap * MM) / 2
    return [
        (x + column * (w + gap * MM), y + row * (h + gap * MM))
        for row in reversed(range(rows))
        for column in range(columns)
    ]


def touching(folder: Path) -> ForeignFile:
    """Write 3 x 3 framed cards on Letter without gaps; every second page has their common back."""
    path = folder / "touching.pdf"
    words = []
    canvas = Canvas(str(path), pagesize=letter)
    w = POKER[0] * MM
    h = POKER[1] * MM
    for start in (0, 9):
        spots = places(letter, POKER, 3, 3)
        for (x, y), name in zip(spots, NAMES[start : start + 9], strict=False):
            card(canvas, x, y, w, h, name)
            words.append((name, "Back"))
        canvas.showPage()
        for x, y in spots:
            card(canvas, x, y, w, h, "Back")
        canvas.showPage()
    canvas.save()
    return ForeignFile(path, POKER, words)


def gaps(folder: Path) -> ForeignFile:
    """Write 2 x 2 tarot cards on A4 with 3 mm of bleed and corner marks: all fronts, then the mirrored backs."""
    path = folder / "gaps.pdf"
    size = (70.0, 120.0)
    words = []
    canvas = Canvas(str(path), pagesize=A4)
    w = size[0] * MM
    h = size[1] * MM
    spots = places(A4, size, 2, 2, 8.0)

    def marks(x, y):
        for at in (x, x + w):
            for a, b in ((y - 3.5 * MM, y - 6 * MM), (y + h + 3.5 * MM, y + h + 6 * MM)):
                canvas.line(at, a, at, b)
        for at in (y, y + h):
            for a, b in ((x - 3.5 * MM, x - 6 * MM), (x + w + 3.5 * MM, x + w + 6 * MM)):
                canvas.line(a, at, b, at)

    fronts = [NAMES[0:4], NAMES[4:7]]
    canvas.setLineWidth(0.3)
    for names in fronts:
        for (x, y), name in zip(spots, names, strict=False):
            card(canvas, x, y, w, h, name, 3 * MM, frame=False)
            marks(x, y)
            words.append((name, f"of {name}"))
        canvas.showPage()
    for names in fronts:
        for (x, y), name in zip(spots, names, strict=False):
            card(canvas, A4[0] - x - w, y, w, h, f"of {name}", 3 * MM, frame=False)
            marks(A4[0] - x - w, y)
        canvas.showPage()
    canvas.save()
    return ForeignFile(path, size, words)


def gutterfold(folder: Path) -> ForeignFile:
    """Write four fronts on landscape A4 above a dashed fold line, and their backs upside down below."""
    path = folder / "gutterfold.pdf"
    size = (63.0, 88.0)
    words = []
    page = (A4[1], A4[0])
    canvas = Canvas(str(path), pagesize=page)
    w = size[0] * MM
    h = size[1] * MM
    x0 = (page[0] - 4 * w) / 2
    middle = page[1] / 2
    for index, name in enumerate(NAMES[:4]):
        card(canvas, x0 + index * w, middle + 5 * MM, w, h, name)
        canvas.saveState()
        canvas.translate(x0 + index * w + w, middle - 5 * MM)
        canvas.rotate(180)
        card(canvas, 0, 0, w, h, f"of {name}")
        canvas.restoreState()
        words.append((name, f"of {name}"))
    canvas.setDash(4, 3)
    canvas.line(0, middle, page[0], middle)
    canvas.save()
    return ForeignFile(path, size, words)


def pictures(folder: Path) -> ForeignFile:
    """Write 3 x 2 touching square tiles as one picture of 300 dpi, and a second page with their backs."""
    path = folder / "pictures.pdf"
    size = (63.5, 63.5)
    dots = 750
    canvas = Canvas(str(path), pagesize=A4)
    tiles = NAMES[:6]
    for words in (tiles, ["Back"] * 6):
        image = Image.new("RGB", (2480, 3508), "white")
        draw = ImageDraw.Draw(image)
        for index, word in enumerate(words):
            x = 115 + index % 3 * dots
            y = 400 + index // 3 * dots
            ground = tuple(round(255 * part) for part in colour(word))
            draw.rectangle((x, y, x + dots - 1, y + dots - 1), fill=ground)
            for at in (4, 6, 8):
                a, b = (
                    place + 60 + share(word, at + way) * (dots - 320)
                    for way, place in enumerate((x, y))
                )
                draw.ellipse(
                    (a, b, a + 200, b + 200), fill=(round(255 * share(word, at)), 255 - 25 * at, 60)
                )
        data = io.BytesIO()
        image.save(data, "JPEG", quality=90, dpi=(300, 300))
        canvas.drawImage(ImageReader(data), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return ForeignFile(path, size, [(word, "Back") for word in tiles])


def turned(folder: Path) -> ForeignFile:
    """Write pages with /Rotate and a crop box; every second page has a different back for each card."""
    plain = folder / "plain.pdf"
    path = folder / "turned.pdf"
    size = (59.0, 92.0)
    words = []
    page = (A4[1], A4[0])
    canvas = Canvas(str(plain), pagesize=page)
    w = size[0] * MM
    h = size[1] * MM
    spots = places(page, size, 4, 2, 2.0)
    for start in (0, 8):
        names = NAMES[start : start + (8 if start == 0 else 3)]
        for (x, y), name in zip(spots, names, strict=False):
            card(canvas, x, y, w, h, name)
            words.append((name, f"of {name}"))
        canvas.showPage()
        for (x, y), name in zip(spots, names, strict=False):
            card(canvas, page[0] - x - w, y, w, h, f"of {name}")
        canvas.showPage()
    canvas.save()
    with pikepdf.open(plain) as pdf:
        for sheet in pdf.pages:
            content = (
                b"q 0 1 -1 0 %d 0 cm\n" % round(page[1]) + sheet.Contents.read_bytes() + b"\nQ"
            )
            sheet.Contents = pdf.make_stream(content)
            sheet.MediaBox = [-20, -20, round(page[1]) + 20, page[0] + 20]
            sheet.CropBox = [0, 0, round(page[1]), page[0]]
            sheet.Rotate = 90
        pdf.save(path)
    return ForeignFile(path, size, words)


def two_files(folder: Path) -> ForeignFile:
    """Write cards typeset as a table on Letter: fronts in one file, their common back in another."""
    path = folder / "fronts.pdf"
    backs = folder / "backs.pdf"
    size = (2.25 * 25.4, 3.5 * 25.4)
    head = '#set page(paper: "us-letter", margin: 0pt)\n#set text(font: "Libertinus Serif")\n'
    cell = "box(width: 2.25in, height: 3.5in, stroke: 0.4pt, inset: 4mm)"

    def table(words):
        cells = ", ".join(f"{cell}[*{word}* #v(2cm) #lorem(8)]" for word in words)
        return f"#place(center + horizon, grid(columns: 3, gutter: 3mm, {cells}))\n"

    pages = [NAMES[:9], NAMES[9:18]]
    for place, content in (
        (path, "#pagebreak()".join(map(table, pages))),
        (backs, table(["Behind"] * 9)),
    ):
        place.with_suffix(".typ").write_text(head + content)
        typst.compile(str(place.with_suffix(".typ")), output=str(place))
    return ForeignFile(path, size, [(name, "Behind") for page in pages for name in page], backs)


def marks_only(folder: Path) -> ForeignFile:
    """Write cards without frames or backs, with cut marks only at the edges of the page."""
    path = folder / "ticks.pdf"
    words = []
    canvas = Canvas(str(path), pagesize=A4)
    w = POKER[0] * MM
    h = POKER[1] * MM
    spots = places(A4, POKER, 3, 3)
    for (x, y), name in zip(spots, NAMES[:9], strict=True):
        canvas.setFont("Times-Roman", 20)
        canvas.drawCentredString(x + w / 2, y + h / 2, name)
        canvas.circle(x + w / 2, y + h / 4, 9 * MM)
        words.append((name, ""))
    left, bottom = spots[6]
    for index in range(4):
        for a, b in (
            (bottom - 7 * MM, bottom - 2 * MM),
            (bottom + 3 * h + 2 * MM, bottom + 3 * h + 7 * MM),
        ):
            canvas.line(left + index * w, a, left + index * w, b)
        for a, b in (
            (left - 7 * MM, left - 2 * MM),
            (left + 3 * w + 2 * MM, left + 3 * w + 7 * MM),
        ):
            canvas.line(a, bottom + index * h, b, bottom + index * h)
    canvas.save()
    return ForeignFile(path, POKER, words)


def panels(folder: Path) -> ForeignFile:
    """Write white cards on Letter, each a coloured panel and corner marks, and one page of backs."""
    path = folder / "panels.pdf"
    words = []
    rim = 4 * MM
    canvas = Canvas(str(path), pagesize=letter)
    w = 63 * MM
    h = 88 * MM
    spots = places(letter, (63, 88), 3, 2, 5.0)
    for page_words in (NAMES[:6], NAMES[6:12], ["Behind"] * 6):
        for (x, y), word in zip(spots, page_words, strict=True):
            card(canvas, x + rim, y + rim, w - 2 * rim, h - 2 * rim, word, frame=False)
            for at in (x, x + w):
                for a, b in ((y, y - 2 * MM), (y + h, y + h + 2 * MM)):
                    canvas.line(at, a, at, b)
            for at in (y, y + h):
                for a, b in ((x, x - 2 * MM), (x + w, x + w + 2 * MM)):
                    canvas.line(a, at, b, at)
            words += [(word, "Behind")] if word != "Behind" else []
        canvas.showPage()
    canvas.save()
    return ForeignFile(path, (63, 88), words)


def one_a_page(folder: Path) -> ForeignFile:
    """Write a page for each side of each card, with bleed and a trim box, as print shops ask for."""
    path = folder / "single.pdf"
    words = []
    w = POKER[0] * MM
    h = POKER[1] * MM
    bleed = 3 * MM
    canvas = Canvas(str(path), pagesize=(w + 2 * bleed, h + 2 * bleed))
    for name in NAMES[:4]:
        for word in (name, "Back"):
            card(canvas, bleed, bleed, w, h, word, bleed, frame=False)
            canvas.showPage()
        words.append((name, "Back"))
    canvas.save()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for page in pdf.pages:
            page.TrimBox = [bleed, bleed, bleed + w, bleed + h]
        pdf.save(path)
    return ForeignFile(path, POKER, words)


def both_ways(folder: Path) -> ForeignFile:
    """Write two upright tarot cards and one on its side on A4, each with a red top; backs on the next page."""
    path = folder / "both.pdf"
    size = (70.0, 120.0)
    words = []
    w = size[0] * MM
    h = size[1] * MM
    canvas = Canvas(str(path), pagesize=A4)

    def headed(x, y, turn, word):
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(turn)
        canvas.setFillColorRGB(0.8, 0.9, 0.8)
        canvas.rect(0, 0, w, h, stroke=0, fill=1)
        canvas.setFillColorRGB(0.9, 0, 0)
        canvas.rect(0, h - 8 * MM, w, 8 * MM, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.setFont("Helvetica", 12 + 8 * share(word, 0))
        canvas.drawString(8 * MM, h / 2, word)
        canvas.restoreState()

    for start in (0, 3):
        names = NAMES[start : start + 3]
        low = 40 * MM
        for index, name in enumerate(names):
            x, y, turn = (25 * MM + index * w, low + w, 0) if index < 2 else (35 * MM + h, low, 90)
            headed(x, y, turn, name)
            words.append((name, "Back"))
        canvas.showPage()
        for number in range(3):
            x, turn = (
                (A4[0] - 25 * MM - (number + 1) * w, 0)
                if number < 2
                else (A4[0] - 35 * MM - h, -90)
            )
            headed(x, low + w, turn, "Back")
        canvas.showPage()
    canvas.save()
    return ForeignFile(path, size, words)


def left_aligned(folder: Path) -> ForeignFile:
    """Write 2 x 2 cards at the left of A4: the columns of the backs are mirrored, but their margin is not."""
    path = folder / "left.pdf"
    words = []
    w = POKER[0] * MM
    h = POKER[1] * MM
    canvas = Canvas(str(path), pagesize=A4)
    for start in (0, 4):
        spots = [(x, y) for y in (40 * MM + h, 40 * MM) for x in (20 * MM, 20 * MM + w)]
        names = NAMES[start : start + 4]
        for (x, y), name in zip(spots, names, strict=True):
            card(canvas, x, y, w, h, name)
            words.append((name, name.upper()))
        canvas.showPage()
        for (x, y), name in zip(spots, [names[at] for at in (1, 0, 3, 2)], strict=True):
            card(canvas, x, y, w, h, name.upper())
        canvas.showPage()
    canvas.save()
    return ForeignFile(path, POKER, words)


_MAKERS = (touching, gaps, gutterfold, pictures, turned, two_files, marks_only, panels, one_a_page)
FOREIGN_FILES = {make.__name__: make for make in _MAKERS}
