"""Faces become PDF pages: typst reads the SVGs, from memory, a few hundred at a time."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst

from generator.core.cache import NOTHING_KEPT, Kept, key_of
from generator.core.fonts import FontSet, files_in
from generator.core.problems import PackError, Problem, error_of
from generator.core.svg import may_be_heavy
from generator.core.units import number
from generator.core.worker import Failed, TooMuch, Worker, too_much
from generator.draw.face import Face
from generator.picture.model import Picture

CHUNK = 100
"""Faces in one document: fonts are shared within it. With more of them typst needs more memory, and gives none back."""

REMEMBERED = 11

KEPT = "pages"
"""What pages of faces are called in the cache."""

_HEAD = "#set document(date: none)\n#set page(margin: 0pt, fill: none)\n"


@dataclass(frozen=True)
class FacePages:
    """A PDF with a page for each of some faces, by name; `composed` are put together of faces, of this or any other."""

    pdf: bytes
    pages: dict[str, int]
    composed: Mapping[str, Picture] = field(default_factory=dict)


def compile_faces(
    faces: Sequence[Face],
    fonts: FontSet,
    tick: Callable[[int], object] = lambda _: None,
    kept: Kept = NOTHING_KEPT,
) -> tuple[FacePages, ...]:
    """All faces, each once, in chunks; `tick` hears how many are done."""
    composed = {face.name: face for face in faces if face.placed}
    single, chunks = _drawn_singly(faces), list[FacePages]()
    with engine_room(fonts) as room:
        for start in range(0, len(single), CHUNK):
            chunk = single[start : start + CHUNK]
            key = key_of(fonts.digest, [(face.name, face.full) for face in chunk])
            known = kept.get(KEPT, key)
            made = [(chunk, known)] if known else list(_chunks(chunk, room))
            for part, pdf in made:
                pages = {face.name: page for page, face in enumerate(part)}
                chunks.append(FacePages(pdf, pages, {} if chunks else composed))
            tick(start + len(chunk))
            if known:
                continue
            if len(made) == 1:
                kept.put(KEPT, key, made[0][1])
            if start + CHUNK < len(single):
                _forget()
    return tuple(chunks)


def _drawn_singly(faces: Sequence[Face]) -> tuple[Face, ...]:
    """What typst must draw for some faces, each once; a part that has no name of its own has that of its whole."""
    found: dict[str, Face] = {}
    for face in faces:
        for leaf in face.leaves:
            named = leaf if isinstance(leaf, Face) else Face(leaf.parts, leaf.size, leaf.bleed, face.label)
            found.setdefault(leaf.name, named)
    return tuple(found.values())


@dataclass(frozen=True)
class Room:
    """What typst may see of the disk: folders of fonts, and for all else a folder in which nothing is.

    `worker` is where it is called for pictures that may be too much for it.
    """

    fonts: list[str]
    nothing: str
    worker: Worker


@contextmanager
def engine_room(fonts: FontSet) -> Iterator[Room]:
    """The folders of the set's files, which is how typst takes fonts; copies where other files lie beside them."""
    wanted = {file.path.resolve() for file in fonts.files}
    with TemporaryDirectory(prefix="pnp-room-") as made, Worker() as worker:
        nothing, only = (Path(made) / name for name in ("nothing", "fonts"))
        nothing.mkdir()
        if all(path.resolve() in wanted for folder in fonts.folders for path in files_in(folder)):
            yield Room([str(folder) for folder in fonts.folders], str(nothing), worker)
            return
        only.mkdir()
        for number, file in enumerate(fonts.files):
            shutil.copyfile(file.path, only / f"{number}{file.path.suffix}")
        yield Room([str(only)], str(nothing), worker)


def _forget() -> None:
    """Let typst drop what it remembers of the last chunk: it keeps that for ten compiles more, whatever they are of."""
    for _ in range(REMEMBERED):
        typst.compile(b"", format="pdf", font_paths=[], ignore_system_fonts=True)


def _chunks(faces: Sequence[Face], room: Room) -> Iterator[tuple[Sequence[Face], bytes]]:
    """The faces as documents: one of all, or more where they are too much together."""
    try:
        yield faces, _compile(faces, room)
    except TooMuch as error:
        for face in faces if len(faces) > 1 else ():
            _compile_alone(face, room)
        if len(faces) == 1:
            raise error_of([too_much(faces[0].label, error.why)]) from error
        middle = len(faces) // 2
        yield from _chunks(faces[:middle], room)
        yield from _chunks(faces[middle:], room)


def _compile_alone(face: Face, room: Room) -> None:
    """Raise if a face is too much by itself."""
    try:
        _compile([face], room)
    except TooMuch as error:
        raise error_of([too_much(face.label, error.why)]) from error


def _compile(faces: Sequence[Face], room: Room) -> bytes:
    files = {f"{index}.svg": face.svg.encode() for index, face in enumerate(faces)}
    files["main"] = (_HEAD + "".join(_page(index, face) for index, face in enumerate(faces))).encode()
    try:
        if any(may_be_heavy(face.svg) for face in faces):
            return room.worker.run(typeset, files, room.fonts, room.nothing)
        return typeset(files, room.fonts, room.nothing)
    except (typst.TypstError, Failed) as error:
        raise PackError([_blame(faces, room, str(getattr(error, "message", error)))]) from error


def typeset(files: dict[str, bytes], fonts: list[str], nothing: str) -> bytes:
    """The PDF that typst makes of the file `main` and those beside it."""
    sources: Any = files  # a dict is taken, though the stubs do not say so
    pdf = typst.compile(sources, format="pdf", font_paths=fonts, root=nothing, ignore_system_fonts=True, timestamp=0)
    if not isinstance(pdf, bytes):
        raise TypeError("typst gave no PDF")
    return pdf


def _page(index: int, face: Face) -> str:
    width, height = (f"{number(side)}mm" for side in face.full.size)
    return f'#page(width: {width}, height: {height})[#image("{index}.svg", width: {width}, height: {height})]\n'


def _blame(faces: Sequence[Face], room: Room, said: str) -> Problem:
    """Which face stops the document: found by compiling them singly."""
    if len(faces) == 1:
        return Problem(None, f"{faces[0].label}: its picture cannot be printed: {said}", "an SVG that typst can read")
    for face in faces:
        try:
            _compile([face], room)
        except PackError as single:
            return single.problems[0]
    return Problem(None, f"the faces cannot be printed together: {said}")
