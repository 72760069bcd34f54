"""The contents list: a line a heading, with dots to the page."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus.flowables import Flowable

from generator.pdf.booklet.item import Item
from generator.pdf.booklet.pieces import Rule, Stack
from generator.pdf.booklet.typesetter import QUIET, Typesetter
from generator.rules.model import Heading

LONG = 8
"""Pages; a booklet with more of them gets a contents list."""

DEEPEST = 3


class ContentsLine(Flowable):  # type: ignore[misc]
    """A heading, dots, the page it is on; all of it leads there."""

    def __init__(self, text: Any, page: str, font: str, size: float, slug: str) -> None:
        super().__init__()
        self._text, self._page, self._font, self._size, self._slug = text, page, font, size, slug

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as the heading's words, which keep clear of the page number."""
        self.width = width
        self.height = self._text.wrap(width - 30, height)[1]
        return width, self.height

    def draw(self) -> None:
        """The words, the dots between, the number at the right."""
        canvas = self.canv
        self._text.drawOn(canvas, 0, 0)
        base = self.height - self._size * 1.02 if len(self._text.blPara.lines) == 1 else self._size * 0.26
        number = canvas.stringWidth(self._page, self._font, self._size)
        canvas.setFont(self._font, self._size)
        canvas.setFillColor(HexColor(QUIET))
        canvas.drawRightString(self.width, base, self._page)
        dot = canvas.stringWidth(" .", self._font, self._size)
        x = self.width - number - dot
        left = self._text.getActualLineWidths0() if hasattr(self._text, "getActualLineWidths0") else [0]
        while x > max(left) + dot:
            canvas.drawString(x, base, ".")
            x -= dot
        canvas.linkRect("", self._slug, (0, 0, self.width, self.height), relative=1)


def contents(setter: Typesetter) -> Iterator[Item]:
    """The items of the list."""
    look = setter.rules.look
    title = setter.words(setter.rules.words.contents, setter.heading(2))
    yield Item(Stack([title, Rule(look.accent, 0.9)], gap=3.5), after=6, keep=True)
    for heading in setter.rules.headings:
        if heading.level <= DEEPEST:
            yield _line(setter, heading)


def _line(setter: Typesetter, heading: Heading) -> Item:
    main = heading.level == 2
    voice = replace(setter.text, bold=main, left=0 if main else setter.text.size * 1.4)
    page = str(setter.places.first.get(heading.slug, 0))
    flow = ContentsLine(setter.words(heading.text, voice), page, setter.type.regular, voice.size, heading.slug)
    return Item(flow, before=4 if main else 0, after=1.5)
