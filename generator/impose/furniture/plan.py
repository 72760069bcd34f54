"""Where the ruler and the footer stand, so that marks, ink and the paper's edge stay clear of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from generator.core.geometry import Rect, Size
from generator.impose.furniture.bands import LEVELS, Bands, Level, MarginFrame, PaperEdge, bands
from generator.impose.furniture.things import RulerLabels, footer_wants, ruler_wants
from generator.impose.marks.styles import CLEAR
from generator.impose.sheet import Anchor

GAP = 0.2
"""Between a thing in the margin and the ink or the marks, in mm."""


@dataclass(frozen=True)
class MarginItem:
    """A thing that wants a place: its edges in the order it likes them, and what it needs of a strip so long.

    The ruler and the footer line up with different ends of the ink, so that no cut has its marks shortened at both.
    """

    name: str
    edges: tuple[PaperEdge, ...]
    align: Anchor
    wants: Callable[[Level, float], Size | None]


@dataclass(frozen=True)
class MarginPlan:
    """The places found, by name, and the names of what found none."""

    frames: tuple[tuple[str, MarginFrame], ...]
    missing: tuple[str, ...]

    def frame(self, item: str) -> MarginFrame | None:
        """The place of a thing, if there was room."""
        return dict(self.frames).get(item)

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """What marks must keep clear of."""
        return tuple(frame.box for _, frame in self.frames)


NOTHING = MarginPlan((), ())
"""No furniture."""


@dataclass(frozen=True)
class MarginTexts:
    """What the furniture of a side says: its longest footer, and what the ruler's scales are called."""

    footer: str
    labels: RulerLabels


Planner = Callable[[MarginTexts, Rect, Rect, float], MarginPlan]
"""From what is said, the printable part, the ink and the reach of the marks, in mm."""

RULER = "scale ruler"
FOOTER = "footer"


def for_front(said: MarginTexts, printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    """A ruler and a footer."""
    edges = (PaperEdge.TOP, PaperEdge.LEFT, PaperEdge.BOTTOM, PaperEdge.RIGHT)
    items = (_footer(said.footer), MarginItem(RULER, edges, Anchor.END, partial(ruler_wants, said.labels)))
    plans = [_plan(order, printable, ink, reach) for order in (items, items[::-1])]
    return max(plans, key=lambda plan: len(plan.frames))


def for_back(said: MarginTexts, printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    """A footer: one ruler a sheet is enough."""
    return _plan((_footer(said.footer),), printable, ink, reach)


def _footer(longest: str) -> MarginItem:
    return MarginItem(
        FOOTER,
        (PaperEdge.BOTTOM, PaperEdge.RIGHT, PaperEdge.TOP, PaperEdge.LEFT),
        Anchor.START,
        partial(footer_wants, longest),
    )


def _plan(items: Sequence[MarginItem], printable: Rect, ink: Rect, reach: float) -> MarginPlan:
    free = bands(printable, ink)
    frames, missing = [], []
    for item in items:
        found = next(_berths(item, free, reach), None)
        if found is None:
            missing.append(item.name)
        else:
            frame, free = found
            frames.append((item.name, frame))
    return MarginPlan(tuple(frames), tuple(missing))


def _berths(item: MarginItem, free: Bands, reach: float) -> Iterator[tuple[MarginFrame, Bands]]:
    """Places for an item, the best first, each with the strips that are left then."""
    for level in LEVELS:
        for edge in item.edges:
            for band in free[edge]:
                size = item.wants(level, band.frame.length)
                found = band.berth(size, _room(level, reach), item.align) if size else None
                if found is not None:
                    frame, rest = found
                    yield frame, free | {edge: tuple(other for other in free[edge] if other is not band) + rest}


def _room(level: Level, reach: float) -> float:
    """What marks take between a thing and the ink: those that would stand out less anyway take less."""
    mark = min(level.mark, reach)
    return CLEAR + mark + CLEAR if mark else GAP
