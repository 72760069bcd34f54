"""Write the sheets to print and cut: a file for each paper, or two for a mode in two passes."""

from collections.abc import Iterator

from generator.base.errors import raising_at
from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.export import RequestedOutputs, WrittenFile
from generator.pipeline.printing import ImposedSheets, SheetColour, name_options
from generator.pipeline.project import Project

# Width and height in mm of a paper on which the how-to-make page can be read, from half Letter to
# A3. On other papers (photo paper, rolls) that page becomes a file of its own, on A4 and Letter.
MIN_AND_MAX_WIDTH_MM = (135.0, 330.0)
MIN_AND_MAX_HEIGHT_MM = (200.0, 500.0)


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the sheets on each paper chosen."""
    game = project.game
    options = project.print_options
    is_for_press = options.colour == SheetColour.CMYK
    has_opening = has_opening_pages(project)
    for paper in project.papers:
        imposed = project.impose_some(paper)
        first = (
            _make_opening(project, imposed)
            if has_opening and can_take_opening_pages(imposed)
            else b""
        )
        for part in imposed.job.parts:
            words = (
                game.stem("sheets"),
                imposed.setup.paper.name,
                name_options(game, options),
                part.name,
            )
            name = "-".join(filter(None, words))
            plain = project.write_sheets(imposed.job, part, first)
            data, inks = _convert_to_inks(project, plain.read()) if is_for_press else (plain, ())
            path = outbox.write(f"{name}.pdf", data)
            yield WrittenFile(path, imposed.job.summary, (*imposed.job.notices, *inks))


def has_opening_pages(project: Project) -> bool:
    """Return True if the how-to-make page precedes the sheets in their file.

    It does if both are written in one run, but not in a file for a press.
    """
    are_asked_for = {"sheets", "making"} <= project.request.get(RequestedOutputs).names
    return are_asked_for and project.print_options.colour != SheetColour.CMYK


def can_take_opening_pages(imposed: ImposedSheets) -> bool:
    """Return True if the how-to-make page can precede these sheets: one file, on legible paper."""
    paper = imposed.setup.paper
    return len(imposed.job.parts) == 1 and not paper.is_roll and bool(reading_size(paper.size))


def reading_size(paper: Size) -> Size | None:
    """Return the paper as the size of a page to read, or None if it is too small or too large."""
    fits = all(
        least <= side <= most
        for side, (least, most) in zip(
            paper, (MIN_AND_MAX_WIDTH_MM, MIN_AND_MAX_HEIGHT_MM), strict=True
        )
    )
    return paper if fits else None


def _make_opening(project: Project, imposed: ImposedSheets) -> bytes:
    from generator.export.making import make_opening_pages

    return make_opening_pages(project, imposed)


def _convert_to_inks(project: Project, data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return the file converted to the inks of a press, and notes on it."""
    from generator.export.targets.press import name_profile, read_profile
    from generator.pdf.press.pdfx import convert_to_inks
    from generator.pdf.press.profile import PressInks

    with project.watch.stage("inks"), raising_at():
        inks = PressInks(read_profile(project.game), name_profile(project.game))
        converted = convert_to_inks(data, inks)
    return converted, (
        f"sheets in inks by {inks.title}: at most {inks.max_total_ink * 100:.0f} % in one place",
    )
