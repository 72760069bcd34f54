"""The sheets: what is printed and cut, a file for each paper, or two where it takes two passes."""

from collections.abc import Iterator

from generator.app.printing import PrintWish, SheetColour
from generator.app.project import LaidSheets, Project
from generator.core.files import Outbox
from generator.core.geometry import Size
from generator.core.problems import fail, placed
from generator.export import OutputsAsked, Written

WIDE = (135.0, 330.0)
HIGH = (200.0, 500.0)
"""mm; a paper that is not so large, or larger, is none to read from: pages of words are for A4 and for Letter then."""


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The sheets on every paper that is wanted."""
    game = project.game
    wish = project.order.wish(PrintWish)
    is_for_press = wish.colour == SheetColour.CMYK
    what = "low-ink-sheets" if wish.low_ink else "sheets"
    led = is_led_in(project)
    for paper in project.papers:
        laid = project.laid(paper)
        if not laid.job.sheets:
            fail(None, f"{game.name}: there is nothing to print", "a design with a count above 0")
        first = _opening(project, laid) if led and is_room_for_words(laid) else b""
        for part in laid.job.parts:
            name = "-".join(word for word in (game.stem(what), laid.setup.paper.name, part.name) if word)
            plain = project.sheets_pdf(laid.job, part, first)
            data, inks = _in_inks(project, plain.read()) if is_for_press else (plain, ())
            path = outbox.write(f"{name}.pdf", data)
            yield Written(path, laid.job.summary, (*laid.job.notices, *inks))


def is_led_in(project: Project) -> bool:
    """Whether how the game is made stands before its sheets: both are asked for, in one file, and not for a press."""
    wished = {"sheets", "making"} <= project.order.wish(OutputsAsked).names
    return wished and project.order.wish(PrintWish).colour != SheetColour.CMYK


def is_room_for_words(laid: LaidSheets) -> bool:
    """Whether it can stand there: in one file, on a sheet of paper that is one to read from."""
    paper = laid.setup.paper
    return len(laid.job.parts) == 1 and not paper.rolls and bool(readable(paper.size))


def readable(paper: Size) -> Size | None:
    """The size of a page of words, where the paper is one to read from."""
    fits = all(least <= side <= most for side, (least, most) in zip(paper, (WIDE, HIGH), strict=True))
    return paper if fits else None


def _opening(project: Project, laid: LaidSheets) -> bytes:
    from generator.export.making import opening

    return opening(project, laid)


def _in_inks(project: Project, data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The file in a press's inks, and what should be known of them."""
    from generator.export.targets.press import profile_for
    from generator.pdf.press.inks import PressInks
    from generator.pdf.press.standard import in_inks

    with project.watch.stage("inks"), placed():
        inks = PressInks(profile_for(project.game))
        made = in_inks(data, inks)
    return made, (f"sheets in inks by {inks.title}: at most {inks.heaviest * 100:.0f} % in one place",)
