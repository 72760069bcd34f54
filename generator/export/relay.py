"""Somebody else's print-and-play file on other paper: what was found on its pages, and the sheets."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from generator.app.project import Project
from generator.app.relay import Relayed
from generator.app.source import SECONDS, called
from generator.core.files import Outbox
from generator.core.fonts import NOTE_FONT
from generator.core.geometry import Point, Rect, Size
from generator.core.held import Held
from generator.core.outline import Outline
from generator.core.units import number
from generator.core.worker import Worker
from generator.export import Written, cuts, sheets
from generator.impose.sheet import Anchor, Line, Note, PlacedFace, SheetPage, SheetSide
from generator.pdf.sheets import LaidPages, write_sheets
from generator.relay.backs import AUTO, NONE, WAYS
from generator.relay.boxes import alike
from generator.relay.finding import FoundPieces
from generator.relay.page import PieceWindow

WIDE = 1.2
NARROW = 0.5
"""mm; the line round what was found: white below, black dashes above, to be seen on everything."""

CUT_MM = 3.0
CELLS_OFF_MM = 0.3
TILTED = 0.15
"""From so much on pnp reports cuts through ink (mm), cells that differ (mm) and pages that lie askew (degrees)."""

MOST_BLOCKS = 3
"""Blocks of ink that a report names."""

LABEL = 5.0
"""mm; the size of the numbers."""


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """What was found, as words and pages; and the sheets, unless that alone is wanted."""
    with Worker(SECONDS) as worker:
        relayed = Relayed(project.order, project.watch, kept=project.kept, crew=project.crew, worker=worker)
        pairs = relayed.pairs
        told = list(_told(relayed))
        name = relayed.game.stem("found")
        path = outbox.write(f"{name}.pdf", _shown(relayed))
        yield Written(
            path, f"what is found: {len(pairs)} pieces", (*relayed.unread, *_lacking(relayed), *_doubtful(relayed))
        )
        yield from (Written(None, f"  {line}") for line in told)
        if not relayed.wish.show:
            yield from sheets.write(relayed, outbox)
            wish = relayed.prints
            if wish.cut_plan or wish.cutter:
                yield from cuts.write(relayed, outbox)


def _told(relayed: Relayed) -> Iterator[str]:
    """What was found on which pages, and how backs lie."""
    for (file, how, sizes), group in groupby(relayed.found, lambda one: (one.page.file, one.how, _sizes(one))):
        numbers = [found.page.number for found in group]
        if sizes:
            yield f"{_pages(numbers, relayed, file)}: {sizes}, by {how}"
    if relayed.wish.backs_file:
        yield "backs: those of the second file, page by page"
    else:
        said = "" if relayed.wish.backs != AUTO else ", by how they look and lie"
        yield f"backs: {WAYS[relayed.way].what}{said if relayed.way != NONE else ''}"
    size = ", ".join(dict.fromkeys(called(pair.front.size) for pair in relayed.pairs))
    backs = sum(pair.back is not None for pair in relayed.pairs)
    bleed = max(pair.front.bleed for pair in relayed.pairs)
    yield f"pieces: {len(relayed.pairs)} of {size}; {backs} with backs; " + (
        f"{bleed:g} mm of bleed" if bleed else "no bleed"
    )


def _sizes(found: FoundPieces) -> str:
    sizes: dict[Size, int] = {}
    for place in found.places:
        size = next((one for one in sizes if alike(one, place.size)), place.size)
        sizes[size] = sizes.get(size, 0) + 1
    return " and ".join(f"{count} of {called(size)}" for size, count in sizes.items())


def _pages(numbers: Sequence[int], relayed: Relayed, file: int) -> str:
    first = f"page {numbers[0]}" if len(numbers) == 1 else f"pages {numbers[0]}–{numbers[-1]}"
    return first if len(relayed.sources) == 1 else f"{relayed.sources[file].where}, {first}"


def _lacking(relayed: Relayed) -> Iterator[str]:
    """Yield what was not found, and what helps."""
    for source in relayed.sources:
        if source.opening and not relayed.wish.pages:
            numbers = ", ".join(map(str, source.opening))
            yield f"{source.where}: page {numbers} says how the game is made, and is left out; --page takes it"
    used = {(one.file, one.number) for pair in relayed.pairs for one in (pair.front, pair.back) if one}
    bare = [found.page for found in relayed.found if (found.page.file, found.page.number) not in used]
    if bare:
        names = ", ".join(f"{page.number}" for page in bare)
        yield (
            f"nothing of {'page' if len(bare) == 1 else 'pages'} {names} is taken: no pieces are found there; "
            "--grid 3x3 says how many there are, --page which pages to take"
        )
    count = len({found.page.number for found in relayed.found})
    if relayed.wish.backs == AUTO and relayed.way == NONE and not relayed.wish.backs_file and count > 1:
        ways = ", ".join(name for name in WAYS if name not in {AUTO, NONE})
        yield f"no backs are found, so all pages are taken for fronts; --backs says where they are: {ways}"


def _doubtful(relayed: Relayed) -> Iterator[str]:
    """Yield what speaks against the pieces that were found, page by page."""
    used = {(one.file, one.number) for pair in relayed.pairs for one in (pair.front, pair.back) if one}
    for found in relayed.found:
        page = found.page
        if (page.file, page.number) not in used or not found.places:
            continue
        where = _pages([page.number], relayed, page.file)
        is_grid = found.how.startswith("--grid")
        # The tilt takes 0.15 s a page, and boxes and lines of a drawing are straight when they are found.
        with_tilt = int(is_grid or found.how == "pixels")
        doubts = relayed.sources[page.file].doubts(page.number, found.places, with_tilt)
        blocks = [
            f"{_mm(block.w)} x {_mm(block.h)} mm at {_mm(block.x)} mm {_mm(block.y)} mm" for block in doubts.loose
        ]
        if blocks:
            more = f" and {len(blocks) - MOST_BLOCKS} more" if len(blocks) > MOST_BLOCKS else ""
            yield f"{where}: ink where no piece is found: {', '.join(blocks[:MOST_BLOCKS])}{more}"
        if found.how == "--grid" and doubts.cut >= CUT_MM:
            yield f"{where}: the grid cuts through ink along {_mm(doubts.cut)} mm; see {relayed.game.stem('found')}.pdf"
        widths = [place.w for place in found.places]
        heights = [place.h for place in found.places]
        if is_grid and max(max(widths) - min(widths), max(heights) - min(heights)) >= CELLS_OFF_MM:
            small, large = (f"{_mm(pick(widths))} x {_mm(pick(heights))} mm" for pick in (min, max))
            yield f"{where}: the cells of the grid differ, from {small} to {large}"
        if abs(doubts.tilt) >= TILTED:
            side = "right" if doubts.tilt > 0 else "left"
            yield (
                f"{where} is turned {abs(doubts.tilt):.1f} degrees to the {side}, and its pieces are cut askew; "
                "straighten the scan first"
            )


def _mm(value: float) -> str:
    return number(round(value, 1))


def _shown(relayed: Relayed) -> Held:
    """The pages of the files with a line round each piece, and its number."""
    whole = {}
    sides = []
    numbers = {window: nth for nth, pair in enumerate(relayed.pairs, 1) for window in (pair.front, pair.back) if window}
    for found in relayed.found:
        page = found.page
        window = PieceWindow(page.file, page.number, page.box)
        name = relayed.sources[page.file].name(window)
        whole[name] = window
        here = [one for one in numbers if (one.file, one.number) == (page.file, page.number)]
        lines = tuple(chain.from_iterable(_outlined(one.trim) for one in here))
        notes = tuple(_numbered(one, numbers[one], relayed) for one in here)
        placed = PlacedFace(name, "", page.box, page.box)
        sides.append(SheetPage(page.size, SheetSide(f"{page.number}", (placed,), marks=lines, notes=notes)))
    laid = LaidPages(sides, whole, relayed.game.fonts.find(NOTE_FONT))
    about = relayed.about(f"{relayed.game.name} – found", "Simplex", tuple(one.side.label for one in sides))
    return write_sheets(laid, relayed.cut(whole), about)


def _outlined(trim: Rect) -> Iterator[Line]:
    middle = trim.centre
    label = Rect(middle.x - LABEL, middle.y, 2 * LABEL, 0)
    yield Line(Point(label.x, label.y), Point(label.right, label.y), 1.5 * LABEL, grey=1.0)
    corners = Outline.of_box(trim).corners
    for width, dash, grey in ((WIDE, (), 1.0), (NARROW, (2.0, 1.0), 0.0)):
        yield from (Line(a, b, width, dash, grey) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True))


def _numbered(window: PieceWindow, nth: int, relayed: Relayed) -> Note:
    is_back = any(pair.back == window for pair in relayed.pairs)
    at = window.trim.centre + Point(0, LABEL / 3)
    return Note(f"{nth} back" if is_back else f"{nth}", at, LABEL * (0.6 if is_back else 1), Anchor.MIDDLE)
