"""The designs of a table's rows as they were made, for whoever reads a pack again of which little changed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from generator.core.problems import Reporter
from generator.pack.game import Design
from generator.pack.tables import DataRow, DataTable


@dataclass
class MadeRows:
    """They hold as long as all that a row is made with is as it was: `known` is what of that comes out of tables."""

    designs: dict[tuple[tuple[str, str], ...], Design] = field(default_factory=dict)
    known: object = None

    def all_of(
        self, table: DataTable, known: object, make: Callable[[DataRow], Design], report: Reporter
    ) -> tuple[Design, ...]:
        """The designs of all rows; one with anything wrong is not kept."""
        kept = self.designs if known == self.known else {}
        self.designs, self.known, found = {}, known, []
        for row in table.rows:
            key, before = tuple(row.values.items()), len(report.problems)
            design = kept.get(key) or make(row)
            if len(report.problems) == before:
                self.designs[key] = design
            found.append(design if design.where == row.where else replace(design, where=row.where))
        return tuple(found)
