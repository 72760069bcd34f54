"""Compile faces to PDF pages: typst reads their SVGs from memory, a hundred at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import typst

from generator.core.cache import NOTHING_KEPT, Kept, key_of
from generator.core.fonts import FontSet
from generator.core.geometry import Size
from generator.core.held import Data
from generator.core.problems import PackError, Problem, error_of
from generator.core.worker import Failed, TooMuch, too_much
from generator.pdf.art import DPI, ArtComparer, MarkerWriter, art_in, bare
from generator.pdf.imagefile import image_files
from generator.pdf.pixels import (
    NO_REDUCTION,
    PackedImage,
    PixelsShown,
    Reduction,
    colour_samples,
    packed_image,
    pictures_in,
    reduction_notes,
)
from generator.pdf.room import PageSource, Room, engine_room, forget
from generator.pdf.words import write_pages
from generator.picture.face import Face
from generator.picture.items import Picture
from generator.picture.workload import needs_worker

BLENDS = "mix-blend-mode"
# Faces in one document, which share fonts. More faces need more memory, which typst does not release.
FACES_PER_DOCUMENT = 100

# Pixels of images in one document.
MAX_PIXELS_PER_DOCUMENT = 8e6

# Names that a note lists.
MAX_NAMES = 8

# The step's name in the cache.
CACHE_STEP = "pages"


@dataclass(frozen=True)
class FacePages:
    """A PDF with a page for each of some faces, by name.

    `composed` are faces made of other faces, in this or another PDF. `stand_ins` are files of art printed as pixels
    because the engines render them differently. `blended` is art with blend modes, which must not blend with what
    lies below it. With `is_pixels`, each page is one image, of which only the image is used.
    """

    pdf: Data
    pages: dict[str, int]
    composed: Mapping[str, Picture] = field(default_factory=dict)
    stand_ins: tuple[str, ...] = ()
    blended: frozenset[str] = frozenset()
    is_pixels: bool = False
    smaller: Reduction = NO_REDUCTION


@dataclass(frozen=True)
class InCommon:
    """The keys of faces that other jobs use too; their pages are compiled apart, so that these jobs find them."""

    keys: frozenset[str] = frozenset()

    def parted(self, faces: Sequence[Face]) -> Iterator[Sequence[Face]]:
        """Yield the faces that other jobs use, then the others."""
        for common in (True, False):
            if part := [face for face in faces if (face.source_key in self.keys) == common]:
                yield part


NOTHING_SHARED = InCommon()
NO_SIZES: Mapping[str, Size] = MappingProxyType({})


def compile_faces(
    faces: Sequence[Face],
    fonts: FontSet,
    tick: Callable[[int], object] = lambda _: None,
    kept: Kept = NOTHING_KEPT,
    common: InCommon = NOTHING_SHARED,
    dpi: int | None = None,
) -> tuple[FacePages, ...]:
    """Compile distinct faces in chunks; images get at most `dpi` pixels per inch.

    `tick` is called with the number of faces done.
    """
    chunks = list[FacePages]()
    others = list[FacePages]()
    seen = set[str]()
    with engine_room(fonts) as room:
        for part in common.parted(faces):
            single = [face for face in _drawn_singly(part) if face.name not in seen]
            shown = pictures_in(single, dpi)
            others += _art_pages(art_in(single), fonts, room, kept)
            others += _picture_pages(shown, fonts, room, kept)
            sizes = {key: picture.size for key, picture in shown.items()}
            drawn = [PageSource(face.name, face.label, face, face.full.size) for face in single]
            for pages in _in_chunks(drawn, sizes, fonts, room, kept):
                chunks.append(pages)
                seen |= pages.pages.keys()
                tick(len(seen))
    if chunks:
        chunks[0] = replace(chunks[0], composed={face.name: face for face in faces if face.placed})
    return *chunks, *others


def _in_chunks(
    drawn: Sequence[PageSource], sizes: Mapping[str, Size], fonts: FontSet, room: "Room", kept: Kept
) -> Iterator[FacePages]:
    for start in range(0, len(drawn), FACES_PER_DOCUMENT):
        made, is_new = _cached_chunks(drawn[start : start + FACES_PER_DOCUMENT], fonts, room, kept, sizes)
        yield from (FacePages(pdf, _numbered(leaves)) for leaves, pdf in made)
        if is_new and start + FACES_PER_DOCUMENT < len(drawn):
            forget()


def compile_art(faces: Sequence[Face], fonts: FontSet, kept: Kept = NOTHING_KEPT) -> tuple[FacePages, ...]:
    """Compile only the art of some faces."""
    with engine_room(fonts) as room:
        single = _drawn_singly(faces)
        art = _art_pages(art_in(single), fonts, room, kept)
        return *art, *_picture_pages(pictures_in(single), fonts, room, kept)


def told_of(pages: Iterable[FacePages]) -> tuple[str, ...]:
    """Return notes on art printed as pixels, and on images that were reduced."""
    pages = tuple(pages)
    smaller = reduction_notes(part.smaller for part in pages)
    names = sorted({name for part in pages for name in part.stand_ins})
    if not names:
        return smaller
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    why = f"printed as images of {DPI} dots per inch, because PDF would not look like the preview"
    return f"{why}: {', '.join(names[:MAX_NAMES])}{more}", *smaller


def _numbered(drawn: Sequence[PageSource]) -> dict[str, int]:
    return {leaf.name: page for page, leaf in enumerate(drawn)}


def _drawn_singly(faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return the distinct faces that typst must draw; a part without a name gets that of its face."""
    found: dict[str, Face] = {}
    for face in faces:
        for leaf in face.leaves:
            named = leaf if isinstance(leaf, Face) else Face(leaf.items, leaf.size, leaf.bleed, face.label)
            found.setdefault(leaf.name, named)
    return tuple(found.values())


def _art_pages(art: Sequence[PageSource], fonts: FontSet, room: Room, kept: Kept) -> tuple[FacePages, ...]:
    """Compile each piece of art; use pixels where resvg renders it differently."""
    chunks = list[FacePages]()
    apart = list[PageSource]()
    comparer = ArtComparer(fonts, room.worker, kept)
    for start in range(0, len(art), FACES_PER_DOCUMENT):
        for part, pdf in _cached_chunks(art[start : start + FACES_PER_DOCUMENT], fonts, room, kept)[0]:
            apart += comparer.find_different(part, pdf)
            blended = frozenset(leaf.name for leaf in part if isinstance(leaf.content, str) and BLENDS in leaf.content)
            chunks.append(FacePages(pdf, _numbered(part), blended=blended))
    for leaf in apart:
        made = _chunks([comparer.stand_in(leaf)], room)
        chunks += (FacePages(pdf, _numbered(part), {}, (leaf.label,)) for part, pdf in made)
    return tuple(chunks)


def _picture_pages(shown: Mapping[str, PixelsShown], fonts: FontSet, room: Room, kept: Kept) -> tuple[FacePages, ...]:
    """Make a page for each image: images that need no drawing in one file, others a few at a time."""
    drawn: dict[str, PixelsShown] = {}
    chunks: list[FacePages] = []

    def images() -> Iterator[tuple[str, PackedImage]]:
        for key, picture in shown.items():
            if image := packed_image(*picture.wanted, kept):
                yield key, image
            else:
                drawn[key] = picture

    if shown:
        for pdf, numbers in image_files(images(), _compile(colour_samples(), room)):
            pages = {bare(key): page for key, page in numbers.items()}
            smaller = Reduction.of(shown[key] for key in numbers)
            chunks.append(FacePages(pdf, pages, is_pixels=True, smaller=smaller))
    for part in _few_pixels(drawn):
        made, is_new = _cached_chunks([picture.leaf(key) for key, picture in part.items()], fonts, room, kept)
        chunks += [FacePages(pdf, _numbered(drawn), is_pixels=True) for drawn, pdf in made]
        if is_new:
            forget()
    return tuple(chunks)


def _few_pixels(shown: Mapping[str, PixelsShown]) -> Iterator[dict[str, PixelsShown]]:
    part = dict[str, PixelsShown]()
    room = MAX_PIXELS_PER_DOCUMENT
    for key, picture in shown.items():
        area = picture.size.w * picture.size.h
        if part and area > room:
            yield part
            part = {}
            room = MAX_PIXELS_PER_DOCUMENT
        part[key] = picture
        room -= area
    if part:
        yield part


Chunks = list[tuple[Sequence[PageSource], bytes]]


def _cached_chunks(
    drawn: Sequence[PageSource], fonts: FontSet, room: Room, kept: Kept, sizes: Mapping[str, Size] = NO_SIZES
) -> tuple[Chunks, bool]:
    """Return compiled documents, and True if they were compiled now and not cached."""
    key = key_of(fonts.digest, [(leaf.name, leaf.size) for leaf in drawn])
    known = kept.get(CACHE_STEP, key)
    if known is not None:
        return [(drawn, known)], False
    made = list(_chunks(drawn, room, sizes))
    if len(made) == 1:
        kept.put(CACHE_STEP, key, made[0][1])
    return made, True


def _chunks(
    faces: Sequence[PageSource], room: Room, sizes: Mapping[str, Size] = NO_SIZES
) -> Iterator[tuple[Sequence[PageSource], bytes]]:
    """Compile faces as one document, or as several if one exceeds typst's limits."""
    try:
        yield faces, _compile(faces, room, sizes)
    except TooMuch as error:
        for face in faces if len(faces) > 1 else ():
            _compile_alone(face, room, sizes)
        if len(faces) == 1:
            raise error_of([too_much(faces[0].label, error.why)]) from error
        middle = len(faces) // 2
        yield from _chunks(faces[:middle], room, sizes)
        yield from _chunks(faces[middle:], room, sizes)


def _compile_alone(face: PageSource, room: Room, sizes: Mapping[str, Size]) -> None:
    """Raise an error if a face exceeds the limits by itself."""
    try:
        _compile([face], room, sizes)
    except TooMuch as error:
        raise error_of([too_much(face.label, error.why)]) from error


def _compile(faces: Sequence[PageSource], room: Room, sizes: Mapping[str, Size] = NO_SIZES) -> bytes:
    # A writer remembers the groups that it wrote: one for each document keeps memory flat.
    files = write_pages(faces, MarkerWriter(sizes))
    try:
        return room.typeset(files, heavy=any(needs_worker(face.content) for face in faces))
    except (typst.TypstError, Failed) as error:
        raise PackError([_blame(faces, room, sizes, str(getattr(error, "message", error)))]) from error


def _blame(faces: Sequence[PageSource], room: Room, sizes: Mapping[str, Size], said: str) -> Problem:
    """Find the face that stops typst by compiling each alone, and return the problem."""
    if len(faces) == 1:
        return Problem(None, f"{faces[0].label}: its picture cannot be printed: {said}", "an SVG that typst can read")
    for face in faces:
        try:
            _compile([face], room, sizes)
        except PackError as single:
            return single.problems[0]
    return Problem(None, f"the faces cannot be printed together: {said}")
