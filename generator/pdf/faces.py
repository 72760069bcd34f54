"""Faces become PDF pages: typst reads the SVGs, from memory, a few hundred at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import typst

from generator.draw.face import Face
from generator.errors import PackError, Problem
from generator.fonts import FontSet
from generator.units import number

CHUNK = 250
"""Faces in one document: fonts are shared within it, and memory stays flat over any number of them."""

REMEMBERED = 11

_HEAD = "#set document(date: none)\n#set page(margin: 0pt, fill: none)\n"


@dataclass(frozen=True)
class FacePages:
    """A PDF with a page for each of some faces, by name."""

    pdf: bytes
    pages: dict[str, int]


def compile_faces(
    faces: Sequence[Face], fonts: FontSet, tick: Callable[[int], object] = lambda _: None
) -> tuple[FacePages, ...]:
    """All faces, each once, in chunks; `tick` hears how many are done."""
    chunks = []
    for start in range(0, len(faces), CHUNK):
        chunk = faces[start : start + CHUNK]
        chunks.append(FacePages(_compile(chunk, fonts), {face.name: page for page, face in enumerate(chunk)}))
        tick(start + len(chunk))
        if start + CHUNK < len(faces):
            _forget()
    return tuple(chunks)


def _forget() -> None:
    """Let typst drop what it remembers of the last chunk: it keeps that for ten compiles more, whatever they are of."""
    for _ in range(REMEMBERED):
        typst.compile(b"", format="pdf", font_paths=[], ignore_system_fonts=True)


def _compile(faces: Sequence[Face], fonts: FontSet) -> bytes:
    files = {f"{index}.svg": face.svg.encode() for index, face in enumerate(faces)}
    body = "".join(_page(index, face) for index, face in enumerate(faces))
    sources: Any = {"main": (_HEAD + body).encode(), **files}  # a dict is taken, though the stubs do not say so
    try:
        pdf = typst.compile(
            sources,
            format="pdf",
            font_paths=[str(folder) for folder in fonts.folders],
            ignore_system_fonts=True,
            timestamp=0,
        )
    except typst.TypstError as error:
        raise PackError([_blame(faces, fonts, error)]) from error
    if not isinstance(pdf, bytes):
        raise TypeError("typst gave no PDF")
    return pdf


def _page(index: int, face: Face) -> str:
    width, height = (f"{number(side)}mm" for side in face.full.size)
    return f'#page(width: {width}, height: {height})[#image("{index}.svg", width: {width}, height: {height})]\n'


def _blame(faces: Sequence[Face], fonts: FontSet, error: typst.TypstError) -> Problem:
    """Which face stops the document: found by compiling them singly."""
    if len(faces) == 1:
        return Problem(
            None, f"{faces[0].label}: its picture cannot be printed: {error.message}", "an SVG that typst can read"
        )
    for face in faces:
        try:
            _compile([face], fonts)
        except PackError as single:
            return single.problems[0]
    return Problem(None, f"the faces cannot be printed together: {error.message}")
