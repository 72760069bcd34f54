"""Draw the cards of `large_deck.py` by hand on ReportLab's canvas: the lowest cost of such sheets.

`python -m tests.benchmarks.floor sheets|cards DESIGNS COPIES FILE` draws sheets with marks, or the input of imposition
programs: a page for each card. No pack is read or checked.
"""

import sys
from math import cos, pi, sin
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONTS = Path(__file__).parents[2] / "fonts"
LINES = (
    "Draw two cards and keep one of",
    "them. Then every other player",
    "may give you a card; when",
    "nobody does, you take three",
    "from the pile and end your turn",
    "at once.",
)
W = 63.5 * mm
H = 88.9 * mm
ACROSS = 3
DOWN = 3
LEFT = (210 * mm - ACROSS * W) / 2
BELOW = (297 * mm - DOWN * H) / 2


def star(canvas, x, y, radius):
    path = canvas.beginPath()
    for n in range(10):
        reach = radius * (1 if n % 2 == 0 else 0.4)
        place = x + reach * sin(n * pi / 5), y + reach * cos(n * pi / 5)
        path.lineTo(*place) if n else path.moveTo(*place)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


def front(canvas, n):
    canvas.setFillColorRGB(0.98, 0.96, 0.92)
    canvas.rect(0, 0, W, H, stroke=0, fill=1)
    canvas.setFillColorRGB(0.15, 0.19, 0.23)
    canvas.setLineWidth(0.6 * mm)
    canvas.roundRect(4 * mm, 4 * mm, W - 8 * mm, H - 8 * mm, 2.5 * mm)
    canvas.setFont("title", 13)
    canvas.drawCentredString(W / 2, H - 12 * mm, f"Card number {n}")
    for at in range(3):
        star(canvas, (16 + 15 * at) * mm, H - 30 * mm, 7 * mm)
    canvas.setFont("body", 10)
    for at, line in enumerate((*LINES, f"({n})")):
        canvas.drawString(8 * mm, H - (53 + 4.2 * at) * mm, line)


def back(canvas, _):
    canvas.setFillColorRGB(0.15, 0.19, 0.23)
    canvas.rect(0, 0, W, H, stroke=0, fill=1)
    canvas.setFillColorRGB(0.98, 0.96, 0.92)
    star(canvas, W / 2, H / 2, 15 * mm)


def marks(canvas):
    canvas.setLineWidth(0.15 * mm)
    for column in range(ACROSS + 1):
        for row in range(DOWN + 1):
            x = LEFT + column * W
            y = BELOW + row * H
            canvas.line(x - 2 * mm, y, x + 2 * mm, y)
            canvas.line(x, y - 2 * mm, x, y + 2 * mm)


def sheets(canvas, designs, copies):
    for n in range(designs):
        canvas.beginForm(f"front{n}", 0, 0, W, H)
        front(canvas, n)
        canvas.endForm()
    canvas.beginForm("back", 0, 0, W, H)
    back(canvas, 0)
    canvas.endForm()
    cards = [n for n in range(designs) for _ in range(copies)]
    for first in range(0, len(cards), ACROSS * DOWN):
        for side in ("front{}", "back"):
            for at, n in enumerate(cards[first : first + ACROSS * DOWN]):
                canvas.saveState()
                canvas.translate(LEFT + at % ACROSS * W, BELOW + at // ACROSS * H)
                canvas.doForm(side.format(n))
                canvas.restoreState()
            marks(canvas)
            canvas.setFont("body", 7)
            canvas.drawString(20 * mm, 8 * mm, f"Deck 1, sheet {first // 9 + 1}")
            canvas.showPage()


def cards(canvas, designs, copies):
    for n in range(designs):
        for _ in range(copies):
            for side in (front, back):
                canvas.setPageSize((W, H))
                side(canvas, n)
                canvas.showPage()


def main(what, designs, copies, file):
    pdfmetrics.registerFont(TTFont("title", str(next(FONTS.rglob("AlegreyaSC-Bold.ttf")))))
    pdfmetrics.registerFont(TTFont("body", str(next(FONTS.rglob("Alegreya-Regular.ttf")))))
    canvas = Canvas(file, pagesize=(210 * mm, 297 * mm), invariant=1)
    {"sheets": sheets, "cards": cards}[what](canvas, int(designs), int(copies))
    canvas.save()


if __name__ == "__main__":
    main(*sys.argv[1:])
