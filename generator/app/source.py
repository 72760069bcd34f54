"""A file that somebody else made, read in a process that can be stopped."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.app.steps import step
from generator.core.files import display
from generator.core.geometry import Rect
from generator.core.problems import Kind, Where, Wrong, error_of
from generator.core.worker import Failed, TooMuch, Worker
from generator.pdf.foreign.cutting import cut_out
from generator.pdf.foreign.opening import LOCKED, MAX_BYTES, MOST_PAGES, SEALED, about
from generator.pdf.foreign.seeing import page_of, see
from generator.preview.scan import look, scan
from generator.relay.page import PageSeen, PieceWindow, PixelsSeen, PlaceSeen

SECONDS = 60
"""For one page, and for all that is cut out of a file."""

_OPEN = "open it in a viewer and print it into a PDF: that one is read"
_WRONG = {
    LOCKED: ("opens with a password only", "a PDF that anybody may open", _OPEN),
    SEALED: ("is not to be printed: its author says so in the file", "a PDF that may be printed", ""),
}


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A PDF by its place; `nth` is its number among those of a job."""

    path: Path
    nth: int
    worker: Worker
    known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)

    @cached_property
    def where(self) -> Where:
        """The file as its reader would name it."""
        return Where(display(self.path))

    @cached_property
    def digest(self) -> str:
        """Of its bytes."""
        return sha256(self.path.read_bytes()).hexdigest()

    @property
    @step
    def pages(self) -> int:
        """How many pages it has; raises what is wrong with it."""
        if not self.path.is_file():
            raise error_of([Wrong("there is no such file", "a PDF", "", Kind.MISSING).at(self.where)])
        if self.path.stat().st_size > MAX_BYTES:
            raise self._wrong(f"has more than {MAX_BYTES // 1_000_000} MB", "a smaller file")
        told = json.loads(self._asked(about))
        if why := told.get("wrong"):
            raise self._wrong(*_WRONG.get(why, (f"cannot be read: {told.get('why')}", "a PDF", _OPEN)))
        return int(told["pages"])

    def chosen(self, wanted: Sequence[int]) -> Sequence[int]:
        """The pages that are wanted, or all."""
        numbers = [number for number in wanted if number <= self.pages] or range(1, self.pages + 1)
        if wanted and not [number for number in wanted if number <= self.pages]:
            raise self._wrong(f"has {self.pages} pages, and --page names none of them", f"1 to {self.pages}")
        if len(numbers) > MOST_PAGES:
            hint = "--page 1-40 takes some of them"
            raise self._wrong(f"has {len(numbers)} pages", f"at most {MOST_PAGES} at once", hint)
        return numbers

    @step
    def page(self, number: int) -> PageSeen:
        """What is drawn on a page."""
        told = json.loads(self._asked(see, number))
        if why := told.get("wrong"):
            raise self._wrong(f"page {number} {why}", "a page that people print")
        return page_of(self.nth, number, told)

    @step
    def pixels(self, number: int) -> PixelsSeen:
        """What a page's pixels show."""
        told = json.loads(self._asked(scan, number))
        blocks = tuple(Rect(*block) for block in told["blocks"])
        across, down = (tuple((at, share) for at, share in told[key]) for key in ("across", "down"))
        return PixelsSeen(Rect(*told["ink"]), blocks, across, down)

    @step
    def looks(self, number: int, places: tuple[Rect, ...]) -> tuple[PlaceSeen, ...]:
        """How places on a page look."""
        told = json.loads(self._asked(look, number, [tuple(place) for place in places]))
        return tuple(PlaceSeen(blank, bytes.fromhex(tiny), reach) for blank, tiny, reach in told)

    def cut(self, windows: Iterable[PieceWindow]) -> bytes:
        """A file with a page for each window."""
        return self._asked(cut_out, list(windows))

    def name(self, window: PieceWindow) -> str:
        """What the face of a window is called: the same for the same file and place."""
        return sha256(f"{self.digest} {window[1:]}".encode()).hexdigest()[:20]

    def _asked(self, function: Any, *args: object) -> bytes:
        place = str(self.path.resolve())
        try:
            return self.worker.run(function, place, *args)
        except TooMuch as error:
            raise self._wrong(f"takes {error.why} to read", "a file that people print", _OPEN) from None
        except Failed as error:
            raise self._wrong(f"cannot be read: {error}", "a whole PDF", _OPEN) from None

    def _wrong(self, found: str, expected: str, hint: str = "") -> Exception:
        return error_of([Wrong(found, expected, hint).at(self.where)])
