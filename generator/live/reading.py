"""Repeated reading of a pack: unchanged rows are reused, and problems are assigned to rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generator.app.packs import vocabulary
from generator.core.problems import PnpError, Problem, Reporter, Where, Wrong
from generator.live.watching import Stamp
from generator.pack.filling import DesignCache
from generator.pack.folder import DraftFolder
from generator.pack.game import Component, Design, Game
from generator.pack.load import MAIN, PackForm, read_pack


@dataclass(frozen=True)
class Reading:
    """The result of reading a pack: the game, if there is one to display, and the problems of the pack and its rows.

    `kept` is True if nothing but tables changed; unchanged rows are then the same objects as before.
    """

    game: Game | None
    pack_problems: tuple[Problem, ...] = ()
    row_problems: Mapping[Where, tuple[Problem, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    is_unchanged: bool = False


@dataclass
class PackReader:
    """Reads one pack in one variant and language."""

    folder: Path
    options: PackForm
    _parsed_rows: dict[str, DesignCache] = field(default_factory=dict)
    _surroundings: Mapping[str, Stamp] | None = None
    _tables: frozenset[str] = frozenset()
    _previous: Game | None = None

    def read(self, stamps: Mapping[str, Stamp]) -> Reading:
        """Read the pack as its files are now."""
        surroundings = {name: stamp for name, stamp in stamps.items() if name not in self._tables}
        is_unchanged = surroundings == self._surroundings
        if not is_unchanged:
            self._parsed_rows = {}
        report = Reporter()
        try:
            game = read_pack(DraftFolder(self.folder), vocabulary(), self.options, report, self._parsed_rows)
        except PnpError as error:
            game = None
            report.add(*error.problems)
        except Wrong as wrong:
            game = None
            report.add(wrong.at(None))
        reading = self._reading(game, report, is_unchanged=is_unchanged)
        if reading.game is not None:
            self._tables = _tables(reading.game, self.folder)
            self._surroundings = {name: stamp for name, stamp in stamps.items() if name not in self._tables}
            self._previous = reading.game
        else:
            self._surroundings = None
        return reading

    def _reading(self, game: Game | None, report: Reporter, *, is_unchanged: bool) -> Reading:
        problems = tuple(dict.fromkeys(report.problems))
        if game is None:
            return Reading(None, problems)
        rows = _rows(game, self._previous)
        pack_problems = tuple(
            problem for problem in problems if problem.where not in rows and not _in_table(problem, rows)
        )
        if pack_problems or _lost_rows(game, self._previous, problems):
            return Reading(None, problems)
        blamed: dict[Where, tuple[Problem, ...]] = {}
        for problem in problems:
            if problem.where:
                blamed[problem.where] = (*blamed.get(problem.where, ()), problem)
        return Reading(game, (), blamed, tuple(report.notes), is_unchanged)


def _tables(game: Game, folder: Path) -> frozenset[str]:
    """Return the files that hold rows of components, by name in the pack; without the main file."""
    top = DraftFolder(folder).where(MAIN).file.removesuffix(MAIN)
    files = {design.where.file for part in game.components for design in part.designs}
    return frozenset(file.removeprefix(top) for file in files) - {MAIN}


def _rows(*games: Game | None) -> frozenset[Where]:
    """Return the places of all rows."""
    return frozenset(design.where for game in games if game for part in game.components for design in part.designs)


def _in_table(problem: Problem, rows: frozenset[Where]) -> bool:
    """Return True if a problem is in a table row that could not be read, below a row that could."""
    where = problem.where
    if where is None or where.file.endswith(MAIN):
        return False
    lines = [row.line for row in rows if row.file == where.file]
    return bool(lines) and where.line >= min(lines)


def _lost_rows(game: Game, before: Game | None, problems: tuple[Problem, ...]) -> bool:
    """Return True if a table that had rows has none now because it cannot be read."""
    had = {part.id: part for part in before.components} if before else {}
    return bool(problems) and any(not part.designs and _designs(had.get(part.id)) for part in game.components)


def _designs(component: Component | None) -> tuple[Design, ...]:
    return component.designs if component else ()
