"""What is made of a game: one module an output, and the one table of them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.app.printing import PrintWish
    from generator.app.project import Order, Project
    from generator.core.files import Outbox


@dataclass(frozen=True)
class Written:
    """A file, its content in a few words, and the notes on it; without a path, only words."""

    path: Path | None
    about: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Export:
    """One output: what it is, and the command that makes it.

    What is `beside` another is made whenever that is asked for; what has `wishes`, only where one of them is wished for
    (fields of a `PrintWish`). With `partly`, it is also made of a part of a game (`--only`, `--skip`); without `forms`,
    of the pack in its own language and look only; of `rules`, where a game has some, or anything to do with boards.
    """

    what: str
    command: str = "build"
    beside: str = ""
    wishes: tuple[str, ...] = ()
    partly: bool = False
    forms: bool = True
    rules: bool = False


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "sheets": Export("what is printed and cut, for each paper", partly=True),
        "cuts": Export(
            "cut plans and cut files, with --cut-plan or --cutter",
            beside="sheets",
            wishes=("cut_plan", "cutter"),
            partly=True,
        ),
        "making": Export("how the game is made: the first page of its sheets, where both are asked for"),
        "rules": Export("the rules to read", rules=True),
        "booklet": Export("the rules to print on both sides and fold", beside="rules", rules=True),
        "web": Export("the rules as a web page", beside="rules", rules=True),
        "gallery": Export("a page with every face, for a screen"),
        "release": Export("the game as it is now, for later patches", forms=False),
        "pictures": Export("faces, contact sheets and sheets as pictures", "preview"),
        "changes": Export("a page that shows what changed since a release", "diff"),
        "patch": Export("only what changed since a release, for each paper", "patch"),
        "relay": Export("the pieces of somebody else's file on other paper, and what was found of them", "relay"),
        "calibration": Export("the sheet to measure a printer with", "calibrate"),
    }
)
"""Every output by its name, which is also its module's here; each has a `write` that takes a project and an outbox."""


PAGES = (("face_pages",), ("rule_pages",))
"""The steps of a project that look at art."""


def made_by(command: str) -> dict[str, Export]:
    """The outputs of a command."""
    return {name: export for name, export in EXPORTS.items() if export.command == command}


def chosen(names: Collection[str], prints: "PrintWish") -> Iterator[str]:
    """The outputs and targets that are named, with what is made beside them."""
    for name, export in EXPORTS.items():
        is_wished = not export.wishes or any(getattr(prints, wish) for wish in export.wishes)
        if is_wished and (name in names or export.beside in names):
            yield name
    yield from (name for name in names if name not in EXPORTS)


def usual(order: "Order") -> tuple[str, ...]:
    """What `pnp build` makes unless it is told: of a part and of a draft the sheets alone, a release of no variant."""
    from generator.app.printing import PrintWish
    from generator.app.project import Order

    prints = order.wish(PrintWish)
    plain = order.form == Order("").form
    part = bool(prints.only or prints.skip or prints.low_ink or order.form.draft)
    return tuple(
        name for name, export in made_by("build").items() if (export.partly or not part) and (export.forms or plain)
    )


@dataclass(frozen=True)
class OutputsAsked:
    """The outputs that are made in one go: what lies in another's file need not be a file of its own."""

    names: frozenset[str] = frozenset()


def write(names: Collection[str], project: "Project", outbox: "Outbox") -> Iterator[Written]:
    """Make some outputs of a project and what is made beside them; at last, what was seen of art that became pages."""
    from generator.app.printing import PrintWish

    order = project.order
    project = project.wishing(*order.wishes, OutputsAsked(frozenset(names)))
    for name in chosen(names, order.wish(PrintWish)):
        if name in EXPORTS and EXPORTS[name].rules and not project.game.has_rules:
            continue  # and nothing that knows rules is loaded
        yield from import_module(f"generator.export.{name}").write(project, outbox)
    pages = [part for step in PAGES for part in project.known.get(step, ())]
    if pages:
        from generator.pdf.faces import told_of

        yield Written(None, notices=told_of(pages))
