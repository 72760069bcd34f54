"""`pnp doctor`: show the parts of an installation, and report those that do not work."""

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from generator import __version__
from generator.base.errors import ExitCode, InvalidValueError
from generator.base.files import OUTPUT, display
from generator.cli.commands import PnpCommand
from generator.cli.library_loading import find_load_faults
from generator.cli.output import say

DISTRIBUTION = "pnp-generator"


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
        say(title)
        for name, text in rows:
            say(f"  {name:<18} {text}")
    for fault in faults:
        say(f"to mend: {fault}")
    say("Everything works." if not faults else f"{len(faults)} of these must be repaired.")
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
    versions = {name: _version_of(name) for name in names}
    load_faults = find_load_faults(name for name in names if versions[name])
    for name in names:
        if not versions[name]:
            faults.append(f"{name} is missing: install pnp again")
        elif name in load_faults:
            faults.append(_load_fault(name, load_faults[name]))
        state = " (cannot be loaded)" if name in load_faults else ""
        yield name, f"{versions[name] or 'missing'}{state}"


def _load_fault(name: str, reason: str) -> str:
    repair = f"{Path(sys.executable).name} -m pip install --force-reinstall --no-deps {name}"
    return f"{name} cannot be loaded: {reason}\n  install it again: {repair}"


def _describe_extras(faults: list[str]) -> Iterator[tuple[str, str]]:
    purposes = {
        "cut": "DXF files for cutting machines",
        "fonts": "WOFF2 and variable fonts",
        "xlsx": "formats of cells in XLSX",
        "farm": "many jobs on several machines",
    }
    for extra, purpose in purposes.items():
        try:
            missing = [name for name in _requirements(extra) if not _version_of(name)]
        except PackageNotFoundError:
            return
        load_faults = {} if missing else find_load_faults(_requirements(extra))
        faults += [_load_fault(name, reason) for name, reason in load_faults.items()]
        state = "cannot be loaded" if load_faults else "installed"
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
