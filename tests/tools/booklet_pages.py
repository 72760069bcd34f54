"""Find the places in the booklet's PDF of the headings, paragraphs and lists of the rules web page.

Nothing here imports from `generator`.
"""

from dataclasses import dataclass
from html.parser import HTMLParser

import pypdfium2

MM = 25.4 / 72
HEADINGS = frozenset({"h2", "h3", "h4"})
KEY = 22
"""Number of letters at the beginning of a block that are looked up in the PDF."""


@dataclass(frozen=True)
class Spot:
    """The place of a block's first letter: page number, mm from the left and the top, and page width."""

    page: int
    x: float
    y: float
    wide: float


@dataclass(frozen=True)
class Block:
    """A block, with the number of its list (0 for none) and of its section below a heading."""

    kind: str
    text: str
    list_id: int = 0
    section: int = 0


def plain(text):
    return "".join(letter.lower() for letter in text if letter.isalnum())


class _Blocks(HTMLParser):
    """Collects headings, paragraphs, list items, captions and table rows in their order."""

    KINDS = frozenset({*HEADINGS, "p", "li", "figcaption", "tr"})

    def __init__(self):
        super().__init__()
        self.blocks = []
        self._open = []
        self._text = ""
        self._lists = 0
        self._sections = 0
        self._hidden = 0

    def handle_starttag(self, tag, _):
        if tag in {"svg", "style", "title", "nav", "header", "footer", "script"}:
            self._hidden += 1
        if tag in {"ol", "ul"}:
            self._lists += 1
        if tag in HEADINGS:
            self._sections += 1
        if tag in self.KINDS:
            self._keep()
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag in {"svg", "style", "title", "nav", "header", "footer", "script"}:
            self._hidden -= 1
        if tag in self.KINDS:
            self._keep()
            if tag in self._open:
                self._open.remove(tag)

    def handle_data(self, data):
        if self._open and not self._hidden:
            self._text += data

    def _keep(self):
        if plain(self._text) and self._open:
            kind = "li" if "li" in self._open else self._open[-1]
            list_id = self._lists if kind == "li" else 0
            self.blocks.append(Block(kind, plain(self._text), list_id, self._sections))
        self._text = ""


def blocks(html):
    parser = _Blocks()
    parser.feed(html)
    return parser.blocks


def pages(path, *, folded):
    """Return the letters of each page by number, in the order of the book, each with its place."""
    with pypdfium2.PdfDocument(path) as document:
        sides = [_letters(page) for page in document]
    if not folded:
        return dict(enumerate(sides, 1))
    count = 2 * len(sides)
    letters_by_page = {}
    for index, side in enumerate(sides):
        sheet, inner = divmod(index, 2)
        left, right = (
            (2 * sheet + 2, count - 2 * sheet - 1) if inner else (count - 2 * sheet, 2 * sheet + 1)
        )
        middle = side[0][3] / 2 if side else 0
        for number, half in ((left, 0), (right, 1)):
            letters = [
                (c, x - half * middle, y, middle)
                for (c, x, y, _) in side
                if (x >= middle) == bool(half)
            ]
            letters_by_page[number] = [(letter, x, y, width) for letter, x, y, width in letters]
    return dict(sorted(letters_by_page.items()))


def _letters(page):
    text = page.get_textpage()
    height = page.get_height()
    width = page.get_width()
    letters = []
    for index, letter in enumerate(text.get_text_range()):
        if letter.isalnum():
            left, _, _, top = text.get_charbox(index)
            letters += [
                (item, left * MM, (height - top) * MM, width * MM) for item in plain(letter)
            ]
    return letters


# pypdfium2 returns this for the hyphen of a word that continues on the next line.
LINE_END_HYPHEN = "\ufffe"


def hyphenated_captions(html, path):
    """Return the captions with a word that is broken at the end of a line."""
    with pypdfium2.PdfDocument(path) as document:
        text = "".join(page.get_textpage().get_text_range() for page in document)
    letters = plain(text)
    broken = {len(plain(before)) for before in _before_each(text, LINE_END_HYPHEN)}
    captions = [block.text for block in blocks(html) if block.kind == "figcaption"]
    return [
        caption
        for caption in captions
        for start in [letters.find(caption)]
        if start >= 0 and any(start < at < start + len(caption) for at in broken)
    ]


def _before_each(text, sign):
    """Return the texts before each occurrence of a sign."""
    return [text[:at] for at, letter in enumerate(text) if letter == sign]


def find_blocks(html, book):
    """Return each block with the spot at which it begins; blocks that are not found are left out.

    The words of a heading may occur elsewhere too, so a heading is sought before the block that follows it.
    """
    strings = {
        number: "".join(letter for letter, *_ in letters) for number, letters in book.items()
    }
    places = {}
    at = (min(strings), 0)
    blocks_of_page = blocks(html)
    for position, block in enumerate(blocks_of_page):
        if block.kind not in HEADINGS and (place := _ahead(strings, block.text[:KEY], at)):
            places[position] = place
            at = (place[0], place[1] + 1)
    for position, block in reversed(list(enumerate(blocks_of_page))):
        if block.kind in HEADINGS and (after := places.get(position + 1)):
            before = max(
                (place for n, place in places.items() if n < position), default=(min(strings), 0)
            )
            above = strings[after[0]].rfind(block.text, 0, after[1])
            place = (after[0], above) if above >= 0 else _ahead(strings, block.text, before)
            places |= {position: place} if place else {}
    return [(blocks_of_page[index], _spot(book, *places[index])) for index in sorted(places)]


def _ahead(strings, key, at):
    """Return the first page and place with some letters, at or after a place; None if there is none."""
    for page in range(at[0], max(strings) + 1):
        place = strings[page].find(key, at[1] if page == at[0] else 0)
        if place >= 0:
            return page, place
    return None


def _spot(book, page, place):
    _, x, y, width = book[page][place]
    return Spot(page, x, y, width)
