"""Write the sheets of the random deck by hand on ReportLab's canvas, without reading or checking any pack.

`python -m tests.benchmarks.baseline DESIGNS COPIES FOLDER` writes a file for A4 and one for Letter. Each icon, each
card and the marks of all pages are forms. Streams are compressed and not written as text (`useA85`).
"""

import sys
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.benchmarks.random_deck import Card, cards, icons

FONTS = Path(__file__).parents[2] / "fonts"
INK = (0.15, 0.19, 0.23)
PAPER = (0.98, 0.96, 0.92)
ACCENT = (0.71, 0.33, 0.16)
rl_config.useA85 = 0
W = 63.5 * mm
H = 88.9 * mm
ACROSS = 3
DOWN = 3


def draw_icon(canvas, curves):
    path = canvas.beginPath()
    path.moveTo(curves[-1][2][0], 100 - curves[-1][2][1])
    for places in curves:
        path.curveTo(*(number for x, y in places for number in (x, 100 - y)))
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def place_icon(canvas, number, x, y, size, colour):
    canvas.saveState()
    canvas.setFillColorRGB(*colour)
    canvas.translate(x * mm - size * mm / 2, H - y * mm - size * mm / 2)
    canvas.scale(size * mm / 100, size * mm / 100)
    canvas.doForm(f"icon{number}")
    canvas.restoreState()


def draw_front(canvas, card: Card):
    canvas.setFillColorRGB(*PAPER)
    canvas.rect(0, 0, W, H, stroke=0, fill=1)
    canvas.setStrokeColorRGB(*INK)
    canvas.setLineWidth(0.6 * mm)
    canvas.roundRect(4 * mm, 4 * mm, W - 8 * mm, H - 8 * mm, 2.5 * mm)
    canvas.setFillColorRGB(*INK)
    canvas.setFont("title", 13)
    canvas.drawCentredString(W / 2, H - 12 * mm, card.title)
    for number, x, colour in zip(card.icons, (16, 31.75, 47.5), (INK, ACCENT, INK), strict=True):
        place_icon(canvas, number, x, 30, 14, colour)
    canvas.setFont("body", 10)
    for at, line in enumerate(simpleSplit(card.text, "body", 10, 47.5 * mm)):
        canvas.drawString(8 * mm, H - (49 + 4.2 * at) * mm, line)


def draw_back(canvas):
    canvas.setFillColorRGB(*INK)
    canvas.rect(0, 0, W, H, stroke=0, fill=1)
    place_icon(canvas, 0, 31.75, 44.45, 30, PAPER)


def draw_marks(canvas, left, below):
    canvas.setLineWidth(0.15 * mm)
    for column in range(ACROSS + 1):
        for row in range(DOWN + 1):
            x = left + column * W
            y = below + row * H
            canvas.line(x - 2 * mm, y, x + 2 * mm, y)
            canvas.line(x, y - 2 * mm, x, y + 2 * mm)


def draw_sheets(file, paper, designs, copies):
    canvas = Canvas(file, pagesize=paper, invariant=1)
    for number, curves in enumerate(icons()):
        canvas.beginForm(f"icon{number}", 0, 0, 100, 100)
        draw_icon(canvas, curves)
        canvas.endForm()
    for number, card in enumerate(cards(designs)):
        canvas.beginForm(f"front{number}", 0, 0, W, H)
        draw_front(canvas, card)
        canvas.endForm()
    canvas.beginForm("back", 0, 0, W, H)
    draw_back(canvas)
    canvas.endForm()
    left = (paper[0] - ACROSS * W) / 2
    below = (paper[1] - DOWN * H) / 2
    canvas.beginForm("marks", 0, 0, *paper)
    draw_marks(canvas, left, below)
    canvas.endForm()
    pieces = [number for number in range(designs) for _ in range(copies)]
    for first in range(0, len(pieces), ACROSS * DOWN):
        for side in ("front{}", "back"):
            for at, number in enumerate(pieces[first : first + ACROSS * DOWN]):
                canvas.saveState()
                canvas.translate(left + at % ACROSS * W, below + at // ACROSS * H)
                canvas.doForm(side.format(number))
                canvas.restoreState()
            canvas.doForm("marks")
            canvas.setFont("body", 7)
            canvas.drawString(20 * mm, 4 * mm, f"Random deck 1, sheet {first // 9 + 1}")
            canvas.showPage()
    canvas.save()


def main(designs, copies, folder):
    pdfmetrics.registerFont(TTFont("title", str(next(FONTS.rglob("AlegreyaSC-Bold.ttf")))))
    pdfmetrics.registerFont(TTFont("body", str(next(FONTS.rglob("Alegreya-Regular.ttf")))))
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, paper in (("a4", A4), ("letter", letter)):
        draw_sheets(str(Path(folder) / f"baseline-{name}.pdf"), paper, int(designs), int(copies))


if __name__ == "__main__":
    main(*sys.argv[1:])
