"""The order of the stages for what follows the printing: cut plans and cut files."""

from collections.abc import Iterator
from pathlib import Path

from generator.errors import Wrong, raise_any
from generator.files import Outbox
from generator.impose.cutting.machine import dxf, svg
from generator.impose.cutting.words import cut_plan
from generator.impose.sheet import Job
from generator.pack.game import Game
from generator.wishes import PrintWish, setup


def write_cuts(game: Game, paper_name: str, wish: PrintWish, job: Job, outbox: Outbox) -> Iterator[Path]:
    """The plan for a guillotine and the files for a machine, where they are wished for."""
    how = setup(game, paper_name, wish)
    stem = f"{game.stem}-cuts-{how.paper.name}"
    if wish.cut_plan:
        text = cut_plan(f"{game.name} {game.version}", job.beds, how)
        yield outbox.write(f"{stem}.txt", text.encode())
    for bed in job.beds if wish.cutter else ():
        name = f"{stem}-sheet-{bed.first}" + (f"-to-{bed.last}" if bed.last > bed.first else "")
        yield outbox.write(f"{name}.svg", svg(bed).encode())
        try:
            yield outbox.write(f"{name}.dxf", dxf(bed).encode())
        except Wrong as wrong:
            raise_any([wrong.at(None)])
