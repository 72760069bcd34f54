"""A third-party PDF, read in a process that can be stopped.

The user's hints help: which pages to read, and how pieces lie on them. Pieces of one size are
turned to lie alike.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

from generator.base.budget import drawing
from generator.base.errors import InvalidValueError, Kind, PnpError, Where, error_of
from generator.base.files import display
from generator.base.geometry import Point, Rect, Size
from generator.base.steps import step
from generator.base.units import length, number
from generator.base.worker import Worker, WorkError, WorkLimitError
from generator.pack.sizes import named_sizes, parse_grid, parse_size
from generator.relay.backs import SourcePair
from generator.relay.crop import cut_windows
from generator.relay.find_pieces import GridRequest, are_equal_sizes
from generator.relay.page import Doubts, PageContent, PieceWindow, PixelGaps, PlaceAppearance
from generator.relay.read_pdf import LOCKED, MAX_BYTES, MAX_PAGES, SEALED, about
from generator.relay.see_page import inspect, look, page_of, scan, see
from generator.relay.straighten import look_for_tilt, measure_scan, straighten

HIGHEST = 100_000
"""Of pages."""

_GRID = re.compile(
    r"(?P<grid>\d+\s*[x×]\s*\d+)(?:\s+of\s+(?P<size>.+?))?(?:\s+at\s+(?P<at>\S+\s+\S+))?(?:\s+gap\s+(?P<gap>\S+(?:\s+\S+)?))?"
)
_SPAN = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def page_numbers(text: str) -> tuple[int, ...]:
    """Parse `2-9,12` into page numbers, each once, in order."""
    found: dict[int, None] = {}
    for part in text.split(","):
        match = _SPAN.fullmatch(part.strip())
        first = int(match[1]) if match else 0
        last = int(match[2]) if match and match[2] else first
        if not 1 <= first <= last <= HIGHEST:
            raise InvalidValueError(
                f"{part.strip()!r} is not a list of pages", "numbers from 1 on, such as 2-9,12"
            )
        found |= dict.fromkeys(range(first, last + 1))
    return tuple(sorted(found))


def parse_grid_request(text: str) -> GridRequest:
    """Parse `3x3`, `3x3 of poker` or `3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm`."""
    match = _GRID.fullmatch(text.strip())
    if match is None:
        raise InvalidValueError(
            f"{text!r} is not a grid",
            "3x3, 3x3 of poker, or 3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm",
        )
    columns, rows = parse_grid(match["grid"])
    size = parse_size(match["size"]).size if match["size"] else None
    at = Point(*(length(part) for part in match["at"].split())) if match["at"] else None
    gaps = [length(part) for part in (match["gap"] or "0").split()]
    if at and size is None:
        raise InvalidValueError(
            f"{text!r} gives the position of the pieces but not their size",
            "3x3 of poker at 10mm 15mm",
        )
    if min(gaps) < 0:
        raise InvalidValueError(f"a gap in {text!r} is negative", "0 mm or more")
    return GridRequest(columns, rows, size, at, Size(gaps[0], gaps[-1]))


NAMED = 0.12
"""mm; so near to a size that has a name it is that."""


def upright(pairs: Sequence[SourcePair]) -> Iterator[SourcePair]:
    """Yield the pieces, turned so that those of one size lie alike."""
    first: list[Size] = []
    for front, back in ((pair.front, pair.back) for pair in pairs):
        is_known = any(are_equal_sizes(entry, front.size) for entry in first)
        if not is_known and any(are_equal_sizes(item.turned(90), front.size) for item in first):
            turned = back._replace(turn=(back.turn + 270) % 360) if back else None
            yield SourcePair(front._replace(turn=90), turned)
            continue
        if not is_known:
            first.append(front.size)
        yield SourcePair(front, back)


def common_size(sizes: Sequence[Size]) -> Size:
    """Return the size of pieces that are alike: a named size if it is as near as drawing programs are exact.

    Otherwise it is the mean: browsers round each side to a pixel of CSS (0.26 mm), some up and some down.
    """
    mean = Size(fmean(size.w for size in sizes), fmean(size.h for size in sizes))
    rows = [row.size for row in named_sizes().values()]
    return next(
        (
            item
            for size in rows
            for item in (size, size.turned(90))
            if are_equal_sizes(item, mean, NAMED)
        ),
        mean,
    )


def room_between(places: Sequence[Rect]) -> float:
    """Return half the least distance between neighbours, in mm."""
    room = float("inf")
    for index, place in enumerate(places):
        for other in places[index + 1 :]:
            both = place.common(other)
            if both.w > 0 or both.h > 0:
                room = min(room, max(0.0, -min(both.w, both.h)))
    return room / 2


def size_text(size: Size) -> str:
    """Return a size as text: its name, if it has one, and mm."""
    mm = f"{number(round(size.w, 2))} x {number(round(size.h, 2))} mm"
    name = next(
        (row.name for row in named_sizes().values() if are_equal_sizes(row.size, size, NAMED)), ""
    )
    return f"{name}, {mm}" if name else mm


SECONDS = 60
"""For one page, and for all that is cut out of a file."""

# The key of a straightened copy among the results of a file's steps.
STRAIGHTENED = ("straightened",)

_OPEN = "open it in a viewer and print it into a PDF: that one is read"
_WRONG = {
    LOCKED: ("needs a password", "a PDF that anybody may open", _OPEN),
    SEALED: (
        "may not be printed: its author forbids it in the file",
        "a PDF that may be printed",
        "",
    ),
}


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A PDF by its path; `nth` is its number among those of a job.

    A straightened copy is put into `folder`.
    """

    path: Path
    nth: int
    worker: Worker
    folder: Path
    results: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)

    @cached_property
    def where(self) -> Where:
        """The file for messages."""
        return Where(display(self.path))

    @cached_property
    def digest(self) -> str:
        """A digest of the file's bytes."""
        return sha256(self.path.read_bytes()).hexdigest()

    @property
    @step
    def _about(self) -> Mapping[str, Any]:
        """The file's metadata; raises if the file cannot be read."""
        if not self.path.is_file():
            raise error_of(
                [
                    InvalidValueError("the file does not exist", "a PDF", "", Kind.MISSING).at(
                        self.where
                    )
                ]
            )
        if self.path.stat().st_size > MAX_BYTES:
            raise self._wrong(f"has more than {MAX_BYTES // 1_000_000} MB", "a smaller file")
        told: dict[str, Any] = json.loads(self._run(about))
        if why := told.get("wrong"):
            raise self._wrong(
                *_WRONG.get(why, (f"cannot be read: {told.get('why')}", "a PDF", _OPEN))
            )
        return told

    @property
    def pages(self) -> int:
        """The number of pages; raises if the file cannot be read."""
        return int(self._about["pages"])

    @property
    def opening_pages(self) -> Sequence[int]:
        """The numbers of the how-to-make pages in a PDF made by pnp, which have no pieces."""
        return tuple(self._about["opening"])

    def chosen(self, wanted: Sequence[int]) -> Sequence[int]:
        """Return the pages that are wanted, or all but those that say how a game of ours is made."""
        every = [number for number in range(1, self.pages + 1) if number not in self.opening_pages]
        numbers = [number for number in wanted if number <= self.pages] or every
        if wanted and not [number for number in wanted if number <= self.pages]:
            raise self._wrong(
                f"has {self.pages} pages, and --page names none of them", f"1 to {self.pages}"
            )
        if len(numbers) > MAX_PAGES:
            hint = "--page 1-40 takes some of them"
            raise self._wrong(f"has {len(numbers)} pages", f"at most {MAX_PAGES} at once", hint)
        return numbers

    @step
    def page(self, number: int) -> PageContent:
        """Return the contents of a page."""
        told = json.loads(self._run(see, number))
        if why := told.get("wrong"):
            raise self._wrong(f"page {number} {why}", "a page of a size that can be printed")
        return page_of(self.nth, number, told)

    @step
    def pixels(self, number: int) -> PixelGaps:
        """Return the gaps that the rendered page shows."""
        told = json.loads(self._run(scan, number))
        blocks = tuple(Rect(*block) for block in told["blocks"])
        across, down = (tuple((at, share) for at, share in told[key]) for key in ("across", "down"))
        return PixelGaps(Rect(*told["ink"]), blocks, across, down)

    @step
    def looks(self, number: int, places: tuple[Rect, ...]) -> tuple[PlaceAppearance, ...]:
        """Return how some places on a page look."""
        told = json.loads(self._run(look, number, [tuple(place) for place in places]))
        return tuple(
            PlaceAppearance(blank, bytes.fromhex(tiny), reach) for blank, tiny, reach in told
        )

    @step
    def doubts(self, number: int, places: tuple[Rect, ...], with_tilt: int) -> Doubts:
        """Return the doubts about some places of pieces on a page.

        `with_tilt` 0 leaves the tilt unmeasured.
        """
        told = json.loads(self._run(inspect, number, [tuple(place) for place in places]))
        tilt = json.loads(self._run(look_for_tilt, number)) if with_tilt else 0.0
        return Doubts(tuple(Rect(*block) for block in told["loose"]), told["cut"], tilt)

    def straighten(self, numbers: Sequence[int]) -> None:
        """Straighten the scans among some pages for all later steps.

        A page that cannot be read is left to the step that reads it, which reports it.
        """
        scans = []
        for page in numbers:
            with suppress(PnpError):
                told = json.loads(self._run(measure_scan, page))
                scans += [(page, told["tilt"], told["ground"])] if told["tilt"] else []
        if scans:
            copy = self.folder / f"straightened-{self.nth}.pdf"
            copy.write_bytes(self._run(straighten, scans))
            self.results[STRAIGHTENED] = copy, {page: tilt for page, tilt, _ in scans}

    @property
    def tilts(self) -> Mapping[int, float]:
        """The tilts of the straightened pages in degrees clockwise, by page number."""
        return self.results[STRAIGHTENED][1] if STRAIGHTENED in self.results else {}

    def cut(self, windows: Iterable[PieceWindow]) -> bytes:
        """Return a PDF with a page for each window."""
        return self._run(cut_windows, list(windows))

    def name(self, window: PieceWindow) -> str:
        """Return the name of a window's face, which is equal for equal files and places."""
        return sha256(f"{self.digest} {window[1:]}".encode()).hexdigest()[:20]

    def _run(self, function: Any, *args: object) -> bytes:
        path = self.results[STRAIGHTENED][0] if STRAIGHTENED in self.results else self.path
        place = str(path.resolve())
        try:
            with drawing(str(self.where)):
                return self.worker.run(function, place, *args)
        except WorkLimitError as error:
            raise self._wrong(
                f"takes {error.why} to read", "a file that people print", _OPEN
            ) from None
        except WorkError as error:
            raise self._wrong(f"cannot be read: {error}", "a whole PDF", _OPEN) from None

    def _wrong(self, found: str, expected: str, hint: str = "") -> Exception:
        return error_of([InvalidValueError(found, expected, hint).at(self.where)])
