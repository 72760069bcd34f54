"""The outputs of pnp: the table of them, and the function that writes each."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from generator.base.budget import check_budget

if TYPE_CHECKING:
    from generator.base.files import Outbox
    from generator.pipeline.printing import PrintOptions
    from generator.pipeline.project import BuildRequest, Project


@dataclass(frozen=True)
class WrittenFile:
    """A file that an exporter wrote, with a short description and notes; without a path, notes only."""

    path: Path | None
    about: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Export:
    """An output: its description and the command that writes it."""

    what: str
    command: str = "build"
    accompanies: str = ""  # the output with which this one is written, too; empty: none
    needs_option: tuple[str, ...] = ()  # fields of `PrintOptions`, one of which must be set
    allows_parts: bool = False  # True if it is written for a part of a game, too: --only, --skip
    has_forms: bool = True  # False if it exists for the pack's own language without a variant only
    needs_rules: bool = False  # True if the game must have rules or boards
    # The function that takes a project and an outbox, as `module.function`; empty: `write` of the
    # module with the output's name.
    writer: str = ""


# Every output by name.
EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "sheets": Export("the pieces to print and cut, for each paper", allows_parts=True),
        "cuts": Export(
            "cut plans and cut files, with --cut-plan or --cutter",
            accompanies="sheets",
            needs_option=("cut_plan", "cutter"),
            allows_parts=True,
        ),
        "making": Export("how to make the game; the first page of the sheets if both are built"),
        "rules": Export("the rules to read", needs_rules=True),
        "booklet": Export(
            "the rules as a folded booklet, to print on both sides",
            accompanies="rules",
            needs_rules=True,
            writer="rules.write_booklet",
        ),
        "web": Export(
            "the rules as a web page",
            accompanies="rules",
            needs_rules=True,
            writer="rules.write_web_page",
        ),
        "gallery": Export("a web page of every card"),
        "release": Export("a snapshot of the game, for later patches", has_forms=False),
        "pictures": Export("faces, contact sheets and sheets as pictures", "preview"),
        "changes": Export("a page that shows the changes since a release", "diff"),
        "patch": Export("the pieces that changed since a release, for each paper", "patch"),
        "relay": Export(
            "the pieces of a third-party PDF on other paper, and a report on what was found",
            "relay",
        ),
        "calibration": Export("a test sheet to measure a printer with", "calibrate"),
    }
)


Writer = Callable[["Project", "Outbox"], Iterator[WrittenFile]]


def find_writer(name: str) -> Writer:
    """Return the function that writes an output, or a target with its path: `targets.press.write`."""
    path = (EXPORTS[name].writer or f"{name}.write") if name in EXPORTS else name
    module, _, function = path.rpartition(".")
    writer: Writer = getattr(import_module(f"generator.export.{module}"), function)
    return writer


def outputs_of(command: str) -> dict[str, Export]:
    """Return the outputs of a command."""
    return {name: export for name, export in EXPORTS.items() if export.command == command}


def select_outputs(names: Collection[str], prints: "PrintOptions") -> Iterator[str]:
    """Yield the names of outputs and targets to write, with the outputs that accompany them."""
    for name, export in EXPORTS.items():
        has_option = not export.needs_option or any(
            getattr(prints, option) for option in export.needs_option
        )
        if has_option and (name in names or export.accompanies in names):
            yield name
    yield from (name for name in names if name not in EXPORTS)


def default_outputs(request: "BuildRequest") -> tuple[str, ...]:
    """Return the outputs that `pnp build` writes without --what.

    For a part of a game or a draft, these are the sheets; a variant or translation has no release.
    """
    from generator.pipeline.printing import PrintOptions
    from generator.pipeline.project import BuildRequest

    prints = request.get(PrintOptions)
    is_default_form = request.form == BuildRequest("").form
    is_part = bool(prints.only or prints.skip or prints.low_ink or request.form.draft)
    return tuple(
        name
        for name, export in outputs_of("build").items()
        if (export.allows_parts or not is_part) and (export.has_forms or is_default_form)
    )


@dataclass(frozen=True)
class RequestedOutputs:
    """The outputs asked for in one run: the how-to-make page has no file of its own if the sheets include it."""

    names: frozenset[str] = frozenset()


def write(names: Collection[str], project: "Project", outbox: "Outbox") -> Iterator[WrittenFile]:
    """Write some outputs of a project, with those that accompany them, and yield their files.

    The last one yielded has the notes on art that the PDF engine renders wrongly.
    """
    request = project.request
    requested = RequestedOutputs(frozenset(names))
    project = replace(project, request=replace(request, options=(*request.options, requested)))
    for name in select_outputs(names, project.print_options):
        if name in EXPORTS and EXPORTS[name].needs_rules and not project.game.has_rules:
            continue  # before the import: modules for rules are slow to load
        yield from find_writer(name)(project, outbox)
        check_budget()
    pages = [
        part
        for step in ("face_pages", "rule_pages")
        if project.has_run(step)
        for part in getattr(project, step)
    ]
    if pages:
        from generator.pdf.faces import note_replacements

        yield WrittenFile(None, notices=note_replacements(pages))
