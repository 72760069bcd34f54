"""Match backs to fronts: on the next page, in the other half, one for all, beyond a fold, or in another file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from generator.base.geometry import Rect, Size
from generator.relay.find_pieces import FoundPieces
from generator.relay.page import PieceWindow, PlaceAppearance

# Of 255 levels: two places look alike if the mean and the largest difference of their thumbnails
# stay below these.
MAX_MEAN_LEVELS = 5.0
MAX_PIXEL_LEVELS = 36

# The halves of a folded page may differ by this much.
FOLD_TOLERANCE_MM = 1.0

# Of a piece's shorter side: a back that is farther from its place belongs to another front.
MAX_OFFSET_SHARE = 0.4

Look = Callable[[FoundPieces, Sequence[Rect]], Sequence[PlaceAppearance]]
PagePair = tuple[FoundPieces, FoundPieces | None]


@dataclass(frozen=True)
class SourcePair:
    """A front and its back."""

    front: PieceWindow
    back: PieceWindow | None = None

    def sized(self, size: Size, bleed: float) -> "SourcePair":
        """Return the pair with an exact size and bleed in mm."""
        return SourcePair(self.front.sized(size, bleed), self.back and self.back.sized(size, bleed))


@dataclass(frozen=True)
class BacksWay:
    """A way in which files have backs: its description, and a function that pairs pages."""

    what: str
    pages: Callable[[Sequence[FoundPieces]], list[PagePair]] | None = None


def _alternating(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return list(zip(pages[::2], [*pages[1::2], None], strict=False))


def _halves(pages: Sequence[FoundPieces]) -> list[PagePair]:
    half = len(pages) - len(pages) // 2
    return list(zip(pages[:half], [*pages[half:], None], strict=False))


def _last(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(page, pages[-1]) for page in pages[:-1]]


def _before(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(front, back) for back, front in zip(pages[::2], pages[1::2], strict=False)]


def _backs_half(pages: Sequence[FoundPieces]) -> list[PagePair]:
    half = len(pages) // 2
    return list(zip(pages[half:], pages[:half], strict=False))


def _first(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(page, pages[0]) for page in pages[1:]]


def _none(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(page, None) for page in pages]


AUTO = "auto"
FOLD = "fold"
NONE = "none"

WAYS: Mapping[str, BacksWay] = MappingProxyType(
    {
        AUTO: BacksWay("the position that fits best, judged by how pages look"),
        NONE: BacksWay("fronts only", _none),
        "alternate": BacksWay("each second page has the backs of the page before", _alternating),
        "halves": BacksWay("fronts first, then as many pages of backs", _halves),
        "last": BacksWay("the last page has the backs of all pieces", _last),
        "before": BacksWay("each second page has the fronts of the backs before", _before),
        "backs-half": BacksWay("backs first, then as many pages of fronts", _backs_half),
        "first": BacksWay("the first page has the backs of all pieces", _first),
        FOLD: BacksWay("fronts and backs on one page, folded between them"),
    }
)
"""How a file has its backs, by the names of `--backs`."""

TRIED = ("alternate", "halves", "before", "backs-half", "last", "first")


def place_behind(place: Rect, page: Rect, *, over: bool) -> Rect:
    """Return the place of a back on the page behind: turned over the long edge, or over the upper edge."""
    if over:
        return Rect(place.x, page.h - place.bottom, *place.size)
    return Rect(page.w - place.right, place.y, *place.size)


def backs_on(front: FoundPieces, back: FoundPieces, *, over: bool) -> list[Rect]:
    """Return the places of the backs of a page's pieces on another page.

    Places found there are used if near.
    """
    found = []
    for place in front.places:
        wanted = place_behind(place, back.page.box, over=over)
        near = min(back.places, key=lambda one: (one.centre - wanted.centre).length(), default=None)
        astray = (near.centre - wanted.centre).length() if near else 0.0
        centre = (
            near.centre if near and astray <= MAX_OFFSET_SHARE * min(place.size) else wanted.centre
        )
        found.append(Rect(centre.x - place.w / 2, centre.y - place.h / 2, *place.size))
    return found


def is_alike(one: PlaceAppearance, other: PlaceAppearance) -> bool:
    """Return True if two places look alike."""
    off = [abs(a - b) for a, b in zip(one.tiny, other.tiny, strict=True)]
    return sum(off) <= MAX_MEAN_LEVELS * len(off) and max(off) <= MAX_PIXEL_LEVELS


# The appearance of a place, and its size in whole mm: another orientation looks different.
SizedLook = tuple[tuple[int, int], PlaceAppearance]


def _are_alike(seen: Sequence[SizedLook]) -> bool:
    """Return True if all places of one size look alike."""
    first = dict(reversed(seen))
    return all(is_alike(first[size], item) for size, item in seen)


@dataclass(frozen=True)
class Matcher:
    """Finds the backs of pages.

    `look` returns the appearance of places; `over` is True for pages turned over the upper edge.
    """

    look: Look
    over: bool = False

    def way(self, pages: Sequence[FoundPieces]) -> str:
        """Return the name of the way that fits the pages, or `NONE`."""
        held = [page for page in pages if page.places]
        if held and all(self.fold(page) for page in held):
            return FOLD
        if len(pages) > 1 and held:
            for name in TRIED:
                make = WAYS[name].pages
                if make and self._fits(make(pages)):
                    return name
        return NONE

    def _fits(self, pairs: Sequence[PagePair]) -> bool:
        """Return True if these pairs are fronts and backs.

        That is so if all backs look alike and the fronts do not, or if the places fit only as
        fronts and backs.
        """
        fronts = list[SizedLook]()
        backs = list[SizedLook]()
        is_told = False
        seen_backs = dict[tuple[int, int], int]()
        for front, back in pairs:
            if back is None or not front.places:
                return False
            seen_backs[back.page.file, back.page.number] = len(back.places)
            seen = self.look(front, front.places)
            behind_it = self.look(back, backs_on(front, back, over=self.over))
            if [entry.blank for entry in seen] != [item.blank for item in behind_it]:
                return False
            inked = [place for place, one in zip(front.places, seen, strict=True) if not one.blank]
            if back.places and any(self._is_astray(place, back) for place in inked):
                return False
            is_told |= self._is_lopsided(front, seen) and self._are_all(back, behind_it)
            sizes = [(round(place.w), round(place.h)) for place in front.places]
            fronts += [pair for pair in zip(sizes, seen, strict=True) if not pair[1].blank]
            backs += [pair for pair in zip(sizes, behind_it, strict=True) if not pair[1].blank]
        # A page of even a single piece is alike to itself: that says nothing, and the page may well
        # be one more front.
        if not fronts or (len(pairs) > 1 and sum(seen_backs.values()) < 2):
            return False
        return is_told or (
            _are_alike(backs) and not _are_alike(fronts) and not is_alike(fronts[0][1], backs[0][1])
        )

    def _is_astray(self, place: Rect, back: FoundPieces) -> bool:
        """Return True if no piece found on the other page is behind a place, or near enough."""
        wanted = place_behind(place, back.page.box, over=self.over)
        astray = min((item.centre - wanted.centre).length() for item in back.places)
        return astray > MAX_OFFSET_SHARE * min(place.size)

    def _are_all(self, back: FoundPieces, behind_it: Sequence[PlaceAppearance]) -> bool:
        """Return True if a page has these backs and nothing else."""
        own = [entry for entry in self.look(back, back.places) if not entry.blank]
        return len(own) == sum(not item.blank for item in behind_it)

    def _is_lopsided(self, front: FoundPieces, seen: Sequence[PlaceAppearance]) -> bool:
        """Return True if the pieces of a page would be in other places on its mirror image."""
        here = [place for place, entry in zip(front.places, seen, strict=True) if not entry.blank]
        there = [place_behind(place, front.page.box, over=self.over) for place in here]
        return any(
            min((item.centre - place.centre).length() for item in here) > min(place.size) / 2
            for place in there
        )

    def pairs(self, pairs: Sequence[PagePair], bleed: float) -> Iterator[SourcePair]:
        """Yield the pieces of paired pages; a place that is blank on both sides is none."""
        for front, back in pairs:
            seen = self.look(front, front.places)
            places = backs_on(front, back, over=self.over) if back else []
            behind_them = self.look(back, places) if back else []
            for index, place in enumerate(front.places):
                has_back = back is not None and not behind_them[index].blank
                if seen[index].blank and not has_back:
                    continue
                window = PieceWindow(front.page.file, front.page.number, place, bleed)
                yield SourcePair(
                    window,
                    self._pieces_behind(back, places[index], bleed) if back and has_back else None,
                )

    def _pieces_behind(self, back: FoundPieces, place: Rect, bleed: float) -> PieceWindow:
        return PieceWindow(back.page.file, back.page.number, place, bleed, 180 if self.over else 0)

    def fold(self, found: FoundPieces) -> "Fold | None":
        """Return the line along which a page is folded to bring backs behind fronts, or None."""
        for upright in (True, False):
            if (fold := _fold(found, upright=upright)) and (
                told := self._checked_fold(found, fold)
            ):
                return told
        return None

    def _checked_fold(self, found: FoundPieces, fold: "Fold") -> "Fold | None":
        """Return the fold with its backs if there is evidence for it, else None.

        Evidence is a half that looks alike, a line along the fold, or a wider gap there.
        """
        looks = [
            pair
            for pair in zip(found.places, self.look(found, found.places), strict=True)
            if not pair[1].blank
        ]
        sized = [(place, ((round(place.w), round(place.h)), entry)) for place, entry in looks]
        seen = [
            [item for place, item in sized if fold.is_first(place) is first]
            for first in (True, False)
        ]
        if not all(seen):
            return None
        same = [len(half) > 1 and _are_alike(half) for half in seen]
        if same[0] != same[1]:
            return Fold(fold.upright, fold.at, same[0])
        return fold if not same[0] and (_is_ruled(found, fold) or _is_wide(found, fold)) else None

    def unfold(self, found: FoundPieces, fold: "Fold", bleed: float) -> Iterator[SourcePair]:
        """Yield the pieces of a folded page."""
        fronts = [place for place in found.places if fold.is_first(place) is not fold.backs_first]
        seen = self.look(found, fronts)
        backs = [_nearest(fold.mirrored(place), found.places) for place in fronts]
        page = found.page
        turn = 0 if fold.upright else 180
        for place, item, back, other in zip(
            fronts, seen, backs, self.look(found, backs), strict=True
        ):
            if not (item.blank and other.blank):
                behind_it = (
                    None if other.blank else PieceWindow(page.file, page.number, back, bleed, turn)
                )
                yield SourcePair(PieceWindow(page.file, page.number, place, bleed), behind_it)


@dataclass(frozen=True)
class Fold:
    """A line across a page; with `backs_first`, backs are left of it or above."""

    upright: bool
    at: float
    backs_first: bool = False

    def is_first(self, place: Rect) -> bool:
        """Return True if a place is left of the line or above."""
        return (place.centre.x if self.upright else place.centre.y) < self.at

    def mirrored(self, place: Rect) -> Rect:
        """Return the place on which a place comes to lie when the page is folded."""
        if self.upright:
            return Rect(2 * self.at - place.right, place.y, *place.size)
        return Rect(place.x, 2 * self.at - place.bottom, *place.size)

    def spans(self, places: Sequence[Rect]) -> list[tuple[float, float]]:
        """Return the start and end of places across the line."""
        return [
            (place.x, place.right) if self.upright else (place.y, place.bottom) for place in places
        ]


def _fold(found: FoundPieces, *, upright: bool) -> Fold | None:
    """Return the line between the halves of a page, if they coincide when folded there."""
    if len(found.places) < 2:
        return None
    whole = Rect.round_all(found.places)
    fold = Fold(upright, whole.centre.x if upright else whole.centre.y)
    if any(
        start < fold.at - FOLD_TOLERANCE_MM and end > fold.at + FOLD_TOLERANCE_MM
        for start, end in fold.spans(found.places)
    ):
        return None
    there = map(fold.mirrored, found.places)
    return (
        fold
        if all(
            (_nearest(item, found.places).centre - item.centre).length() <= FOLD_TOLERANCE_MM
            for item in there
        )
        else None
    )


def _nearest(wanted: Rect, places: Sequence[Rect]) -> Rect:
    return min(places, key=lambda one: (one.centre - wanted.centre).length())


def _is_ruled(found: FoundPieces, fold: Fold) -> bool:
    """Return True if a dashed line runs along a fold, or a line where no other gap has one."""
    lines = [
        line
        for line in found.page.rulings
        if line.upright is fold.upright and abs(line.at - fold.at) < FOLD_TOLERANCE_MM
    ]
    whole = Rect.round_all(found.places)
    long = whole.h if fold.upright else whole.w
    ruled = sum(line.length for line in lines if line.dashed or line.length > long / 2)
    return ruled > long / 2 and _is_apart(found, fold)


def _is_apart(found: FoundPieces, fold: Fold) -> bool:
    """Return True if the line is in a gap, and not where two pieces touch, as cut lines are."""
    return (
        min(abs(end - fold.at) for span in fold.spans(found.places) for end in span)
        > FOLD_TOLERANCE_MM / 2
    )


def _is_wide(found: FoundPieces, fold: Fold) -> bool:
    """Return True if the gap at the fold is wider than those between other pieces."""
    ends = sorted(set(fold.spans(found.places)))
    gaps = {
        round((a[1] + b[0]) / 2, 1): b[0] - a[1]
        for a, b in pairwise(ends)
        if b[0] - a[1] > -FOLD_TOLERANCE_MM
    }
    own = [gap for at, gap in gaps.items() if abs(at - fold.at) < FOLD_TOLERANCE_MM]
    other = [gap for at, gap in gaps.items() if abs(at - fold.at) >= FOLD_TOLERANCE_MM]
    return bool(own and other) and own[0] > max(other) + 2 * FOLD_TOLERANCE_MM
