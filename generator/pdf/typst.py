"""Call typst, and limit its view of the disk to fonts."""

import io
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pikepdf
import typst

from generator.base.files import temporary_folder
from generator.base.font_files import with_family
from generator.base.fonts import FontSet, files_in
from generator.base.geometry import Size
from generator.base.worker import Worker, WorkError
from generator.picture.items import Picture

# typst's cache drops results that were unused for ten compilations.
COMPILATIONS_TO_EVICT = 11


def typst_string(text: str) -> str:
    """Return a text as a string of typst code."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", " ")
    return f'"{safe}"'


@dataclass(frozen=True)
class PageSource:
    """A page for typst to compile, `size` mm large: a picture without pictures in it, or a complete SVG."""

    name: str
    label: str
    content: Picture | str
    size: Size

    @property
    def svg(self) -> str:
        """The complete SVG; raise `TypeError` for a picture."""
        if isinstance(self.content, Picture):
            raise TypeError(f"{self.label} is a picture")
        return self.content


@dataclass(frozen=True)
class Sandbox:
    """The folders that typst can read: those of fonts, and an empty folder as its root.

    `worker` compiles pictures that may exceed typst's limits.
    """

    font_folders: tuple[str, ...]
    empty_folder: str
    worker: Worker

    @cached_property
    def fonts(self) -> typst.Fonts:
        """The fonts in the folders, found once and read on first use."""
        return fonts_in(self.font_folders)

    def typeset(self, files: dict[str, bytes], *, heavy: bool = False) -> bytes:
        """Compile the file `main` with the other files; risky input is compiled in a worker."""
        if heavy:
            return self.worker.run(typeset_in_worker, files, self.font_folders, self.empty_folder)
        return typeset(files, self.fonts, self.empty_folder)


def fonts_in(folders: Sequence[str]) -> typst.Fonts:
    """Return the fonts in some folders only.

    Typst's embedded fonts would be read anew for each document.
    """
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=list(folders)
    )


@contextmanager
def open_sandbox(fonts: FontSet) -> Iterator[Sandbox]:
    """Provide a sandbox with the folders of a font set, since typst takes fonts by folder.

    If one of these folders has other fonts too, or if typst would take one family for another, copy
    the set to a folder of its own.
    """
    font_paths = {file.path.absolute() for file in fonts.files}
    has_other_fonts = any(
        path not in font_paths for folder in fonts.folders for path in files_in(folder)
    )
    with temporary_folder() as folder, Worker() as worker:
        empty_folder = folder / "empty"
        empty_folder.mkdir()
        font_folders = fonts.folders
        if has_other_fonts or any(file.name_of_copy for file in fonts.files):
            font_folders = (folder / "fonts",)
            font_folders[0].mkdir()
            # The fonts of a collection have one file.
            copies = {(file.path, file.name_of_copy and file.key): file for file in fonts.files}
            for number, file in enumerate(copies.values()):
                copy = font_folders[0] / f"{number}{file.path.suffix}"
                if file.name_of_copy:
                    copy.write_bytes(with_family(file, file.name_of_copy))
                else:
                    shutil.copyfile(file.path, copy)
        yield Sandbox(tuple(map(str, font_folders)), str(empty_folder), worker)


@contextmanager
def panics_as_failures() -> Iterator[None]:
    """Raise `WorkError` where typst panics: a panic of Rust is a `BaseException` of pyo3, which no handler expects."""
    try:
        yield
    except (Exception, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise WorkError(f"typst gave up: {error}") from error


def typeset(files: dict[str, bytes], fonts: typst.Fonts, empty_folder: str) -> bytes:
    """Return the PDF that typst makes of the file `main` and the other files in its folder."""
    sources: Any = files  # the stubs lack dict, which typst-py accepts
    with panics_as_failures():
        pdf = typst.compile(
            sources,
            format="pdf",
            font_paths=fonts,
            root=empty_folder,
            ignore_system_fonts=True,
            timestamp=0,
        )
    if not isinstance(pdf, bytes):
        raise TypeError("typst gave no PDF")
    return pdf


# The beginning of marked content, with the number by which the structure refers to it (ISO 32000-1, 14.7.4.2).
_NUMBERED = re.compile(rb"(/[A-Za-z]\w*)\s*<<\s*/MCID\s+\d+\s*>>\s*BDC\b")


def without_structure(document: bytes) -> bytes:
    """Return a PDF made by typst without its structure and metadata; marked content loses its numbers.

    Pages of faces become forms of sheets, to which no structure refers.
    """
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(document)) as pdf:
        # Left in the file, the metadata would be parsed and written anew by pikepdf's `save`.
        for key in {"/StructTreeRoot", "/MarkInfo", "/Metadata"} & pdf.Root.keys():
            del pdf.Root[key]
        for page in pdf.pages:
            if "/StructParents" in page:
                del page["/StructParents"]
            page.contents_coalesce()
            content = page.Contents.read_bytes()
            page.Contents.write(_NUMBERED.sub(rb"\1 BMC", content))
        pdf.save(file, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return file.getvalue()


def typeset_in_worker(files: dict[str, bytes], folders: Sequence[str], empty_folder: str) -> bytes:
    """Compile a document with the fonts of some folders, which a worker has to find first."""
    return typeset(files, fonts_in(folders), empty_folder)


def drop_typst_cache() -> None:
    """Make typst drop its cache of the last documents, by compiling an empty document often enough."""
    empty = typst.Compiler(b"", font_paths=fonts_in(()), ignore_system_fonts=True)
    for _ in range(COMPILATIONS_TO_EVICT):
        empty.compile(b"", format="svg")
