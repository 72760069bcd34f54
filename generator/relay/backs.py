"""Match backs to fronts: on the next page, in the other half, one for all, beyond a fold, or in another file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from generator.base.geometry import Point, Rect, Size
from generator.relay.find_pieces import FoundPieces, are_equal_sizes
from generator.relay.page import PieceWindow, PlaceAppearance

# Of 255 levels: two places look alike if the mean and the largest difference of their thumbnails
# stay below these.
MAX_MEAN_LEVELS = 5.0
MAX_PIXEL_LEVELS = 36

# The halves of a folded page may differ by this much.
FOLD_TOLERANCE_MM = 1.0

# Of a piece's shorter side: a back that is farther from its place belongs to another front.
MAX_OFFSET_SHARE = 0.4

DescribePlaces = Callable[[FoundPieces, Sequence[Rect]], Sequence[PlaceAppearance]]
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
class BacksMode:
    """An arrangement of backs in a file: its description, and a function that pairs pages.

    Without the function, backs are on the pages of their fronts, or the arrangement is yet to be found.
    """

    description: str
    pair_pages: Callable[[Sequence[FoundPieces]], list[PagePair]] | None = None


def _pair_alternating(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return list(zip(pages[::2], [*pages[1::2], None], strict=False))


def _pair_halves(pages: Sequence[FoundPieces]) -> list[PagePair]:
    half = len(pages) - len(pages) // 2
    return list(zip(pages[:half], [*pages[half:], None], strict=False))


def _pair_with_last(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(page, pages[-1]) for page in pages[:-1]]


def _pair_backs_before(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(front, back) for back, front in zip(pages[::2], pages[1::2], strict=False)]


def _pair_backs_half(pages: Sequence[FoundPieces]) -> list[PagePair]:
    half = len(pages) // 2
    return list(zip(pages[half:], pages[:half], strict=False))


def _pair_with_first(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(page, pages[0]) for page in pages[1:]]


def _pair_with_none(pages: Sequence[FoundPieces]) -> list[PagePair]:
    return [(page, None) for page in pages]


AUTO = "auto"
FOLD = "fold"
NONE = "none"

BACKS_MODES: Mapping[str, BacksMode] = MappingProxyType(
    {
        AUTO: BacksMode("the position that fits best, judged by how pages look"),
        NONE: BacksMode("fronts only", _pair_with_none),
        "alternate": BacksMode(
            "each second page has the backs of the page before", _pair_alternating
        ),
        "halves": BacksMode("fronts first, then as many pages of backs", _pair_halves),
        "last": BacksMode("the last page has the backs of all pieces", _pair_with_last),
        "before": BacksMode(
            "each second page has the fronts of the backs on the page before", _pair_backs_before
        ),
        "backs-half": BacksMode("backs first, then as many pages of fronts", _pair_backs_half),
        "first": BacksMode("the first page has the backs of all pieces", _pair_with_first),
        FOLD: BacksMode("fronts and backs on one page, folded between them"),
    }
)
"""The arrangements of backs by the values of `--backs`."""

# The arrangements that `auto` tries, the most frequent first.
AUTO_ORDER = ("alternate", "halves", "before", "backs-half", "last", "first")


def place_behind(place: Rect, page: Rect, *, turns_over_top: bool) -> Rect:
    """Return the place of a back on the page behind: turned over the long edge, or over the upper edge."""
    if turns_over_top:
        return Rect(place.x, page.h - place.bottom, *place.size)
    return Rect(page.w - place.right, place.y, *place.size)


def backs_on(front: FoundPieces, back: FoundPieces, *, turns_over_top: bool) -> list[Rect]:
    """Return the places of the backs of a page's pieces on another page.

    A piece found near the expected place sets the centre: printers shift pages a little, and makers
    forget that the margins of backs are mirrored, too.
    """
    behind = [
        place_behind(place, back.page.box, turns_over_top=turns_over_top) for place in front.places
    ]
    shift = _page_shift(behind, back.places)
    backs = []
    for place, unshifted in zip(front.places, behind, strict=True):
        expected = unshifted.shifted(shift)
        near = min(
            back.places, key=lambda item: (item.centre - expected.centre).length(), default=None
        )
        distance = (near.centre - expected.centre).length() if near else 0.0
        centre = (
            near.centre
            if near and distance <= MAX_OFFSET_SHARE * min(place.size)
            else expected.centre
        )
        backs.append(Rect(centre.x - place.w / 2, centre.y - place.h / 2, *place.size))
    return backs


def _page_shift(behind: Sequence[Rect], found: Sequence[Rect]) -> Point:
    """Return how far the pieces of a page lie from the places behind their fronts.

    It is zero unless they have the same arrangement, which lies elsewhere as a whole.
    """
    if not behind or len(found) != len(behind):
        return Point(0, 0)
    shift = Rect.around(tuple(found)).centre - Rect.around(tuple(behind)).centre
    is_same = all(
        min((item.centre - place.centre - shift).length() for item in found)
        <= MAX_OFFSET_SHARE * min(place.size)
        for place in behind
    )
    return shift if is_same else Point(0, 0)


def is_alike(one: PlaceAppearance, other: PlaceAppearance) -> bool:
    """Return True if two places look alike."""
    off = [abs(mine - theirs) for mine, theirs in zip(one.tiny, other.tiny, strict=True)]
    return sum(off) <= MAX_MEAN_LEVELS * len(off) and max(off) <= MAX_PIXEL_LEVELS


# The appearance of a place, and its size in whole mm: another orientation looks different.
SizedAppearance = tuple[tuple[int, int], PlaceAppearance]


def _are_alike(appearances: Sequence[SizedAppearance]) -> bool:
    """Return True if all places of one size look alike."""
    first = dict(reversed(appearances))
    return all(is_alike(first[size], item) for size, item in appearances)


@dataclass(frozen=True)
class Matcher:
    """Finds the backs of pages.

    `describe_places` returns the appearance of places; `turns_over_top` is True for pages turned over the upper edge.
    """

    describe_places: DescribePlaces
    turns_over_top: bool = False

    def find_mode(self, pages: Sequence[FoundPieces]) -> str:
        """Return the name of the first arrangement that fits the pages, or `NONE`."""
        pages_with_pieces = [page for page in pages if page.places]
        if pages_with_pieces and all(self.find_fold(page) for page in pages_with_pieces):
            return FOLD
        if len(pages) > 1 and pages_with_pieces:
            for name in AUTO_ORDER:
                pair_pages = BACKS_MODES[name].pair_pages
                if pair_pages and self._fits(pair_pages(pages)):
                    return name
        return NONE

    def _fits(self, pairs: Sequence[PagePair]) -> bool:
        """Return True if these pairs are fronts and backs.

        They are if all backs look alike and the fronts do not, or if pieces that are not symmetrical
        on the page have exactly their mirror image on the other page.
        """
        fronts = list[SizedAppearance]()
        backs = list[SizedAppearance]()
        is_proved = False
        back_counts = dict[tuple[int, int], int]()
        for front, back in pairs:
            if back is None or not front.places:
                return False
            back_counts[back.page.file, back.page.number] = len(back.places)
            front_appearances = self.describe_places(front, front.places)
            back_appearances = self.describe_places(
                back, backs_on(front, back, turns_over_top=self.turns_over_top)
            )
            if [entry.blank for entry in front_appearances] != [
                item.blank for item in back_appearances
            ]:
                return False
            inked = [
                place
                for place, appearance in zip(front.places, front_appearances, strict=True)
                if not appearance.blank
            ]
            if back.places and any(self._is_astray(place, back) for place in inked):
                return False
            is_proved |= self._is_lopsided(front, front_appearances) and self._are_all(
                back, back_appearances
            )
            sizes = [(round(place.w), round(place.h)) for place in front.places]
            fronts += [
                pair for pair in zip(sizes, front_appearances, strict=True) if not pair[1].blank
            ]
            backs += [
                pair for pair in zip(sizes, back_appearances, strict=True) if not pair[1].blank
            ]
        # A single back is trivially "all alike": the page may as well be another front.
        if not fronts or (len(pairs) > 1 and sum(back_counts.values()) < 2):
            return False
        return is_proved or (
            _are_alike(backs) and not _are_alike(fronts) and not is_alike(fronts[0][1], backs[0][1])
        )

    def _is_astray(self, place: Rect, back: FoundPieces) -> bool:
        """Return True if no piece found on the other page lies behind a place or near there."""
        expected = place_behind(place, back.page.box, turns_over_top=self.turns_over_top)
        distance = min((item.centre - expected.centre).length() for item in back.places)
        return distance > MAX_OFFSET_SHARE * min(place.size)

    def _are_all(self, back: FoundPieces, back_appearances: Sequence[PlaceAppearance]) -> bool:
        """Return True if a page has ink at no more places than behind the fronts."""
        inked = [entry for entry in self.describe_places(back, back.places) if not entry.blank]
        return len(inked) == sum(not item.blank for item in back_appearances)

    def _is_lopsided(self, front: FoundPieces, appearances: Sequence[PlaceAppearance]) -> bool:
        """Return True if the pieces of a page would be in other places on its mirror image."""
        inked = [
            place for place, entry in zip(front.places, appearances, strict=True) if not entry.blank
        ]
        mirrored = [
            place_behind(place, front.page.box, turns_over_top=self.turns_over_top)
            for place in inked
        ]
        return any(
            min((item.centre - place.centre).length() for item in inked) > min(place.size) / 2
            for place in mirrored
        )

    def pair_pieces(self, pairs: Sequence[PagePair], bleed: float) -> Iterator[SourcePair]:
        """Yield each piece of paired pages with its back, except places that are blank on both sides."""
        for front, back in pairs:
            front_appearances = self.describe_places(front, front.places)
            places = backs_on(front, back, turns_over_top=self.turns_over_top) if back else []
            back_appearances = self.describe_places(back, places) if back else []
            for index, place in enumerate(front.places):
                has_back = back is not None and not back_appearances[index].blank
                if front_appearances[index].blank and not has_back:
                    continue
                window = PieceWindow(front.page.file, front.page.number, place, bleed)
                yield SourcePair(
                    window,
                    self._back_window(back, places[index], bleed) if back and has_back else None,
                )

    def _back_window(self, back: FoundPieces, place: Rect, bleed: float) -> PieceWindow:
        return PieceWindow(
            back.page.file, back.page.number, place, bleed, 180 if self.turns_over_top else 0
        )

    def find_fold(self, found: FoundPieces) -> "Fold | None":
        """Return the line along which a page is folded to bring backs behind fronts, or None."""
        for upright in (True, False):
            if (fold := _middle_fold(found, upright=upright)) and (
                proved := self._prove_fold(found, fold)
            ):
                return proved
        return None

    def _prove_fold(self, found: FoundPieces, fold: "Fold") -> "Fold | None":
        """Return the fold with its backs if there is evidence for it, else None.

        Evidence is that all pieces of one half look alike, a line along the fold, or a wider gap there.
        """
        appearances = [
            pair
            for pair in zip(found.places, self.describe_places(found, found.places), strict=True)
            if not pair[1].blank
        ]
        sized = [(place, ((round(place.w), round(place.h)), entry)) for place, entry in appearances]
        halves = [
            [item for place, item in sized if fold.is_first(place) is first]
            for first in (True, False)
        ]
        if not all(halves):
            return None
        is_uniform = [len(half) > 1 and _are_alike(half) for half in halves]
        if is_uniform[0] != is_uniform[1]:
            return Fold(fold.upright, fold.at, is_uniform[0])
        return (
            fold
            if not is_uniform[0] and (_is_ruled(found, fold) or _is_wide(found, fold))
            else None
        )

    def unfold(self, found: FoundPieces, fold: "Fold", bleed: float) -> Iterator[SourcePair]:
        """Yield the pieces of a folded page."""
        fronts = [place for place in found.places if fold.is_first(place) is not fold.backs_first]
        front_appearances = self.describe_places(found, fronts)
        backs = [_nearest(fold.mirrored(place), found.places) for place in fronts]
        page = found.page
        turn = 0 if fold.upright else 180
        for place, front_appearance, back, back_appearance in zip(
            fronts, front_appearances, backs, self.describe_places(found, backs), strict=True
        ):
            if not (front_appearance.blank and back_appearance.blank):
                back_window = (
                    None
                    if back_appearance.blank
                    else PieceWindow(page.file, page.number, back, bleed, turn)
                )
                yield SourcePair(PieceWindow(page.file, page.number, place, bleed), back_window)


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
        """Return the place that a place covers when the page is folded."""
        if self.upright:
            return Rect(2 * self.at - place.right, place.y, *place.size)
        return Rect(place.x, 2 * self.at - place.bottom, *place.size)

    def spans(self, places: Sequence[Rect]) -> list[tuple[float, float]]:
        """Return the start and end of places across the line."""
        return [
            (place.x, place.right) if self.upright else (place.y, place.bottom) for place in places
        ]


def _middle_fold(found: FoundPieces, *, upright: bool) -> Fold | None:
    """Return the line between the halves of a page, if they coincide when folded there."""
    if len(found.places) < 2:
        return None
    extent = Rect.around(found.places)
    fold = Fold(upright, extent.centre.x if upright else extent.centre.y)
    if any(
        start < fold.at - FOLD_TOLERANCE_MM and end > fold.at + FOLD_TOLERANCE_MM
        for start, end in fold.spans(found.places)
    ):
        return None
    mirrored = map(fold.mirrored, found.places)
    return (
        fold
        if all(
            (_nearest(item, found.places).centre - item.centre).length() <= FOLD_TOLERANCE_MM
            for item in mirrored
        )
        else None
    )


def _nearest(place: Rect, places: Sequence[Rect]) -> Rect:
    return min(places, key=lambda other: (other.centre - place.centre).length())


def _is_ruled(found: FoundPieces, fold: Fold) -> bool:
    """Return True if a dashed line runs along a fold, or a line where no other gap has one."""
    lines = [
        line
        for line in found.page.rulings
        if line.upright is fold.upright and abs(line.at - fold.at) < FOLD_TOLERANCE_MM
    ]
    extent = Rect.around(found.places)
    fold_length = extent.h if fold.upright else extent.w
    ruled = sum(line.length for line in lines if line.dashed or line.length > fold_length / 2)
    return ruled > fold_length / 2 and _is_in_gap(found, fold)


def _is_in_gap(found: FoundPieces, fold: Fold) -> bool:
    """Return True if the line is in a gap; a line where two pieces touch is a cut line."""
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
    fold_gaps = [gap for at, gap in gaps.items() if abs(at - fold.at) < FOLD_TOLERANCE_MM]
    other_gaps = [gap for at, gap in gaps.items() if abs(at - fold.at) >= FOLD_TOLERANCE_MM]
    return bool(fold_gaps and other_gaps) and fold_gaps[0] > max(other_gaps) + 2 * FOLD_TOLERANCE_MM


def turn_upright(pairs: Sequence[SourcePair]) -> Iterator[SourcePair]:
    """Yield the pieces, turned so that all pieces of one size have the same orientation."""
    orientations: list[Size] = []
    for front, back in ((pair.front, pair.back) for pair in pairs):
        is_known = any(are_equal_sizes(entry, front.size) for entry in orientations)
        if not is_known and any(
            are_equal_sizes(item.turned(90), front.size) for item in orientations
        ):
            turned = back._replace(turn=(back.turn + 270) % 360) if back else None
            yield SourcePair(front._replace(turn=90), turned)
            continue
        if not is_known:
            orientations.append(front.size)
        yield SourcePair(front, back)
