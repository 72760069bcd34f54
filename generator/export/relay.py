"""Print the pieces of a third-party PDF on other paper, and report the pieces found."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from generator.base.files import Outbox, temporary_folder
from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.base.spill import SpilledBytes
from generator.base.units import number
from generator.base.worker import Worker
from generator.export import WrittenFile, cuts, sheets
from generator.impose.sheet import Anchor, Line, Note, PlacedFace, SheetPage, SheetSide
from generator.pipeline.project import Project
from generator.relay.backs import AUTO, BACKS_MODES, NONE
from generator.relay.find_pieces import FoundPieces, are_equal_sizes, size_text
from generator.relay.page import PieceWindow
from generator.relay.project import RelayProject
from generator.relay.source_file import WORK_SECONDS

# The outline of found pieces: black dashes on a white line, visible on any background.
OUTLINE_WHITE_MM = 1.2
OUTLINE_BLACK_MM = 0.5

# Thresholds of the report: length of cuts through ink, difference between cells, tilt of a page.
MIN_REPORTED_CUT_MM = 3.0
MIN_REPORTED_CELL_DIFFERENCE_MM = 0.3
MIN_REPORTED_TILT_DEGREES = 0.15

# Blocks of ink that a report names.
MAX_REPORTED_BLOCKS = 3

# Height of the numbers on the pages.
LABEL_MM = 5.0


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a report with pictures of the pages, then the sheets unless only the report is asked for."""
    with Worker(WORK_SECONDS) as worker, temporary_folder() as folder:
        relayed = RelayProject(
            project.request,
            project.watch,
            cache=project.cache,
            crew=project.crew,
            worker=worker,
            folder=folder,
        )
        pairs = relayed.pairs
        lines = list(_report_lines(relayed))
        name = relayed.game.stem("found")
        path = outbox.write(f"{name}.pdf", _found_pages(relayed))
        yield WrittenFile(
            path,
            f"the pieces found: {len(pairs)}",
            (*relayed.unread, *_note_missing(relayed), *_note_doubts(relayed)),
        )
        yield from (WrittenFile(None, f"  {line}") for line in lines)
        if not relayed.options.show:
            yield from sheets.write(relayed, outbox)
            options = relayed.print_options
            if options.cut_plan or options.cutter:
                yield from cuts.write(relayed, outbox)


def _report_lines(relayed: RelayProject) -> Iterator[str]:
    """Yield the numbers and sizes of the pieces found, and where their backs are."""
    for (file, evidence, sizes), group in groupby(
        relayed.found_pieces,
        lambda found: (found.page.file, found.evidence, _describe_sizes(found)),
    ):
        numbers = [found.page.number for found in group]
        if sizes:
            yield f"{_name_pages(numbers, relayed, file)}: {sizes}, by {evidence}"
    if relayed.options.backs_file:
        yield "backs: those of the second file, page by page"
    else:
        how = "" if relayed.options.backs != AUTO else ", by their appearance and position"
        yield f"backs: {BACKS_MODES[relayed.backs_mode].description}{how if relayed.backs_mode != NONE else ''}"
    size = ", ".join(dict.fromkeys(size_text(pair.front.size) for pair in relayed.pairs))
    backs = sum(pair.back is not None for pair in relayed.pairs)
    bleed = max(pair.front.bleed for pair in relayed.pairs)
    yield f"pieces: {len(relayed.pairs)} of {size}; {backs} with backs; " + (
        f"{bleed:g} mm of bleed" if bleed else "no bleed"
    )


def _describe_sizes(found: FoundPieces) -> str:
    """Return the number of pieces of each size as text."""
    sizes: dict[Size, int] = {}
    for place in found.places:
        size = next((item for item in sizes if are_equal_sizes(item, place.size)), place.size)
        sizes[size] = sizes.get(size, 0) + 1
    return " and ".join(f"{count} of {size_text(size)}" for size, count in sizes.items())


def _name_pages(numbers: Sequence[int], relayed: RelayProject, file: int) -> str:
    """Return the page numbers as text, with the file if there are several."""
    first = f"page {numbers[0]}" if len(numbers) == 1 else f"pages {numbers[0]}–{numbers[-1]}"
    return first if len(relayed.sources) == 1 else f"{relayed.sources[file].where}, {first}"


def _used_pages(relayed: RelayProject) -> set[tuple[int, int]]:
    """Return the pages from which pieces are taken, by the index of their file and their number."""
    return {
        (window.file, window.number)
        for pair in relayed.pairs
        for window in (pair.front, pair.back)
        if window
    }


def _note_missing(relayed: RelayProject) -> Iterator[str]:
    """Yield notes on missing pieces and backs, with the option that helps."""
    for source in relayed.sources:
        if source.opening_pages and not relayed.options.pages:
            numbers = ", ".join(map(str, source.opening_pages))
            left_out = (
                f"page {numbers} is a how-to-make page and is left out; --page includes it"
                if len(source.opening_pages) == 1
                else f"pages {numbers} are how-to-make pages and are left out; --page includes them"
            )
            yield f"{source.where}: {left_out}"
    used = _used_pages(relayed)
    empty_pages = [
        found.page
        for found in relayed.found_pieces
        if (found.page.file, found.page.number) not in used
    ]
    if empty_pages:
        names = ", ".join(f"{page.number}" for page in empty_pages)
        are_left_out = f"page {names} is" if len(empty_pages) == 1 else f"pages {names} are"
        yield (
            f"{are_left_out} left out: pnp finds no pieces there; "
            "set their number with --grid 3x3, or choose pages with --page"
        )
    count = len({found.page.number for found in relayed.found_pieces})
    if (
        relayed.options.backs == AUTO
        and relayed.backs_mode == NONE
        and not relayed.options.backs_file
        and count > 1
    ):
        ways = ", ".join(name for name in BACKS_MODES if name not in {AUTO, NONE})
        yield f"no backs were found, so all pages are fronts; --backs tells pnp where backs are: {ways}"


def _note_doubts(relayed: RelayProject) -> Iterator[str]:
    """Yield reasons to doubt the pieces found, page by page."""
    used = _used_pages(relayed)
    for found in relayed.found_pieces:
        page = found.page
        if (page.file, page.number) not in used or not found.places:
            continue
        where = _name_pages([page.number], relayed, page.file)
        is_grid = found.evidence.startswith("--grid")
        source = relayed.sources[page.file]
        # The tilt takes 0.15 s a page. Boxes and lines of a drawing are straight when they are
        # found, and the tilt of a scan was measured before its pieces were sought.
        with_tilt = int((is_grid or found.evidence == "pixels") and not page.is_scan)
        doubts = source.doubts(page.number, found.places, with_tilt)
        blocks = [
            f"{_format_mm(block.w)} x {_format_mm(block.h)} mm at {_format_mm(block.x)} mm {_format_mm(block.y)} mm"
            for block in doubts.loose
        ]
        if blocks:
            more = (
                f" and {len(blocks) - MAX_REPORTED_BLOCKS} more"
                if len(blocks) > MAX_REPORTED_BLOCKS
                else ""
            )
            yield f"{where}: ink where no piece is found: {', '.join(blocks[:MAX_REPORTED_BLOCKS])}{more}"
        if found.evidence == "--grid" and doubts.cut >= MIN_REPORTED_CUT_MM:
            report = f"{relayed.game.stem('found')}.pdf"
            yield f"{where}: the grid cuts through ink along {_format_mm(doubts.cut)} mm; see {report}"
        widths = [place.w for place in found.places]
        heights = [place.h for place in found.places]
        if (
            is_grid
            and max(max(widths) - min(widths), max(heights) - min(heights))
            >= MIN_REPORTED_CELL_DIFFERENCE_MM
        ):
            small, large = (
                f"{_format_mm(choose(widths))} x {_format_mm(choose(heights))} mm"
                for choose in (min, max)
            )
            yield f"{where}: the cells of the grid differ, from {small} to {large}"
        if tilt := source.tilts.get(page.number):
            yield f"{where} is a scan that is turned {_describe_tilt(tilt)}: pnp has straightened it"
        elif abs(doubts.tilt) >= MIN_REPORTED_TILT_DEGREES:
            crooked = "so its pieces are crooked; straighten the page first"
            yield f"{where} is turned {_describe_tilt(doubts.tilt)}, {crooked}"


def _describe_tilt(tilt: float) -> str:
    """Return a tilt in degrees clockwise as text."""
    return f"{abs(tilt):.1f} degrees to the {'right' if tilt > 0 else 'left'}"


def _format_mm(value: float) -> str:
    return number(round(value, 1))


def _found_pages(relayed: RelayProject) -> SpilledBytes:
    """Return the pages of the PDF with an outline and a number for each piece."""
    page_windows = {}
    sides = []
    numbers = {
        window: index
        for index, pair in enumerate(relayed.pairs, 1)
        for window in (pair.front, pair.back)
        if window
    }
    for found in relayed.found_pieces:
        page = found.page
        window = PieceWindow(page.file, page.number, page.box)
        name = relayed.sources[page.file].name(window)
        page_windows[name] = window
        page_pieces = [
            piece for piece in numbers if (piece.file, piece.number) == (page.file, page.number)
        ]
        lines = tuple(chain.from_iterable(_outline_lines(piece.trim) for piece in page_pieces))
        notes = tuple(_make_label(piece, numbers[piece], relayed) for piece in page_pieces)
        placed = PlacedFace(name, "", page.box, page.box)
        sides.append(
            SheetPage(page.size, SheetSide(f"{page.number}", (placed,), marks=lines, notes=notes))
        )
    sizes = {name: window.full.size for name, window in page_windows.items()}
    info = relayed.document_info(f"{relayed.game.name} – found", "Simplex")
    return relayed.write_pages(sides, info, sizes, relayed.cut(page_windows))


def _outline_lines(trim: Rect) -> Iterator[Line]:
    """Yield the outline of a piece and the white box behind its number."""
    middle = trim.centre
    label = Rect(middle.x - LABEL_MM, middle.y, 2 * LABEL_MM, 0)
    yield Line(Point(label.x, label.y), Point(label.right, label.y), 1.5 * LABEL_MM, grey=1.0)
    corners = Outline.of_box(trim).corners
    for width, dash, grey in ((OUTLINE_WHITE_MM, (), 1.0), (OUTLINE_BLACK_MM, (2.0, 1.0), 0.0)):
        yield from (
            Line(a, b, width, dash, grey)
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
        )


def _make_label(window: PieceWindow, number: int, relayed: RelayProject) -> Note:
    """Return the number of a piece; backs are smaller."""
    is_back = any(pair.back == window for pair in relayed.pairs)
    at = window.trim.centre + Point(0, LABEL_MM / 3)
    return Note(
        f"{number} back" if is_back else f"{number}",
        at,
        LABEL_MM * (0.6 if is_back else 1),
        Anchor.MIDDLE,
    )
