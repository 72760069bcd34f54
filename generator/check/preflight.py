"""The short report on the sheets that would be made."""

from collections.abc import Iterator, Sequence

from generator.check.grey import alike_in_grey
from generator.draw.layers.links import Links
from generator.impose.sheet import Job
from generator.pack.game import Design, Game

SHOWN = 4
"""Pairs of colours that are named; of more, their number is said."""


def preflight(game: Game, jobs: Sequence[tuple[str, Job]], unsafe: int) -> Iterator[str]:
    """Its lines: paper, what a cut may reach, links that no layer draws, grey."""
    for name, job in jobs:
        share = used(job)
        yield f"{name}: {_sheets(job)}, {share:.0%} of the paper is pieces, {1 - share:.0%} is cut away"
    yield "safe area: " + (f"{unsafe} things reach into it, see the warnings" if unsafe else "nothing reaches into it")
    undrawn = [component.title for component in game.components if any(map(_undrawn, component.designs))]
    if undrawn:
        yield f"links: no layer draws those of {', '.join(undrawn)}; see that the art shows what the data says"
    pairs = [str(pair) for pair in alike_in_grey(game)]
    more = f", and {len(pairs) - SHOWN} more pairs" if len(pairs) > SHOWN else ""
    yield "in grey: " + (f"alike are {'; '.join(pairs[:SHOWN])}{more}" if pairs else "all colours stay apart")


def _undrawn(design: Design) -> bool:
    """Whether a side has links that only its art can show, which nothing compares with them."""
    sides = (design.front, design.back) if design.back else (design.front,)
    return any(side.tile.links and not any(isinstance(one.layer, Links) for one in side.layers) for side in sides)


def _sheets(job: Job) -> str:
    pages = sum(2 if sheet.back else 1 for sheet in job.sheets)
    return f"{len(job.sheets)} sheet{'s' if len(job.sheets) != 1 else ''}, {pages} page{'s' if pages != 1 else ''}"


def used(job: Job) -> float:
    """The share of the paper that ends as pieces."""
    paper = sum(sheet.paper.w * sheet.paper.h for sheet in job.sheets)
    cut = sum(outline.area * (bed.last - bed.first + 1) for bed in job.beds for outline in bed.outlines)
    return cut / paper if paper else 0.0
