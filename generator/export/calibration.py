"""Write the test sheets with which users measure a printer."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.base.errors import raising_at
from generator.base.files import Outbox
from generator.base.fonts import font_set
from generator.base.paper import Orientation, Paper
from generator.export import WrittenFile
from generator.impose.printer import make_calibration
from generator.pdf.finish import DocumentInfo
from generator.pdf.sheets import SheetPages, write_sheets
from generator.pipeline.project import Project


@dataclass(frozen=True)
class CalibrationOptions:
    """The papers, their orientation, and the duplex mode of the printer."""

    papers: tuple[Paper, ...] = ()
    orientation: Orientation = Orientation.PORTRAIT
    duplex: str = "long-edge"


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a file for each paper, or two for a mode in two passes; the game is not used."""
    options = project.request.get(CalibrationOptions)
    for paper in options.papers:
        oriented = paper.oriented(options.orientation)
        with raising_at():
            job = make_calibration(oriented, options.duplex)
        for part in job.parts:
            info = DocumentInfo(f"Calibration – {oriented.title}", "en", "", job.duplex)
            stem = "-".join(word for word in ("calibration", oriented.name, part.name) if word)
            placed = SheetPages(part.pages, {}, font_set().note_font)
            yield WrittenFile(outbox.write(f"{stem}.pdf", write_sheets(placed, (), info)))
