"""Find the back behind each front as a printer and a person bring them together: duplex, two passes, fold or glue.

Nothing here imports from `generator`. `through` maps a place on the back's page to the place on the front's page that
lies on it.
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


def duplex_preference(path) -> str:
    with pikepdf.open(path) as pdf:
        return str(pdf.Root.ViewerPreferences.Duplex)


def map_back_to_front(page: Page, *, long: bool) -> Callable[[Place], Place]:
    """Return the map from the back's page to the front's, for paper flipped on its long or its short edge."""
    portrait = page.height >= page.width
    if portrait == long:
        return lambda p: (page.width - p[0], p[1])
    return lambda p: (p[0], page.height - p[1])


def print_duplex(path) -> list[Printed]:
    """Print both sides in one run; the file tells the printer on which edge to flip."""
    pages = read(path)
    preference = duplex_preference(path)
    assert preference in {"/DuplexFlipLongEdge", "/DuplexFlipShortEdge"}
    pairs = zip(pages[0::2], pages[1::2], strict=True)
    return [
        Printed(front, back, map_back_to_front(front, long=preference == "/DuplexFlipLongEdge"))
        for front, back in pairs
    ]


def print_in_two_passes(fronts, backs, tray: str) -> list[Printed]:
    """Print in two runs on a printer that takes the top sheet of its tray and prints on its underside."""
    out = read(fronts)  # each sheet falls on top of the previous one
    # For face-down trays, the reader turns the stack over, so that the printed sides are up.
    stack = out[::-1] if tray == "face-down" else out
    sheets = []
    for back in read(backs):
        front = stack.pop()  # the last one lies on top
        sheets.append(Printed(front, back, map_back_to_front(front, long=True)))
    assert not stack
    return sheets


def print_and_glue(path) -> list[Printed]:
    """Print on one side, turn the sheets of backs over, and lay each behind its fronts, outline to outline."""
    assert duplex_preference(path) == "/Simplex"
    pages = {page.label: page for page in read(path)}
    fronts = [label for label in pages if label.endswith("front")]
    sheets = [
        Printed(
            pages[name],
            pages.get(name.replace("front", "back")),
            map_back_to_front(pages[name], long=True),
        )
        for name in fronts
    ]
    for sheet in sheets:
        front_corners = outline(sheet.front)
        back_corners = [sheet.through((x, y)) for x, y in outline(sheet.back)]
        assert all(
            min(abs(x - u) + abs(y - v) for u, v in back_corners) < 0.01 for x, y in front_corners
        )
    return sheets


def outline(page: Page) -> list[Place]:
    """Return the corners of the box on a page that four lines form."""
    corners = [(stroke.x1, stroke.y1) for stroke in box(page)]
    assert len({(round(x, 2), round(y, 2)) for x, y in corners}) == 4
    return corners


def box(page: Page) -> list:
    """Return four lines, each of which begins at the end of the previous one."""
    for i in range(len(page.strokes) - 3):
        four = page.strokes[i : i + 4]
        if all(
            abs(a.x2 - b.x1) + abs(a.y2 - b.y1) < 0.001
            for a, b in zip(four, four[1:] + four[:1], strict=True)
        ):
            return four
    raise AssertionError("no outline")


def print_and_fold(path) -> list[Printed]:
    """Print on one side and fold along the dashed line; the part beyond the line becomes the back."""
    assert duplex_preference(path) == "/Simplex"
    sheets = []
    for page in read(path):
        crease = next(stroke for stroke in page.strokes if stroke.dashed)
        upright = abs(crease.x1 - crease.x2) < 0.001
        side = (lambda form: form.x < crease.x1) if upright else (lambda form: form.y < crease.y1)  # noqa: B023
        front = _with(page, [form for form in page.forms if side(form)])
        back = _with(page, [form for form in page.forms if not side(form)])
        x = crease.x1
        y = crease.y1
        sheets.append(Printed(front, back, _fold(x, y, upright=upright)))
    return sheets


def _fold(x: float, y: float, *, upright: bool) -> Callable[[Place], Place]:
    return (lambda p: (2 * x - p[0], p[1])) if upright else (lambda p: (p[0], 2 * y - p[1]))


def _with(page: Page, forms: list) -> Page:
    return Page(page.width, page.height, forms, page.strokes, page.text, page.label)
