"""Find the languages of a pack, and the texts that lack a translation, which `pnp check` reports."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from generator.base.errors import Problem, Reporter
from generator.pack.folder import FIGURES, GAME_FILE, PackFolder
from generator.pack.game_spec import GameSpec, translated_name
from generator.pack.lookups import read_lookups
from generator.pack.scope import Lookup
from generator.pack.tables import DataTable, read_table
from generator.pack.yaml_nodes import CODE, DATA, Node, parse_yaml

DEFAULT_RULES = "rules.md"
LAYOUTS = (".yaml", ".yml")

# The keys whose texts players read. The game's `name` is missing on purpose: many games keep theirs
# in translations.
GAME_KEYS = ("credits", "needs", "title")
LAYOUT_KEYS = ("table", "text")
FIGURE_KEYS = ("alt", "caption", "label", "player")

_NO_WORDS = re.compile(r"\$\{[^{}]*\}|\$\w+|:[\w/-]+:|[\W\d_]")
"""The parts of a text that need no translation: names to fill, icons, digits and punctuation."""
_SYSTEM_LANGUAGE = re.compile(rb'systemLanguage\s*=\s*["\']([^"\']+)')


def own_language(root: Node) -> str:
    """Return the language of the untranslated texts."""
    named = root.find("language")
    return str(named.value) if named else str(GameSpec.model_fields["language"].default)


def languages_of(pack: PackFolder, root: Node) -> set[str]:
    """Return the languages that any text of a pack is translated into."""
    texts = _Texts(pack, root)
    return texts.languages | texts.drawn_languages


def forms(folder: Path) -> tuple[tuple[str, str], ...]:
    """Return all (variant, language) pairs that a pack can be built in, except the default form.

    A language without translated rules is left out, since nobody could play in it.
    """
    pack = PackFolder(folder)
    root = parse_yaml(pack.text(GAME_FILE), str(pack.where(GAME_FILE)))
    rules = _Texts(pack, root).rules
    variants = root.find("variants")
    codes = set(pack.languages(rules)) if rules else languages_of(pack, root)
    names = ["", *(variants.keys if variants else ())]
    return tuple(
        (variant, code) for code in ["", *sorted(codes - {own_language(root)})] for variant in names
    )[1:]


def missing_translations(folder: Path) -> tuple[Problem, ...]:
    """Return a problem for each text that lacks a translation into a language of the pack."""
    pack = PackFolder(folder)
    texts = _Texts(pack, parse_yaml(pack.text(GAME_FILE), str(pack.where(GAME_FILE))))
    return tuple(
        chain.from_iterable(texts.missing(language) for language in sorted(texts.languages))
    )


@dataclass(frozen=True)
class _Texts:
    """All translatable texts of a pack, as written."""

    pack: PackFolder
    root: Node

    @cached_property
    def tables(self) -> dict[str, DataTable]:
        parts = self.root.find("components")
        sources = {
            name: self.root.find("components", name, "data")
            for name in (parts.keys if parts else ())
        }
        return {
            name: read_table(self.pack, source, Reporter())
            for name, source in sources.items()
            if source is not None
        }

    @cached_property
    def lookups(self) -> dict[str, Lookup]:
        return read_lookups(self.pack, self.root.find("lookups"), Reporter())

    @cached_property
    def layouts(self) -> list[Node]:
        names = [name for name in self.pack.names(".", LAYOUTS) if name not in {GAME_FILE, FIGURES}]
        return [node for name in names if (node := self._read(name))]

    @cached_property
    def figures(self) -> Node | None:
        return self._read(FIGURES) if (self.pack.root / FIGURES).is_file() else None

    def _read(self, name: str) -> Node | None:
        with Reporter().at(None):  # the loader reports it
            return parse_yaml(self.pack.text(name), self.pack.where(name).file)
        return None

    @property
    def rules(self) -> str:
        """Return the file of the rules; empty if the pack has none."""
        if self.root.find("rules") is None:
            return ""
        named = self.root.find("rules", "file")
        return str(named.value) if named else DEFAULT_RULES

    @cached_property
    def languages(self) -> set[str]:
        columns = [column for table in self.tables.values() for column in table.columns]
        columns += [column for lookup in self.lookups.values() for column in lookup.columns]
        nodes = [self.root, *self.layouts, *([self.figures] if self.figures else [])]
        keys = (key for node in nodes for key in _keys(node, DATA))
        named = {name.partition("@")[2] for name in (*columns, *keys) if "@" in name}
        codes = {code for code in named if re.fullmatch(CODE, code)}
        return codes | set(self.pack.languages(self.rules) if self.rules else ())

    @property
    def drawn_languages(self) -> set[str]:
        """Return the languages that SVG drawings choose between with `systemLanguage`."""
        drawings = (self._bytes(name) for name in self.pack.names(".", [".svg"]))
        text = (
            match.decode("ascii", "replace")
            for drawing in drawings
            for match in _SYSTEM_LANGUAGE.findall(drawing)
        )
        return {code.strip() for codes in text for code in codes.split(",")}

    def _bytes(self, name: str) -> bytes:
        with Reporter().at(None):
            return self.pack.read(name)
        return b""

    def missing(self, language: str) -> Iterator[Problem]:
        """Yield a problem for each text that is not translated into a language."""
        for name, table in self.tables.items():
            yield from self._missing_in_table(name, table, language)
        for name, lookup in self.lookups.items():
            yield from self._missing_in_lookup(name, lookup, language)
        for part in ("components", "variants"):
            yield from _missing_in_yaml(self.root.find(part), GAME_KEYS, language, DATA)
        yield from _missing_in_yaml(
            replace(self.root, value=_select_keys(self.root, GAME_KEYS)), GAME_KEYS, language
        )
        for layout in self.layouts:
            yield from _missing_in_yaml(layout, LAYOUT_KEYS, language)
        yield from _missing_in_yaml(self.figures, FIGURE_KEYS, language)
        yield from self._in_rules(language)

    def _in_rules(self, language: str) -> Iterator[Problem]:
        name = translated_name(self.rules, language) if self.rules else ""
        if name and not (self.pack.root / name).is_file():
            where = self.root.place(("rules",))
            yield Problem(where, f"the rules are not translated: no {name}", f"a file {name}")

    def _missing_in_lookup(self, name: str, lookup: Lookup, language: str) -> Iterator[Problem]:
        """Yield a problem for each text of a lookup table without a translation."""
        where = self.root.place(("lookups", name))
        for base in sorted(
            {column.partition("@")[0] for column in lookup.columns if "@" in column}
        ):
            column = f"{base}@{language}"
            for key, rows in lookup.rows.items():
                if any(
                    row.get(base, "").strip() and not row.get(column, "").strip() for row in rows
                ):
                    yield Problem(
                        where, f"lookups.{name}: {key!r} is not translated", f"{column} of {key!r}"
                    )

    def _missing_in_table(self, name: str, table: DataTable, language: str) -> Iterator[Problem]:
        """Yield a problem for each text without a translation, in columns translated into any language."""
        for base in sorted({column.partition("@")[0] for column in table.columns if "@" in column}):
            column = f"{base}@{language}"
            if column not in table.columns:
                where = table.rows[0].where if table.rows else self.pack.where(GAME_FILE)
                yield Problem(
                    where,
                    f"{name}: there is no column {column!r}",
                    f"the texts of {base!r} in {language}",
                )
                continue
            for row in table.rows:
                if row.values.get(base, "").strip() and not row.values.get(column, "").strip():
                    yield Problem(
                        row.where, f"{column}: {row.id!r} is not translated", row.values[base]
                    )


def _select_keys(node: Node, names: Collection[str]) -> dict[str, Node]:
    """Return the entries of a mapping with these keys, including their translations."""
    values = node.value if isinstance(node.value, dict) else {}
    return {key: value for key, value in values.items() if key.partition("@")[0] in names}


def _keys(node: Node, skipped_keys: Collection[str]) -> Iterator[str]:
    """Yield all keys of nested mappings, except below the keys in `skipped_keys`."""
    if isinstance(node.value, list):
        yield from (key for item in node.value for key in _keys(item, skipped_keys))
    elif isinstance(node.value, dict):
        yield from node.value
        yield from (
            key
            for name, item in node.value.items()
            if name not in skipped_keys
            for key in _keys(item, skipped_keys)
        )


def _missing_in_yaml(
    node: Node | None, names: Collection[str], language: str, skipped_keys: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield a problem for each text with words under these keys that lacks a translation."""
    if node is None or isinstance(node.value, str | None):
        return
    if isinstance(node.value, list):
        for item in node.value:
            yield from _missing_in_yaml(item, names, language, skipped_keys)
        return
    for key, item in node.value.items():
        translation = node.value.get(f"{key}@{language}")
        text = " ".join(item.scalars())
        if (
            key in names
            and not isinstance(item.value, dict)
            and _NO_WORDS.sub("", text)
            and not (translation and translation.value)
        ):
            yield Problem(
                item.where,
                f"{key}@{language}: {_shorten(text)!r} is not translated",
                f"{key}@{language} next to it",
            )
        elif key not in skipped_keys:
            yield from _missing_in_yaml(item, names, language, skipped_keys)


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"
