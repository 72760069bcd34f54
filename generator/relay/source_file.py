"""A third-party PDF, read in a worker process that can be stopped."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.base.budget import drawing
from generator.base.errors import InvalidValueError, Kind, PnpError, Where
from generator.base.files import display
from generator.base.geometry import Rect
from generator.base.steps import step
from generator.base.units import format_count
from generator.base.worker import Worker, WorkError, WorkLimitError
from generator.relay.crop import cut_windows
from generator.relay.page import Doubts, PageContent, PieceWindow, PixelGaps, PlaceAppearance
from generator.relay.page_shapes import (
    describe_places,
    find_doubts,
    find_gaps,
    find_shapes,
    parse_page,
)
from generator.relay.read_pdf import LOCKED, MAX_BYTES, MAX_PAGES, SEALED, read_metadata
from generator.relay.straighten import measure_any_tilt, measure_scan, straighten

MAX_PAGE_NUMBER = 100_000
"""The highest page number in `--page`: a slip such as 1-99999999 must not fill the memory."""

_SPAN = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def parse_page_numbers(text: str) -> tuple[int, ...]:
    """Parse `2-9,12` into page numbers, each once, in order."""
    numbers: dict[int, None] = {}
    for part in text.split(","):
        match = _SPAN.fullmatch(part.strip())
        first = int(match[1]) if match else 0
        last = int(match[2]) if match and match[2] else first
        if not 1 <= first <= last <= MAX_PAGE_NUMBER:
            raise InvalidValueError(
                f"{part.strip()!r} is not a list of pages", "numbers from 1 on, such as 2-9,12"
            )
        numbers |= dict.fromkeys(range(first, last + 1))
    return tuple(sorted(numbers))


WORK_SECONDS = 60
"""Time limit in seconds for reading a page, and for cutting all windows out of a file."""

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
    """A PDF by its path; `index` is its number among the files of a job, from 0.

    A straightened copy is written into `folder`.
    """

    path: Path
    index: int
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
    def _metadata(self) -> Mapping[str, Any]:
        """The file's metadata; raises if the file cannot be read."""
        if not self.path.is_file():
            raise self._wrong("the file does not exist", "a PDF", kind=Kind.USAGE)
        if self.path.stat().st_size > MAX_BYTES:
            raise self._wrong(f"has more than {MAX_BYTES // 1_000_000} MB", "a smaller file")
        metadata: dict[str, Any] = json.loads(self._run(read_metadata))
        if fault := metadata.get("wrong"):
            raise self._wrong(
                *_WRONG.get(fault, (f"cannot be read: {metadata.get('why')}", "a PDF", _OPEN))
            )
        return metadata

    @property
    def pages(self) -> int:
        """The number of pages; raises if the file cannot be read."""
        return int(self._metadata["pages"])

    @property
    def opening_pages(self) -> Sequence[int]:
        """The numbers of the how-to-make pages in a PDF made by pnp, which have no pieces."""
        return tuple(self._metadata["opening"])

    def chosen_pages(self, requested: Sequence[int]) -> Sequence[int]:
        """Return the requested page numbers, or all except how-to-make pages; raise if none exists or too many do."""
        if requested:
            numbers = [number for number in requested if number <= self.pages]
        else:
            opening = self.opening_pages
            numbers = [number for number in range(1, self.pages + 1) if number not in opening]
        if requested and not numbers:
            raise self._wrong(
                f"has {format_count(self.pages, 'page')}, and --page names none of them",
                f"1 to {self.pages}",
                kind=Kind.USAGE,
            )
        if len(numbers) > MAX_PAGES:
            hint = "--page 1-40 takes some of them"
            raise self._wrong(f"has {len(numbers)} pages", f"at most {MAX_PAGES} at once", hint)
        return numbers

    @step
    def page(self, number: int) -> PageContent:
        """Return the contents of a page."""
        data = json.loads(self._run(find_shapes, number))
        if fault := data.get("wrong"):
            raise self._wrong(f"page {number} {fault}", data["expected"])
        return parse_page(self.index, number, data)

    @step
    def pixels(self, number: int) -> PixelGaps:
        """Return the gaps that the rendered page shows."""
        data = json.loads(self._run(find_gaps, number))
        blocks = tuple(Rect(*block) for block in data["blocks"])
        across, down = (tuple((at, share) for at, share in data[key]) for key in ("across", "down"))
        return PixelGaps(Rect(*data["ink"]), blocks, across, down)

    @step
    def appearances(self, number: int, places: tuple[Rect, ...]) -> tuple[PlaceAppearance, ...]:
        """Return the appearance of some places on a page."""
        rows = json.loads(self._run(describe_places, number, [tuple(place) for place in places]))
        return tuple(
            PlaceAppearance(blank, bytes.fromhex(tiny), reach) for blank, tiny, reach in rows
        )

    @step
    def doubts(self, number: int, places: tuple[Rect, ...], with_tilt: int) -> Doubts:
        """Return the doubts about some places of pieces on a page.

        `with_tilt` 0 leaves the tilt unmeasured.
        """
        data = json.loads(self._run(find_doubts, number, [tuple(place) for place in places]))
        tilt = json.loads(self._run(measure_any_tilt, number)) if with_tilt else 0.0
        return Doubts(tuple(Rect(*block) for block in data["loose"]), data["cut"], tilt)

    def straighten(self, numbers: Sequence[int]) -> None:
        """Straighten the scans among some pages for all later steps.

        A page that cannot be read is left to the step that reads it, which reports it.
        """
        scans = []
        for page in numbers:
            with suppress(PnpError):
                if self.page(page).is_scan:
                    data = json.loads(self._run(measure_scan, page))
                    scans += [(page, data["tilt"], data["background"])] if data["tilt"] else []
        if scans:
            copy = self.folder / f"straightened-{self.index}.pdf"
            copy.write_bytes(self._run(straighten, scans))
            self.results[STRAIGHTENED] = copy, {page: tilt for page, tilt, _ in scans}
            for page, *_ in scans:
                del self.results["page", page]  # as it was before it was straightened

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

    def _wrong(
        self, found: str, expected: str, hint: str = "", kind: Kind = Kind.INVALID
    ) -> Exception:
        return PnpError([InvalidValueError(found, expected, hint, kind).at(self.where)])
