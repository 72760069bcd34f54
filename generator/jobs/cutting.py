"""The order of the stages for what follows the printing: cut plans and cut files."""

from collections.abc import Iterator
from pathlib import Path

from generator.core.files import Outbox
from generator.core.problems import placed
from generator.core.words import words_for
from generator.impose.cutting.machine import dxf, svg
from generator.impose.cutting.words import cut_plan
from generator.impose.setup import Setup
from generator.impose.sheet import Job
from generator.jobs.wishes import PrintWish
from generator.pack.game import Game


def write_cuts(game: Game, how: Setup, wish: PrintWish, job: Job, outbox: Outbox, stem: str = "") -> Iterator[Path]:
    """The plan for a guillotine and the files for a machine, where they are wished for."""
    stem = f"{stem or game.stem('cuts')}-{how.paper.name}"
    if wish.cut_plan:
        text = cut_plan(f"{how.caption.game} {how.caption.version}", job.beds, how, words_for(game.language).cuts)
        yield outbox.write(f"{stem}.txt", text.encode())
    for bed in job.beds if wish.cutter else ():
        name = f"{stem}-sheet-{bed.first}" + (f"-to-{bed.last}" if bed.last > bed.first else "")
        yield outbox.write(f"{name}.svg", svg(bed).encode())
        with placed():
            yield outbox.write(f"{name}.dxf", dxf(bed).encode())
