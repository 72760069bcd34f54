"""Faces become PDF pages: typst reads the SVGs, from memory, a few hundred at a time."""

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
from generator.pdf.art import DPI, ArtEye, MarkerWriter, art_in, bare
from generator.pdf.imagefile import image_files
from generator.pdf.pixels import (
    NONE_SMALLER,
    MadeSmaller,
    PackedImage,
    PixelsShown,
    colour_samples,
    packed_image,
    pictures_in,
    told_of_pictures,
)
from generator.pdf.room import PageSource, Room, engine_room, forget
from generator.pdf.words import write_pages
from generator.picture.face import Face
from generator.picture.items import Picture
from generator.picture.workload import needs_worker

BLENDS = "mix-blend-mode"
CHUNK = 100
"""Faces in one document: fonts are shared within it. With more of them typst needs more memory, and gives none back."""

PIXELS = 8e6
"""Of pictures in one document."""

MOST_NAMES = 8
"""That are told of one kind."""

KEPT = "pages"
"""What pages of faces are called in the cache."""


@dataclass(frozen=True)
class FacePages:
    """A PDF with a page for each of some faces, by name; `composed` are put together of faces, of this or any other."""

    pdf: Data
    pages: dict[str, int]
    composed: Mapping[str, Picture] = field(default_factory=dict)
    stand_ins: tuple[str, ...] = ()
    """The files of art that are printed as pixels, since the engines draw them differently."""
    blended: frozenset[str] = frozenset()
    """Art in which colours are mixed, and with nothing that lies below it."""
    is_pixels: bool = False
    """Whether each page is one picture of pixels, of which that alone counts."""
    smaller: MadeSmaller = NONE_SMALLER


@dataclass(frozen=True)
class InCommon:
    """The keys of faces that other jobs show too: their pages are made apart from all others, and so found again."""

    keys: frozenset[str] = frozenset()

    def parted(self, faces: Sequence[Face]) -> Iterator[Sequence[Face]]:
        """The faces that others show, and those that they do not."""
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
    """All faces, each once, in chunks; `tick` hears how many are done; pictures have at most `dpi` pixels an inch."""
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
    for start in range(0, len(drawn), CHUNK):
        made, is_new = _kept_chunks(drawn[start : start + CHUNK], fonts, room, kept, sizes)
        yield from (FacePages(pdf, _numbered(leaves)) for leaves, pdf in made)
        if is_new and start + CHUNK < len(drawn):
            forget()


def compile_art(faces: Sequence[Face], fonts: FontSet, kept: Kept = NOTHING_KEPT) -> tuple[FacePages, ...]:
    """The pages of the art that some faces show."""
    with engine_room(fonts) as room:
        single = _drawn_singly(faces)
        art = _art_pages(art_in(single), fonts, room, kept)
        return *art, *_picture_pages(pictures_in(single), fonts, room, kept)


def told_of(pages: Iterable[FacePages]) -> tuple[str, ...]:
    """What to say of art that is printed as pixels, and of pictures that were made smaller, if there are any."""
    pages = tuple(pages)
    smaller = told_of_pictures(part.smaller for part in pages)
    names = sorted({name for part in pages for name in part.stand_ins})
    if not names:
        return smaller
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    why = f"printed as pictures of {DPI} dots an inch, since print would not show what the preview shows"
    return f"{why}: {', '.join(names[:MOST_NAMES])}{more}", *smaller


def _numbered(drawn: Sequence[PageSource]) -> dict[str, int]:
    return {leaf.name: page for page, leaf in enumerate(drawn)}


def _drawn_singly(faces: Sequence[Face]) -> tuple[Face, ...]:
    """What typst must draw for some faces, each once; a part that has no name of its own has that of its whole."""
    found: dict[str, Face] = {}
    for face in faces:
        for leaf in face.leaves:
            named = leaf if isinstance(leaf, Face) else Face(leaf.items, leaf.size, leaf.bleed, face.label)
            found.setdefault(leaf.name, named)
    return tuple(found.values())


def _art_pages(art: Sequence[PageSource], fonts: FontSet, room: Room, kept: Kept) -> tuple[FacePages, ...]:
    """A page for each piece of art; as pixels, where resvg draws another picture."""
    chunks = list[FacePages]()
    apart = list[PageSource]()
    eye = ArtEye(fonts, room.worker, kept)
    for start in range(0, len(art), CHUNK):
        for part, pdf in _kept_chunks(art[start : start + CHUNK], fonts, room, kept)[0]:
            apart += eye.unlike(part, pdf)
            blended = frozenset(leaf.name for leaf in part if isinstance(leaf.content, str) and BLENDS in leaf.content)
            chunks.append(FacePages(pdf, _numbered(part), blended=blended))
    for leaf in apart:
        made = _chunks([eye.stand_in(leaf)], room)
        chunks += (FacePages(pdf, _numbered(part), {}, (leaf.label,)) for part, pdf in made)
    return tuple(chunks)


def _picture_pages(shown: Mapping[str, PixelsShown], fonts: FontSet, room: Room, kept: Kept) -> tuple[FacePages, ...]:
    """A page for each picture of pixels: those that need not be drawn in one file, of the others a few at a time."""
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
            smaller = MadeSmaller.of(shown[key] for key in numbers)
            chunks.append(FacePages(pdf, pages, is_pixels=True, smaller=smaller))
    for part in _few_pixels(drawn):
        made, is_new = _kept_chunks([picture.leaf(key) for key, picture in part.items()], fonts, room, kept)
        chunks += [FacePages(pdf, _numbered(drawn), is_pixels=True) for drawn, pdf in made]
        if is_new:
            forget()
    return tuple(chunks)


def _few_pixels(shown: Mapping[str, PixelsShown]) -> Iterator[dict[str, PixelsShown]]:
    part = dict[str, PixelsShown]()
    room = PIXELS
    for key, picture in shown.items():
        area = picture.size.w * picture.size.h
        if part and area > room:
            yield part
            part = {}
            room = PIXELS
        part[key], room = picture, room - area
    if part:
        yield part


Chunks = list[tuple[Sequence[PageSource], bytes]]


def _kept_chunks(
    drawn: Sequence[PageSource], fonts: FontSet, room: Room, kept: Kept, sizes: Mapping[str, Size] = NO_SIZES
) -> tuple[Chunks, bool]:
    """What is drawn as documents, and whether they were made now."""
    key = key_of(fonts.digest, [(leaf.name, leaf.size) for leaf in drawn])
    known = kept.get(KEPT, key)
    if known is not None:
        return [(drawn, known)], False
    made = list(_chunks(drawn, room, sizes))
    if len(made) == 1:
        kept.put(KEPT, key, made[0][1])
    return made, True


def _chunks(
    faces: Sequence[PageSource], room: Room, sizes: Mapping[str, Size] = NO_SIZES
) -> Iterator[tuple[Sequence[PageSource], bytes]]:
    """The faces as documents: one of all, or more where they are too much together."""
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
    """Raise if a face is too much by itself."""
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
    """Which face stops the document: found by compiling them singly."""
    if len(faces) == 1:
        return Problem(None, f"{faces[0].label}: its picture cannot be printed: {said}", "an SVG that typst can read")
    for face in faces:
        try:
            _compile([face], room, sizes)
        except PackError as single:
            return single.problems[0]
    return Problem(None, f"the faces cannot be printed together: {said}")
