"""Speaking to a terminal: progress, errors in words, what was made, and how a command ends that nobody foresaw.

What packs, files and fonts are called is a stranger's text. It reaches the terminal with its control characters
written out, so that it can neither clear the screen nor rename the window.
"""

import errno
import gc
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT
from typing import TYPE_CHECKING, TextIO

import click

from generator.core.files import display, keep_home_out
from generator.core.problems import Kind, PnpError, grouped, placed, was_stopped
from generator.core.steps import Progress, Watch, peak_memory

OURS = 70
"""The exit code of an error of our own."""

HALF = 600
"""Letters of the beginning of a long line that are shown, and as many of its end."""

STOPPED = 128 + SIGINT
"""The exit code of what a person stopped, as shells have it."""

NO_FILE = 5
"""The exit code when the machine refuses something."""

SELDOM = 50_000, 20, 100
"""How many new objects there are before garbage is looked for: with Python's 700 that is a tenth of a small build."""

REFUSALS = frozenset(
    getattr(errno, name)
    for name in (
        *("EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG", "ENOENT", "ESTALE"),
        *("EIO", "EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EBUSY", "ELOOP", "EXDEV", "ENOTEMPTY"),
    )
    if hasattr(errno, name)
)
"""What a machine may refuse: disks that are full or read-only, files that are somebody else's, in the way, or gone."""

_HIDDEN = {
    *range(0x20),
    *range(0x7F, 0xA0),
    *(0x200E, 0x200F, 0x2028, 0x2029, 0x061C, 0xFEFF),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),
}
_WRITTEN_OUT = {code: f"\\u{code:04x}" for code in _HIDDEN - {ord("\n"), ord("\t")}}
"""Characters that steer terminals, turn the direction of what follows, or are none."""


def say(text: str) -> None:
    """A line for whoever started the command."""
    click.echo(shown(text))


def tell(text: str) -> None:
    """A line beside the result: what is wrong, or worth knowing; as much of it as anybody reads."""
    click.echo("\n".join(map(_cut, shown(text).split("\n"))), err=True)


def _cut(line: str) -> str:
    """A line without the middle of a word of a stranger's that is as long as a book."""
    return line if len(line) <= 2 * HALF else f"{line[:HALF]} … {line[-HALF:]}"


def shown(text: str) -> str:
    """A text that is safe to show: control characters as JSON writes them."""
    return text.translate(_WRITTEN_OUT)


def prepare() -> None:
    """Let a terminal that lacks a letter show its number instead; and let no packager's clock change what we write.

    What is frozen refers to itself nowhere, so there is little for Python's collector of garbage to find. Of what else
    is installed nothing has a say in how a pack is checked: no plugins are looked for.
    """
    gc.set_threshold(*SELDOM)
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    keep_home_out()
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _open_streams() -> None:
    """Lead streams that are closed to nowhere, so that no file of ours gets their numbers, and lines go unread."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Python found the stream closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - until the process ends


@contextmanager
def ending(ours: Callable[[BaseException], int]) -> Iterator[None]:
    """Let a command end in one line: what the machine refuses, and what is our own fault, whose code `ours` gives."""
    try:
        yield
    except click.UsageError as error:
        text = error.format_message()
        if shown(text) == text:
            raise
        raise click.UsageError(shown(text), error.ctx) from None
    except (click.ClickException, click.exceptions.Exit, SystemExit):
        raise
    except MemoryError:
        tell("the system says: there is no more memory")
        raise SystemExit(NO_FILE) from None
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        if error.errno not in REFUSALS:
            raise SystemExit(ours(error)) from None
        raise SystemExit(_refused(error)) from None
    except BaseException as error:  # noqa: BLE001 - the engines' panics are no Exceptions
        if isinstance(error, click.Abort) or was_stopped(error):
            tell("stopped")
            raise SystemExit(STOPPED) from None
        raise SystemExit(ours(error)) from None


def _refused(error: OSError) -> int:
    """A refusal of the machine in our words; a full disk names no file."""
    for stream in (sys.stdout, sys.stderr):
        _let_go(stream)
    name = error.filename
    place = f"{os.fsdecode(name)}: " if isinstance(name, str | bytes) else ""
    expected = "files that can be read, and a folder that can be written to and has room"
    with suppress(OSError):
        tell(f"{place}the system says: {error.strerror or error}\n  expected {expected}")
    return NO_FILE


def _let_go(stream: TextIO) -> None:
    """Forget what a full or closed stream did not take, so that the interpreter does not try again when it ends."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def raised(error: BaseException) -> int:
    """Show an error of our own with its place."""
    raise error


def reported(error: BaseException) -> int:
    """Say that it is our fault, and where what we need to mend it lies."""
    import platform
    from tempfile import NamedTemporaryFile
    from traceback import format_exception

    from generator import __version__

    text = "".join(format_exception(error))
    told = f"pnp {__version__}, Python {platform.python_version()}, {platform.platform()}\n{sys.argv[1:]}\n\n{text}"
    try:
        with NamedTemporaryFile(mode="wb", prefix="pnp-error-", suffix=".txt", delete=False) as file:
            file.write(told.encode(errors="backslashreplace"))
        place = f"what we need to mend it is in {file.name}"
    except OSError:
        place = text
    tell(f"this is our bug, please report it: {type(error).__name__}: {str(error)[:200]}\n  {place}")
    return OURS


if TYPE_CHECKING:
    from generator.app.project import Order, Project
    from generator.export import Written


@dataclass(frozen=True)
class Made:
    """What a command made of a project; `folder` is where, `names` those of all files below it."""

    project: "Project"
    written: tuple["Written", ...]
    folder: Path
    names: tuple[str, ...]

    def tell(self) -> None:
        """Say what was written, and beside it what should be known."""
        for line in self.lines:
            say(line)
        self.note()

    @property
    def lines(self) -> tuple[str, ...]:
        """Each file with what it is."""
        return tuple(
            f"{display(each.path)}  {each.about}".rstrip() if each.path else each.about
            for each in self.written
            if each.path or each.about
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known of it."""
        from generator.cli.caching import left_over

        earlier = left_over(self.folder, self.names, self.project.game.folder)
        return (*self.project.game.told, *(notice for each in self.written for notice in each.notices), earlier)

    def note(self) -> None:
        """Say what should be known of it."""
        notes(self.notes)

    def tell_blemishes(self) -> None:
        """List what is wrong with a draft, which ends the command."""
        if not self.project.game.draft or not (found := self.project.blemishes):
            return
        for problem in grouped(found):
            tell(str(problem))
        tell("this is a draft: each piece that is named has a red corner.")
        raise SystemExit(Kind.FIT.value)

    def show_timings(self) -> None:
        """Say how long the stages took."""
        show_timings(self.project.watch)


def make(order: "Order", names: Collection[str], folder: Callable[["Project"], Path]) -> Made:
    """Make some outputs of what is ordered, all of them or none."""
    from generator.cli.caching import opened
    from generator.core.files import Outbox
    from generator.export import write

    with opened(order) as project, Outbox(folder(project)) as outbox:
        written = tuple(write(names, project, outbox))
    return Made(project, written, outbox.folder, outbox.names)


def game_folder(output: str, *below: str) -> Callable[["Project"], Path]:
    """The folder of a game below the one that the command was given."""
    from generator.core.files import own_folder

    return lambda project: own_folder(Path(output), project.game.slug, *below)


@contextmanager
def running() -> Iterator[Watch]:
    """A job: the user's errors become words and an exit code."""
    progress = Progress()
    try:
        with placed():
            yield Watch(progress)
    except PnpError as error:
        progress.clear()
        raise SystemExit(_told(error)) from None
    finally:
        progress.clear()


def _told(error: PnpError) -> int:
    """Say what is wrong; gives the exit code."""
    problems = grouped(error.problems)
    for problem in problems:
        tell(str(problem))
    if len(problems) > 1:
        tell(f"{len(problems)} problems; nothing was written.")
    return error.exit_code


def notes(texts: Iterable[str]) -> None:
    """What a person should know, each once, beside what was written."""
    for text in dict.fromkeys(filter(None, texts)):
        tell(f"note: {text}")


def show_timings(watch: Watch) -> None:
    """The stages, their seconds, and the peak of memory."""
    for name, seconds in watch.stages.items():
        say(f"  {name:<10} {seconds:7.3f} s")
    say(f"  {'all':<10} {sum(watch.stages.values()):7.3f} s")
    peak = peak_memory()
    if peak is not None:
        say(f"  {'memory':<10} {peak / 1e6:7.0f} MB at most")
