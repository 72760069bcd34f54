"""What a pack has in one language and not in another."""

from collections.abc import Iterator
from pathlib import Path

from generator.errors import Problem
from generator.pack.data import Table, read_table
from generator.pack.folder import PackFolder
from generator.pack.rules import languages, translated
from generator.pack.source import Node, parse

MAIN, OWN = "game.yaml", "rules.md"


def missing_translations(folder: Path) -> tuple[Problem, ...]:
    """Texts that are translated somewhere and missing elsewhere, for every language that the pack has anything in."""
    pack = PackFolder(folder)
    root = parse(pack.text(MAIN), str(pack.where(MAIN)))
    tables = dict(_tables(pack, root))
    rules = root.find("rules")
    named = rules.find("file") if rules else None
    file = str(named.value) if named else OWN
    spoken = {column.partition("@")[2] for table in tables.values() for column in table.columns if "@" in column}
    spoken |= set(languages(pack, file)) if rules else set()
    found = [problem for language in sorted(spoken) for problem in _in_tables(pack, tables, language)]
    if rules:
        names = [translated(file, language) for language in sorted(spoken)]
        found += [
            Problem(rules.where, f"the rules are not translated: no {name}", f"a file {name}")
            for name in names
            if not (folder / name).is_file()
        ]
    return tuple(found)


def _tables(pack: PackFolder, root: Node) -> Iterator[tuple[str, Table]]:
    components = root.find("components")
    for name in components.keys if components else ():
        source = root.find("components", name, "data")
        if source is not None:
            yield name, read_table(pack, source, [])


def _in_tables(pack: PackFolder, tables: dict[str, Table], language: str) -> Iterator[Problem]:
    """Cells that have a text and no translation, in every column that is translated into some language."""
    for name, table in tables.items():
        bases = {column.partition("@")[0] for column in table.columns if "@" in column}
        for base in sorted(bases):
            column = f"{base}@{language}"
            if column not in table.columns:
                where = table.rows[0].where if table.rows else pack.where(MAIN)
                yield Problem(where, f"{name}: there is no column {column!r}", f"the texts of {base!r} in {language}")
                continue
            for row in table.rows:
                if row.values.get(base, "").strip() and not row.values.get(column, "").strip():
                    yield Problem(row.where, f"{column}: {row.id!r} is not translated", row.values[base])
