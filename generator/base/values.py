"""Immutable mappings, and digests of values that are equal in every process."""

import os
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum, auto
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, TypeVar

from generator.base.errors import InvalidValueError
from generator.base.files import display

Key = TypeVar("Key")
Item = TypeVar("Item", covariant=True)  # noqa: PLC0105 - it reads well


class Frozen(Mapping[Key, Item]):
    """An immutable mapping.

    It is hashable if its values are, can be pickled, and equals any mapping of equal items.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Key, Item]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: Key) -> Item:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"Frozen({self._items})"


_SCALAR_TYPES = frozenset((str, int, float, bool, type(None)))
"""Types whose values tell themselves; those of types that are made of them may not."""

MAX_REMEMBERED = 2000
"""Objects whose text a `Digester` remembers: those shared by several designs come again soon."""

Teller = Callable[[Any], object]


class Digester:
    """Computes digests of values from their types' names and fields, never from their addresses in memory.

    `tells` maps a type to a function that returns what counts of its values, instead of their fields: a file's bytes
    rather than its path.
    """

    def __init__(self, tells: Mapping[type, Teller]) -> None:
        self._tells = tells
        # By identity, together with the object, so that its id is not used again. functools.cache
        # compares arguments by their fields, which takes as long as writing them out, and cannot
        # hold lists and dicts.
        self._told: dict[int, tuple[object, str]] = {}

    def digest(self, *values: object) -> str:
        """Return a digest of some values, which is the same in every process."""
        return sha256("\0".join(map(self.to_text, values)).encode()).hexdigest()[:40]

    def to_text(self, value: object) -> str:
        """Return the text of a value that its digest is made from.

        Remember the text of an object.
        """
        if type(value) in _SCALAR_TYPES:
            return repr(value)
        known = self._told.get(id(value))
        return known[1] if known else self._describe_anew(value)

    def _describe_anew(self, value: Any) -> str:
        kind: Any = type(value)
        match _way(kind):
            case _Way.NAMED:
                return f"{kind.__name__}.{value.name}"
            case _Way.PLAIN:
                return repr(value)
            case _Way.LIST:
                return f"[{','.join(map(self.to_text, value))}]"
            case _Way.MAPPING:
                pairs = sorted(
                    f"{self.to_text(key)}:{self.to_text(item)}" for key, item in value.items()
                )
                return f"{{{','.join(pairs)}}}"
            case _Way.SET:
                return f"{{{','.join(sorted(map(self.to_text, value)))}}}"
        if len(self._told) >= MAX_REMEMBERED:
            self._told.clear()
        told = self._object(kind, value)
        self._told[id(value)] = (value, told)
        return told

    def _object(self, kind: Any, value: object) -> str:
        told = self.to_text
        names = _fields(kind)
        if kind in self._tells:
            return f"{kind.__name__}({told(self._tells[kind](value))})"
        if names is None:
            return f"{kind.__name__}(name={_full_name(value)!r})"
        return f"{kind.__name__}({','.join([f'{name}={told(getattr(value, name))}' for name in names])})"


class _Way(Enum):
    """The ways to write a value of a type as text."""

    NAMED = auto()
    PLAIN = auto()
    LIST = auto()
    MAPPING = auto()
    SET = auto()
    OBJECT = auto()


_WAYS: Mapping[_Way, tuple[type, ...]] = {
    _Way.NAMED: (Enum,),
    _Way.PLAIN: (type(None), str, int, float),
    _Way.LIST: (tuple, list),
    _Way.MAPPING: (Mapping,),
    _Way.SET: (AbstractSet,),
}


@cache
def _way(kind: Any) -> _Way:
    """Return the first way whose types include a type."""
    return next((way for way, kinds in _WAYS.items() if issubclass(kind, kinds)), _Way.OBJECT)


@cache
def _fields(kind: Any) -> tuple[str, ...] | None:
    """Return the names of the fields of a dataclass or pydantic model; None for any other type."""
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    model: Mapping[str, object] | None = getattr(kind, "model_fields", None)
    return None if model is None else tuple(model)


def _full_name(value: object) -> str:
    """Return the full name of a function; raise `TypeError` for anything else."""
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    raise TypeError(f"{type(value).__name__} has no digest")


def shared_fields(source: object, into: type[Any]) -> dict[str, Any]:
    """Return the arguments of a dataclass that a value supplies: its fields that the value has as attributes.

    So a stage that only passes an attribute on does not name it.
    """
    return {
        field.name: getattr(source, field.name)
        for field in fields(into)
        if hasattr(source, field.name)
    }


def digest_of(*told: object) -> str:
    """Return a digest of some values' `repr`, which must hold everything that counts, in every process alike."""
    return sha256(repr(told).encode()).hexdigest()[:20]


LARGEST_PACK = 1_000_000_000
"""Bytes of all files of a pack."""


def folder_digest(folder: Path, without: Path | None = None) -> str:
    """Return a digest of all files in a folder and their names.

    Hidden files and the folder `without` are left out. Nothing outside is read: a link that leads
    there counts by its name. Raise `InvalidValueError` if the files have more than `LARGEST_PACK`
    bytes.
    """
    told = sha256()
    size = 0
    top = folder.resolve()
    for at, folders, files in os.walk(folder):
        place = Path(at)
        folders[:] = sorted(
            item for item in folders if item[0] != "." and (place / item).resolve() != without
        )
        for name in sorted(files):
            path = place / name
            if path.is_file() and path.resolve().is_relative_to(top):
                size += path.stat().st_size
                if size > LARGEST_PACK:
                    raise InvalidValueError(
                        f"{display(folder)} has more than {LARGEST_PACK // 1_000_000} MB",
                        "a smaller pack",
                    )
            told.update(f"{path.relative_to(folder).as_posix()}\0".encode(errors="surrogateescape"))
            told.update(f"{_digest_of(path, top)}\0".encode())
    return told.hexdigest()


def _digest_of(path: Path, top: Path) -> str:
    """Return the digest of a readable file below the folder `top`.

    An empty string for any other path.
    """
    try:
        if not path.resolve().is_relative_to(top) or not path.is_file():
            return ""
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except (OSError, RuntimeError):
        return ""
