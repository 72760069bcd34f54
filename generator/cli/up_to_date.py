"""Caching for commands: open the cache, and skip a command whose files are current.

Files left by earlier builds that no longer match the pack are reported, and never removed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeVar

import click

from generator.cli.commands import find_json_report, is_verbose, run_settings
from generator.cli.options import OPTIONS_KEY, run_option
from generator.cli.output import print_message, print_notes, reporting_errors, say

if TYPE_CHECKING:
    from generator.base.cache import CacheStore
    from generator.cli.output import WrittenFiles
    from generator.pipeline.project import BuildRequest, Project


Function = TypeVar("Function", bound=Callable[..., object])

PRINTED_FAULTS_KEY = "generator.printed_faults"
"""The key in click's context for the cache's faults already printed: a command opens the cache more than once."""
FILES_KIND = "files"
"""The kind of the cache's entries about finished files."""
PICTURE_SUFFIXES = {".png", ".jpg", ".webp"}
"""The suffixes of pictures stored next to a page."""


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


def _is_cache_off() -> bool:
    """Return True if the cache must not be used."""
    return bool(run_settings().get("no_cache", True))


@contextmanager
def open_project(request: "BuildRequest") -> Iterator["Project"]:
    """Open the project of a request with the cache and worker processes of this command.

    The user's errors become messages and an exit code.
    """
    from generator.base.budget import Budget, limited
    from generator.base.worker import Crew, cores
    from generator.pipeline.project import Project

    is_command = click.get_current_context(silent=True) is not None
    settings = run_settings()
    megabytes = settings.get("memory_limit")
    budget = Budget(settings.get("time_limit"), megabytes and megabytes * 1_000_000)
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

    if _is_cache_off():
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
    """Print the cache's faults that this command has not printed yet."""
    printed = click.get_current_context().meta.setdefault(PRINTED_FAULTS_KEY, set())
    print_notes(fault for fault in faults if fault not in printed)
    printed.update(faults)


@dataclass(frozen=True)
class RepeatedCommand:
    """Skips a repeated command if its arguments, the pack and the files that it wrote are unchanged."""

    game: str
    output: str

    @cached_property
    def _key(self) -> str:
        """The fingerprint of everything that goes into the files; empty if the command must not be skipped."""
        from generator.base.cache import key_of

        ctx = click.get_current_context()
        pack = _find_pack(self.game)
        asks_for_details = ctx.params.get("draft") or run_settings().get("timings") or is_verbose()
        if pack is None or _is_cache_off() or asks_for_details:
            return ""
        digest = _digest_pack(pack, Path(self.output).resolve())
        options = sorted(ctx.meta.get(OPTIONS_KEY, {}).items())
        return digest and key_of(
            ctx.info_name,
            str(Path.cwd()),
            sorted(ctx.params.items()),
            options,
            digest,
            _digest_printers(options),
            find_json_report() is not None,
        )

    def is_current(self) -> bool:
        """Return True and print the stored report if all output files are current.

        First remove temporary files of killed builds: a skipped build opens no outbox, which would
        remove them.
        """
        from generator.base.cache import get_json
        from generator.base.files import clear_leftovers

        if not self._key:
            return False
        with open_cache() as cache:
            stored = get_json(cache, FILES_KIND, self._key)
        if not stored:
            return False
        folder = Path(stored["folder"])
        clear_leftovers(folder)
        if not all(
            _digest_file(folder / name) == digest for name, digest in stored["files"].items()
        ):
            return False
        if report := find_json_report():
            report.files += stored["files_made"]
            report.problems += stored["problems"]
            return True
        for line in stored["lines"]:
            say(line)
        print_notes(stored["notes"])
        say("Everything is up to date; no files were written.")
        if stored["last"]:
            print_message(stored["last"])
        return True

    def store(self, files: "WrittenFiles", lines: Sequence[str], last: str = "") -> None:
        """Store the digests of the files and the printed lines; `last` is the last line, if any."""
        from generator.base.cache import put_json

        if self._key:
            folder = files.folder.resolve()
            digests = {name: _digest_file(folder / name) for name in files.names}
            report: dict[str, object] = {
                "folder": str(folder),
                "files": digests,
                "lines": list(lines),
                "notes": list(files.notes),
                "last": last,
            }
            if json_report := find_json_report():
                report |= {"files_made": json_report.files, "problems": json_report.problems}
            with open_cache() as cache:
                put_json(cache, FILES_KIND, self._key, report)


def _find_pack(game: str) -> Path | None:
    """Return the folder of a pack or a bundled game; None without one, which the command reports later."""
    from generator.base.files import bundled_folder

    path = Path(game)
    places = (path.parent if path.name == "game.yaml" else path, bundled_folder("templates") / game)
    return next((place for place in places if (place / "game.yaml").is_file()), None)


def _digest_pack(pack: Path, output: Path) -> str:
    """Return the digest of a pack's files, without hidden files and output.

    Empty if there are too many.
    """
    from generator.base.errors import InvalidValueError
    from generator.base.values import folder_digest

    try:
        return folder_digest(pack, output)
    except InvalidValueError:
        return ""


def _digest_printers(options: Sequence[tuple[str, object]]) -> str:
    """Return the digest of the printer profiles if the job needs one.

    The job reports mistakes in them.
    """
    if not dict(options).get("printer"):
        return ""
    from generator.base.errors import InvalidValueError
    from generator.base.settings import settings_folder
    from generator.impose.printer import PROFILES_FILE

    try:
        return _digest_file(settings_folder() / PROFILES_FILE)
    except InvalidValueError:
        return ""


def _digest_file(path: Path) -> str:
    """Return the digest of a file; empty if it cannot be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


MAX_LISTED_FILES = 3
"""Old files that the note names; it counts the others."""


def describe_old_files(folder: Path, names: Sequence[str], pack: Path) -> str:
    """Return a note about files of earlier builds that are older than the pack; empty without any."""
    from generator.base.errors import join_some
    from generator.pack.folder import GAME_FILE

    siblings = {
        name
        for name in (*_find_other_sheets(folder, names), *_find_other_pictures(folder, names))
        if name not in names
    }
    existing = sorted(name for name in siblings if (folder / name).is_file())
    changed = _last_change(pack, folder) if existing and (pack / GAME_FILE).is_file() else 0.0
    old = [name for name in existing if (folder / name).stat().st_mtime < changed]
    if not old:
        return ""
    listed = join_some(old, MAX_LISTED_FILES)
    count = "is 1 file" if len(old) == 1 else f"are {len(old)} files"
    verb = "is" if len(old) == 1 else "are"
    return (
        f"in {folder.name}/ {count} of an earlier build that {verb} older than the pack: {listed}"
    )


def _find_other_sheets(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield the files in a folder with the content of `names` on other papers, in another duplex mode or ink."""
    from generator.base.paper import papers
    from generator.impose.duplex import DUPLEX_MODES

    paper_names = "|".join(re.escape(paper.name) for paper in papers())
    modes = "|".join(DUPLEX_MODES)
    # The parts after the name of the content, in the order of `name_options`.
    parts = rf"-(?:{paper_names})(?:-landscape)?(?:-(?:{modes}))?(?:-low-ink)?(?:-cmyk)?(?:-1-fronts|-2-backs)?"
    pattern = re.compile(rf"(.+?){parts}(\.\w+)")
    contents = {match.groups() for name in names if (match := pattern.fullmatch(name))}
    for path in folder.glob("*.*"):
        match = pattern.fullmatch(path.name)
        if match and match.groups() in contents:
            yield path.name


def _find_other_pictures(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield the pictures next to a written page, which an earlier build wrote for this page."""
    for name in names:
        if PurePosixPath(name).name == "index.html":
            under = PurePosixPath(name).parent
            pictures = (
                path.name
                for path in (folder / under).glob("*.*")
                if path.suffix in PICTURE_SUFFIXES
            )
            yield from ((under / picture).as_posix() for picture in pictures)


def _last_change(pack: Path, output: Path) -> float:
    """Return the time of the last change of the pack's files, without the folder of built files."""
    sources = (
        path
        for path in pack.rglob("*")
        if path.is_file() and not path.is_relative_to(output.parent)
    )
    return max((path.stat().st_mtime for path in sources), default=0.0)
