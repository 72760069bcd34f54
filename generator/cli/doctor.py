"""`pnp doctor`: show the parts of an installation, and report those that do not work."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from generator import __version__
from generator.base.errors import ExitCode, InvalidValueError
from generator.base.files import OUTPUT, display
from generator.cli.commands import PnpCommand
from generator.cli.output import print_result

LOAD_SECONDS = 120
"""The time that a process may take to load libraries; on a slow disk, the first load of all takes some 10 s."""

MODULE_BY_LIBRARY: Mapping[str, str] = {
    "dask": "distributed",
    "fonttools": "fontTools.ttLib",
    "markdown-it-py": "markdown_it",
    "obstore": "obstore.store",
    "pillow": "PIL.Image",
    "pydantic": "pydantic.main",
    "python-calamine": "python_calamine",
    "pyyaml": "yaml",
    "reportlab": "reportlab.pdfgen.canvas",
}
"""The module of each library that loads its compiled parts, if it is not that of the library's name."""

# Prints a line before and after each module: if a broken library ends the process, the last line names its module.
_LOADING_PROGRAM = """
import importlib, json, sys
for module in sys.argv[1:]:
    print(json.dumps([module, None]), flush=True)
    try:
        importlib.import_module(module)
        fault = ""
    except BaseException as error:
        fault = f"{type(error).__name__}: {error}"
    print(json.dumps([module, fault]), flush=True)
"""


def find_load_faults(libraries: Iterable[str]) -> dict[str, str]:
    """Return the libraries that cannot be loaded, each with the reason."""
    modules = {MODULE_BY_LIBRARY.get(name, name): name for name in libraries}
    waiting = list(modules)
    faults = {}
    while waiting:
        results, reason = _load(waiting)
        for module, fault in results.items():
            if fault != "":
                faults[modules[module]] = fault or reason
        # Go on after the module at which the process ended, if it ended early.
        waiting = waiting[len(results) :] if results else []
    return faults


def _load(modules: Sequence[str]) -> tuple[dict[str, str | None], str]:
    """Load modules in one process; return the fault of each that was tried, and why the process ended.

    A fault is empty for a module that works, and None for the one at which the process ended.
    """
    # -P: no module of the working folder is taken for a library
    command = [sys.executable, "-P", "-c", _LOADING_PROGRAM, *modules]
    try:
        done = subprocess.run(  # noqa: S603 - our own Python and program
            command, capture_output=True, timeout=LOAD_SECONDS, check=False
        )
        output, reason = done.stdout, _describe_end(done.returncode)
    except subprocess.TimeoutExpired as late:
        output, reason = late.stdout or b"", f"it does not load within {LOAD_SECONDS} s"
    return dict(json.loads(line) for line in output.splitlines() if line.startswith(b"[")), reason


def _describe_end(code: int) -> str:
    return f"it ends Python (exit code {code}): it may be made for another processor or system"


DISTRIBUTION = "pnp-generator"
EXTRAS = {
    "cut": "DXF files for cutting machines",
    "fonts": "WOFF2 and variable fonts",
    "xlsx": "formats of cells in XLSX",
    "farm": "many jobs on several machines",
}
"""The extras that a user can install, with their purposes."""


@click.command("doctor", cls=PnpCommand, prints_result=True, examples=("pnp doctor",))
def command() -> None:
    """Show versions, fonts, folders and extras, and report faults.

    Attach the output to reports of bugs. It contains no names of packs or users' files. The exit
    code is 5 if something must be repaired.
    """
    faults: list[str] = []
    for title, rows in (
        ("Program", _describe_program()),
        ("Libraries", _describe_libraries(faults)),
        ("Extras", _describe_extras(faults)),
        ("Fonts", _describe_fonts(faults)),
        ("Folders", _describe_folders(faults)),
    ):
        print_result(title)
        for name, text in rows:
            print_result(f"  {name:<18} {text}")
    for fault in faults:
        print_result(f"to repair: {fault}")
    print_result("Everything works." if not faults else f"{len(faults)} of these must be repaired.")
    if faults:
        raise SystemExit(ExitCode.FILE_ERROR)


def _describe_program() -> Iterator[tuple[str, str]]:
    yield "pnp", __version__
    yield "Python", platform.python_version()
    yield "system", platform.platform()
    yield "installed in", _hide_home(Path(__file__).parents[1])
    program = shutil.which("pnp")
    yield "command", _hide_home(Path(program)) if program else "not on PATH"


def _hide_home(path: Path) -> str:
    """Return a path with the home folder as ~, so that reports do not name the user."""
    try:
        return f"~{os.sep}{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return display(path)


def _requirements(extra: str = "") -> list[str]:
    """Return the names of the libraries that pnp requires, or that an extra requires."""
    names = []
    for requirement in requires(DISTRIBUTION) or ():
        name, _, condition = requirement.partition(";")
        is_needed = f"extra == '{extra}'" in condition.replace('"', "'") if extra else not condition
        if is_needed:
            # The name ends where a list of extras or a version begins: `svgwrite>=1.4`.
            names.append(re.split(r"[\[<>=!~ ]", name, maxsplit=1)[0])
    return sorted(names)


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _describe_libraries(faults: list[str]) -> Iterator[tuple[str, str]]:
    try:
        names = _requirements()
    except PackageNotFoundError:
        yield "unknown", f"{DISTRIBUTION} runs from its source and is not installed"
        return
    load_faults = _load_faults()
    for name in names:
        library_version = _version_of(name)
        if not library_version:
            faults.append(f"{name} is missing: install pnp again")
        elif name in load_faults:
            faults.append(_describe_load_fault(name))
        state = " (cannot be loaded)" if name in load_faults else ""
        yield name, f"{library_version or 'missing'}{state}"


@cache
def _load_faults() -> Mapping[str, str]:
    """Return the installed libraries of pnp and its extras that cannot be loaded, with the reasons."""
    names = {name for extra in ("", *EXTRAS) for name in _requirements(extra)}
    return find_load_faults(sorted(name for name in names if _version_of(name)))


def _describe_load_fault(name: str) -> str:
    reason = _load_faults()[name]
    repair = f"{Path(sys.executable).name} -m pip install --force-reinstall --no-deps {name}"
    return f"{name} cannot be loaded: {reason}\n  install it again: {repair}"


def _describe_extras(faults: list[str]) -> Iterator[tuple[str, str]]:
    for extra, purpose in EXTRAS.items():
        try:
            missing = [name for name in _requirements(extra) if not _version_of(name)]
        except PackageNotFoundError:
            return
        broken = sorted(_load_faults().keys() & set(_requirements(extra)))
        faults += map(_describe_load_fault, broken)
        state = "cannot be loaded" if broken else "installed"
        state = f"not installed: pip install '{DISTRIBUTION}[{extra}]'" if missing else state
        yield extra, f"{state} ({purpose})"


def _describe_fonts(faults: list[str]) -> Iterator[tuple[str, str]]:
    try:
        from generator.base.fonts import font_set

        families = {file.family for file in font_set().files}
    except ImportError:
        return  # a library is missing or cannot be loaded, which is among the faults
    except (InvalidValueError, OSError) as error:
        faults.append(f"the bundled fonts cannot be read: {error}")
        return
    yield "bundled", f"{len(families)} families: {', '.join(sorted(families))}"


def _describe_folders(faults: list[str]) -> Iterator[tuple[str, str]]:
    from generator.base import cache, settings

    folders: dict[str, Callable[[], Path]] = {
        "cache": cache.cache_folder,
        "settings": settings.settings_folder,
        "temporary": lambda: Path(tempfile.gettempdir()),
        "output": lambda: Path(OUTPUT).resolve(),
    }
    for name, find in folders.items():
        try:
            place = find()
        except InvalidValueError as error:
            faults.append(f"{name}: {error.found}; expected {error.expected}")
            continue
        existing = next(path for path in (place, *place.parents) if path.exists())
        is_writable = os.access(existing, os.W_OK)
        if not is_writable:
            faults.append(f"the {name} folder cannot be written")
        yield name, f"{_hide_home(place)} ({'writable' if is_writable else 'not writable'})"
    yield "terminal", f"{sys.stdout.encoding}, {'colours' if sys.stdout.isatty() else 'no colours'}"
