"""Immutable mappings, and digests of values that are equal in every process."""

import os
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
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


class LazyMapping(Mapping[str, Item]):
    """A mapping that makes a value when it is looked up; its names are those of `sources`."""

    def __init__(self, sources: Mapping[str, Any], make: Callable[[Any], Item]) -> None:
        self._sources = sources
        self._make = make

    def __getitem__(self, name: str) -> Item:
        return self._make(self._sources[name])

    def __contains__(self, name: object) -> bool:
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


MAX_REMEMBERED = 2000
"""Objects whose text a `Digester` remembers: those that several designs share soon recur."""

PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})
"""The types of most values in a digest, told apart from the rest without asking for base classes."""

GetDigestInput = Callable[[Any], object]


class Digester:
    """Computes digests of values from their types' names and fields, never from their addresses in memory.

    `inputs` maps a type to a function that returns what counts of its values, instead of their fields: a file's bytes
    rather than its path.
    """

    def __init__(self, inputs: Mapping[type, GetDigestInput]) -> None:
        self._inputs = inputs
        # By identity, together with the object, so that its id is not used again. functools.cache
        # compares arguments by their fields, which takes as long as writing them out, and cannot
        # hold lists and dicts.
        self._texts: dict[int, tuple[object, str]] = {}

    def digest(self, *values: object) -> str:
        """Return a digest of some values, which is the same in every process."""
        return sha256("\0".join(map(self.to_text, values)).encode()).hexdigest()[:40]

    def to_text(self, value: Any) -> str:
        """Return the text of a value that its digest is made from; remember the text of an object."""
        if type(value) in PLAIN_TYPES:
            return repr(value)
        if cached := self._texts.get(id(value)):
            return cached[1]
        if isinstance(value, Enum):
            return f"{type(value).__name__}.{value.name}"
        if isinstance(value, str | int | float):
            return repr(value)
        if isinstance(value, tuple | list | Mapping | AbstractSet):
            return self._container_text(value)
        if len(self._texts) >= MAX_REMEMBERED:
            self._texts.clear()
        text = self._object_text(value)
        self._texts[id(value)] = (value, text)
        return text

    def _container_text(self, value: Any) -> str:
        if isinstance(value, tuple | list):
            return f"[{','.join(map(self.to_text, value))}]"
        if isinstance(value, Mapping):
            pairs = (f"{self.to_text(key)}:{self.to_text(item)}" for key, item in value.items())
            return f"{{{','.join(sorted(pairs))}}}"
        return f"{{{','.join(sorted(map(self.to_text, value)))}}}"

    def _object_text(self, value: Any) -> str:
        kind: Any = type(value)
        names = field_names(kind)
        if kind in self._inputs:
            return f"{kind.__name__}({self.to_text(self._inputs[kind](value))})"
        if names is None:
            return f"{kind.__name__}(name={_full_name(value)!r})"
        texts = [f"{name}={self.to_text(getattr(value, name))}" for name in names]
        return f"{kind.__name__}({','.join(texts)})"


@cache
def field_names(kind: Any) -> tuple[str, ...] | None:
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
    """Return those fields of the dataclass `into` that `source` has as attributes, as keyword arguments.

    A new attribute thus passes through a stage that only hands it on without being named there.
    """
    return {
        field.name: getattr(source, field.name)
        for field in fields(into)
        if hasattr(source, field.name)
    }


def digest_of(*values: object) -> str:
    """Return a digest of some values by their `repr`, which must be equal in every process for equal values."""
    return sha256(repr(values).encode()).hexdigest()[:20]


MAX_PACK_BYTES = 1_000_000_000
"""Size limit of all files of a pack together."""


def folder_digest(folder: Path, without: Path | None = None) -> str:
    """Return a digest of all files in a folder and their names.

    Hidden files and the folder `without` are left out. Nothing outside is read: a link that leads
    there counts by its name. Raise `InvalidValueError` if the files have more than `MAX_PACK_BYTES`
    bytes.
    """
    digest = sha256()
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
                if size > MAX_PACK_BYTES:
                    raise InvalidValueError(
                        f"{display(folder)} has more than {MAX_PACK_BYTES // 1_000_000} MB",
                        "a smaller pack",
                    )
            digest.update(
                f"{path.relative_to(folder).as_posix()}\0".encode(errors="surrogateescape")
            )
            digest.update(f"{_digest_of(path, top)}\0".encode())
    return digest.hexdigest()


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
