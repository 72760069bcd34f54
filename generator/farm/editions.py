"""Editions: copies of a game, each with its own order, split into jobs."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

from generator.base.errors import (
    InvalidValueError,
    Kind,
    PnpError,
    Reporter,
    Where,
    raising_at,
    unknown,
)
from generator.base.paper import Paper, PaperChoice, check_unshared, papers
from generator.base.values import Frozen, folder_digest
from generator.farm.work import FarmJob
from generator.pack.fields import parse_count
from generator.pack.folder import GAME_FILE, PackFolder
from generator.pack.game import Game
from generator.pack.load import PackForm, load
from generator.pack.orders import CopyOptions, draw_lots
from generator.pack.tables import DataRow, read_table
from generator.pack.yaml_nodes import Node
from generator.pipeline.packs import find_pack
from generator.pipeline.printing import PrintOptions
from generator.pipeline.project import BuildRequest
from generator.pipeline.vocabulary import vocabulary

FORM_COLUMNS = ("variant", "language", "paper")
"""The columns of orders that choose a copy's form."""
FOLDERS = {"order": "copies", "sheet": "sheets"}
"""The folder in the store for each grouping: files of each copy, or sheets for a press."""
# Copies of a job share their common faces; a lost job repeats this many copies at most.
COPIES_PER_JOB = 20


@dataclass(frozen=True)
class EditionOptions:
    """The options of an edition: the table of orders, the seed of its lots, its outputs, groupings and papers."""

    orders: Path
    seed: str = ""
    outputs: tuple[str, ...] = ("sheets",)
    groupings: tuple[str, ...] = ("order",)
    copies_per_job: int = COPIES_PER_JOB
    papers: tuple[PaperChoice, ...] = ()


@dataclass(frozen=True)
class OrderedCopy:
    """A copy with its form, and its paper if its order names one."""

    copy: CopyOptions
    form: PackForm
    paper: Paper | None


def plan_edition(game: str, options: EditionOptions) -> tuple[tuple[FarmJob, ...], bytes]:
    """Return the jobs of an edition and its picking list as CSV.

    Raise `PnpError` with every mistake in the orders.
    """
    with raising_at():
        check_unshared(options.papers, "an edition")
    folder = find_pack(game)
    base_game = load(folder, vocabulary())
    copies = read_orders(base_game, options)
    digest = folder_digest(folder)

    def jobs() -> Iterator[FarmJob]:
        for grouping in options.groupings:
            grouping_folder = f"{base_game.slug}/{FOLDERS[grouping]}"
            for number, batch in enumerate(_split_batches(copies, options.copies_per_job), 1):
                papers = (PaperChoice(batch[0].paper),) if batch[0].paper else options.papers
                request = BuildRequest(
                    str(folder.absolute()), PackForm(), (PrintOptions(papers=papers),)
                )
                pairs = tuple((ordered.copy, ordered.form) for ordered in batch)
                name = f"{grouping_folder}/{number:05d}"
                # Copies have folders of their own; the sheets of a batch need one.
                folder_of_files = name if grouping == "sheet" else grouping_folder
                yield FarmJob(
                    name,
                    request,
                    options.outputs,
                    digest,
                    copies=pairs,
                    grouping=grouping,
                    store_folder=folder_of_files,
                )

    return tuple(jobs()), _write_picking_list(base_game, copies)


def _write_picking_list(game: Game, copies: Sequence[OrderedCopy]) -> bytes:
    """Return the picking list as CSV.

    Each row has a copy's order and the pieces whose number differs from the game's.
    """
    usual = {
        f"{part.id}:{design.id}": design.count
        for part in game.components
        for design in part.designs
    }
    names = [name.removeprefix("order.") for name, _ in game.order if name != "order.id"]
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(["copy", *names, *FORM_COLUMNS, "pieces"])
    for ordered in copies:
        values = dict(ordered.copy.values)
        counts = dict(ordered.copy.counts)
        differing = "; ".join(
            f"{count} {name}" for name, count in counts.items() if count != usual[name]
        )
        first = [ordered.copy.id, *(values.get(name, "") for name in names)]
        table.writerow(
            [
                *first,
                ordered.form.variant,
                ordered.form.language,
                ordered.paper.name if ordered.paper else "",
                differing,
            ]
        )
    return text.getvalue().encode()


def _split_batches(copies: Sequence[OrderedCopy], size: int) -> Iterator[list[OrderedCopy]]:
    """Yield batches of at most `size` copies with the same form and paper."""
    groups: dict[tuple[PackForm, Paper | None], list[OrderedCopy]] = {}
    for ordered in copies:
        groups.setdefault((ordered.form, ordered.paper), []).append(ordered)
    yield from (
        group[at : at + size] for group in groups.values() for at in range(0, len(group), size)
    )


def read_orders(game: Game, options: EditionOptions) -> list[OrderedCopy]:
    """Read and check the table of orders, and draw the lots of each copy.

    Raise `PnpError` with every mistake.
    """
    report = Reporter()
    table_path = options.orders.absolute()
    pack = PackFolder(table_path.parent)
    with raising_at():
        if not table_path.is_file():
            raise InvalidValueError(
                f"no file {options.orders}", "a table with a row for each copy", kind=Kind.USAGE
            )
        if game.lots and not options.seed:
            by_lot = ", ".join(lot.name for lot in game.lots)
            raise InvalidValueError(
                f"{by_lot} is drawn by lot and needs a seed",
                "--seed with any text",
                kind=Kind.USAGE,
            )
    table = read_table(pack, Node(table_path.name, Where(str(options.orders))), report)
    names = [name.removeprefix("order.") for name, _ in game.order if name != "order.id"]
    designs = [f"{part.id}:{design.id}" for part in game.components for design in part.designs]
    known_columns = {"id", *FORM_COLUMNS, *names, *designs}
    for column in table.columns:
        if column not in known_columns:
            report.add(
                unknown("column", column, known_columns).at(
                    table.head or Where(str(options.orders))
                )
            )
    lots = _draw_lots(game, [row.id for row in table.rows], options.seed, report)
    papers_by_name = _find_papers(table.rows, report)
    _check_folder_names(table.rows, report)
    copies = [
        _read_copy(row, names, designs, (lots[row.id], papers_by_name), report)
        for row in table.rows
    ]
    if not copies and not report.problems:
        report.add_problem(Where(str(options.orders)), "there are no orders", "a row for each copy")
    _check_forms(game, copies, table.rows, report)
    report.raise_any()
    return copies


# Windows opens a device for a file of one of these names, whatever its suffix:
# learn.microsoft.com/windows/win32/fileio/naming-a-file. os.path.isreserved exists from Python 3.13
# on only.
DEVICES = frozenset(
    [
        "CON",
        "PRN",
        "AUX",
        "NUL",
        *(f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789¹²³"),
    ]
)


def _check_folder_names(rows: Sequence[DataRow], report: Reporter) -> None:
    """Report ids that cannot be folders on every system: a copy's id names the folder of its files."""
    first: dict[str, DataRow] = {}
    for row in rows:
        if row.id.partition(".")[0].rstrip().upper() in DEVICES:
            found = f"id: {row.id!r} names a folder, and Windows keeps this name for a device"
            report.add_problem(
                row.where, found, "another id, such as one that begins with a letter and a hyphen"
            )
        if row.id.endswith((".", " ")):
            found = f"id: {row.id!r} names a folder, and Windows drops dots and blanks at the end of names"
            report.add_problem(row.where, found, "an id that ends with a letter or a digit")
        # On Windows and macOS, names that differ only in case are one name; on macOS, so are names
        # that differ only in how letters with accents are encoded.
        name = normalize("NFC", normalize("NFC", row.id).casefold())
        other = first.setdefault(name, row)
        if other is not row:
            found = f"id: {row.id!r} and {other.id!r} are the same folder on Windows and macOS"
            report.add_problem(
                row.where,
                found,
                "ids that differ in more than case",
                f"the first is in line {other.where.line}",
            )


def _draw_lots(
    game: Game, copies: Sequence[str], seed: str, report: Reporter
) -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Return the pieces drawn by lot for each copy."""
    parts = {part.id: part for part in game.components}
    pieces: dict[str, tuple[tuple[str, int], ...]] = dict.fromkeys(copies, ())
    for lot in game.lots:
        with report.at(Where(f"{game.folder / GAME_FILE}"), f"lots.{lot.name}"):
            for copy, counts in zip(
                copies, draw_lots(lot, parts[lot.of], seed, copies), strict=True
            ):
                total = Counter(dict(pieces[copy]))
                total.update(dict(counts))
                pieces[copy] = tuple(total.items())
    return Frozen(pieces)


def _read_copy(
    row: DataRow,
    names: Sequence[str],
    designs: Sequence[str],
    lots_and_papers: tuple[tuple[tuple[str, int], ...], Mapping[str, Paper]],
    report: Reporter,
) -> OrderedCopy:
    """Read a copy from its row; `lots_and_papers` has its pieces drawn by lot, and the papers by name."""
    values = tuple((name, row.values[name]) for name in names if row.values.get(name))
    by_lot, papers_by_name = lots_and_papers
    counts = dict(by_lot)
    for name in designs:
        cell = row.values.get(name, "").strip()
        if cell:
            with report.at(row.where, name):
                counts[name] = parse_count(cell)
    form = PackForm(row.values.get("variant", ""), row.values.get("language", ""))
    return OrderedCopy(
        CopyOptions(row.id, values, tuple(counts.items())),
        form,
        papers_by_name.get(row.values.get("paper", "")),
    )


def _find_papers(rows: Sequence[DataRow], report: Reporter) -> Mapping[str, Paper]:
    """Return all papers by name; report each unknown paper of an order once, at its first row."""
    first = {row.values.get("paper", ""): row for row in reversed(rows)}
    table = {paper.name: paper for paper in papers()}
    for name, row in first.items():
        if name and name not in table:
            report.add(unknown("paper", name, table).at(row.where, "order"))
    return table


def _check_forms(
    game: Game, copies: Sequence[OrderedCopy], rows: Sequence[DataRow], report: Reporter
) -> None:
    """Load the pack in each ordered form once, and report forms that do not exist."""
    checked: set[PackForm] = set()
    for copy, row in zip(copies, rows, strict=True):
        if copy.form in checked:
            continue
        checked.add(copy.form)
        if copy.form == PackForm():
            continue
        try:
            load(game.folder, vocabulary(), copy.form)
        except PnpError as error:
            # An unknown form is a mistake in the table of orders, not on the command line.
            report.add(
                *(
                    replace(problem, where=row.where, kind=Kind.INVALID)
                    if problem.kind is Kind.USAGE
                    else problem
                    for problem in error.problems
                )
            )
