"""An edition: copies of one game, each as its order says, shared out into jobs of some copies."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.app.packs import find_pack, vocabulary
from generator.app.printing import PrintWish
from generator.app.project import Order
from generator.core.paper import Paper, PaperWish, check_unshared, papers
from generator.core.problems import Kind, Reporter, Where, Wrong, placed, unknown
from generator.core.values import Frozen, folder_digest
from generator.farm.work import FarmJob
from generator.pack.folder import PackFolder
from generator.pack.game import Game
from generator.pack.load import MAIN, PackForm, load
from generator.pack.orders import CopyWish, each_lot
from generator.pack.source import Node
from generator.pack.tables import DataRow, read_table

FORMS = ("variant", "language", "paper")
"""The columns that say which form of the game a copy has."""
FOLDERS = {"order": "copies", "sheet": "sheets"}
"""Where the files go: a folder a copy, or streams of sheets for a press."""
TOGETHER = 20
"""Copies that are made by one job."""


@dataclass(frozen=True)
class EditionWish:
    """What a command says of an edition: the orders' table, the seed of what is drawn by lot, what is made, and how."""

    orders: Path
    seed: str = ""
    outputs: tuple[str, ...] = ("sheets",)
    by: tuple[str, ...] = ("order",)
    together: int = TOGETHER
    papers: tuple[PaperWish, ...] = ()


@dataclass(frozen=True)
class OrderedCopy:
    """A copy with its form, and its paper if its order says one."""

    copy: CopyWish
    form: PackForm
    paper: Paper | None


def edition(game: str, wish: EditionWish) -> tuple[tuple[FarmJob, ...], bytes]:
    """The jobs of an edition, and its picking list; raises with all that is wrong in the orders."""
    with placed():
        check_unshared(wish.papers, "an edition")
    folder = find_pack(game)
    plain = load(folder, vocabulary())
    copies = ordered_copies(plain, wish)
    digest = folder_digest(folder)

    def jobs() -> Iterator[FarmJob]:
        for by in wish.by:
            under = f"{plain.slug}/{FOLDERS[by]}"
            for nth, batch in enumerate(_batches(copies, wish.together), 1):
                papers = (PaperWish(batch[0].paper),) if batch[0].paper else wish.papers
                order = Order(str(folder.absolute()), PackForm(), (PrintWish(papers=papers),))
                pairs, name = tuple((each.copy, each.form) for each in batch), f"{under}/{nth:05d}"
                place = name if by == "sheet" else under
                yield FarmJob(name, order, wish.outputs, digest, copies=pairs, by=by, under=place)

    return tuple(jobs()), _picking(plain, copies)


def _picking(game: Game, copies: Sequence[OrderedCopy]) -> bytes:
    """A row a copy: what its order says, and the pieces of which it has not as many as the game."""
    usual = {f"{part.id}:{design.id}": design.count for part in game.components for design in part.designs}
    names = [name.removeprefix("order.") for name, _ in game.order if name != "order.id"]
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(["copy", *names, *FORMS, "pieces"])
    for each in copies:
        said, counts = dict(each.copy.values), dict(each.copy.counts)
        other = "; ".join(f"{count} {name}" for name, count in counts.items() if count != usual[name])
        first = [each.copy.id, *(said.get(name, "") for name in names)]
        table.writerow([*first, each.form.variant, each.form.language, each.paper.name if each.paper else "", other])
    return text.getvalue().encode()


def _batches(copies: Sequence[OrderedCopy], many: int) -> Iterator[list[OrderedCopy]]:
    """Copies that are made together: of one form, on one paper."""
    alike: dict[tuple[PackForm, Paper | None], list[OrderedCopy]] = {}
    for each in copies:
        alike.setdefault((each.form, each.paper), []).append(each)
    yield from (group[at : at + many] for group in alike.values() for at in range(0, len(group), many))


def ordered_copies(game: Game, wish: EditionWish) -> list[OrderedCopy]:
    """What the orders say, checked; with what is drawn by lot for each."""
    report, place = Reporter(), wish.orders.absolute()
    pack = PackFolder(place.parent)
    with placed():
        if not place.is_file():
            raise Wrong(f"no file {wish.orders}", "a table with a row a copy", kind=Kind.MISSING)
        if game.lots and not wish.seed:
            by_lot = ", ".join(lot.name for lot in game.lots)
            raise Wrong(f"{by_lot} is drawn by lot, and there is no seed", "--seed and any words", kind=Kind.USAGE)
    table = read_table(pack, Node(place.name, Where(str(wish.orders))), report)
    names = [name.removeprefix("order.") for name, _ in game.order if name != "order.id"]
    designs = [f"{part.id}:{design.id}" for part in game.components for design in part.designs]
    known = {"id", *FORMS, *names, *designs}
    for column in table.columns:
        if column not in known:
            report.add(unknown("column", column, known).at(table.head or Where(str(wish.orders))))
    lots = _lots(game, [row.id for row in table.rows], wish.seed, report)
    named = _papers(table.rows, report)
    found = [_copy(row, names, designs, (lots[row.id], named), report) for row in table.rows]
    if not found and not report.problems:
        report.tell(Where(str(wish.orders)), "there are no orders", "a row for each copy")
    _check_forms(game, found, table.rows, report)
    report.raise_any()
    return found


def _lots(game: Game, copies: Sequence[str], seed: str, report: Reporter) -> Mapping[str, tuple[tuple[str, int], ...]]:
    """What every copy has by lot."""
    parts = {part.id: part for part in game.components}
    found: dict[str, tuple[tuple[str, int], ...]] = dict.fromkeys(copies, ())
    for lot in game.lots:
        with report.at(Where(f"{game.folder / MAIN}"), f"lots.{lot.name}"):
            for copy, counts in zip(copies, each_lot(lot, parts[lot.of], seed, copies), strict=True):
                both = Counter(dict(found[copy]))
                both.update(dict(counts))
                found[copy] = tuple(both.items())
    return Frozen(found)


def _copy(
    row: DataRow,
    names: Sequence[str],
    designs: Sequence[str],
    known: tuple[tuple[tuple[str, int], ...], Mapping[str, Paper]],
    report: Reporter,
) -> OrderedCopy:
    """A row; `known` is what is drawn for it by lot, and the papers that orders name."""
    values = tuple((name, row.values[name]) for name in names if row.values.get(name))
    by_lot, named = known
    counts = dict(by_lot)
    for name in designs:
        cell = row.values.get(name, "").strip()
        if cell and not cell.isdecimal():
            report.tell(row.where, f"{name}: {cell!r} is no number of pieces", "a whole number from 0 on")
        elif cell:
            counts[name] = int(cell)
    form = PackForm(row.values.get("variant", ""), row.values.get("language", ""))
    return OrderedCopy(CopyWish(row.id, values, tuple(counts.items())), form, named.get(row.values.get("paper", "")))


def _papers(rows: Sequence[DataRow], report: Reporter) -> Mapping[str, Paper]:
    """The papers that orders name; one that there is not is told where it first stands."""
    first = {row.values.get("paper", ""): row for row in reversed(rows)}
    table = {one.name: one for one in papers()}
    for name, row in first.items():
        if name and name not in table:
            report.add(unknown("paper", name, table).at(row.where, "order"))
    return table


def _check_forms(game: Game, copies: Sequence[OrderedCopy], rows: Sequence[DataRow], report: Reporter) -> None:
    """Each form that is ordered is there: the pack is read in it once."""
    seen: set[PackForm] = set()
    for copy, row in zip(copies, rows, strict=True):
        if copy.form in seen:
            continue
        seen.add(copy.form)
        with report.at(row.where, "order"):
            if copy.form != PackForm():
                load(game.folder, vocabulary(), copy.form)
