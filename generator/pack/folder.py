"""The pack's folder, and nothing outside it."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from generator.core.files import LARGEST, display
from generator.core.fonts import FontFile, FontSet, files_in, font_set, read_font
from generator.core.problems import Kind, Reporter, Where, Wrong, nearest
from generator.pack.game import Asset

MAX_TEXT = 20_000_000
"""Bytes; no honest table or layout is larger."""

TABLES = frozenset({".csv", ".tsv", ".txt"})
"""The endings of tables that are texts."""


@dataclass(frozen=True)
class PackFolder:
    """Gives out the files of a pack by the names that the pack uses."""

    root: Path
    instead: Mapping[str, bytes] = field(default_factory=dict)
    """What stands in the place of some files, to see what would become of the pack with it."""

    @property
    def slug(self) -> str:
        """The folder's name for the names of files; of one that is no UTF-8, what can be read."""
        name = self.root.resolve().name
        return "".join("-" if "\ud800" <= char <= "\udfff" or not char.isprintable() else char for char in name)

    def where(self, name: str, line: int = 0) -> Where:
        """A place in one of the pack's files, as it is shown to the user."""
        return Where(display(self.root / name), line)

    def asset(self, name: str) -> Asset:
        """A file of the pack; it must be there, and inside."""
        self._check(name, "a file of the pack")
        path = self.root / name
        if not _is_file(path) and name not in self.instead:
            raise self._missing(name)
        if not self.holds(path):
            raise Wrong(f"{name!r} leads out of the pack's folder", "a file that lies in the pack's own folder")
        return Asset(name, path)

    def languages(self, file: str) -> Sequence[str]:
        """The languages that a file of words is translated into: `rules.nl.md` lies beside `rules.md`."""
        path = PurePosixPath(file)
        beside = (PurePosixPath(name) for name in self.names(path.parent.as_posix(), [path.suffix]))
        named = (name for name in beside if name.name.partition(".")[0] == path.stem)
        return [name.suffixes[-2][1:] for name in named if len(name.suffixes) > 1]

    def picture(self, name: str, find: Callable[[str], Asset]) -> Asset:
        """A picture that is drawn, by the way in which it is found."""
        return find(name)

    def holds(self, path: Path) -> bool:
        """Whether a file lies in the pack once all links are followed."""
        return path.resolve().is_relative_to(self.root.resolve())

    def read(self, name: str, most: int = MAX_TEXT) -> bytes:
        """The bytes of a file of the pack."""
        path = self.asset(name).path
        if name in self.instead:
            return self.instead[name]
        if path.stat().st_size > most:
            raise Wrong(f"{name!r} has more than {most // 1_000_000} MB", "a smaller file")
        return path.read_bytes()

    def text(self, name: str, most: int = MAX_TEXT) -> str:
        """The text of a file of the pack: UTF-8, or the UTF-16 that Excel calls Unicode, which begins with its mark."""
        data = self.read(name, most)
        if data.startswith(b"PK\x03\x04"):
            raise Wrong(f"{name!r} is a workbook under another name", "its own ending, .xlsx or .ods, or a real CSV")
        try:
            return data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
        except UnicodeDecodeError as error:
            raise _not_text(name, data, error.start) from error

    def is_folder(self, name: str) -> bool:
        """Whether a name is that of a folder inside the pack."""
        self._check(name, "a folder of the pack")
        path = self.root / name
        return _is_dir(path) and path.resolve().is_relative_to(self.root.resolve())

    def no_folder(self, name: str, expected: str) -> Wrong:
        """What to say of a folder that is not there."""
        folders = [path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_dir()]
        return Wrong(f"no folder {name!r}", expected, nearest(name, folders), Kind.MISSING)

    def names(self, under: str, suffixes: Iterable[str]) -> list[str]:
        """The names of the files in a folder of the pack, in order."""
        self._check(under, "a folder of the pack")
        folder = self.root / under
        kinds = set(suffixes)
        return sorted(
            path.relative_to(self.root).as_posix()
            for path in (folder.rglob("*") if folder.is_dir() else [])
            if path.suffix.lower() in kinds and path.is_file()
        )

    def _check(self, name: str, what: str) -> None:
        outside = name.startswith(("/", "~")) or "\\" in name or ":" in name or ".." in PurePosixPath(name).parts
        if not name.strip() or outside:
            raise Wrong(f"{name!r} is not {what}", "a path inside the pack's folder, such as art/tree.svg")

    def _elsewhere(self, name: str) -> str:
        """Where in the pack a file of the same name lies."""
        found = sorted(path for path in self.root.rglob("*") if path.name == name and _is_file(path))
        return found[0].relative_to(self.root).as_posix() if found else ""

    def _missing(self, name: str) -> Wrong:
        folder = PurePosixPath(name).parent
        beside = self.root / folder
        if elsewhere := self._elsewhere(PurePosixPath(name).name):
            hint = f"did you mean {elsewhere!r}?"
            return Wrong(
                f"no file {name!r}", "a file of the pack, by its path from the pack's folder", hint, Kind.MISSING
            )
        if not _is_dir(beside):
            shown = display(self.root)
            return Wrong(
                f"no file {name!r}", f"it in {shown}/, where there is no folder {str(folder)!r}", kind=Kind.MISSING
            )
        files = sorted(path.name for path in beside.iterdir() if path.is_file())
        stems = sorted({Path(file).stem for file in files if Path(file).suffix == PurePosixPath(name).suffix})
        listed = ", ".join(stems[:10]) + (", …" if len(stems) > 10 else "")
        expected = f"a file in {display(beside)}/: {listed}" if stems else f"a file in {display(beside)}/"
        close = nearest(name, [(folder / file).as_posix() for file in files])
        return Wrong(f"no file {name!r}", expected, close, Kind.MISSING)


class DraftFolder(PackFolder):
    """Of a picture that is not there it gives one that says so when it is drawn."""

    def picture(self, name: str, find: Callable[[str], Asset]) -> Asset:
        """A picture, or what stands in its place."""
        try:
            return find(name)
        except Wrong as wrong:
            lack = Wrong(wrong.found, wrong.expected, wrong.hint, Kind.MISSING)
            return Asset(name, self.root / "missing", lack=lack)


def _not_text(name: str, data: bytes, at: int) -> Wrong:
    """What to say of a file that is no UTF-8, with the place where that shows."""
    start = data.rfind(b"\n", 0, at) + 1
    before = data[max(start, at - 20) : at].decode("utf-8", "replace").lstrip("\r\ufeff")
    line = data.count(b"\n", 0, at) + 1
    after = f" after {before!r}" if before else ""
    is_table = PurePosixPath(name).suffix.lower() in TABLES
    hint = "in a spreadsheet choose 'CSV UTF-8' when saving" if is_table else "in your editor save it as UTF-8"
    return Wrong(f"{name!r} is not UTF-8 text: line {line}{after}", "a file saved as UTF-8", hint)


def _is_file(path: Path) -> bool:
    """Whether there is a file; a name that no file could have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def fonts_of(pack: PackFolder, report: Reporter) -> FontSet:
    """The fonts of the program, and those that lie in the pack."""
    extra: dict[str, FontFile] = {}
    for path in files_in(pack.root / "fonts"):
        with report.at(Where(display(path))):
            if not pack.holds(path):
                raise Wrong(f"{path.name} leads out of the pack's folder", "a file that lies in the pack's own folder")
            if not path.is_file() or path.stat().st_size > LARGEST:
                raise Wrong(f"{path.name} is no file, or one of more than {LARGEST // 1_000_000} MB", "a font file")
            font = read_font(path)
            if (first := extra.setdefault(font.key, font)) is not font:
                found = f"this is {font.family} {font.style}, and so is {display(first.path)}"
                raise Wrong(found, "one file for each face of a family", "take one of the two out of the pack")
    return font_set(extra.values())
