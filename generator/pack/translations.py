"""Which languages a pack speaks, and what it has in one of them and not in another."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from generator.core.problems import Problem, Reporter
from generator.pack.folder import PackFolder
from generator.pack.game import FIGURES
from generator.pack.lookups import read_lookups
from generator.pack.rules import translated
from generator.pack.source import CODE, DATA, Node, parse
from generator.pack.spec import GameSpec
from generator.pack.tables import DataTable, read_table
from generator.pack.template import Lookup

MAIN, OWN = "game.yaml", "rules.md"
LAYOUTS = (".yaml", ".yml")

TOLD, DRAWN, SHOWN = ("credits", "needs", "title"), ("table", "text"), ("alt", "caption", "label")
"""The keys that hold what a player reads: in `game.yaml`, in layouts, in figures. A game's name may well stay."""

_NO_WORDS = re.compile(r"\$\{[^{}]*\}|\$\w+|:[\w/-]+:|[\W\d_]")
"""What of a text in a layout comes from elsewhere, or is the same in every language."""
_SPEAKS = re.compile(rb'systemLanguage\s*=\s*["\']([^"\']+)')


def own_language(root: Node) -> str:
    """The language of what has no other beside it."""
    named = root.find("language")
    return str(named.value) if named else str(GameSpec.model_fields["language"].default)


def spoken(pack: PackFolder, root: Node) -> set[str]:
    """The languages that anything of a pack is translated into."""
    texts = _Texts(pack, root)
    return texts.languages | texts.drawn_languages


def forms(folder: Path) -> tuple[tuple[str, str], ...]:
    """The variants and languages that a pack can be built in, besides its own language and no variant.

    A language that the rules are not translated into is not among them: nobody could play in it.
    """
    pack = PackFolder(folder)
    root = parse(pack.text(MAIN), str(pack.where(MAIN)))
    rules, variants = _Texts(pack, root).rules, root.find("variants")
    codes = set(pack.languages(rules)) if rules else spoken(pack, root)
    names = ["", *(variants.keys if variants else ())]
    return tuple((variant, code) for code in ["", *sorted(codes - {own_language(root)})] for variant in names)[1:]


def missing_translations(folder: Path) -> tuple[Problem, ...]:
    """Texts that are not translated, for every language that the pack has anything in."""
    pack = PackFolder(folder)
    texts = _Texts(pack, parse(pack.text(MAIN), str(pack.where(MAIN))))
    return tuple(chain.from_iterable(texts.missing(language) for language in sorted(texts.languages)))


@dataclass(frozen=True)
class _Texts:
    """All of a pack that is translated, as it is written."""

    pack: PackFolder
    root: Node

    @cached_property
    def tables(self) -> dict[str, DataTable]:
        parts = self.root.find("components")
        sources = {name: self.root.find("components", name, "data") for name in (parts.keys if parts else ())}
        return {
            name: read_table(self.pack, source, Reporter()) for name, source in sources.items() if source is not None
        }

    @cached_property
    def lookups(self) -> dict[str, Lookup]:
        return read_lookups(self.pack, self.root.find("lookups"), Reporter())

    @cached_property
    def layouts(self) -> list[Node]:
        names = [name for name in self.pack.names(".", LAYOUTS) if name not in {MAIN, FIGURES}]
        return [node for name in names if (node := self._read(name))]

    @cached_property
    def figures(self) -> Node | None:
        return self._read(FIGURES) if (self.pack.root / FIGURES).is_file() else None

    def _read(self, name: str) -> Node | None:
        with Reporter().at(None):  # the loader says it
            return parse(self.pack.text(name), self.pack.where(name).file)
        return None

    @property
    def rules(self) -> str:
        """The file of the rules, where there are any."""
        if self.root.find("rules") is None:
            return ""
        named = self.root.find("rules", "file")
        return str(named.value) if named else OWN

    @cached_property
    def languages(self) -> set[str]:
        columns = [column for table in self.tables.values() for column in table.columns]
        columns += [column for lookup in self.lookups.values() for column in lookup.columns]
        nodes = [self.root, *self.layouts, *([self.figures] if self.figures else [])]
        keys = (key for node in nodes for key in _keys(node, DATA))
        named = {name.partition("@")[2] for name in (*columns, *keys) if "@" in name}
        found = {code for code in named if re.fullmatch(CODE, code)}
        return found | set(self.pack.languages(self.rules) if self.rules else ())

    @property
    def drawn_languages(self) -> set[str]:
        """Those that a drawing chooses between by itself."""
        drawings = (self._bytes(name) for name in self.pack.names(".", [".svg"]))
        said = (match.decode("ascii", "replace") for drawing in drawings for match in _SPEAKS.findall(drawing))
        return {code.strip() for codes in said for code in codes.split(",")}

    def _bytes(self, name: str) -> bytes:
        with Reporter().at(None):
            return self.pack.read(name)
        return b""

    def missing(self, language: str) -> Iterator[Problem]:
        """What there is in no other language than the pack's own, though it is spoken."""
        for name, table in self.tables.items():
            yield from self._in_table(name, table, language)
        for name, lookup in self.lookups.items():
            yield from self._looked_up(name, lookup, language)
        for part in ("components", "variants"):
            yield from _in_yaml(self.root.find(part), TOLD, language, DATA)
        yield from _in_yaml(replace(self.root, value=_only(self.root, TOLD)), TOLD, language)
        for layout in self.layouts:
            yield from _in_yaml(layout, DRAWN, language)
        yield from _in_yaml(self.figures, SHOWN, language)
        yield from self._in_rules(language)

    def _in_rules(self, language: str) -> Iterator[Problem]:
        name = translated(self.rules, language) if self.rules else ""
        if name and not (self.pack.root / name).is_file():
            where = self.root.place(("rules",))
            yield Problem(where, f"the rules are not translated: no {name}", f"a file {name}")

    def _looked_up(self, name: str, lookup: Lookup, language: str) -> Iterator[Problem]:
        """Words of a table that rows look things up in, which have no translation."""
        where = self.root.place(("lookups", name))
        for base in sorted({column.partition("@")[0] for column in lookup.columns if "@" in column}):
            column = f"{base}@{language}"
            for key, rows in lookup.rows.items():
                if any(row.get(base, "").strip() and not row.get(column, "").strip() for row in rows):
                    yield Problem(where, f"lookups.{name}: {key!r} is not translated", f"{column} of {key!r}")

    def _in_table(self, name: str, table: DataTable, language: str) -> Iterator[Problem]:
        """Cells that have a text and no translation, in every column that is translated into some language."""
        for base in sorted({column.partition("@")[0] for column in table.columns if "@" in column}):
            column = f"{base}@{language}"
            if column not in table.columns:
                where = table.rows[0].where if table.rows else self.pack.where(MAIN)
                yield Problem(where, f"{name}: there is no column {column!r}", f"the texts of {base!r} in {language}")
                continue
            for row in table.rows:
                if row.values.get(base, "").strip() and not row.values.get(column, "").strip():
                    yield Problem(row.where, f"{column}: {row.id!r} is not translated", row.values[base])


def _only(node: Node, names: Collection[str]) -> dict[str, Node]:
    """The single texts of a mapping that are called so, with their translations."""
    values = node.value if isinstance(node.value, dict) else {}
    return {key: value for key, value in values.items() if key.partition("@")[0] in names}


def _keys(node: Node, passed: Collection[str]) -> Iterator[str]:
    """All keys of mappings, but nothing that stands under those which are passed over."""
    if isinstance(node.value, list):
        yield from (key for item in node.value for key in _keys(item, passed))
    elif isinstance(node.value, dict):
        yield from node.value
        yield from (key for name, item in node.value.items() if name not in passed for key in _keys(item, passed))


def _in_yaml(
    node: Node | None, names: Collection[str], language: str, passed: Collection[str] = ()
) -> Iterator[Problem]:
    """Texts under such keys that have words in them and no translation beside them."""
    if node is None or isinstance(node.value, str | None):
        return
    if isinstance(node.value, list):
        for item in node.value:
            yield from _in_yaml(item, names, language, passed)
        return
    for key, item in node.value.items():
        beside = node.value.get(f"{key}@{language}")
        said = " ".join(item.scalars())
        if (
            key in names
            and not isinstance(item.value, dict)
            and _NO_WORDS.sub("", said)
            and not (beside and beside.value)
        ):
            yield Problem(
                item.where, f"{key}@{language}: {_short(said)!r} is not translated", f"{key}@{language} beside it"
            )
        elif key not in passed:
            yield from _in_yaml(item, names, language, passed)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"
