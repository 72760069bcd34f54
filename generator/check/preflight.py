"""The short report on the sheets of a build and on printed decks.

It lists the paper used, the share of each sheet that takes ink, the items near a cut, and the
colours that look equal in grey. For each deck it names the sleeve that fits, and the height and
weight of the stack.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import dist

from PIL import Image, ImageChops, ImageStat

from generator.base.colours import channels_of, lightness
from generator.base.units import format_count, number
from generator.draw.layers.links import Links
from generator.impose.sheet import Job, SheetSide
from generator.pack.decks import SLEEVE_THICKNESS_MM, sleeve_for, stocks
from generator.pack.game import Component, Design, Game

MAX_LEVEL = 255
"""The highest level of a channel: of ink, full ink; of alpha, an opaque pixel."""


def ink_share(picture: Image.Image) -> float:
    """Return the share of a picture that takes ink, from 0 to 1.

    A pixel counts by its darkest channel: full ink is 1, and a tint is the share that it covers.
    Unpainted pixels are paper and count 0.
    """
    red, green, blue, alpha = picture.convert("RGBA").split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    levels = ImageChops.multiply(ImageChops.invert(darkest), alpha)
    return ImageStat.Stat(levels).mean[0] / MAX_LEVEL


def ink_table(job: Job, inks: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of a table: for each sheet, the inked share of its front and its back in per cent.

    `inks` has the inked share of each face by name. A side that is not printed has a dash.
    """
    yield f"{'sheet':>7}{'front':>8}{'back':>8}"
    for index, sheet in enumerate(job.sheets, 1):
        area = sheet.paper.w * sheet.paper.h
        front, back = (
            f"{_inked_area(side, inks) / area:.0%}" if side else "–"
            for side in (sheet.front, sheet.back)
        )
        yield f"{index:>7}{front:>8}{back:>8}"


def _inked_area(side: SheetSide, inks: Mapping[str, float]) -> float:
    """Return the inked area of a side in square mm."""
    areas = ((at.face, at.clip.area if at.clip else at.ink.w * at.ink.h) for at in side.placed)
    return sum(inks[name] * area for name, area in areas)


MAX_NAMED_PAIRS = 4
"""Number of colour pairs that the report names; it counts the others."""


def preflight(game: Game, jobs: Sequence[tuple[str, Job]], unsafe: int) -> Iterator[str]:
    """Yield the report's lines: paper, items near a cut, undrawn links, colours alike in grey."""
    for name, job in jobs:
        share = used_share(job)
        yield f"{name}: {_count_sheets(job)}, {share:.0%} of the paper is pieces, {1 - share:.0%} is cut away"
    items = "1 item reaches" if unsafe == 1 else f"{unsafe} items reach"
    yield "safe area: " + (
        f"{items} into it; see the warnings" if unsafe else "nothing reaches into it"
    )
    undrawn = [
        component.title for component in game.components if any(map(_undrawn, component.designs))
    ]
    if undrawn:
        yield f"links: no layer draws those of {', '.join(undrawn)}; see that the art shows what the data says"
    pairs = list(find_alike_in_grey(game))
    unnamed = len(pairs) - MAX_NAMED_PAIRS
    more = f", and {format_count(unnamed, 'more pair')}" if unnamed > 0 else ""
    yield "in grey: " + (
        f"similar are {'; '.join(pairs[:MAX_NAMED_PAIRS])}{more}" if pairs else "all colours differ"
    )


def _undrawn(design: Design) -> bool:
    """Return True if a side has links but no layer that draws them: only its art can show them, unchecked."""
    sides = [side for side in (design.front, design.back) if side and side.tile.links]
    return any(not any(isinstance(layer.layer, Links) for layer in side.layers) for side in sides)


def _count_sheets(job: Job) -> str:
    pages = sum(2 if sheet.back else 1 for sheet in job.sheets)
    return f"{format_count(len(job.sheets), 'sheet')}, {format_count(pages, 'page')}"


def used_share(job: Job) -> float:
    """Return the share of the paper that becomes pieces."""
    paper = sum(sheet.paper.w * sheet.paper.h for sheet in job.sheets)
    cut_area = sum(
        outline.area * (bed.last - bed.first + 1) for bed in job.beds for outline in bed.outlines
    )
    return cut_area / paper if paper else 0.0


MIN_LIGHTNESS_STEP = 8.0
"""Difference in lightness, of 100, below which two greys look equal."""

MIN_COLOUR_DISTANCE = 60.0
"""Distance of two colours in RGB, of 441, from which the designer meant two different colours."""


def find_alike_in_grey(game: Game) -> Iterator[str]:
    """Yield pairs of palette colours, and of links without distinct patterns, that look equal in grey."""
    yield from _pairs("colours", game.palette)
    for pattern in dict.fromkeys(link.pattern for link in game.links.values()):
        yield from _pairs(
            "links",
            {name: link.fill for name, link in game.links.items() if link.pattern == pattern},
        )


def _pairs(kind: str, colours: Mapping[str, str]) -> Iterator[str]:
    channels = {
        name: channels_of(value) for name, value in colours.items() if value.startswith("#")
    }
    for a, b in combinations(channels, 2):
        distance = dist(channels[a], channels[b])
        first = lightness(channels[a])
        second = lightness(channels[b])
        if distance >= MIN_COLOUR_DISTANCE and abs(first - second) < MIN_LIGHTNESS_STEP:
            yield f"{kind} {a} and {b} (lightness {first:.0f} and {second:.0f})"


DECK_STOCKS = ("200g", "250g", "300g")
"""The card stocks for which thickness and weight are reported."""

MIN_DECK_PIECES = 2
"""Least number of pieces in a deck: a single card is not a stack to measure or to sleeve."""


def deck_lines(components: Sequence[Component], layers: int) -> Iterator[str]:
    """Yield a line for each component that may be a deck; each piece has some layers of paper."""
    for component in components:
        size = component.outline.size
        outline = component.outline
        if (
            component.make.name != "piece"
            or not outline.is_box
            or outline.is_circle
            or component.count < MIN_DECK_PIECES
        ):
            continue
        sleeve = sleeve_for(size)
        fits = (
            f"sleeves {sleeve.name} ({sleeve.title})"
            if sleeve
            else "no sleeve of `pnp list sleeves` fits"
        )
        papers = ", ".join(_stack_on(name, component, layers) for name in DECK_STOCKS)
        more = (
            f"; sleeves add {number(round(component.count * SLEEVE_THICKNESS_MM, 1))} mm"
            if sleeve
            else ""
        )
        yield f"{component.title}, {component.count} of {outline}: {fits}; a stack is {papers}{more}"


def _stack_on(name: str, component: Component, layers: int) -> str:
    """Return thickness and weight on a stock, such as `13.5 mm and 61 g on 250g`."""
    row = stocks()[name]
    sheet_count = component.count * layers
    height = sheet_count * row.thickness
    weight = sheet_count * component.outline.area * row.grams / 1e6
    return f"{number(round(height, 1))} mm and {number(round(weight, 1))} g on {name}"
