"""Measure the CPU seconds of copies and of farm jobs: `python -m tests.benchmarks.farm`.

copies     an edition of 54 cards with a name on each, for some minutes: the cost of a copy must not grow
share      the time of a copy by stage, compared with typst alone and with a hand-written script
workers    the same jobs with one worker and with two
overhead   the cost of a job besides its files: in one process, by a farm's workers, by a scheduler's workers
packs      many packs like the five games
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
from secrets import token_bytes
from tempfile import TemporaryDirectory

from generator.base.cache import KEY_BYTES
from generator.farm.dask_backend import run_on_scheduler
from generator.farm.editions import EditionOptions, plan_edition
from generator.farm.jobs import read_plan
from generator.farm.store import parse_result
from generator.farm.work import run_job
from generator.farm.workers import FarmLimits, run_locally
from tests.benchmarks import floor
from tests.tools.large_deck import deck

ROOT = Path(__file__).parents[2]
CARDS = 54
PAGE = os.sysconf("SC_PAGE_SIZE")
KEY = token_bytes(KEY_BYTES)
"""The key that signs the entries of the jobs' caches."""


def personal(folder: Path, copies: int) -> tuple[Path, Path]:
    """Write a deck with a name and a number on every card, and a table of orders."""
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
    """Return the resident MB of the largest child of a process."""
    sizes = [0.0]
    for process_folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            stat = (process_folder / "stat").read_text().rsplit(")", 1)[1].split()
            if int(stat[1]) == parent:
                sizes.append(int(stat[21]) * PAGE / 1e6)
    return max(sizes)


@dataclass(frozen=True)
class Sample:
    """A measurement during the run: finished copies, CPU seconds, MB of the farm and of its largest worker."""

    minutes: float
    copies: int
    cpu: float
    main: float
    worker: float


def copies(count: int, minutes: float, workers: int) -> None:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pack, table = personal(folder, count)
        jobs, _ = plan_edition(str(pack), EditionOptions(table))
        start = time.monotonic()
        last_cpu = time.process_time()
        samples = [Sample(0, 0, 0, 0, 0)]
        sizes = list[int]()
        with closing(run_locally(jobs, str(folder / "out"), FarmLimits(600, workers))) as answers:
            for result in answers:
                assert not result.problems, result.problems
                sizes += [(folder / "out" / file.name).stat().st_size for file in result.files]
                cpu = samples[-1].cpu + result.seconds + time.process_time() - last_cpu
                last_cpu = time.process_time()
                minutes_passed = (time.monotonic() - start) / 60
                main_mb = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6
                samples.append(
                    Sample(minutes_passed, len(sizes), cpu, main_mb, largest(os.getpid()))
                )
                if minutes_passed > minutes:
                    break
    print_copies(samples, sum(sizes) / len(sizes))


def print_copies(samples: list[Sample], size: float) -> None:
    print(f"{'minutes':>8} {'copies':>7} {'CPU s a copy':>13} {'farm MB':>8} {'worker MB':>10}")
    before = samples[0]
    for part in range(1, 6):
        sample = samples[(len(samples) - 1) * part // 5]
        cpu_per_copy = (sample.cpu - before.cpu) / max(sample.copies - before.copies, 1)
        print(
            f"{sample.minutes:8.1f} {sample.copies:7} {cpu_per_copy:13.3f} {sample.main:8.0f} {sample.worker:10.0f}"
        )
        before = sample
    cpu_each = before.cpu / before.copies
    print(
        f"{before.copies} copies, {before.copies * CARDS} faces of their own: {cpu_each:.3f} s of CPU a copy,"
    )
    print(f"{1000 * cpu_each / CARDS:.2f} ms a face, {size / 1000:.0f} kB a copy,")
    print(f"{before.cpu / before.minutes / 60:.2f} cores of {os.cpu_count()} were ours")
    for count in (10_000, 100_000, 1_000_000):
        print(
            f"{count:9,} copies: {count * cpu_each / 3600:6.1f} CPU hours, {count * size / 1e9:6.1f} GB"
        )


class Clock:
    """Adds up the CPU seconds of functions."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def watch(self, label: str, owner: object, name: str) -> None:
        function = getattr(owner, name)

        def timed(*args, **kwargs):
            start = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                self.spent[label] = self.spent.get(label, 0.0) + time.process_time() - start

        setattr(owner, name, timed)


def share(count: int) -> None:
    from generator.draw.layers import text
    from generator.pdf import sheets, typst
    from generator.pipeline import project

    clock = Clock()
    calls: list[tuple] = []
    typeset = typst.typeset
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pack, table = personal(folder, count)
        (job,), _ = plan_edition(str(pack), EditionOptions(table, copies_per_job=count))
        packed = pickle.dumps(job)
        costs = []
        for round_number in range(3):
            if round_number == 2:  # the last round is measured by stage
                clock.watch("load the pack", project, "load")
                clock.watch("draw", project, "draw_game")
                clock.watch("  of which setting texts", text, "set_text")
                clock.watch("typst", typst, "typeset")
                clock.watch("write the file of sheets", sheets, "write_sheets")
            else:
                typst.typeset = lambda *args: calls.append(args) or typeset(*args)
            start = time.process_time()
            output = folder / str(round_number)
            output.mkdir()
            assert not parse_result(
                run_job(packed, str(output), str(output / "kept"), KEY)
            ).problems
            costs.append(time.process_time() - start)
            typst.typeset = typeset
        start = time.process_time()
        for args in calls[: len(calls) // 2]:
            Path(args[2]).mkdir(parents=True, exist_ok=True)
            typeset(*args)
        engine = time.process_time() - start
        start = time.process_time()
        for round_number in range(count):
            floor.main("sheets", CARDS, 1, str(folder / f"hand{round_number}.pdf"))
        hand = time.process_time() - start
    least = min(costs[:2])
    print(f"a copy of {CARDS} cards, each its own: {1000 * least / count:.0f} ms of CPU")
    for label, seconds in clock.spent.items():
        print(f"  {label:<26} {1000 * seconds / count:6.1f} ms {seconds / costs[2]:6.1%}")
    print(
        f"typst alone on the same pictures: {1000 * engine / count:.0f} ms, {engine / least:.0%} of ours"
    )
    print(
        f"by hand on ReportLab's canvas: {1000 * hand / count:.0f} ms; ours is {least / hand:.1f} times that"
    )


def spent() -> float:
    return sum(os.times()[:4])


def print_cost(name: str, jobs: int, run) -> None:
    start = time.monotonic()
    cpu = spent()
    failed = [item.problems for item in run() if item.problems]
    wall = time.monotonic() - start
    cpu = spent() - cpu
    print(
        f"{name:<34} {wall:7.1f} s, {cpu:7.1f} s of CPU, {1000 * cpu / jobs:7.1f} ms a job, {len(failed)} failed"
    )
    if failed:
        print("  ", failed[0])


def workers(count: int) -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pack, table = personal(folder, count)
        jobs, _ = plan_edition(str(pack), EditionOptions(table, copies_per_job=10))
        for worker_count in (1, 2):
            limits = FarmLimits(600, worker_count)
            print_cost(
                f"{worker_count} at once",
                len(jobs),
                lambda: run_locally(jobs, str(folder / f"{worker_count}"), limits),  # noqa: B023
            )


def overhead(count: int) -> None:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pack, table = personal(folder, count)
        rows = pack / "cards.csv"
        rows.write_text("\n".join(rows.read_text().splitlines()[:2]) + "\n")
        jobs, _ = plan_edition(str(pack), EditionOptions(table, copies_per_job=1))

        def in_process():
            for number, job in enumerate(jobs):
                output = folder / f"alone{number}"
                output.mkdir()
                yield parse_result(
                    run_job(pickle.dumps(job), str(output), str(folder / "kept"), KEY)
                )

        limits = FarmLimits(600, 1)
        print_cost("in one process", count, in_process)
        print_cost(
            "by a farm's worker", count, lambda: run_locally(jobs, str(folder / "here"), limits)
        )
        print_cost(
            "again: all is there", count, lambda: run_locally(jobs, str(folder / "here"), limits)
        )
        print_cost(
            "by a scheduler's worker",
            count,
            lambda: run_on_scheduler(jobs, str(folder / "there"), limits, "local"),
        )


def packs(count: int, rows: int) -> None:
    """Measure copies of the five games, each with its own name and colour and the first rows of its tables."""
    games = sorted(path.parent for path in (ROOT / "templates").glob("*/game.yaml"))
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for number, game in enumerate(islice(cycle(games), count)):
            copy_of(game, folder / f"packs/{game.name}-{number:04}", number, rows)
        (folder / "jobs.yaml").write_text("store: made\ngames: [packs/*]\npapers: [a4]\n")
        start = spent()
        jobs = read_plan(folder / "jobs.yaml").jobs
        print(f"{len(jobs)} jobs are read from {count} packs in {spent() - start:.1f} s of CPU")
        print_cost(
            f"{count} packs",
            count,
            lambda: run_locally(jobs, str(folder / "made"), FarmLimits(600, 2)),
        )
        print_cost(
            "again: all is there",
            count,
            lambda: run_locally(jobs, str(folder / "made"), FarmLimits(600, 2)),
        )
        files = [path.stat().st_size for path in (folder / "made").rglob("*.pdf")]
        print(f"{len(files)} files, {sum(files) / 1e6:.0f} MB")


def copy_of(game: Path, folder: Path, number: int, rows: int) -> None:
    is_ordered = (
        "\n    order:" in (game / "game.yaml").read_text()
    )  # `order:` names all rows, so none may be cut off
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
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.farm",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("copies", "share", "workers", "overhead", "packs"))
    parser.add_argument("--many", type=int, help="copies, jobs or packs")
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="after which `copies` is stopped"
    )
    parser.add_argument("--jobs", type=int, default=2, help="workers of `copies`")
    parser.add_argument("--rows", type=int, default=6, help="rows of each table of `packs`")
    options = parser.parse_args()
    match options.what:
        case "copies":
            copies(options.many or 10_000, options.minutes, options.jobs)
        case "share":
            share(options.many or 20)
        case "workers":
            workers(options.many or 80)
        case "overhead":
            overhead(options.many or 100)
        case "packs":
            packs(options.many or 1000, options.rows)


if __name__ == "__main__":
    main()
