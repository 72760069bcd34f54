"""Measure the CPU seconds of copies and of farm jobs: `python -m tests.benchmarks.farm`.

copies     an edition of 54 cards with a name on each, for some minutes: is a copy as dear at the end as at first?
share      where the time of a copy goes, beside typst alone, and the least by hand
workers    the same jobs by one worker and by two
overhead   what a job costs besides what it makes: in one process, by a farm's workers, by a scheduler's
packs      so many packs of the five games' kind
"""

import argparse
import os
import pickle
import re
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.farm.dask_backend import run_on_scheduler
from generator.farm.editions import EditionOptions, plan_edition
from generator.farm.jobs import read_plan
from generator.farm.record import parse_result
from generator.farm.work import run_job
from generator.farm.workers import FarmLimits, run_locally
from tests.benchmarks.floor import main as by_hand
from tests.tools.large_deck import deck

ROOT = Path(__file__).parents[2]
CARDS = 54
PAGE = os.sysconf("SC_PAGE_SIZE")


def personal(folder: Path, copies: int) -> tuple[Path, Path]:
    """A deck with a name and a number on every card, and so many orders."""
    pack = deck(folder / "deck", CARDS)
    game = pack / "game.yaml"
    rows = pack / "cards.csv"
    front = pack / "layouts/front.yaml"
    game.write_text(
        game.read_text().replace("styles:", 'order: {name: Nobody, serial: "0"}\nstyles:', 1)
    )
    rows.write_text(rows.read_text().replace(",9,", ",1,"))
    line = '- text: "${order.name} · ${order.serial}"\n  box: [6, 80, 51.5, 5]\n  style: body\n'
    front.write_text(front.read_text() + line)
    table = folder / "orders.csv"
    table.write_text(
        "id,name,serial\n"
        + "".join(f"b{n:05},Backer {n} van den Berg,{n:05}\n" for n in range(copies))
    )
    return pack, table


def largest(parent: int) -> float:
    """The MB of the largest of a process's children."""
    held = [0.0]
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            stat = (place / "stat").read_text().rsplit(")", 1)[1].split()
            if int(stat[1]) == parent:
                held.append(int(stat[21]) * PAGE / 1e6)
    return max(held)


@dataclass(frozen=True)
class Sample:
    """After so many minutes: copies that are done, seconds of CPU of them all, MB of the farm and a worker."""

    minutes: float
    copies: int
    cpu: float
    main: float
    worker: float


def copies(many: int, minutes: float, workers: int) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        pack, table = personal(folder, many)
        jobs, _ = plan_edition(str(pack), EditionOptions(table))
        start = time.monotonic()
        own = time.process_time()
        samples = [Sample(0, 0, 0, 0, 0)]
        sizes = list[int]()
        with closing(run_locally(jobs, str(folder / "out"), FarmLimits(600, workers))) as answers:
            for done in answers:
                assert not done.problems, done.problems
                sizes += [(folder / "out" / file.name).stat().st_size for file in done.files]
                cpu = samples[-1].cpu + done.seconds + time.process_time() - own
                own = time.process_time()
                passed = (time.monotonic() - start) / 60
                held = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6
                samples.append(Sample(passed, len(sizes), cpu, held, largest(os.getpid())))
                if passed > minutes:
                    break
    tell_copies(samples, sum(sizes) / len(sizes))


def tell_copies(samples: list[Sample], size: float) -> None:
    print(f"{'minutes':>8} {'copies':>7} {'CPU s a copy':>13} {'farm MB':>8} {'worker MB':>10}")
    before = samples[0]
    for part in range(1, 6):
        now = samples[(len(samples) - 1) * part // 5]
        dear = (now.cpu - before.cpu) / max(now.copies - before.copies, 1)
        print(f"{now.minutes:8.1f} {now.copies:7} {dear:13.3f} {now.main:8.0f} {now.worker:10.0f}")
        before = now
    each = before.cpu / before.copies
    print(
        f"{before.copies} copies, {before.copies * CARDS} faces of their own: {each:.3f} s of CPU a copy,"
    )
    print(f"{1000 * each / CARDS:.2f} ms a face, {size / 1000:.0f} kB a copy,")
    print(f"{before.cpu / before.minutes / 60:.2f} cores of {os.cpu_count()} were ours")
    for many in (10_000, 100_000, 1_000_000):
        print(f"{many:9,} copies: {many * each / 3600:6.1f} CPU hours, {many * size / 1e9:6.1f} GB")


class Clock:
    """Adds up the CPU seconds that functions take."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def watch(self, what: str, where: object, name: str) -> None:
        made = getattr(where, name)

        def timed(*args, **kwargs):
            start = time.process_time()
            try:
                return made(*args, **kwargs)
            finally:
                self.spent[what] = self.spent.get(what, 0.0) + time.process_time() - start

        setattr(where, name, timed)


def share(many: int) -> None:
    from generator.draw.layers import text
    from generator.pdf import sheets
    from generator.pdf import typst as room
    from generator.pipeline import project

    clock = Clock()
    given: list[tuple] = []
    typeset = room.typeset
    with TemporaryDirectory() as made:
        folder = Path(made)
        pack, table = personal(folder, many)
        (job,), _ = plan_edition(str(pack), EditionOptions(table, copies_per_job=many))
        packed = pickle.dumps(job)
        costs = []
        for turn in range(3):
            if turn == 2:  # the last is taken apart
                clock.watch("load the pack", project, "load")
                clock.watch("draw", project, "draw_game")
                clock.watch("  of which setting texts", text, "set_text")
                clock.watch("typst", room, "typeset")
                clock.watch("write the file of sheets", sheets, "write_sheets")
            else:
                room.typeset = lambda *args: given.append(args) or typeset(*args)
            start = time.process_time()
            own = folder / str(turn)
            own.mkdir()
            assert not parse_result(run_job(packed, str(own), str(own / "kept"))).problems
            costs.append(time.process_time() - start)
            room.typeset = typeset
        start = time.process_time()
        for args in given[: len(given) // 2]:
            Path(args[2]).mkdir(parents=True, exist_ok=True)
            typeset(*args)
        engine = time.process_time() - start
        start = time.process_time()
        for turn in range(many):
            by_hand("sheets", CARDS, 1, str(folder / f"hand{turn}.pdf"))
        hand = time.process_time() - start
    whole = min(costs[:2])
    print(f"a copy of {CARDS} cards, each its own: {1000 * whole / many:.0f} ms of CPU")
    for what, spent in clock.spent.items():
        print(f"  {what:<26} {1000 * spent / many:6.1f} ms {spent / costs[2]:6.1%}")
    print(
        f"typst alone on the same pictures: {1000 * engine / many:.0f} ms, {engine / whole:.0%} of ours"
    )
    print(
        f"by hand on ReportLab's canvas: {1000 * hand / many:.0f} ms; ours is {whole / hand:.1f} times that"
    )


def spent() -> float:
    return sum(os.times()[:4])


def measured(name: str, jobs: int, make) -> None:
    start = time.monotonic()
    cpu = spent()
    failed = [item.problems for item in make() if item.problems]
    wall = time.monotonic() - start
    cpu = spent() - cpu
    print(
        f"{name:<34} {wall:7.1f} s, {cpu:7.1f} s of CPU, {1000 * cpu / jobs:7.1f} ms a job, {len(failed)} failed"
    )
    if failed:
        print("  ", failed[0])


def workers(many: int) -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with TemporaryDirectory() as made:
        folder = Path(made)
        pack, table = personal(folder, many)
        jobs, _ = plan_edition(str(pack), EditionOptions(table, copies_per_job=10))
        for count in (1, 2):
            limits = FarmLimits(600, count)
            measured(
                f"{count} at once",
                len(jobs),
                lambda: run_locally(jobs, str(folder / f"{count}"), limits),  # noqa: B023
            )


def overhead(many: int) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        pack, table = personal(folder, many)
        rows = pack / "cards.csv"
        rows.write_text("\n".join(rows.read_text().splitlines()[:2]) + "\n")
        jobs, _ = plan_edition(str(pack), EditionOptions(table, copies_per_job=1))

        def alone():
            for number, job in enumerate(jobs):
                own = folder / f"alone{number}"
                own.mkdir()
                yield parse_result(run_job(pickle.dumps(job), str(own), str(folder / "kept")))

        limits = FarmLimits(600, 1)
        measured("in one process", many, alone)
        measured(
            "by a farm's worker", many, lambda: run_locally(jobs, str(folder / "here"), limits)
        )
        measured(
            "again: all is there", many, lambda: run_locally(jobs, str(folder / "here"), limits)
        )
        measured(
            "by a scheduler's worker",
            many,
            lambda: run_on_scheduler(jobs, str(folder / "there"), limits, "local"),
        )


def packs(many: int, rows: int) -> None:
    """Packs after the five games, each with its own name and colours, and the first rows of its tables."""
    games = sorted(path.parent for path in (ROOT / "templates").glob("*/game.yaml"))
    with TemporaryDirectory() as made:
        folder = Path(made)
        for number, game in enumerate(islice(cycle(games), many)):
            copy_of(game, folder / f"packs/{game.name}-{number:04}", number, rows)
        (folder / "jobs.yaml").write_text("store: made\ngames: [packs/*]\npapers: [a4]\n")
        start = spent()
        jobs = read_plan(folder / "jobs.yaml").jobs
        print(f"{len(jobs)} jobs are read from {many} packs in {spent() - start:.1f} s of CPU")
        measured(
            f"{many} packs",
            many,
            lambda: run_locally(jobs, str(folder / "made"), FarmLimits(600, 2)),
        )
        measured(
            "again: all is there",
            many,
            lambda: run_locally(jobs, str(folder / "made"), FarmLimits(600, 2)),
        )
        files = [path.stat().st_size for path in (folder / "made").rglob("*.pdf")]
        print(f"{len(files)} files, {sum(files) / 1e6:.0f} MB")


def copy_of(game: Path, folder: Path, number: int, rows: int) -> None:
    is_ordered = "\n    order:" in (game / "game.yaml").read_text()  # by names of its rows
    for path in game.rglob("*"):
        if path.is_dir() or "releases" in path.parts or path.suffix == ".pnprelease":
            continue
        data = path.read_bytes()
        if path.suffix == ".csv" and not is_ordered:
            data = b"\n".join(data.splitlines()[: 1 + rows]) + b"\n"
        if path.name == "game.yaml":
            text = re.sub(r"(?m)^name: .*$", f"name: Game {number}", data.decode(), count=1)
            data = re.sub(
                r'"#[0-9a-fA-F]{6}"', f'"#{number * 4099 % 0xFFFFFF:06x}"', text, count=1
            ).encode()
        place = folder / path.relative_to(game)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def main() -> None:
    """Measure, and print."""
    asked = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.farm",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    asked.add_argument("what", choices=("copies", "share", "workers", "overhead", "packs"))
    asked.add_argument("--many", type=int, help="copies, jobs or packs")
    asked.add_argument(
        "--minutes", type=float, default=10.0, help="after which `copies` is stopped"
    )
    asked.add_argument("--jobs", type=int, default=2, help="workers of `copies`")
    asked.add_argument("--rows", type=int, default=6, help="rows of each table of `packs`")
    said = asked.parse_args()
    match said.what:
        case "copies":
            copies(said.many or 10_000, said.minutes, said.jobs)
        case "share":
            share(said.many or 20)
        case "workers":
            workers(said.many or 80)
        case "overhead":
            overhead(said.many or 100)
        case "packs":
            packs(said.many or 1000, said.rows)


if __name__ == "__main__":
    main()
