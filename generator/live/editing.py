"""Changes from the page: the place of a layer, a cell of a table, a colour of the palette.

The file is the truth. A request names the digest of the file that the page has displayed; a file
that has changed since is not touched. Only the characters of the one value change, and a change can
be undone until somebody else writes to the file.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any

from generator.core.files import PREFIX
from generator.core.problems import Where, Wrong
from generator.core.units import UNITS, length, number
from generator.live.spans import Change, change_between, tree_of, walk, with_cell, with_scalars
from generator.live.spans import Path as Steps
from generator.pack.colours import colour
from generator.pack.folder import TABLES, PackFolder
from generator.pack.load import MAIN
from generator.pack.template import names_in

# Places are multiples of this: the grid on which layers move.
STEP = 0.5
MOST_UNDONE = 500
YAML = frozenset({".yaml", ".yml"})
# Byte order marks of text files and their encodings; files without one are UTF-8.
CODINGS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8"))


@dataclass(frozen=True)
class WrittenFile:
    """A text file of the pack: its name, bytes, byte order mark, encoding and text."""

    name: str
    data: bytes
    mark: bytes
    coding: str
    text: str

    @property
    def digest(self) -> str:
        """The SHA-256 of all its bytes."""
        return sha256(self.data).hexdigest()

    def with_text(self, text: str) -> bytes:
        """Return the bytes of a new text; raise Wrong for a lone surrogate."""
        try:
            return self.mark + text.encode(self.coding)
        except UnicodeEncodeError:
            raise Wrong("this text has a character that is none", "letters, digits, signs") from None


@dataclass(frozen=True)
class Done:
    """A change that was made: its file, the change that undoes it, and the digest of the file after it."""

    name: str
    back: Change
    since: str


@dataclass
class Desk:
    """The editor of one pack's files, with an undo list."""

    folder: PackFolder
    _done: list[Done] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def name_of(self, where: Where | str) -> str:
        """Return the name in the pack of a file in a message."""
        file = where if isinstance(where, str) else where.file
        top = self.folder.where(MAIN).file.removesuffix(MAIN)
        return file.removeprefix(top)

    def read(self, name: str) -> WrittenFile:
        """Read a text file of the pack; raise Wrong if it is no text."""
        data = self.folder.read(name)
        mark, coding = next(((mark, coding) for mark, coding in CODINGS if data.startswith(mark)), (b"", "utf-8"))
        try:
            text = data[len(mark) :].decode(coding)
        except UnicodeDecodeError:
            raise Wrong(f"{name!r} is no text", "a file saved as UTF-8") from None
        return WrittenFile(name, data, mark, coding, text)

    def change(self, name: str, digest: str, make: Callable[[str], str]) -> Done:
        """Change a file and return the change; raise Wrong if its digest is not `digest`."""
        with self._lock:
            written = self.read(name)
            if written.digest != digest:
                raise Wrong(f"{name} was changed meanwhile; nothing was written", "the file as the page showed it")
            after = make(written.text)
            if after == written.text:
                return Done(name, Change(0, 0, ""), digest)
            done = self._write(written, after)
            self._done = [*self._done, done][-MOST_UNDONE:]
            return done

    def undo(self) -> Done:
        """Undo the last change and return its reverse; raise Wrong if the file has changed since."""
        with self._lock:
            if not self._done:
                raise Wrong("there is nothing to undo")
            last = self._done[-1]
            written = self.read(last.name)
            if written.digest != last.since:
                raise Wrong(f"{last.name} was changed since; nothing was undone", "the file as it was left here")
            done = self._write(written, last.back.of(written.text))
            self._done = self._done[:-1]
            return done

    def _write(self, written: WrittenFile, after: str) -> Done:
        data = written.with_text(after)
        path = (self.folder.root / written.name).resolve()
        beside = path.with_name(f"{PREFIX}{token_hex(6)}")
        try:
            beside.write_bytes(data)
            shutil.copymode(path, beside)
            if path.read_bytes() != written.data:
                raise Wrong(f"{written.name} was changed meanwhile; nothing was written")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        return Done(written.name, change_between(after, written.text), sha256(data).hexdigest())


def recoloured(text: str, name: str, value: str) -> str:
    """Return the text of the main file with a new colour in the palette."""
    path: Steps = ("palette", name)
    if path not in dict(walk(tree_of(text))):
        raise Wrong(f"there is no colour {name!r} in the palette")
    return with_scalars(text, {path: colour(value)})


def check_cells(name: str) -> None:
    """Raise Wrong if the cells of a file are not stored as text."""
    if Path(name).suffix.lower() not in {*TABLES, *YAML}:
        raise Wrong(f"cells of {name} are changed where it was made", "a table in a text file, such as .csv")


def with_row_cell(text: str, where: Where, name: str, column: str, value: str) -> str:
    """Return a table, or rows in a YAML file, with a new text in one cell."""
    value = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if Path(name).suffix.lower() in TABLES:
        return with_cell(text, where.line, column, value)
    check_cells(name)
    nodes = dict(walk(tree_of(text)))
    rows = [path for path in nodes if (*path, "id") in nodes and nodes[path].start_mark.line + 1 == where.line]
    if len(rows) != 1 or (*rows[0], column) not in nodes:
        raise Wrong(f"line {where.line} has no {column!r} of its own", "a row that says so")
    return with_scalars(text, {(*rows[0], column): value})


# The keys of a layer that hold its place; for a polygon, each corner.
PLACES = ("box", "at", "rect", "circle", "polygon")


@dataclass(frozen=True)
class WrittenPlace:
    """The text of a layer's place, by path: x and y, those of each corner, or one text with both."""

    key: str
    paths: tuple[Steps, ...]
    texts: tuple[str, ...]

    def moved(self, dx: float, dy: float) -> dict[Steps, str]:
        """Return the new texts by path, moved by dx and dy in mm; unchanged coordinates keep their text."""
        if len(self.paths) == 1:
            parts = _parted(self.texts[0])
            numbers = [part for part in parts if part.strip(" ,")]
            x = shifted(numbers[0], dx)
            y = shifted(numbers[1], dy)
            spots = [nth for nth, part in enumerate(parts) if part.strip(" ,")]
            parts[spots[0]], parts[spots[1]] = x, y
            return {self.paths[0]: "".join(parts)}
        ways = [_way(text, by) for text, by in zip(self.texts, (dx, dy), strict=False)]
        return {
            path: _with_way(text, ways[nth % 2])
            for nth, (path, text) in enumerate(zip(self.paths, self.texts, strict=True))
        }


def _parted(text: str) -> list[str]:
    return re.split(r"([\s,]+)", text)


def shifted(text: str, by: float) -> str:
    """Return a length moved by `by` mm to the next multiple of the step, in its own unit."""
    return _with_way(text, _way(text, by))


def _way(text: str, by: float) -> float:
    """Return the distance in mm from a length to the next multiple of the step."""
    return round((length(text) + by) / STEP) * STEP - length(text) if by else 0.0


def _with_way(text: str, way: float) -> str:
    """Return a length moved by `way` mm, in its own unit."""
    if not way:
        return text
    unit = text.strip().lstrip("+-.0123456789").strip()
    gap = " " if unit and text.strip()[: -len(unit)].endswith(" ") else ""
    return f"{number((length(text) + way) / UNITS[unit.lower() or 'mm'])}{gap}{unit}"


def layer_at(nodes: Mapping[Steps, Any], line: int, kind: str) -> Steps:
    """Return the path of the layer in a line; raise Wrong unless there is exactly one."""
    found = [path for path in nodes if path and (*path, kind) in nodes and nodes[path].start_mark.line + 1 == line]
    if len(found) != 1:
        raise Wrong(f"line {line} has {len(found) or 'no'} layers of this kind", "one layer in a line")
    return found[0]


def names_of_layer(text: str, line: int, kind: str) -> tuple[str, ...]:
    """Return the names that a layer reads, such as columns."""
    nodes = dict(walk(tree_of(text)))
    path = layer_at(nodes, line, kind)
    texts = [node.value for own, node in nodes.items() if own[: len(path)] == path and isinstance(node.value, str)]
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))


def place_of(text: str, line: int, kind: str) -> WrittenPlace:
    """Return the place of the layer in a line; raise Wrong if it is not written as numbers."""
    nodes = dict(walk(tree_of(text)))
    path = layer_at(nodes, line, kind)
    layer = (*path, kind) if kind == "shape" else path
    key = next((key for key in PLACES if (*layer, key) in nodes), "")
    if not key:
        raise Wrong(f"this {kind} has no place of its own", "a layer with `box:` or `at:`")
    return _numbers(nodes, (*layer, key), key)


def _numbers(nodes: Mapping[Steps, Any], path: Steps, key: str) -> WrittenPlace:
    """Return the x and y at a path; a name stands for a box of the same file."""
    own = nodes[path]
    value = getattr(own, "value", None)
    if isinstance(value, str):
        if value in {each[-1] for each in nodes if each[:1] == ("boxes",) and len(each) == 2}:
            return _numbers(nodes, ("boxes", value), value)
        _check(value.replace(",", " ").split(), key, value)
        return WrittenPlace(key, (path,), (value,))
    corners = sum((*path, nth, 1) in nodes for nth in range(len(value or ()))) if key == "polygon" else 0
    places = [(*path, nth) for nth in range(corners)] or [path]
    paths = tuple((*place, nth) for place in places for nth in range(2))
    texts = [str(getattr(nodes.get(each), "value", "")) for each in paths]
    for nth in range(0, len(texts), 2):
        _check(texts[nth : nth + 2], key, "")
    return WrittenPlace(key, paths, tuple(texts))


def _check(texts: list[str], key: str, whole: str) -> None:
    for text in texts[:2] if len(texts) > 1 else [whole]:
        try:
            length(text)
        except Wrong:
            said = whole or text
            raise Wrong(f"{key}: {said!r} is no number, so it is not moved from here", f"{key}: [x, y, …]") from None
