"""Where typst is called, and what it may see of the disk."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import typst

from generator.core.files import temporary_folder
from generator.core.fonts import FontSet, files_in
from generator.core.geometry import Size
from generator.core.worker import Failed, Worker
from generator.picture.items import Picture

REMEMBERED = 11


@dataclass(frozen=True)
class PageSource:
    """What typst compiles to one page, `size` mm large: a picture without pictures in it, or a complete SVG."""

    name: str
    label: str
    content: Picture | str
    size: Size

    @property
    def svg(self) -> str:
        """The complete SVG of a source that is one."""
        if isinstance(self.content, Picture):
            raise TypeError(f"{self.label} is a picture")
        return self.content


@dataclass(frozen=True)
class Room:
    """What typst may see of the disk: folders of fonts, and for all else a folder in which nothing is.

    `worker` is where it is called for pictures that may be too much for it.
    """

    folders: tuple[str, ...]
    nothing: str
    worker: Worker

    @cached_property
    def fonts(self) -> typst.Fonts:
        """The fonts in those folders: found once, and read when they are first asked for."""
        return fonts_in(self.folders)

    def typeset(self, files: dict[str, bytes], *, heavy: bool = False) -> bytes:
        """The PDF that typst makes of the file `main` and those beside it; what may be too much is left to a worker."""
        if heavy:
            return self.worker.run(typeset_apart, files, self.folders, self.nothing)
        return typeset(files, self.fonts, self.nothing)


def fonts_in(folders: Sequence[str]) -> typst.Fonts:
    """The fonts in some folders, and none else: those that typst brings are read anew for every document."""
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=list(folders))


@contextmanager
def engine_room(fonts: FontSet) -> Iterator[Room]:
    """The folders of the set's files, which is how typst takes fonts; copies where other files lie beside them."""
    wanted = {file.path.resolve() for file in fonts.files}
    with temporary_folder() as made, Worker() as worker:
        nothing, only = (made / name for name in ("nothing", "fonts"))
        nothing.mkdir()
        if all(path.resolve() in wanted for folder in fonts.folders for path in files_in(folder)):
            yield Room(tuple(map(str, fonts.folders)), str(nothing), worker)
            return
        only.mkdir()
        for number, file in enumerate(fonts.files):
            shutil.copyfile(file.path, only / f"{number}{file.path.suffix}")
        yield Room((str(only),), str(nothing), worker)


@contextmanager
def panics_as_failures() -> Iterator[None]:
    """Raise `Failed` where typst panics: a panic of Rust is a `BaseException` of pyo3, which no handler expects."""
    try:
        yield
    except (Exception, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise Failed(f"typst gave up: {error}") from error


def typeset(files: dict[str, bytes], fonts: typst.Fonts, nothing: str) -> bytes:
    """The PDF that typst makes of the file `main` and those beside it."""
    sources: Any = files  # a dict is taken, though the stubs do not say so
    with panics_as_failures():
        pdf = typst.compile(
            sources, format="pdf", font_paths=fonts, root=nothing, ignore_system_fonts=True, timestamp=0
        )
    if not isinstance(pdf, bytes):
        raise TypeError("typst gave no PDF")
    return pdf


def typeset_apart(files: dict[str, bytes], folders: Sequence[str], nothing: str) -> bytes:
    """The same in a process that has found no fonts yet."""
    return typeset(files, fonts_in(folders), nothing)


def forget() -> None:
    """Let typst drop what it remembers of the last chunk: it keeps that for ten compiles more, whatever they are of."""
    empty = typst.Compiler(b"", font_paths=fonts_in(()), ignore_system_fonts=True)
    for _ in range(REMEMBERED):
        empty.compile(b"", format="svg")
