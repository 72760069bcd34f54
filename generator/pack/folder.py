"""Access to the files of a pack, restricted to the pack's folder."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from generator.base.errors import InvalidValueError, Kind, Where, join_some, nearest
from generator.base.files import display, read_limited
from generator.pack.csv_encoding import Decoded, decode_code_page

GAME_FILE = "game.yaml"
"""The main file of a pack, which names all others."""

MISTAKEN_NAMES = ("game.yml", "Game.yaml", "game.yaml.txt", "game.json")
"""Common wrong names of the main file."""

FIGURES = "figures.yaml"
"""The file of a pack that holds the figures of its rules."""

MAX_TEXT_BYTES = 20_000_000
"""Size limit of tables and layouts; a larger file is taken for an attack or a mistake."""

MAX_FILES_LISTED = 10
"""Files that the message on a missing one lists."""

TEXT_TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".txt"})
"""Suffixes of tables that are plain text."""

EXCEL_LOCK = "~$"
"""The prefix of the file that Excel keeps beside an open workbook."""


@dataclass(frozen=True)
class Asset:
    """A file of the pack: its name as written in the pack, and its path.

    A picture from a file of many (an icon set) has a name and an SVG of its own. In a draft, `lack`
    is the error that reading a missing picture raises. `pack` is the folder in which pictures that
    an SVG links to must lie; with None it may link to none.
    """

    name: str
    path: Path
    svg: str = ""
    lack: InvalidValueError | None = None
    pack: Path | None = None

    @property
    def stem(self) -> str:
        """Return the name without folders and suffix."""
        return PurePosixPath(self.name).stem

    @property
    def is_svg(self) -> bool:
        """Return True for a vector picture."""
        return bool(self.svg) or self.path.suffix.lower() == ".svg"

    def read(self) -> bytes:
        """Return the content; raise `lack` if the picture is missing."""
        if self.lack:
            raise self.lack
        return self.svg.encode(errors="replace") if self.svg else read_limited(self.path, self.name)


@dataclass(frozen=True)
class PackFolder:
    """A pack's folder, which opens files by the names that the pack uses."""

    root: Path
    replaced: Mapping[str, bytes] = field(default_factory=dict)
    """Contents that replace files by name, to load the pack as it would be after an edit."""
    is_draft: bool = False
    """Whether a missing picture is an error of its own, so that the other pieces can be printed."""
    windows_paths: set[str] = field(default_factory=set, compare=False)
    """Collects the names that were written with backslashes; a note of the loader lists them."""
    code_pages: dict[str, Decoded] = field(default_factory=dict, compare=False)
    """Collects the tables that are not UTF-8, by name; a note of the loader lists them."""

    @property
    def slug(self) -> str:
        """Return the folder's name for use in file names, with `-` for characters that cannot be printed."""
        name = self.root.resolve().name
        return "".join(
            "-" if "\ud800" <= char <= "\udfff" or not char.isprintable() else char for char in name
        )

    def with_slashes(self, name: str) -> str:
        """Return the name of a file with `/` between its folders.

        Windows separates them with backslashes.
        """
        if "\\" in name:
            self.windows_paths.add(name)
        return name.replace("\\", "/")

    def where(self, name: str, line: int = 0) -> Where:
        """Return a place in one of the pack's files, as messages show it."""
        return Where(display(self.root / self.with_slashes(name)), line)

    def asset(self, name: str) -> Asset:
        """Return a file of the pack.

        Raise `InvalidValueError` if it is missing or outside the folder.
        """
        name = self.with_slashes(name)
        self._check_name(name, "a file of the pack")
        path = self.root / name
        if not _is_file(path):
            path = self._with_other_accents(name)
        if not _is_file(path) and name not in self.replaced:
            raise self._missing_error(name)
        if not self.holds(path):
            raise InvalidValueError(
                f"{name!r} leads out of the pack's folder",
                "a file inside the pack's folder",
            )
        return Asset(name, path, pack=self.root)

    def languages(self, file: str) -> Sequence[str]:
        """Return the languages of the translations beside a text file: `nl` for `rules.nl.md`."""
        path = PurePosixPath(file)
        beside = (PurePosixPath(name) for name in self.names(path.parent.as_posix(), [path.suffix]))
        named = (name for name in beside if name.name.partition(".")[0] == path.stem)
        return [name.suffixes[-2][1:] for name in named if len(name.suffixes) > 1]

    def picture(self, name: str, find: Callable[[str], Asset]) -> Asset:
        """Look up a picture with `find`.

        In a draft, return an asset whose `lack` holds the error if the picture is missing.
        """
        if not self.is_draft:
            return find(name)
        try:
            return find(name)
        except InvalidValueError as wrong:
            lack = InvalidValueError(wrong.found, wrong.expected, wrong.hint, Kind.MISSING)
            return Asset(name, self.root / "missing", lack=lack)

    def holds(self, path: Path) -> bool:
        """Return True if a file or folder lies in the pack after all links are followed."""
        return path.resolve().is_relative_to(self.root.resolve())

    def read(self, name: str, most: int = MAX_TEXT_BYTES) -> bytes:
        """Return the bytes of a file of the pack.

        Raise `InvalidValueError` if it has more than `most` bytes.
        """
        asset = self.asset(name)
        path = asset.path
        if asset.name in self.replaced:
            return self.replaced[asset.name]
        if path.stat().st_size > most:
            raise InvalidValueError(
                f"{name!r} has more than {most // 1_000_000} MB", "a smaller file"
            )
        return path.read_bytes()

    def text(self, name: str, most: int = MAX_TEXT_BYTES) -> str:
        """Return a text file's content, decoded from UTF-8 or from UTF-16 with a byte order mark.

        Excel's "Unicode text" is UTF-16. A table may also be in one of the code pages of Excel's
        "CSV". Raises `InvalidValueError` for workbooks with a wrong suffix and for other encodings.
        """
        data = self.read(name, most)
        if data.startswith(b"PK\x03\x04"):
            raise InvalidValueError(
                f"{name!r} is a workbook under another name",
                "its own ending, .xlsx or .ods, or a real CSV",
            )
        try:
            return data.decode(
                "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
            )
        except UnicodeDecodeError as error:
            is_table = PurePosixPath(name).suffix.lower() in TEXT_TABLE_SUFFIXES
            decoded = decode_code_page(data) if is_table else None
            if decoded:
                self.code_pages[name] = decoded
                return decoded.text
            raise _encoding_error(name, data, error.start) from error

    def is_folder(self, name: str) -> bool:
        """Return True if a name is that of a folder inside the pack."""
        name = self.with_slashes(name)
        self._check_name(name, "a folder of the pack")
        path = self.root / name
        return _is_dir(path) and self.holds(path)

    def no_folder(self, name: str, expected: str) -> InvalidValueError:
        """Return the error for a missing folder, with the nearest name as a hint."""
        folders = [
            path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_dir()
        ]
        return InvalidValueError(
            f"no folder {name!r}", expected, nearest(name, folders), Kind.MISSING
        )

    def names(self, under: str, suffixes: Iterable[str]) -> list[str]:
        """Return the names of the files under a folder with one of these suffixes, sorted."""
        self._check_name(under, "a folder of the pack")
        folder = self.root / under
        kinds = set(suffixes)
        return sorted(
            path.relative_to(self.root).as_posix()
            for path in (folder.rglob("*") if folder.is_dir() else [])
            if path.suffix.lower() in kinds and path.is_file()
        )

    def _check_name(self, name: str, what: str) -> None:
        path = PurePosixPath(name)
        if path.name.startswith(EXCEL_LOCK):
            workbook = path.with_name(path.name.removeprefix(EXCEL_LOCK))
            raise InvalidValueError(
                f"{name!r} is a file that Excel keeps while a workbook is open",
                f"the workbook itself: {workbook}",
            )
        outside = name.startswith(("/", "~")) or ":" in name or ".." in path.parts
        if not name.strip() or outside:
            raise InvalidValueError(
                f"{name!r} is not {what}", "a path inside the pack's folder, such as art/tree.svg"
            )

    def _with_other_accents(self, name: str) -> Path:
        """Return the path whose names look like these.

        An archive made on macOS may write ü as u and a mark of its own, which keyboards do not.
        """
        path = self.root
        for part in PurePosixPath(name).parts:
            found = part
            if not part.isascii() and _is_dir(path):
                spelled = normalize("NFC", part)
                alike = (
                    each.name for each in path.iterdir() if normalize("NFC", each.name) == spelled
                )
                found = min(alike, default=part)
            path /= found
        return path

    def _find_by_base_name(self, name: str) -> str:
        """Return the path of a file with this base name anywhere in the pack.

        Empty if there is none.
        """
        matches = sorted(
            path for path in self.root.rglob("*") if path.name == name and _is_file(path)
        )
        return matches[0].relative_to(self.root).as_posix() if matches else ""

    def _missing_error(self, name: str) -> InvalidValueError:
        folder = PurePosixPath(name).parent
        beside = self.root / folder
        if elsewhere := self._find_by_base_name(PurePosixPath(name).name):
            hint = f"did you mean {elsewhere!r}?"
            return InvalidValueError(
                f"no file {name!r}",
                "a file of the pack, by its path from the pack's folder",
                hint,
                Kind.MISSING,
            )
        if not _is_dir(beside):
            root = display(self.root)
            return InvalidValueError(
                f"no file {name!r}",
                f"it in {root}/, where there is no folder {str(folder)!r}",
                kind=Kind.MISSING,
            )
        files = sorted(path.name for path in beside.iterdir() if path.is_file())
        stems = sorted(
            {Path(file).stem for file in files if Path(file).suffix == PurePosixPath(name).suffix}
        )
        listed = join_some(stems, MAX_FILES_LISTED)
        expected = f"a file in {display(beside)}/" + (f": {listed}" if stems else "")
        close = nearest(name, [(folder / file).as_posix() for file in files])
        return InvalidValueError(f"no file {name!r}", expected, close, Kind.MISSING)


def _encoding_error(name: str, data: bytes, at: int) -> InvalidValueError:
    """Return the error for a file that is not UTF-8, with the first offending place."""
    start = data.rfind(b"\n", 0, at) + 1
    before = data[max(start, at - 20) : at].decode("utf-8", "replace").lstrip("\r\ufeff")
    line = data.count(b"\n", 0, at) + 1
    after = f" after {before!r}" if before else ""
    is_table = PurePosixPath(name).suffix.lower() in TEXT_TABLE_SUFFIXES
    hint = (
        "in a spreadsheet choose 'CSV UTF-8' when saving"
        if is_table
        else "in your editor save it as UTF-8"
    )
    return InvalidValueError(
        f"{name!r} is not UTF-8 text: line {line}{after}", "a file saved as UTF-8", hint
    )


def _is_file(path: Path) -> bool:
    """Return True if there is such a file; False also for names that the system rejects."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
