"""Write cutting plans for guillotines, and files for cutting machines."""

from collections.abc import Iterable, Iterator

from generator.base.errors import raising_at
from generator.base.files import Outbox
from generator.base.spill import SpilledBytes
from generator.base.ui_strings import words_for
from generator.base.worker import Worker
from generator.export import WrittenFile
from generator.impose.guillotine import draw_cut_pages, write_cut_plan
from generator.impose.plotter import write_dxf, write_svg
from generator.impose.sheet import Bed
from generator.pipeline.printing import ImposedSheets, name_mode
from generator.pipeline.project import Project


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the plans and cut files of the sheets, as far as the options ask for them."""
    for paper in project.papers:
        yield from write_cuts(project, project.impose(paper), outbox, project.game.stem("cuts"))


def write_cuts(
    project: Project, imposed: ImposedSheets, outbox: Outbox, stem: str
) -> Iterator[WrittenFile]:
    """Write the plan and cut files of any sheets; file names begin with `stem`."""
    options = project.print_options
    setup = imposed.setup
    game = project.game
    stem = "-".join(filter(None, (stem, setup.paper.name, name_mode(game, options))))
    if options.cut_plan:
        title = setup.caption
        text = write_cut_plan(title, imposed.job.beds, setup, words_for(game.language).cuts)
        yield WrittenFile(outbox.write(f"{stem}.txt", text.encode()))
        yield WrittenFile(
            outbox.write(f"{stem}.pdf", _pictures(project, imposed, title)),
            "the cutting plan with a picture of each sheet",
        )
    if options.cutter:
        with Worker() as worker:
            yield from _cut_files(imposed.job.beds, outbox, stem, worker)


def _pictures(project: Project, imposed: ImposedSheets, title: str) -> SpilledBytes:
    """Return the plan as PDF pages with pictures."""
    words = words_for(project.game.language).cuts
    pages = draw_cut_pages(title, imposed.job.beds, imposed.setup.paper.page, words)
    return project.write_pages(pages, project.document_info(title, "Simplex"))


def _cut_files(
    beds: Iterable[Bed], outbox: Outbox, stem: str, worker: Worker
) -> Iterator[WrittenFile]:
    """Yield an SVG and a DXF file for each group of equal sheets."""
    for bed in beds:
        name = f"{stem}-sheet-{bed.first}" + (f"-to-{bed.last}" if bed.last > bed.first else "")
        yield WrittenFile(outbox.write(f"{name}.svg", write_svg(bed).encode()))
        with raising_at():
            yield WrittenFile(outbox.write(f"{name}.dxf", write_dxf(bed, worker).encode()))
