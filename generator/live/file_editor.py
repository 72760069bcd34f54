"""Changes from the page: the place of a layer, a cell of a table, a colour of the palette.

The file is the truth. A request names the digest of the file that the page has displayed; a file
that has changed since is not touched. Only the characters of the one value change, and a change can
be undone until somebody else writes to the file.
"""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any

from generator.base.errors import InvalidValueError, PnpError, Where
from generator.base.files import PREFIX
from generator.base.units import UNITS, length, number
from generator.live.yaml_spans import (
    Change,
    find_change,
    parse_tree,
    replace_cell,
    replace_scalars,
    walk,
)
from generator.live.yaml_spans import Path as Steps
from generator.pack.colours import parse_colour
from generator.pack.folder import GAME_FILE, TEXT_TABLE_SUFFIXES, PackFolder
from generator.pack.scope import names_in

# The grid on which layers move; places become multiples of it.
STEP_MM = 0.5
MAX_UNDO = 500
YAML_SUFFIXES = frozenset({".yaml", ".yml"})
# Byte order marks of text files and their encodings; files without one are UTF-8.
ENCODING_BY_BOM = (
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xef\xbb\xbf", "utf-8"),
)


@dataclass(frozen=True)
class TextFile:
    """A text file of the pack: its name, bytes, byte order mark, encoding and text."""

    name: str
    data: bytes
    byte_order_mark: bytes
    encoding: str
    text: str

    @property
    def digest(self) -> str:
        """The SHA-256 of all its bytes."""
        return sha256(self.data).hexdigest()

    def encode_text(self, text: str) -> bytes:
        """Return the bytes of a new text; raise InvalidValueError for a lone surrogate."""
        try:
            return self.byte_order_mark + text.encode(self.encoding)
        except UnicodeEncodeError:
            raise InvalidValueError(
                "this text has an invalid character", "letters, digits, signs"
            ) from None


@dataclass(frozen=True)
class FileChange:
    """An applied change: its file, the change that undoes it, and the digest of the file after it."""

    name: str
    reverse: Change
    digest: str


@dataclass
class PackEditor:
    """The editor of one pack's files, with an undo list."""

    folder: PackFolder
    _changes: list[FileChange] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def find_name(self, where: Where | str) -> str:
        """Return the name of a file relative to the pack; messages name files with the pack's folder."""
        file = where if isinstance(where, str) else where.file
        top = self.folder.where(GAME_FILE).file.removesuffix(GAME_FILE)
        return file.removeprefix(top)

    def read(self, name: str) -> TextFile:
        """Read a text file of the pack; raise InvalidValueError if it is no text."""
        data = self.folder.read(name)
        mark, encoding = next(
            ((mark, encoding) for mark, encoding in ENCODING_BY_BOM if data.startswith(mark)),
            (b"", "utf-8"),
        )
        try:
            text = data[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            raise InvalidValueError(
                f"{name!r} is not UTF-8 text", "a file saved as UTF-8", "save it again as UTF-8"
            ) from None
        return TextFile(name, data, mark, encoding, text)

    def layer_names(self) -> Callable[[Where, str], str]:
        """Return a function that names the layer of a kind at a place; it reads each file once."""

        @cache
        def read_nodes(name: str) -> Mapping[Steps, Any]:
            try:
                return dict(walk(parse_tree(self.read(name).text)))
            except (InvalidValueError, PnpError):
                return {}  # the file is being rewritten

        return lambda where, kind: name_layer(read_nodes(self.find_name(where)), where.line, kind)

    def edit(self, name: str, digest: str, rewrite: Callable[[str], str]) -> FileChange:
        """Change a file and return the change.

        Raise InvalidValueError if its digest is not `digest`.
        """
        with self._lock:
            file = self.read(name)
            if file.digest != digest:
                raise InvalidValueError(
                    f"{name} has changed in the meantime; pnp wrote nothing",
                    "the file as the page displayed it",
                )
            after = rewrite(file.text)
            if after == file.text:
                return FileChange(name, Change(0, 0, ""), digest)
            change = self._write(file, after)
            self._changes = [*self._changes, change][-MAX_UNDO:]
            return change

    def undo(self) -> FileChange:
        """Undo the last change and return its reverse.

        Raise InvalidValueError if the file has changed since.
        """
        with self._lock:
            if not self._changes:
                raise InvalidValueError("there is nothing to undo")
            last = self._changes[-1]
            file = self.read(last.name)
            if file.digest != last.digest:
                raise InvalidValueError(
                    f"{last.name} has changed in the meantime; pnp undid nothing",
                    "the file as the page left it",
                )
            reverse = self._write(file, last.reverse.apply_to(file.text))
            self._changes = self._changes[:-1]
            return reverse

    def _write(self, file: TextFile, after: str) -> FileChange:
        data = file.encode_text(after)
        path = self.folder.asset(file.name).path.resolve()
        temporary = path.with_name(f"{PREFIX}{token_hex(6)}")
        try:
            temporary.write_bytes(data)
            shutil.copymode(path, temporary)
            # An editor may have saved the file since it was read.
            if path.read_bytes() != file.data:
                raise InvalidValueError(
                    f"{file.name} has changed in the meantime; pnp wrote nothing"
                )
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        return FileChange(file.name, find_change(after, file.text), sha256(data).hexdigest())


def set_colour(text: str, name: str, value: str) -> str:
    """Return the text of the main file with a new colour in the palette."""
    path: Steps = ("palette", name)
    if path not in dict(walk(parse_tree(text))):
        raise InvalidValueError(f"there is no colour {name!r} in the palette")
    return replace_scalars(text, {path: parse_colour(value)})


def check_cells(name: str) -> None:
    """Raise InvalidValueError if the cells of a file are not stored as text."""
    if Path(name).suffix.lower() not in {*TEXT_TABLE_SUFFIXES, *YAML_SUFFIXES}:
        raise InvalidValueError(
            f"cells of {name} can only be changed in the program that made it",
            "a table in a text file, such as .csv",
        )


def set_row_cell(text: str, where: Where, name: str, column: str, value: str) -> str:
    """Return a table, or rows in a YAML file, with a new text in one cell."""
    value = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if Path(name).suffix.lower() in TEXT_TABLE_SUFFIXES:
        return replace_cell(text, where.line, column, value)
    check_cells(name)
    nodes = dict(walk(parse_tree(text)))
    rows = [
        path
        for path in nodes
        if (*path, "id") in nodes and nodes[path].start_mark.line + 1 == where.line
    ]
    if len(rows) != 1 or (*rows[0], column) not in nodes:
        raise InvalidValueError(
            f"line {where.line} has no {column!r} of its own", "a row with this key"
        )
    return replace_scalars(text, {(*rows[0], column): value})


# The keys of a layer that hold its place; for a polygon, each corner.
PLACE_KEYS = ("box", "at", "rect", "circle", "polygon")
# The keys that name a shape.
SHAPE_KEYS = ("rect", "circle", "polygon", "path")


@dataclass(frozen=True)
class LayerPlace:
    """The texts of a layer's place by path: x and y of each corner, or a single text with all numbers."""

    key: str
    paths: tuple[Steps, ...]
    texts: tuple[str, ...]

    def move(self, dx: float, dy: float) -> dict[Steps, str]:
        """Return the new texts by path, moved by dx and dy in mm.

        Unchanged coordinates keep their text.
        """
        if len(self.paths) == 1:
            parts = _split_numbers(self.texts[0])
            numbers = [part for part in parts if part.strip(" ,")]
            x = shift_length(numbers[0], dx)
            y = shift_length(numbers[1], dy)
            first, second = [index for index, part in enumerate(parts) if part.strip(" ,")][:2]
            parts[first] = x
            parts[second] = y
            return {self.paths[0]: "".join(parts)}
        # All corners move by the distances of the first one, so that the shape stays the same.
        distances = [
            _distance_to_step(text, by) for text, by in zip(self.texts, (dx, dy), strict=False)
        ]
        return {
            path: _add_distance(text, distances[position % 2])
            for position, (path, text) in enumerate(zip(self.paths, self.texts, strict=True))
        }


def _split_numbers(text: str) -> list[str]:
    return re.split(r"([\s,]+)", text)


def shift_length(text: str, by: float) -> str:
    """Return a length moved by about `by` mm to a multiple of the step, in its own unit."""
    return _add_distance(text, _distance_to_step(text, by))


def _distance_to_step(text: str, by: float) -> float:
    """Return the distance in mm from a length to the multiple of the step nearest to `by` mm further."""
    return round((length(text) + by) / STEP_MM) * STEP_MM - length(text) if by else 0.0


def _add_distance(text: str, distance: float) -> str:
    """Return a length moved by `distance` mm, in its own unit."""
    if not distance:
        return text
    unit = text.strip().lstrip("+-.0123456789").strip()
    gap = " " if unit and text.strip()[: -len(unit)].endswith(" ") else ""
    return f"{number((length(text) + distance) / UNITS[unit.lower() or 'mm'])}{gap}{unit}"


def find_layer(nodes: Mapping[Steps, Any], line: int, kind: str) -> Steps:
    """Return the path of the layer in a line.

    Raise InvalidValueError unless there is exactly one.
    """
    matches = [
        path
        for path in nodes
        if path and (*path, kind) in nodes and nodes[path].start_mark.line + 1 == line
    ]
    if len(matches) != 1:
        raise InvalidValueError(
            f"line {line} has {len(matches) or 'no'} layers of this kind", "one layer per line"
        )
    return matches[0]


def find_names(text: str, line: int, kind: str) -> tuple[str, ...]:
    """Return the names that a layer reads, such as columns."""
    nodes = dict(walk(parse_tree(text)))
    return _names_below(nodes, find_layer(nodes, line, kind))


def _names_below(nodes: Mapping[Steps, Any], path: Steps) -> tuple[str, ...]:
    """Return the names in all texts below a path."""
    texts = [
        node.value
        for node_path, node in nodes.items()
        if node_path[: len(path)] == path and isinstance(node.value, str)
    ]
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text)))


def name_layer(nodes: Mapping[Steps, Any], line: int, kind: str) -> str:
    """Return the column, words, picture or shape that the layer in a line shows, or an empty text."""
    try:
        main = (*find_layer(nodes, line, kind), kind)
    except InvalidValueError:
        return ""
    value = nodes[main].value
    if not isinstance(value, str):
        shapes = [key for key in SHAPE_KEYS if (*main, key) in nodes]
        return ", ".join(shapes or _names_below(nodes, main))
    names = names_in(value)
    is_name_alone = len(names) == 1 and value in {f"${names[0]}", f"${{{names[0]}}}"}
    return " ".join((names[0] if is_name_alone else value).split())


def find_place(text: str, line: int, kind: str) -> LayerPlace:
    """Return the place of the layer in a line.

    Raise InvalidValueError if it is not written as numbers.
    """
    nodes = dict(walk(parse_tree(text)))
    path = find_layer(nodes, line, kind)
    layer = (*path, kind) if kind == "shape" else path
    key = next((key for key in PLACE_KEYS if (*layer, key) in nodes), "")
    if not key:
        raise InvalidValueError(
            f"this {kind} has no place of its own", "a layer with `box:` or `at:`"
        )
    return _read_place(nodes, (*layer, key), key)


def _read_place(nodes: Mapping[Steps, Any], path: Steps, key: str) -> LayerPlace:
    """Return the x and y at a path; a name stands for a box of the same file."""
    place_node = nodes[path]
    value = getattr(place_node, "value", None)
    if isinstance(value, str):
        if value in {node[-1] for node in nodes if node[:1] == ("boxes",) and len(node) == 2}:
            return _read_place(nodes, ("boxes", value), value)
        _check_numbers(value.replace(",", " ").split(), key, value)
        return LayerPlace(key, (path,), (value,))
    corners = (
        sum((*path, index, 1) in nodes for index in range(len(value or ())))
        if key == "polygon"
        else 0
    )
    places = [(*path, corner) for corner in range(corners)] or [path]
    paths = tuple((*place, axis) for place in places for axis in range(2))
    texts = [str(getattr(nodes.get(item), "value", "")) for item in paths]
    for start in range(0, len(texts), 2):
        _check_numbers(texts[start : start + 2], key, "")
    return LayerPlace(key, paths, tuple(texts))


def _check_numbers(texts: list[str], key: str, joined: str) -> None:
    """Raise InvalidValueError unless the first two texts, x and y, are lengths.

    `joined` is the single text that holds all numbers, if they are written as one.
    """
    for text in texts[:2] if len(texts) > 1 else [joined]:
        try:
            length(text)
        except InvalidValueError:
            shown_text = joined or text
            raise InvalidValueError(
                f"{key}: {shown_text!r} is not a number, so the layer cannot be moved here",
                f"{key}: [x, y, …]",
            ) from None
