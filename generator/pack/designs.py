"""The designs of a component together: as they were made of rows that did not change, and in the order of `order:`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from generator.core.problems import Reporter, Where, Wrong, unknown
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


def check_order(order: Sequence[str], designs: Sequence[Design], where: Where, report: Reporter) -> None:
    """Tells of an order that does not name every design as often as it is printed."""
    if order:
        with report.at(where, "order"):
            _check(order, designs)


def _check(order: Sequence[str], designs: Sequence[Design]) -> None:
    counts = {design.id: design.count for design in designs}
    for name, times in Counter(order).items():
        if name not in counts:
            raise unknown("design", name, counts)
        if times != counts[name]:
            stands = "once" if times == 1 else f"{times} times"
            raise Wrong(f"{name!r} stands {stands}", f"as often as it is printed: {counts[name]}")
    if lacking := [name for name, count in counts.items() if count and name not in order]:
        raise Wrong(f"{lacking[0]!r} is not named", "every design, as often as it is printed")
