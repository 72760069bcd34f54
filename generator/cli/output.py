"""Terminal output: progress, results, messages, and the end of a command after any error.

Names of packs, files and fonts come from strangers. Their control characters are escaped, so that
they can neither clear the screen nor rename the window.

A command with --json answers with one object on stdout, however it ends: its `JsonReport` collects
what the functions here would print. `docs/report.schema.json` describes the object.
"""

import errno
import gc
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import click

from generator.base.errors import (
    ExitCode,
    PnpError,
    Problem,
    find_missing_library,
    group_problems,
    raising_at,
    was_stopped,
)
from generator.base.files import display, keep_reportlab_out_of_home
from generator.base.steps import Watch
from generator.base.supervise import SMALL_MEMORY, memory_limit
from generator.cli.commands import Severity, find_json_report, is_quiet, is_verbose

# Most builds are done before anybody can read a bar, so bars appear only after this time.
BAR_DELAY_SECONDS = 1.0

# A stranger's text can be as long as a book; of a long line, this many characters from each end are
# enough to recognise it.
MAX_HALF_LINE_CHARACTERS = 600

# The garbage collector's thresholds. With Python's default of 700 new objects, it takes a tenth of
# the time of a small build, and 50,000 still cost 3 %: the modules alone are 68,000 objects. Frozen
# values contain no cycles to collect.
GC_THRESHOLDS = 200_000, 20, 100

REFUSALS = frozenset(
    {
        *(errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBUSY),
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EXDEV, errno.ELOOP, errno.ESTALE),
        *(errno.ENOENT, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY),
        errno.ENAMETOOLONG,
    }
)
"""Errors that are the system's refusal, not a bug: no memory or space, missing rights, missing or conflicting files."""

_CONTROL_CODES = {
    *range(0x20),
    *range(0x7F, 0xA0),
    *(0x200E, 0x200F, 0x2028, 0x2029, 0x061C, 0xFEFF),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),
}
_ESCAPES = {code: f"\\u{code:04x}" for code in _CONTROL_CODES - {ord("\n"), ord("\t")}}
"""Escapes for control characters of terminals, marks of writing direction, and surrogates."""


class StageProgress:
    """A bar for each stage that counts its items; `Watch` calls it once for each item."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_visible = sys.stderr.isatty() and not is_quiet()
        self._stage = ""
        self._bar: Any = None  # click does not export the class of its bars
        self._open = ExitStack()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how many items of a stage are done."""
        if not self._is_visible or time.monotonic() - self._start < BAR_DELAY_SECONDS:
            return
        if stage != self._stage:
            self.close()
            bar = click.progressbar(length=total, label=stage, show_pos=True, file=sys.stderr)
            self._bar = self._open.enter_context(bar)
            self._stage = stage
        self._bar.update(done - self._bar.pos)

    def close(self) -> None:
        """End the bar of the current stage with a line break."""
        self._open.close()
        self._stage = ""


def print_result(text: str) -> None:
    """Print a line of a result to stdout, for people, unless --quiet is given."""
    if not find_json_report() and not is_quiet():
        click.echo(escape_controls(text))


def print_message(text: str) -> None:
    """Print a message to stderr, for people, with long lines shortened."""
    if not find_json_report():
        click.echo(_shorten_lines(escape_controls(text)), err=True)


def print_names(rows: Collection[tuple[str, str]]) -> None:
    """Print names, each with a description, or add them to the command's JSON."""
    if report := find_json_report():
        report.names += ({"name": name, "about": about} for name, about in rows)
    width = max((len(name) for name, _ in rows), default=0)
    for name, about in rows:
        print_result(f"{name:<{width}}  {about}")


def print_problem(problem: Problem, severity: Severity = "error") -> None:
    """Print a problem to stderr, or add it to the command's JSON."""
    if report := find_json_report():
        report.add(problem, severity)
    elif severity == "note":
        print_message(f"note: {problem}")
    else:
        click.echo(_style_problem(problem), err=True)


def _style_problem(problem: Problem) -> str:
    """Return a problem for a terminal: its place is bold, and its hint is coloured."""
    lines = _shorten_lines(escape_controls(str(problem))).split("\n")
    place = escape_controls(f"{problem.where}: ") if problem.where else ""
    if place and lines[0].startswith(place):
        lines[0] = click.style(place, bold=True) + lines[0].removeprefix(place)
    if problem.hint:
        hint_lines = problem.hint.count("\n") + 1
        lines[-hint_lines:] = [click.style(line, fg="cyan") for line in lines[-hint_lines:]]
    return "\n".join(lines)


def _shorten_lines(text: str) -> str:
    """Return a text whose very long lines lack their middle, unless --verbose is given."""
    if is_verbose():
        return text
    return "\n".join(
        line
        if len(line) <= 2 * MAX_HALF_LINE_CHARACTERS
        else f"{line[:MAX_HALF_LINE_CHARACTERS]} … {line[-MAX_HALF_LINE_CHARACTERS:]}"
        for line in text.split("\n")
    )


def wants_colour() -> bool | None:
    """Return the choice of colours that the environment makes; None leaves it to each stream.

    NO_COLOR (https://no-color.org) wins over FORCE_COLOR and CLICOLOR_FORCE; CLICOLOR=0 turns
    colours off (https://bixense.com/clicolors).
    """
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") != "0" for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return False if os.environ.get("CLICOLOR") == "0" else None


def escape_controls(text: str) -> str:
    """Return a text with control characters escaped as in JSON."""
    return text.translate(_ESCAPES)


def prepare() -> None:
    """Set up the process: garbage collection, environment and streams.

    Characters that a terminal cannot encode are printed as escapes. SOURCE_DATE_EPOCH is removed:
    it must not change our files. Pydantic plugins are disabled: other packages must not affect
    validation.
    """
    gc.set_threshold(*GC_THRESHOLDS)
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    keep_reportlab_out_of_home()
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _open_streams() -> None:
    """Open closed standard streams on the null device, so that our files do not get their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Python found the stream closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - until the process ends


@contextmanager
def handle_exit(on_bug: Callable[[BaseException], int]) -> Iterator[None]:
    """End a command with a message after any error, and print its JSON if it answers with JSON.

    `on_bug` reports our own bugs and returns the exit code.
    """
    try:
        with _handle_errors(on_bug):
            yield
    except SystemExit as end:
        _print_json(end.code)
        raise
    except click.ClickException as error:
        if report := find_json_report():
            report.add(Problem(None, error.format_message()), "error")
        _print_json(error.exit_code)
        raise
    _print_json(ExitCode.OK)


def _print_json(exit_code: str | int | None) -> None:
    if report := find_json_report():
        # JSON itself escapes only the controls of ASCII; `\\u2028` is an escape in JSON, too.
        click.echo(escape_controls(report.text(int(exit_code or 0))))


@contextmanager
def _handle_errors(on_bug: Callable[[BaseException], int]) -> Iterator[None]:
    """Turn every error into a message and an exit."""
    try:
        yield
    except click.UsageError as error:
        text = error.format_message()
        if escape_controls(text) == text:
            raise
        raise click.UsageError(escape_controls(text), error.ctx) from None
    except (click.ClickException, click.exceptions.Exit, SystemExit):
        raise
    except MemoryError:
        print_problem(Problem(None, "the system says: out of memory"))
        raise SystemExit(ExitCode.FILE_ERROR) from None
    except OSError as error:
        raise SystemExit(_report_os_error(error, on_bug)) from None
    except ImportError as error:
        missing = find_missing_library(error)
        if missing is None:
            raise SystemExit(on_bug(error)) from None
        print_problem(missing)
        raise SystemExit(ExitCode.FILE_ERROR) from None
    except BaseException as error:  # noqa: BLE001 - the engines' panics are no Exceptions
        if isinstance(error, click.Abort) or was_stopped(error):
            print_problem(Problem(None, "stopped"))
            raise SystemExit(ExitCode.INTERRUPTED) from None
        raise SystemExit(on_bug(error)) from None


def _report_os_error(error: OSError, on_bug: Callable[[BaseException], int]) -> int:
    """Report an error of the system, or a bug of ours that shows as one; return the exit code."""
    if error.errno == errno.EPIPE:  # the reader has seen enough, as in `pnp list | head`
        for stream in (sys.stdout, sys.stderr):
            _drop_unwritten(stream)
        return ExitCode.OK
    return _report_refusal(error) if error.errno in REFUSALS else on_bug(error)


def _report_refusal(error: OSError) -> int:
    """Print a refusal of the system and return the exit code; an error about a full disk names no file."""
    for stream in (sys.stdout, sys.stderr):
        _drop_unwritten(stream)
    name = error.filename
    path = os.fsdecode(name) if isinstance(name, str | bytes) else ""
    if error.errno == errno.ENAMETOOLONG:
        # The folders before it are ours, and the whole name is what the user can shorten.
        path = Path(path).name
        expected = (
            "shorter ids, versions and folders: most systems allow 255 bytes in the name of a file"
        )
    else:
        expected = "readable files, and a writable folder with enough free space"
    place = f"{path}: " if path else ""
    with suppress(OSError):
        found = f"{place}the system says: {error.strerror or error}"
        print_problem(Problem(None, found, expected))
    return ExitCode.FILE_ERROR


def _drop_unwritten(stream: TextIO) -> None:
    """Drop unwritten text of a full or closed stream; the interpreter would try to write it again at exit."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def raise_bug(error: BaseException) -> int:
    """Raise the error, so that Python prints its traceback."""
    raise error


def report_bug(error: BaseException) -> int:
    """Report a bug of ours: write a traceback to a file, print where it is, and return the exit code."""
    import platform
    from tempfile import NamedTemporaryFile
    from traceback import format_exception

    from generator import __version__

    text = "".join(format_exception(error))
    report = f"pnp {__version__}, Python {platform.python_version()}, {platform.platform()}\n{sys.argv[1:]}\n\n{text}"
    try:
        with NamedTemporaryFile(
            mode="wb", prefix="pnp-error-", suffix=".txt", delete=False
        ) as file:
            file.write(report.encode(errors="backslashreplace"))
        place = f"the details are in {file.name}; please attach it"
    except OSError:
        place = text
    limit = memory_limit()
    if limit is not None and limit < SMALL_MEMORY:
        # A library that cannot be mapped and a thread that cannot start fail with a different message
        # in each library, so little memory is recognised by the limit instead.
        message = f"this process may use {limit / 1e6:.0f} MB of memory, and failed"
        expected = f"{SMALL_MEMORY / 1e6:.0f} MB or more (ulimit -v)"
        print_problem(Problem(None, f"{message}: {_describe_error(error)}", expected, place))
        return ExitCode.FILE_ERROR
    message = f"this is a bug in pnp; please report it: {_describe_error(error)}"
    print_problem(Problem(None, message, hint=place))
    return ExitCode.INTERNAL_ERROR


def _describe_error(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


def launch(path: Path, *, in_folder: bool = False) -> None:
    """Print a file's path and show the file with the system's program for it, or in its folder."""
    print_result(display(path))
    if click.launch(str(path), locate=in_folder):
        print_message("note: this system has no program that shows it; open the file yourself")


@contextmanager
def reporting_errors() -> Iterator[Watch]:
    """Provide a `Watch` with a progress bar; turn the user's errors into messages and an exit code."""
    progress = StageProgress()
    try:
        with raising_at():
            yield Watch(progress)
    except PnpError as error:
        progress.close()
        raise SystemExit(_report_problems(error)) from None
    finally:
        progress.close()


def _report_problems(error: PnpError) -> int:
    """Print the problems of an error and return its exit code."""
    problems = group_problems(error.problems)
    for problem in problems:
        print_problem(problem)
    if len(problems) > 1:
        print_message(f"{len(problems)} problems; nothing was written.")
    return error.exit_code


def print_notes(texts: Iterable[str]) -> None:
    """Print notes, each once, without empty ones; none with --quiet."""
    if is_quiet():
        return
    for text in dict.fromkeys(filter(None, texts)):
        print_problem(Problem(None, text), "note")
