"""The order of the stages for the test sheet of a printer."""

from collections.abc import Iterator
from pathlib import Path

from generator import __version__
from generator.core.files import Outbox
from generator.core.fonts import font_set
from generator.core.problems import placed
from generator.impose.paper import paper
from generator.jobs.pipeline import NOTE_FONT
from generator.pdf.graft import About, finish
from generator.pdf.sheets import lay_sheets
from generator.printer.sheet import calibration


def write_calibration(paper_name: str, orientation: str, mode: str, outbox: Outbox) -> Iterator[Path]:
    """The file of the sheet; two files where it takes two passes."""
    with placed():
        lying = paper(paper_name).lying(orientation)
        job = calibration(lying, mode)
    for part in job.parts:
        labels = tuple(page.side.label for page in part.pages)
        about = About(f"Calibration – {lying.title}", "en", "", f"pnp {__version__}", job.duplex, labels)
        name = "-".join(word for word in ("calibration", lying.name, part.name) if word)
        laid = lay_sheets(part.pages, {}, font_set().find(NOTE_FONT))
        yield outbox.write(f"{name}.pdf", finish(laid, (), about))
