"""The order in which pieces lie on sheets, where a pack minds: `order:` of a component."""

from collections import Counter
from collections.abc import Sequence

from generator.core.problems import Reporter, Where, Wrong, unknown
from generator.pack.game import Design


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
