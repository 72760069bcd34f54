"""Print pages as a printer and a person do: duplex, in two passes, folded or glued.

Nothing here imports from `generator`. A sheet is seen from its front; `through` says where
a place on the back, as its page has it, lies when one looks through the paper.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pikepdf

from tests.tools.read_pdf import Page, read

Place = tuple[float, float]


@dataclass(frozen=True)
class Printed:
    front: Page
    back: Page | None
    through: Callable[[Place], Place]


def viewer(path) -> str:
    with pikepdf.open(path) as pdf:
        return str(pdf.Root.ViewerPreferences.Duplex)


def about(page: Page, *, long: bool) -> Callable[[Place], Place]:
    """The sheet turned over about its long or its short edge."""
    portrait = page.height >= page.width
    if portrait == long:
        return lambda p: (page.width - p[0], p[1])
    return lambda p: (p[0], page.height - p[1])


def duplexed(path) -> list[Printed]:
    """Both sides in one run, as the file asks the printer to turn the paper."""
    pages = read(path)
    wish = viewer(path)
    assert wish in {"/DuplexFlipLongEdge", "/DuplexFlipShortEdge"}
    pairs = zip(pages[0::2], pages[1::2], strict=True)
    return [
        Printed(front, back, about(front, long=wish == "/DuplexFlipLongEdge"))
        for front, back in pairs
    ]


def fed_twice(fronts, backs, tray: str) -> list[Printed]:
    """Two runs through a printer that takes the top sheet of its tray, and prints on the underside of it."""
    out = read(fronts)  # each falls on top of those before it
    stack = out[::-1] if tray == "face-down" else out  # turned over, so that the printed side is up
    sheets = []
    for back in read(backs):
        front = stack.pop()  # the last of the list lies on top
        sheets.append(Printed(front, back, about(front, long=True)))
    assert not stack
    return sheets


def glued(path) -> list[Printed]:
    """Printed on one side.

    The sheet of backs is turned over and laid behind its fronts, outline on outline.
    """
    assert viewer(path) == "/Simplex"
    pages = {page.label: page for page in read(path)}
    fronts = [label for label in pages if label.endswith("front")]
    sheets = [
        Printed(
            pages[name], pages.get(name.replace("front", "back")), about(pages[name], long=True)
        )
        for name in fronts
    ]
    for sheet in sheets:
        here = outline(sheet.front)
        there = [sheet.through((x, y)) for x, y in outline(sheet.back)]
        assert all(min(abs(x - u) + abs(y - v) for u, v in there) < 0.01 for x, y in here)
    return sheets


def outline(page: Page) -> list[Place]:
    """The corners of the last four lines, which are one closed box."""
    corners = [(stroke.x1, stroke.y1) for stroke in box(page)]
    assert len({(round(x, 2), round(y, 2)) for x, y in corners}) == 4
    return corners


def box(page: Page) -> list:
    """Four lines, each of which begins where the one before ends."""
    for i in range(len(page.strokes) - 3):
        four = page.strokes[i : i + 4]
        if all(
            abs(a.x2 - b.x1) + abs(a.y2 - b.y1) < 0.001
            for a, b in zip(four, four[1:] + four[:1], strict=True)
        ):
            return four
    raise AssertionError("no outline")


def folded(path) -> list[Printed]:
    """Print on one side and fold back along the dotted line.

    The part beyond it becomes the back.
    """
    assert viewer(path) == "/Simplex"
    sheets = []
    for page in read(path):
        crease = next(stroke for stroke in page.strokes if stroke.dashed)
        upright = abs(crease.x1 - crease.x2) < 0.001
        side = (lambda form: form.x < crease.x1) if upright else (lambda form: form.y < crease.y1)  # noqa: B023
        front = _with(page, [form for form in page.forms if side(form)])
        back = _with(page, [form for form in page.forms if not side(form)])
        x, y = crease.x1, crease.y1
        sheets.append(Printed(front, back, _fold(x, y, upright=upright)))
    return sheets


def _fold(x: float, y: float, *, upright: bool) -> Callable[[Place], Place]:
    return (lambda p: (2 * x - p[0], p[1])) if upright else (lambda p: (p[0], 2 * y - p[1]))


def _with(page: Page, forms: list) -> Page:
    return Page(page.width, page.height, forms, page.strokes, page.text, page.label)
