"""What is said of how a game is made: what one needs, how it is printed, how each piece is cut, folded and glued."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from generator.core.units import number
from generator.core.words import MakingWords, Words
from generator.draw.draw import DrawnComponent
from generator.impose.folded import find_net_plan
from generator.impose.net import plan_standee
from generator.impose.nets import FlatNet, NetPlan
from generator.impose.setup import Setup
from generator.impose.sheet import Job
from generator.making.folding import stages
from generator.making.pages import Counted, pages_of, sheets_of
from generator.pack.decks import sleeve_for
from generator.pack.game import Component, Game
from generator.picture.face import Face
from generator.rules.model import (
    Block,
    ComponentEntry,
    Components,
    Figure,
    Heading,
    Listing,
    Panel,
    Paragraph,
    Span,
    YesNo,
)

BOARD = "board"
STANDEE = "standee"
FLAT = frozenset({"piece", BOARD})
"""What is made of a component without folding and glue."""

GRAMS = 220
THIN = 160
"""g/m²: the least for what stays flat, and what is easily folded."""

SHOWN = 3
"""Faces that stand for a component."""


@dataclass(frozen=True)
class MakingPage:
    """Says in one language what is done with the sheets, which are laid out for one paper or for several.

    `before` are the pages that stand before the sheets in their file; without a number, sheets are named and no pages.
    """

    game: Game
    drawn: tuple[DrawnComponent, ...]
    laid: tuple[tuple[Setup, Job], ...]
    words: Words
    before: int | None = None

    @property
    def said(self) -> MakingWords:
        """Its own words."""
        return self.words.making

    @property
    def title(self) -> str:
        """What stands on top."""
        form = f" ({self.game.variant_title})" if self.game.variant else ""
        return self.said.title.format(name=f"{self.game.name}{form}")

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All of it, in the order in which it is done."""
        return tuple(self._blocks())

    @cached_property
    def _printed(self) -> tuple[DrawnComponent, ...]:
        return tuple(component for component in self.drawn if component.spec.count)

    @property
    def _folded(self) -> tuple[DrawnComponent, ...]:
        return tuple(component for component in self._printed if component.spec.make.name not in FLAT)

    def _blocks(self) -> Iterator[Block]:
        said = self.said
        yield self._heading(2, said.needs)
        yield Listing(0, tuple((_words(need),) for need in self._needs()))
        yield self._heading(2, said.printing)
        yield from self._printing()
        yield self._heading(2, said.check)
        yield _words(said.ruler)
        if any(sheet.back for _, job in self.laid for sheet in job.sheets):
            yield _words(said.backs)
        yield self._heading(2, said.cutting)
        yield Components(tuple(map(self._entry, self._printed)))
        yield Listing(0, tuple((_words(way),) for way in self._cutting()))
        if self._folded:
            yield self._heading(2, said.folding)
            for component in self._folded:
                yield from self._steps(component)

    def _heading(self, level: int, text: str) -> Heading:
        return Heading(level, (Span(text),), f"making-{text.lower().replace(' ', '-')}")

    def _needs(self) -> Iterator[str]:
        said = self.said
        for setup, job in self.laid:
            heavy = sheets_of(job, {one.spec.id for one in self._printed if one.spec.make.name in FLAT})
            light = sheets_of(job, {one.spec.id for one in self._folded}) - heavy
            for grams, sheets in ((GRAMS, heavy), (THIN, light)):
                if sheets:
                    where = self._where(job, sheets)
                    yield said.card.format(paper=setup.paper.title, grams=grams, count=len(sheets), pages=where)
        if self.before:
            rules = self.words.rules
            yield said.plain.format(pages=Counted(rules.page, rules.pages).said(range(1, self.before + 1)))
        yield said.tools
        if self._folded:
            yield said.glue
        for component in self._printed:
            sleeve = sleeve_for(component.spec.outline.size) if component.spec.make.name == "piece" else None
            if sleeve and component.spec.outline.is_box:
                yield said.sleeves.format(title=component.spec.title, count=component.spec.count, sleeve=sleeve.title)
        yield from self.game.needs

    def _printing(self) -> Iterator[Block]:
        """The scale and the edge to flip; where it takes two files, of each its own."""
        ways = self.words.sheet
        for way in dict.fromkeys(ways.way(job.mode) for _, job in self.laid):
            yield Paragraph((Span(self.said.size.format(how=way), bold=True),))
        _, job = self.laid[0]
        if len(job.parts) > 1:
            for part, how in zip(job.parts, (ways.way(job.mode), ways.way_behind(job.mode)), strict=False):
                yield _words(self.said.file.format(name=part.name, how=how))

    def _where(self, job: Job, sheets: set[int]) -> str:
        """`pages 3–6`, or `sheets 1–2` where no page is known."""
        if self.before is None:
            return Counted(self.said.sheet, self.said.sheets).said(sorted(sheets))
        rules = self.words.rules
        return Counted(rules.page, rules.pages).said(pages_of(job, sheets, self.before))

    def _entry(self, component: DrawnComponent) -> ComponentEntry:
        """A component with its pages and its size, and what some of it looks like when it is cut out."""
        spec = component.spec
        found = {
            setup.paper.title: self._where(job, sheets)
            for setup, job in self.laid
            if (sheets := sheets_of(job, {spec.id}))
        }
        alike = len(set(found.values())) == 1
        where = next(iter(found.values())) if alike else "; ".join(f"{paper}: {on}" for paper, on in found.items())
        title = f"{spec.title} ({self.said.optional})" if spec.optional else spec.title
        line = f"{where[:1].upper()}{where[1:]} · {self._size(spec)}"
        return ComponentEntry(spec.count, title, (Span(line),), tuple(_shown(component)))

    def _size(self, spec: Component) -> str:
        outline = spec.outline
        if outline.is_circle:
            return f"Ø {number(outline.size.w)} mm"
        size = f"{number(outline.size.w)} × {number(outline.size.h)} mm"
        return size if not outline.radius else self.said.corners.format(what=size, mm=number(outline.radius))

    def _cutting(self) -> Iterator[str]:
        """Each way to cut, and what is cut so."""
        found: dict[str, list[str]] = {}
        for component in self._printed:
            found.setdefault(self._way(component.spec), []).append(component.spec.title)
        for way, titles in found.items():
            names = dict.fromkeys(titles)
            yield way.format(what=("; " if any("," in name for name in names) else ", ").join(names))
        if any(_mixed(job) for _, job in self.laid):
            yield self.said.mixed

    def _way(self, spec: Component) -> str:
        """How a component is cut."""
        said = self.said
        outline = spec.outline
        if spec.make.name not in FLAT:
            return said.net
        if outline.is_circle:
            return said.circle
        if not outline.is_box or not all(setup.marks.reach for setup, _ in self.laid):
            return said.outline
        return said.board if spec.make.name == BOARD else said.straight

    def _steps(self, component: DrawnComponent) -> Iterator[Block]:
        """Its pictures while it is folded, and what is done to get there."""
        spec = component.spec
        said = self.said
        plan, faces = _plan(component)
        both = any(FlatNet(plan, 0).get_bend(nth) < 0 for nth in range(1, len(plan.panels)))
        texts = (said.cut_out, said.score_both if both else said.score, said.done[spec.make.name])
        pictures = stages(plan, faces)
        panels = (
            Panel(None, Figure(f"{spec.id}-{nth}", face, f"{spec.title}: {text}", wide=True), (Span(f"{nth}. {text}"),))
            for nth, (face, text) in enumerate(zip(pictures, texts, strict=True), 1)
        )
        yield Heading(3, (Span(spec.title),), f"making-{spec.id}")
        yield YesNo(tuple(panels))


def _plan(component: DrawnComponent) -> tuple[NetPlan, dict[int, Face]]:
    """The net of a component, and the faces of its first design on their panels."""
    spec = component.spec
    design = component.designs[0]
    if spec.make.name == STANDEE:
        return plan_standee(spec.outline.size), {0: design.front, 1: design.back or design.front}
    found = find_net_plan(spec.make.name, spec.outline.size, spec.depth)
    if found is None:
        raise ValueError(f"{spec.make} is not folded")
    plan, panels = found
    return plan, dict(zip(panels, (design.front, *design.more), strict=True))


def _shown(component: DrawnComponent) -> Iterator[Face]:
    """Some of its fronts, spread over all, as they look when they are cut out; of what is folded, the first alone."""
    fronts = list(dict.fromkeys(design.front for design in component.designs if design.count))
    many = min(SHOWN, len(fronts)) if component.spec.make.name in FLAT else 1
    for nth in range(many):
        yield fronts[nth * len(fronts) // many].cut(component.spec.outline)


def _mixed(job: Job) -> bool:
    """Whether pieces of several sizes share a sheet, lying either way; a hundredth of a mm is none."""
    return any(
        len({tuple(sorted(round(side, 2) for side in one.size)) for one in bed.outlines}) > 1 for bed in job.beds
    )


def _words(text: str) -> Paragraph:
    return Paragraph((Span(text),))
