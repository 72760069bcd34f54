"""Problems with a pack, and how they are reported.

Each problem has a kind, which is also the exit code: the command line names something that does not
exist, such as a variant, a release or a file (2), the pack has mistakes (3), something does not fit
(4), or a file or a font of the pack is missing (5). A `PnpError` holds all problems that a stage
found, and has the kind of the gravest.

Problems are collected and raised together: a stage has one `Reporter`, and only a `PnpError` leaves
it. `InvalidValueError` is for functions that see a value but not where it came from. `with
report.at(where):` makes a `Problem` of it and reads on; `with raising_at(where):` ends the stage. click
itself reports wrong usage that can be seen without a pack, also with 2.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import Enum, IntEnum
from signal import SIGINT
from types import TracebackType
from typing import NoReturn, TypeVar


class ExitCode(IntEnum):
    """The exit codes of every command; the guides list them for users."""

    OK = 0
    USAGE = 2  # a wrong option or an unknown name on the command line, as click has it
    INVALID_PACK = 3
    DOES_NOT_FIT = 4  # text in its box, a piece on its paper; also a draft with marked pieces
    FILE_ERROR = 5  # a file or font is missing, or the system refuses to read or write it
    INTERNAL_ERROR = 70  # our bug; EX_SOFTWARE in sysexits.h
    INTERRUPTED = 128 + SIGINT  # Ctrl-C, as shells report it


class Kind(Enum):
    """The kinds of problems, each with the exit code of the command that meets it."""

    USAGE = ExitCode.USAGE
    INVALID = ExitCode.INVALID_PACK
    FIT = ExitCode.DOES_NOT_FIT
    MISSING = ExitCode.FILE_ERROR


@dataclass(frozen=True)
class Where:
    """A place in a pack: a file as the user would name it, with a line and a column from 1 on.

    Line 0 is the whole file, column 0 the whole line. Places in one line are equal.
    """

    file: str
    line: int = 0
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class LayerOrigin:
    """A layer of a layout: its kind, such as `text`, and the place where it begins."""

    kind: str
    where: Where

    def __str__(self) -> str:
        return f"{self.kind} in {self.where}"


@dataclass(frozen=True)
class Problem:
    """A problem in a pack: its place, the value found, the value expected, and a hint.

    `layer` is the layer that has it, if it is one layer's problem.
    """

    where: Where | None
    found: str
    expected: str = ""
    hint: str = ""
    kind: Kind = Kind.INVALID
    layer: LayerOrigin | None = field(default=None, compare=False)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        lines = [place + self.found]
        if self.expected:
            lines.append(f"  expected {self.expected}")
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


class InvalidValueError(ValueError):
    """An impossible value, found by code that does not know the file that holds it."""

    def __init__(
        self, found: str, expected: str = "", hint: str = "", kind: Kind = Kind.INVALID
    ) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected
        self.hint = hint
        self.kind = kind

    def at(self, where: Where | None, label: str = "") -> Problem:
        """Return the error as a problem at a place; `label` names the key or the column."""
        found = f"{label}: {self.found}" if label else self.found
        return Problem(where, found, self.expected, self.hint, self.kind)


GRAVEST_FIRST = (Kind.INVALID, Kind.MISSING, Kind.FIT, Kind.USAGE)
"""The kinds of problems, gravest first: mistakes in the pack, missing files, bad fits, wrong usage."""


class PnpError(Exception):
    """An error that the user can mend, with all problems that caused it, each once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__("\n".join(map(str, self.problems)))

    @property
    def kind(self) -> Kind:
        """The kind of the gravest problem."""
        kinds = {problem.kind for problem in self.problems}
        return next((kind for kind in GRAVEST_FIRST if kind in kinds), Kind.INVALID)

    @property
    def exit_code(self) -> ExitCode:
        """The command's exit code."""
        return ExitCode(self.kind.value)


@dataclass(frozen=True, eq=False)
class Reporter:
    """Collects problems while a stage reads on, so that one run reports all of them."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Notes for the user, which are no problems."""

    def add(self, *problems: Problem) -> None:
        """Add some problems."""
        self.problems.extend(problems)

    def add_problem(
        self, where: Where | None, found: str, expected: str = "", hint: str = ""
    ) -> None:
        """Add a problem, given its parts."""
        self.problems.append(Problem(where, found, expected, hint))

    def at(self, where: Where | None, label: str = "") -> "Guard":
        """Return a block that reports each `InvalidValueError` raised in it at a place.

        The code after the block runs on.
        """
        return Guard(self, where, label)

    def name_layer(self, first: int, layer: LayerOrigin) -> None:
        """Note the layer of all problems from the index `first` on that have none yet."""
        self.problems[first:] = [
            problem if problem.layer else replace(problem, layer=layer)
            for problem in self.problems[first:]
        ]

    def raise_any(self) -> None:
        """Raise all that was found as one error, if there is anything."""
        if self.problems:
            raise PnpError(self.problems)


@dataclass(frozen=True, eq=False)
class Guard:
    """The block of `Reporter.at`, which no error that the user can mend leaves.

    A class, because mypy takes the code after a block for unreachable if it is made by
    `contextmanager` and the block returns.
    """

    report: Reporter
    where: Where | None
    label: str

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> bool:
        if isinstance(error, InvalidValueError):
            self.report.add(error.at(self.where, self.label))
        elif isinstance(error, PnpError):
            self.report.add(*error.problems)
        return isinstance(error, InvalidValueError | PnpError)


@contextmanager
def raising_at(where: Where | None = None, label: str = "") -> Iterator[None]:
    """Turn each `InvalidValueError` raised in the block into a `PnpError`, at a place if there is one."""
    try:
        yield
    except InvalidValueError as wrong:
        raise PnpError([wrong.at(where, label)]) from wrong


@contextmanager
def prefixing(label: str) -> Iterator[None]:
    """Prefix each `InvalidValueError` raised in the block with its place in a text: `row 2, column 3: …`."""
    try:
        yield
    except InvalidValueError as wrong:
        raise InvalidValueError(
            f"{label}: {wrong.found}", wrong.expected, wrong.hint, wrong.kind
        ) from None


def fail(
    where: Where | None, found: str, expected: str = "", hint: str = "", kind: Kind = Kind.INVALID
) -> NoReturn:
    """Raise one problem as an error."""
    raise PnpError([Problem(where, found, expected, hint, kind)])


def raise_any(problems: Iterable[Problem]) -> None:
    """Raise all problems as one error, if there are any."""
    Reporter(list(problems)).raise_any()


MAX_RANGES = 5
"""Ranges of lines that a grouped problem lists."""
TEXT_FILES = (".yaml", ".yml", ".md", ".svg")
"""Suffixes of files whose problems are counted in lines; those of tables are counted in rows."""


def group_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems, with equal ones of a file merged into one at the first line, which lists all lines."""
    groups: dict[Problem, list[Problem]] = {}
    for problem in problems:
        where = problem.where
        key = replace(problem, where=replace(where, line=0)) if where and where.line else problem
        groups.setdefault(key, []).append(problem)
    return [_merge_equal(alike) for alike in groups.values()]


def _merge_equal(problems: Sequence[Problem]) -> Problem:
    """Return one problem for several equal ones; `in rows 2–121` says where they are."""
    first = problems[0]
    lines = sorted({problem.where.line for problem in problems if problem.where})
    if len(lines) < 2 or first.where is None:
        return first
    ranges = list_ranges(lines)
    listed = ", ".join(ranges[:MAX_RANGES])
    more = f", … ({len(lines)} in all)" if len(ranges) > MAX_RANGES else ""
    what = "lines" if first.where.file.lower().endswith(TEXT_FILES) else "rows"
    return replace(
        first,
        where=replace(first.where, line=lines[0]),
        found=f"{first.found} (in {what} {listed}{more})",
    )


def list_ranges(numbers: Iterable[int]) -> list[str]:
    """Return increasing numbers as texts, with neighbours as ranges: `3–5`, `9`."""
    # A range is its first number and, if there are more, its last.
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ["–".join(map(str, item)) for item in ranges]


def join_some(names: Iterable[str], most: int) -> str:
    """Return the first names with commas between them, and `…` in place of any others."""
    listed = list(names)
    return ", ".join([*listed[:most], "…"] if len(listed) > most else listed)


MAX_NAMES = 12
"""Known names that the message on an unknown one lists."""


Row = TypeVar("Row")


def find_row(what: str, name: str, table: Mapping[str, Row]) -> Row:
    """Return the row of a table with a name; raise the error of `unknown` if there is none."""
    if name not in table:
        raise unknown(what, name, table)
    return table[name]


def unknown(
    what: str,
    name: str,
    known_names: Iterable[str],
    place: str = "",
    kind: Kind = Kind.INVALID,
    define: str = "",
) -> InvalidValueError:
    """Return the error for a name missing from its table, with the names that it has and the nearest of them.

    `define` says how a pack defines such a name; it is the hint if the table is empty.
    """
    names = sorted(known_names)
    if not names:
        none = f"this pack defines no {what}s" if define else f"there is no {what} here"
        return InvalidValueError(f"unknown {what} {name!r}; {none}", "", define, kind)
    listed = join_some(names, MAX_NAMES)
    expected = f"one of {place}: {listed}" if place else f"one of: {listed}"
    return InvalidValueError(
        f"unknown {what} {name!r}",
        expected,
        nearest(name, names),
        kind,
    )


def nearest(name: str, known_names: Iterable[str]) -> str:
    """Return `did you mean 'head-1'?`, or an empty string if no known name is close."""
    by_lower = {other.lower(): other for other in known_names}
    close = get_close_matches(name.lower(), list(by_lower), n=1)
    return f"did you mean {by_lower[close[0]]!r}?" if close else ""


def was_stopped(error: BaseException | None) -> bool:
    """Return True if Ctrl-C caused an error.

    If Ctrl-C comes while a class is created, Python 3.11 raises a RuntimeError from it instead.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


# How glibc's loader says that there is no address space for a library (elf/dl-load.c).
_NO_MEMORY_FOR_LIBRARY = ("failed to map segment", "cannot allocate memory")


def find_missing_library(error: ImportError) -> Problem | None:
    """Return the problem of a library that is missing, or that the system cannot load.

    None if the error is about our own modules: a bug.
    """
    library = (error.name or "").partition(".")[0]
    if library in {"", "generator"}:
        return None
    if any(words in str(error) for words in _NO_MEMORY_FOR_LIBRARY):
        return Problem(
            None, f"the system says: out of memory ({error})", "more memory", "", Kind.MISSING
        )
    return Problem(
        None,
        f"Python cannot load {library}, which pnp needs: {error}",
        "all libraries that pnp depends on, made for this system and this Python",
        "install pnp-generator again; `pnp docs install` lists systems that lack libraries",
        Kind.MISSING,
    )
