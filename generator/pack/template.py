"""`$name` and `${a.b}` in a pack's texts: read from the row, then from the pack. `$$` is a dollar."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.core.problems import Wrong, unknown
from generator.pack.source import in_language

_NAME = re.compile(r"\$(?:(?P<dollar>\$)|(?P<bare>[A-Za-z_]\w*)|\{(?P<braced>[^{}]*)\}|(?P<stray>))")
_CONDITION = re.compile(r"(?:not\s+(?P<absent>[\w.-]+))|(?P<name>[\w.-]+)(?:\s*(?P<sign>!?=)\s*(?P<value>.+?))?")


@dataclass(frozen=True)
class Scope:
    """What names mean: a row of data, and the pack."""

    row: Mapping[str, str]
    pack: Mapping[str, str]
    language: str = ""

    def value(self, name: str) -> str:
        """What a name stands for; a column `name@nl` goes before `name` when Dutch is asked for."""
        found = in_language(self.row, name, self.language)
        if found is not None:
            return found
        if name in self.pack:
            return self.pack[name]
        raise unknown("name", f"${name}", (_written(key) for key in {**self.row, **self.pack} if "@" not in key))

    def fill(self, text: str) -> str:
        """The text with every name replaced by its value."""
        return _NAME.sub(lambda match: "$" if match["dollar"] else self.value(_name(match)), text)

    def holds(self, condition: str) -> bool:
        """Whether a condition of `when:` is true."""
        match = _CONDITION.fullmatch(condition.strip())
        if match is None:
            raise Wrong(f"{condition!r} is no condition", "`field`, `not field`, `field = value` or `field != value`")
        if match["absent"]:
            return not self.value(match["absent"]).strip()
        value = self.value(match["name"]).strip()
        if match["value"] is None:
            return bool(value)
        return (value == match["value"].strip("'\"")) is (match["sign"] == "=")


def names_in(text: str) -> tuple[str, ...]:
    """The names that a text reads."""
    names = (match["bare"] or (match["braced"] or "").strip() for match in _NAME.finditer(text))
    return tuple(name for name in names if name)


def _written(name: str) -> str:
    """How a name is written in a pack: with braces where it is more than a word."""
    return f"${name}" if _NAME.fullmatch(f"${name}") else f"${{{name}}}"


def _name(match: re.Match[str]) -> str:
    name = match["bare"] or (match["braced"] or "").strip()
    if not name:
        raise Wrong("a lone $", "a name after it, or $$ for a dollar sign")
    return name
