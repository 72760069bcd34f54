"""The project of a command: opened with its cache, processes and limits, and written to files."""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from generator.base.errors import ExitCode, group_problems
from generator.base.files import display
from generator.base.steps import peak_memory
from generator.cli.commands import find_json_report, is_verbose, run_settings
from generator.cli.old_files import describe_old_files
from generator.cli.options import run_option
from generator.cli.output import (
    print_message,
    print_notes,
    print_problem,
    print_result,
    reporting_errors,
)

if TYPE_CHECKING:
    from generator.base.cache import CacheStore
    from generator.export import WrittenFile
    from generator.pipeline.project import BuildRequest, Project

Function = TypeVar("Function", bound=Callable[..., object])

PRINTED_FAULTS_KEY = "generator.printed_faults"
"""The key in click's context of the cache's faults that are printed."""

BYTES_PER_MB = 1_000_000


def speed_options(function: Function) -> Function:
    """Add --no-cache and --jobs, read by `open_project`."""
    function = run_option(
        "--jobs",
        type=click.IntRange(1, 64),
        metavar="N",
        help="Number of drawing processes; does not affect the files.  [default: one per core]",
    )(function)
    return run_option(
        "--no-cache", is_flag=True, help="Neither read nor write the cache; see pnp cache."
    )(function)


def is_cache_off() -> bool:
    """Return True with --no-cache, in a command without that option, and outside a command."""
    return bool(run_settings().get("no_cache", True))


@contextmanager
def open_project(request: "BuildRequest") -> Iterator["Project"]:
    """Open the project of a request with the cache and worker processes of this command.

    The user's errors become messages and an exit code. Outside a command, as in tests, there are no
    limits of time and memory, and one process draws.
    """
    from generator.base.budget import Budget, limited
    from generator.base.worker import Crew, cores
    from generator.pipeline.project import Project

    is_command = click.get_current_context(silent=True) is not None
    settings = run_settings()
    megabytes = settings.get("memory_limit")
    budget = Budget(settings.get("time_limit"), megabytes and megabytes * BYTES_PER_MB)
    with (
        reporting_errors() as watch,
        limited(budget) if is_command else nullcontext(),
        open_cache() as cache,
        Crew(settings.get("jobs") or (cores() if is_command else 1)) as crew,
    ):
        yield Project(request, watch, cache=cache, crew=crew)


@contextmanager
def open_cache() -> Iterator["CacheStore"]:
    """Open the user's cache, unless --no-cache is given; print its faults at the end."""
    from generator.base.cache import NO_CACHE, UNUSED, Cache, cache_folder
    from generator.base.errors import InvalidValueError

    if is_cache_off():
        yield NO_CACHE
        return
    try:
        cache = Cache(cache_folder())
    except InvalidValueError as error:
        _note_once([f"{UNUSED}: {error.found}"])
        yield NO_CACHE
        return
    try:
        with cache:
            yield cache
    finally:
        _note_once(cache.faults)


def _note_once(faults: Sequence[str]) -> None:
    """Print the cache's faults that this command has not printed yet: it opens the cache more than once."""
    printed = click.get_current_context().meta.setdefault(PRINTED_FAULTS_KEY, set())
    print_notes(fault for fault in faults if fault not in printed)
    printed.update(faults)


@dataclass(frozen=True)
class WrittenFiles:
    """The files that a command made of a project; `names` are relative to `folder`."""

    project: "Project"
    written: tuple["WrittenFile", ...]
    folder: Path
    names: tuple[str, ...]

    def print_report(self) -> None:
        """Print the files, the notes and the timings."""
        for line in self.lines:
            print_result(line)
        print_notes(self.notes)
        self.print_timings()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return a line for each file: its path and a description."""
        return tuple(
            f"{display(file.path)}  {file.about}".rstrip() if file.path else file.about
            for file in self.written
            if file.path or file.about
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes of the game, of the files, and about files of earlier builds."""
        from generator.draw.findings import MAX_NAMED_FACES
        from generator.pack.lint import find_corner_links, find_empty_tables
        from generator.pipeline.notes import cramped_notes

        earlier = describe_old_files(self.folder, self.names, self.project.game.folder)
        notices = (notice for file in self.written for notice in file.notices)
        limit = sys.maxsize if is_verbose() else MAX_NAMED_FACES
        game = self.project.game
        slips = map(str, (*find_empty_tables(game), *find_corner_links(game)))
        return (*game.remarks, *slips, *cramped_notes(self.project, limit), *notices, earlier)

    def report_draft(self) -> None:
        """If a draft has problems, print them and end the command with exit code 4."""
        if not self.project.game.draft or not (problems := self.project.draft_problems):
            return
        for problem in group_problems(problems):
            print_problem(problem)
        print_message("this is a draft: every piece named above has a red corner.")
        raise SystemExit(ExitCode.DOES_NOT_FIT)

    def print_timings(self) -> None:
        """With --timings or --verbose, print the seconds of each stage, their sum, and the peak memory."""
        if not (run_settings().get("timings") or is_verbose()):
            return
        stages = self.project.watch.stages
        for name, seconds in stages.items():
            print_result(f"  {name:<10} {seconds:7.3f} s")
        print_result(f"  {'all':<10} {sum(stages.values()):7.3f} s")
        peak = peak_memory()
        if peak is not None:
            print_result(f"  {'memory':<10} {peak / 1e6:7.0f} MB at most")


def write_outputs(
    request: "BuildRequest", names: Collection[str], folder: Callable[["Project"], Path]
) -> WrittenFiles:
    """Write the requested outputs into a folder: all of them, or none."""
    from generator.base.files import Outbox
    from generator.export import write

    with open_project(request) as project, Outbox(folder(project)) as outbox:
        written = tuple(write(names, project, outbox))
    files = WrittenFiles(project, written, outbox.folder, outbox.names)
    if report := find_json_report():
        report.add_files(files)
    return files


def find_output_folder(output: str, *below: str) -> Callable[["Project"], Path]:
    """Return a function that finds the output folder of a project's game."""
    from generator.base.files import own_folder

    return lambda project: own_folder(Path(output), project.game.slug, *below)
