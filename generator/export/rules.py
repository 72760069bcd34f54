"""The rules to read."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.geometry import Size
from generator.core.problems import placed
from generator.export import Written
from generator.pack.folder import PackFolder
from generator.pdf.graft import About
from generator.pdf.typeset.made import TO_READ, BookKind, TypesetRules, on_sheets, typeset
from generator.rules.model import Credits, Heading, PageBreak, Rules


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The pages in the order in which they are read."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        said = about(project, rules)
        made = set_rules(project, TO_READ)
        path = outbox.write(f"{project.game.stem('rules')}.pdf", made.finished(said))
    yield Written(path, counted(made.book.count, "page"), made.book.faults)


def on_paper(project: Project, size: Size, before: int = 0) -> bytes:
    """The same of a game that has rules, for both sides of paper of a size in mm, as few as read well.

    Their numbers go on from the pages that stand before them. What makes a booklet of them is left out.
    """
    with project.watch.stage("rules"):
        made = set_rules(project, on_sheets(size, before), _unbound)
        return made.finished(about(project, made.book.rules))


def _unbound(rules: Rules) -> Rules:
    """Plain: without a cover, art round the pages and the headings, and what a back cover repeats; credits stay."""
    blocks = list(rules.blocks)
    back = next((at for at, block in enumerate(blocks) if isinstance(block, PageBreak) and block.back), len(blocks))
    kept = [(before, block) for before, block in pairwise(blocks[back:]) if isinstance(block, Credits)]
    credited = [block for pair in kept for block in pair if isinstance(block, Credits | Heading)]
    dress = replace(rules.look.theme.dress, first=None, back=None, head=None, foot=None, rule=None, mark=None)
    look = replace(rules.look, cover=None, theme=replace(rules.look.theme, band="", initial="", dress=dress))
    said = tuple(block for block in [*blocks[:back], *credited] if not isinstance(block, PageBreak))
    return replace(rules, look=look, blocks=said)


def set_rules(project: Project, way: BookKind, dressed: Callable[[Rules], Rules] = lambda rules: rules) -> TypesetRules:
    """The rules of a game that has some, set in a way, and dressed for it."""
    found, settings = project.rules, project.game.rules
    if found is None or settings is None:
        raise ValueError(f"{project.game.slug} has no rules")
    rules = dressed(found)
    with placed(PackFolder(project.game.folder).where(settings.file)):
        return typeset(rules, project.game.fonts, project.rule_pages, way)


def about(project: Project, rules: Rules) -> About:
    """What a file of the rules to read says of itself, and how it asks to be printed."""
    return project.about(title(project, rules), "DuplexFlipLongEdge", ())


def title(project: Project, rules: Rules) -> str:
    """What the files of the rules are called where a reader shows it."""
    return f"{rules.title} – {project.game.name} {project.game.edition()}"


def counted(count: int, word: str) -> str:
    """`1 page`, `12 pages`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
