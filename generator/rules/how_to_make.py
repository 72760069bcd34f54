"""Write the how-to-make page as blocks of rules: shopping list, printing, cutting, folding, gluing, and the time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil
from pathlib import Path

from generator.base import units
from generator.base.errors import list_ranges
from generator.base.fonts import FontSet
from generator.base.geometry import Size
from generator.base.ui_strings import MakingWords, Words
from generator.draw.draw import DrawnComponent, draw_art
from generator.impose.nets.dice_and_boxes import find_net_plan
from generator.impose.nets.net import FlatNet, NetPlan
from generator.impose.nets.standee import plan_standee
from generator.impose.setup import Setup
from generator.impose.sheet import Bed, Job
from generator.pack.decks import sleeve_for
from generator.pack.folder import Asset
from generator.pack.game import Component, Game
from generator.picture.face import Face
from generator.rules.making_pictures import SheetPicture, draw_stages, find_gaps, number_lines
from generator.rules.model import (
    Block,
    ComponentEntry,
    Components,
    Figure,
    FigureBlock,
    Heading,
    Listing,
    PageBreak,
    Panel,
    Span,
    YesNo,
    begin_upper,
    paragraph,
)


def sheets_of(job: Job, components: Collection[str]) -> set[int]:
    """Return the numbers of the sheets with pieces of some components, given by their ids."""
    return {
        number
        for number, sheet in enumerate(job.sheets, 1)
        if any(placed.piece.partition(":")[0] in components for placed in sheet.front.placed)
    }


def pages_of(job: Job, sheets: Collection[int], before: int) -> list[int]:
    """Return the pages of some sheets in the file; `before` pages precede the first sheet.

    Of two files, the pages are those of the first. A page's label begins with the number of its
    sheet.
    """
    pages = job.parts[0].pages
    return [
        before + at for at, page in enumerate(pages, 1) if int(page.side.label.split()[0]) in sheets
    ]


def format_numbers(numbers: Sequence[int], singular: str, plural: str) -> str:
    """Return sorted numbers with their noun, such as `page 2` or `pages 2–4, 7`."""
    text = ", ".join(list_ranges(numbers))
    return f"{singular if len(numbers) == 1 else plural}\N{NO-BREAK SPACE}{text}"


BOARD = "board"
STANDEE = "standee"
# Values of `make:` for components that need no folding and no glue.
FLAT = frozenset({"piece", BOARD})

# Card for pieces that stay flat, and card that still folds well: in g/m², and as shops in the US
# sell it. 110 lb index has 199 g/m², 65 lb cover 176 g/m².
CARD_WEIGHT = ("200–300", "110 lb index")
FOLDING_WEIGHT = ("160–200", "65 lb cover")

# The pictures of the steps and of the kinds of cuts, in which `currentColor` becomes the accent.
PICTURES_FOLDER = Path(__file__).parent / "making"
STEP_MM = 26.0

# The font of the numbers of cuts.
NUMBER_FONT = ("Fira Sans Condensed", 700)

# The picture of the first sheet, in a column among other things, and on a page of its own.
SHEET_MM = Size(74.0, 96.0)
LARGE_SHEET_MM = Size(150.0, 150.0)

# Faces that illustrate a component.
THUMBNAIL_COUNT = 3

MAX_PICTURED_COMPONENTS = 40
"""The number of components up to which each has pictures: these take two pages, and their search three seconds."""


@dataclass(frozen=True)
class MakingPage:
    """The how-to-make page of a game, for sheets imposed on one paper or on several.

    `before` pages precede the sheets in their file; None if page numbers are not known, so that
    sheets are named instead. The pictures are in the colour `accent`. With `is_compact`, the cuts
    follow the pieces on the same page. The sheets of the first `cut_pictures` kinds are shown with
    their cuts.
    """

    game: Game
    components: tuple[DrawnComponent, ...]
    imposed: tuple[tuple[Setup, Job], ...]
    words: Words
    accent: str
    before: int | None = None
    is_compact: bool = False
    cut_pictures: int = 1

    @property
    def texts(self) -> MakingWords:
        """The texts of the page in the game's language."""
        return self.words.making

    @property
    def title(self) -> str:
        """The title with the game's name and variant."""
        form = f" ({self.game.variant_title})" if self.game.variant else ""
        return self.texts.title.format(name=f"{self.game.name}{form}")

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks in the order of work."""
        return tuple(self._blocks())

    @cached_property
    def _printed_components(self) -> tuple[DrawnComponent, ...]:
        return tuple(component for component in self.components if component.spec.count)

    @property
    def _is_two_sided(self) -> bool:
        return any(sheet.back for _, job in self.imposed for sheet in job.sheets)

    @property
    def _has_second_page(self) -> bool:
        """True if the cuts have a page of their own: the back, which would be blank without them."""
        return self._is_two_sided and self.before is not None and not self.is_compact

    @property
    def _folded_components(self) -> tuple[DrawnComponent, ...]:
        return tuple(
            component
            for component in self._printed_components
            if component.spec.make.name not in FLAT
        )

    def _blocks(self) -> Iterator[Block]:
        texts = self.texts
        yield self._show_overview()
        yield self._heading(2, texts.needs)
        yield Listing(0, tuple((paragraph(need),) for need in self._list_needs()))
        yield self._heading(2, texts.printing)
        checks = (texts.ruler, *((texts.backs,) if self._is_two_sided else ()))
        yield Listing(0, (*self._list_printing_steps(), *((paragraph(check),) for check in checks)))
        yield self._heading(2, texts.pieces)
        yield self._list_pieces()
        if self._has_second_page:
            yield PageBreak()
        yield self._heading(2, texts.cutting)
        yield Listing(0, tuple((paragraph(way),) for way in self._list_cutting_methods()))
        yield from self._show_kinds_of_cuts()
        yield from self._show_numbered_cuts()
        if self._folded_components:
            yield self._heading(2, texts.folding)
            for component in self._folded_components:
                yield from self._show_folding(component)

    def _list_pieces(self) -> Block:
        """Return the pieces to count: components with pictures, or only their names if they are many."""
        if len(self._printed_components) <= MAX_PICTURED_COMPONENTS:
            return Components(tuple(map(self._make_entry, self._printed_components)))
        counts = (f"{part.spec.count} × {part.spec.title}" for part in self._printed_components)
        return paragraph(", ".join(counts))

    def _show_overview(self) -> Block:
        """Return the four steps of the work, each with a picture."""
        count = sum(component.spec.count for component in self._printed_components)
        return YesNo(
            tuple(
                Panel(
                    None,
                    Figure(f"making-{name}", self._picture(name), title, wide=True),
                    (
                        Span(f"{step}. {title}", bold=True),
                        Span("\n"),
                        Span(self.texts.step_notes[name].format(count=count)),
                    ),
                )
                for step, (name, title) in enumerate(self.texts.steps.items(), 1)
            )
        )

    def _picture(self, name: str) -> Face:
        return _draw_picture(name, self.accent, self.game.fonts, self.game.language)

    def _show_numbered_cuts(self) -> Iterator[Block]:
        """Yield a picture of the cuts in order for each of the first `cut_pictures` kinds of sheets.

        Only sheets whose pieces are parted by straight cuts have one.
        """
        _, job = self.imposed[0]
        if not all(setup.marks.reach for setup, _ in self.imposed):
            return
        for index, bed in enumerate(job.beds[: self.cut_pictures], 1):
            yield from self._show_cuts(index, bed, job)

    def _show_cuts(self, index: int, bed: Bed, job: Job) -> Iterator[Block]:
        """Yield a picture of the first sheet that is cut like `bed`, if straight cuts part its pieces."""
        faces = {face.name: face for component in self.components for face in component.faces}
        font = self.game.fonts.find(*NUMBER_FONT)
        is_large = self._has_second_page and not self._folded_components
        max_size = LARGE_SHEET_MM if is_large else SHEET_MM
        placed = job.sheets[bed.first - 1].front.placed
        face = SheetPicture(max_size, bed, placed, faces, font, self.accent).draw()
        if face:
            where = begin_upper(self._name_pages(job, set(range(bed.first, bed.last + 1))))
            text = self.texts.order.format(where=where)
            name = "making-order" if index == 1 else f"making-order-{index}"
            yield FigureBlock(Figure(name, face, text, wide=is_large), (Span(text),))

    def _show_kinds_of_cuts(self) -> Iterator[Block]:
        """Yield a picture of each kind of cut between pieces that the sheets have."""
        gaps = find_gaps([bed for _, job in self.imposed for bed in job.beds])
        texts = {"shared": self.texts.shared, "gutter": self.texts.gutter}
        panels = tuple(
            Panel(None, Figure(f"making-{name}", self._picture(name), text), (Span(text),))
            for name, text in texts.items()
            if name in gaps
        )
        if panels:
            yield YesNo(panels)

    def _heading(self, level: int, text: str) -> Heading:
        return Heading(level, (Span(text),), f"making-{text.lower().replace(' ', '-')}")

    def _list_needs(self) -> Iterator[str]:
        """Yield the things to buy: card, paper, tools, glue and sleeves."""
        texts = self.texts
        for setup, job in self.imposed:
            flat_sheets = sheets_of(
                job,
                {
                    entry.spec.id
                    for entry in self._printed_components
                    if entry.spec.make.name in FLAT
                },
            )
            folded_sheets = (
                sheets_of(job, {item.spec.id for item in self._folded_components}) - flat_sheets
            )
            for (grams, pounds), sheets in (
                (CARD_WEIGHT, flat_sheets),
                (FOLDING_WEIGHT, folded_sheets),
            ):
                if sheets:
                    yield texts.card.format(
                        paper=setup.paper.title,
                        grams=grams,
                        pounds=pounds,
                        count=len(sheets),
                        pages=self._name_pages(job, sheets),
                    )
        if self.before:
            rules = self.words.rules
            yield texts.plain.format(
                pages=format_numbers(range(1, self.before + 1), rules.page, rules.pages)
            )
        yield texts.tools
        if self._folded_components:
            yield texts.glue
        for component in self._printed_components:
            sleeve = (
                sleeve_for(component.spec.outline.size)
                if component.spec.make.name == "piece"
                else None
            )
            if sleeve and component.spec.outline.is_box:
                yield texts.sleeves.format(
                    title=component.spec.title, count=component.spec.count, sleeve=sleeve.title
                )
        yield from self.game.needs
        yield self._describe_time()

    def _describe_time(self) -> str:
        """Return the estimated time in words."""
        folded = sum(component.spec.count for component in self._folded_components)
        text = self.texts.time_folded if folded else self.texts.time
        return text.format(**estimate_minutes(self.imposed[0][1], folded))

    def _list_printing_steps(self) -> Iterator[tuple[Block, ...]]:
        """Yield the scale and the edge to flip on; of a job in two files, for each file."""
        sheet_words = self.words.sheet
        for how in dict.fromkeys(sheet_words.how_to_print(job.mode) for _, job in self.imposed):
            yield (paragraph(self.texts.size.format(how=how), bold=True),)
        _, job = self.imposed[0]
        if len(job.parts) > 1:
            for part, how in zip(
                job.parts,
                (sheet_words.how_to_print(job.mode), sheet_words.how_to_print_behind(job.mode)),
                strict=False,
            ):
                yield (paragraph(self.texts.file.format(name=part.name, how=how)),)

    def _name_pages(self, job: Job, sheets: set[int]) -> str:
        """Return the pages of some sheets, such as `pages 3–6`, or `sheets 1–2` if pages are not known."""
        if self.before is None:
            return format_numbers(sorted(sheets), self.texts.sheet, self.texts.sheets)
        rules = self.words.rules
        return format_numbers(pages_of(job, sheets, self.before), rules.page, rules.pages)

    def _make_entry(self, component: DrawnComponent) -> ComponentEntry:
        """Return a component with its pages, its size and some of its faces."""
        spec = component.spec
        places = {
            setup.paper.title: self._name_pages(job, sheets)
            for setup, job in self.imposed
            if (sheets := sheets_of(job, {spec.id}))
        }
        is_same_everywhere = len(set(places.values())) == 1
        where = (
            next(iter(places.values()))
            if is_same_everywhere
            else "; ".join(f"{paper}: {pages}" for paper, pages in places.items())
        )
        title = f"{spec.title} ({self.texts.optional})" if spec.optional else spec.title
        line = f"{begin_upper(where)} · {self._describe_size(spec)}"
        return ComponentEntry(spec.count, title, (Span(line),), tuple(_choose_faces(component)))

    def _describe_size(self, spec: Component) -> str:
        """Return the size of a piece in mm."""
        outline = spec.outline
        if outline.is_circle:
            return f"Ø {units.number(outline.size.w)} mm"
        size = f"{units.number(outline.size.w)} × {units.number(outline.size.h)} mm"
        return (
            size
            if not outline.radius
            else self.texts.corners.format(what=size, mm=units.number(outline.radius))
        )

    def _list_cutting_methods(self) -> Iterator[str]:
        """Yield each method of cutting with the components that are cut so."""
        methods: dict[str, list[str]] = {}
        for component in self._printed_components:
            methods.setdefault(self._cutting_method(component.spec), []).append(
                component.spec.title
            )
        for way, titles in methods.items():
            names = dict.fromkeys(titles)
            yield way.format(
                what=("; " if any("," in name for name in names) else ", ").join(names)
            )
        if any(_has_mixed_sizes(job) for _, job in self.imposed):
            yield self.texts.mixed

    def _cutting_method(self, spec: Component) -> str:
        """Return the text on cutting a component."""
        texts = self.texts
        outline = spec.outline
        if spec.make.name not in FLAT:
            return texts.net
        if outline.is_circle:
            return texts.circle
        if not outline.is_box or not all(setup.marks.reach for setup, _ in self.imposed):
            return texts.outline
        return texts.board if spec.make.name == BOARD else texts.straight

    def _show_folding(self, component: DrawnComponent) -> Iterator[Block]:
        """Yield the pictures of folding a component, each with its instruction."""
        spec = component.spec
        texts = self.texts
        plan, faces = _find_plan(component)
        both = any(FlatNet(plan).get_bend(index) < 0 for index in range(1, len(plan.panels)))
        steps = (
            texts.cut_out,
            texts.score_both if both else texts.score,
            texts.done[spec.make.name],
        )
        pictures = draw_stages(plan, faces)
        panels = (
            Panel(
                None,
                Figure(f"{spec.id}-{index}", face, f"{spec.title}: {text}", wide=True),
                (Span(f"{index}. {text}"),),
            )
            for index, (face, text) in enumerate(zip(pictures, steps, strict=True), 1)
        )
        yield Heading(3, (Span(spec.title),), f"making-{spec.id}")
        yield YesNo(tuple(panels))


# There are six; games that a process builds one after the other may have accents of their own.
@lru_cache(64)
def _draw_picture(name: str, accent: str, fonts: FontSet, language: str) -> Face:
    """Draw one of the pictures that come with pnp. The pages of every paper show the same ones."""
    file = f"{name}.svg"
    return draw_art(Asset(file, PICTURES_FOLDER / file), STEP_MM, accent, fonts, language)


def _find_plan(component: DrawnComponent) -> tuple[NetPlan, dict[int, Face]]:
    """Return the net of a component, and the faces of its first design by panel."""
    spec = component.spec
    design = component.designs[0]
    if spec.make.name == STANDEE:
        return plan_standee(spec.outline.size), {0: design.front, 1: design.back or design.front}
    net = find_net_plan(spec.make.name, spec.outline.size, spec.depth)
    if net is None:
        raise ValueError(f"{spec.make} is not folded")
    plan, panels = net
    return plan, dict(zip(panels, (design.front, *design.more), strict=True))


def _choose_faces(component: DrawnComponent) -> Iterator[Face]:
    """Yield some fronts, spread over all designs and cut out.

    Of a folded component only the first.
    """
    fronts = list(dict.fromkeys(design.front for design in component.designs if design.count))
    count = min(THUMBNAIL_COUNT, len(fronts)) if component.spec.make.name in FLAT else 1
    for index in range(count):
        yield fronts[index * len(fronts) // count].cut(component.spec.outline)


def _has_mixed_sizes(job: Job) -> bool:
    """Return True if pieces of several sizes share a sheet, in any orientation.

    Sizes are compared to 0.01 mm.
    """
    return any(
        len({tuple(sorted(round(side, 2) for side in outline.size)) for outline in bed.outlines})
        > 1
        for bed in job.beds
    )


# Estimates of ours for one person at home; nobody was timed. A cut includes laying the ruler on its
# marks and two strokes through card; an outline is that of a token or a hexagon, cut with scissors.
PREPARING_MINUTES = 5.0
MINUTES_PER_SHEET = 1.0
MINUTES_PER_CUT = 2 / 3
MINUTES_PER_OUTLINE = 2 / 3
MINUTES_PER_FOLDED_PIECE = 8.0

# Estimates are rounded up to this.
STEP_MINUTES = 5


def estimate_minutes(job: Job, folded: int) -> dict[str, int]:
    """Return the minutes that each part of a job takes, and the `total`, rounded up.

    `folded` pieces are cut out, folded and glued.
    """
    cutting = sum((bed.last - bed.first + 1) * _estimate_cutting(bed) for bed in job.beds)
    parts = {
        "printing": _round_up(PREPARING_MINUTES + MINUTES_PER_SHEET * len(job.sheets)),
        "cutting": _round_up(cutting),
        "folding": _round_up(MINUTES_PER_FOLDED_PIECE * folded),
    }
    return {**parts, "total": sum(parts.values())}


def _estimate_cutting(bed: Bed) -> float:
    """Return the minutes in which a sheet is cut: with a ruler, or piece by piece."""
    cuts = number_lines(bed)
    round_pieces = sum(not outline.is_box or outline.is_circle for outline in bed.outlines)
    return MINUTES_PER_CUT * len(cuts) + MINUTES_PER_OUTLINE * (
        round_pieces if cuts else len(bed.outlines)
    )


def _round_up(minutes: float) -> int:
    return STEP_MINUTES * ceil(minutes / STEP_MINUTES)
