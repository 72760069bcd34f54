"""The blocks between colons: one function each, found by the table at the end."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from generator.core.problems import Guard, Wrong, unknown
from generator.core.words import RuleWords
from generator.draw.draw import DrawnComponent
from generator.picture.face import Face
from generator.rules.look import Look
from generator.rules.markdown import Source, split_items
from generator.rules.model import (
    Block,
    Callout,
    ComponentEntry,
    Components,
    Credits,
    Figure,
    FigureBlock,
    Gallery,
    GalleryItem,
    Line,
    PageBreak,
    Panel,
    Span,
    Table,
    Tone,
    YesNo,
    plain,
)

THUMBNAILS = 4
"""Faces that stand for a component, unless the rules name others."""

_ITEM = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<designs>[^\]]*)\])?\s*(?::\s*(?P<text>.*))?", re.DOTALL)
_FIGURE = re.compile(r"(?P<name>[\w.-]+)\s*(?:(?:—|–|--|:)\s*(?P<text>.*))?", re.DOTALL)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SHOWN = re.compile(r"(?P<name>[^\s:]+)\s*:\s*(?P<title>.+?)\s+(?:—|–|--)\s+(?P<text>.+)", re.DOTALL)
_PANEL = re.compile(r"(?P<verdict>yes|no)\s*:\s*(?P<name>[\w.-]+)\s*(?:(?:—|–|--|:)\s*(?P<text>.*))?", re.DOTALL)


def _no_pictures(name: str) -> Face:
    raise Wrong(f"{name!r}: these rules have no pictures", "words")


@dataclass(frozen=True)
class Material:
    """What rules are made of besides their text; `file` is how messages call that.

    `picture` draws a file of the pack by its name, `making` says how the game is made.
    """

    file: str
    language: str
    words: RuleWords
    look: Look
    figures: Mapping[str, Figure] = field(default_factory=dict)
    icons: Mapping[str, Face] = field(default_factory=dict)
    components: tuple[DrawnComponent, ...] = ()
    credits: tuple[str, ...] = ()
    picture: Callable[[str], Face] = _no_pictures
    making: Callable[[], tuple[Block, ...]] = tuple


@dataclass(frozen=True)
class Directive:
    """One such block as it is written."""

    name: str
    words: tuple[str, ...]
    body: Source
    line: int


class Reads(Protocol):
    """What a directive may ask of the reader."""

    material: Material

    def blocks(self, source: Source, *, top: bool = False) -> tuple[Block, ...]:
        """The blocks of a stretch of text."""

    def line(self, source: Source) -> Line:
        """The spans of a line."""

    def at(self, line: int) -> Guard:
        """Whatever is found wrong meanwhile is wrong on that line."""

    def tell(self, line: int, found: str, expected: str, hint: str = "") -> None:
        """Keep what is wrong on a line."""


Maker = Callable[[Reads, Directive], Block | tuple[Block, ...]]


def _figure(reads: Reads, said: Directive) -> Block:
    """`::: figure NAME`, with the caption in it; without one, the figure's own stands."""
    if len(said.words) != 1:
        raise Wrong(f"::: figure has {len(said.words)} names", "one: `::: figure NAME`")
    figure = _find(reads, said.words[0])
    written = said.body.text.strip()
    return FigureBlock(figure, _caption(reads, figure, Source(written or figure.caption, said.body.line)))


def _caption(reads: Reads, figure: Figure, source: Source) -> Line:
    """What stands under a figure, whose numbers are those of the figure's claims."""
    line = reads.line(source)
    for number in _NUMBER.findall(plain(line)) if figure.says else ():
        if figure.says and number not in figure.says.numbers:
            found = f"{figure.name}: the caption says {number}, and no claim of the figure does"
            reads.tell(source.line, found, "a claim that says it, such as `score A: 5`, or the number in words")
    return line


def _find(reads: Reads, name: str) -> Figure:
    figures = reads.material.figures
    if name not in figures:
        raise unknown("figure", name, figures)
    return figures[name]


def _yes_no(reads: Reads, said: Directive) -> Block:
    """`- yes: NAME — caption` and `- no: NAME — caption`, two or more."""
    _no_words(said)
    panels = []
    for item, line in split_items(said.body.text, said.body.line):
        match = _PANEL.fullmatch(item)
        with reads.at(line):
            if match is None:
                raise Wrong(f"{item!r} is no panel", "`- yes: NAME — caption` or `- no: NAME — caption`")
            figure = _find(reads, match["name"])
            _check_verdict(figure, match["verdict"])
            caption = _caption(reads, figure, Source(match["text"] or figure.caption, line))
            panels.append(Panel(match["verdict"] == "yes", figure, caption))
    if not list(split_items(said.body.text, 0)):
        raise Wrong("::: yes-no shows nothing", "a list of `- yes: NAME` and `- no: NAME`")
    return YesNo(tuple(panels))


def _figures(reads: Reads, said: Directive) -> Block:
    """`- NAME — caption`, one or more, side by side."""
    _no_words(said)
    panels = []
    for item, line in split_items(said.body.text, said.body.line):
        match = _FIGURE.fullmatch(item)
        with reads.at(line):
            if match is None:
                raise Wrong(f"{item!r} is no figure", "`- NAME`, or `- NAME — caption`")
            figure = _find(reads, match["name"])
            panels.append(Panel(None, figure, _caption(reads, figure, Source(match["text"] or figure.caption, line))))
    if not list(split_items(said.body.text, 0)):
        raise Wrong("::: figures shows nothing", "a list of `- NAME — caption`")
    return YesNo(tuple(panels))


def _check_verdict(figure: Figure, verdict: str) -> None:
    """Whether the figure's claims bear out what stands over it."""
    says = figure.says
    if says and not says.verdicts | says.scored:
        raise Wrong(f"{figure.name}: nothing says whether this may be done", "a claim, such as `legal: true`")
    if says and not (says.yes if verdict == "yes" else says.no):
        right = "no" if verdict == "yes" else "yes"
        raise Wrong(f"{figure.name}: its claims do not say {verdict}", f"`- {right}: {figure.name}`, or another figure")


def _components(reads: Reads, said: Directive) -> Block:
    """All components, or those in its list: `- ID [design, design]: what they are`."""
    _no_words(said)
    known = {component.spec.id: component for component in reads.material.components}
    parts = []
    items = list(split_items(said.body.text, said.body.line)) or [(name, said.line) for name in known]
    for item, line in items:
        match = _ITEM.fullmatch(item)
        with reads.at(line):
            if match is None or match["name"] not in known:
                raise unknown("component", match["name"] if match else item, known)
            component = known[match["name"]]
            faces = tuple(_faces(component, match["designs"]))
            text = reads.line(Source(match["text"] or "", line))
            parts.append(ComponentEntry(component.spec.count, component.spec.title, text, faces))
    return Components(tuple(parts))


def _faces(component: DrawnComponent, designs: str | None) -> Iterator[Face]:
    """The faces that stand for a component: those named (`~name` is the back), or a few fronts from all."""
    known = {design.id: design for design in component.designs}
    spec = component.spec
    if designs is None:
        fronts = list(dict.fromkeys(design.front for design in component.designs if design.count))
        step = max(1, len(fronts) / THUMBNAILS)
        yield from (fronts[int(n * step)].cut(spec.outline) for n in range(min(THUMBNAILS, len(fronts))))
        return
    for name in (part.strip() for part in designs.split(",")):
        plain = name.removeprefix("~")
        if plain not in known:
            raise unknown("design", plain, known)
        design = known[plain]
        if name != plain and design.back:
            yield design.back.cut(spec.behind)
        else:
            yield design.front.cut(spec.outline)


def _gallery(reads: Reads, said: Directive) -> Block:
    """`- art/FILE.svg: Title — text`, one or more."""
    _no_words(said)
    shown = []
    for item, line in split_items(said.body.text, said.body.line):
        match = _SHOWN.fullmatch(item)
        with reads.at(line):
            if match is None:
                raise Wrong(f"{item!r} is no picture with its words", "`- art/FILE.svg: Title — text`")
            face = reads.material.picture(match["name"])
            shown.append(GalleryItem(face, *(reads.line(Source(match[part], line)) for part in ("title", "text"))))
    if not list(split_items(said.body.text, 0)):
        raise Wrong("::: gallery shows nothing", "a list of `- art/FILE.svg: Title — text`")
    return Gallery(tuple(shown))


def _players(reads: Reads, said: Directive) -> Block:
    """A table of numbers by how many play: a Markdown table whose first column is the players."""
    _no_words(said)
    blocks = reads.blocks(said.body)
    if len(blocks) != 1 or not isinstance(blocks[0], Table):
        raise Wrong("::: players-table holds no table", "one Markdown table, with the players in its first column")
    table = blocks[0]
    return Table(table.head, table.rows, tuple("center" for _ in table.aligns), players=True)


def _callout(reads: Reads, said: Directive) -> Block:
    """`::: note Title`: the title stands in the place of the word itself."""
    tone = Tone(said.name)
    label = " ".join(said.words) or getattr(reads.material.words, tone.value)
    blocks = reads.blocks(said.body)
    if any(isinstance(block, PageBreak) for block in blocks):
        raise Wrong(f"a page break in ::: {said.name}", "page breaks outside of other blocks")
    return Callout(tone, label, blocks)


def _page_break(_: Reads, said: Directive) -> Block:
    _no_words(said)
    _no_body(said)
    return PageBreak(back=said.name == "back-cover")


def _making(reads: Reads, said: Directive) -> tuple[Block, ...]:
    """How the game is made, as the first page of its sheets says it."""
    _no_words(said)
    _no_body(said)
    return reads.material.making()


def _credits(reads: Reads, said: Directive) -> Block:
    """The pack's credits, then the lines that are written here."""
    _no_words(said)
    own = tuple((Span(line),) for line in reads.material.credits)
    rows = enumerate(said.body.text.splitlines(), said.body.line)
    return Credits(own + tuple(reads.line(Source(row, line)) for line, row in rows if row.strip()))


def _no_words(said: Directive) -> None:
    if said.words:
        raise Wrong(f"::: {said.name} {' '.join(said.words)}", f"`::: {said.name}` alone")


def _no_body(said: Directive) -> None:
    if said.body.text.strip():
        raise Wrong(f"::: {said.name} holds text", f"`::: {said.name} :::`")


DIRECTIVES: Mapping[str, Maker] = {
    "figure": _figure,
    "figures": _figures,
    "yes-no": _yes_no,
    "components": _components,
    "gallery": _gallery,
    "players-table": _players,
    "note": _callout,
    "example": _callout,
    "tip": _callout,
    "page-break": _page_break,
    "back-cover": _page_break,
    "credits": _credits,
    "making": _making,
}
"""Every block by the word that begins it."""


def named(name: str) -> Maker:
    """The block of that name."""
    if name not in DIRECTIVES:
        raise unknown("block", f"::: {name}", [f"::: {known}" for known in DIRECTIVES])
    return DIRECTIVES[name]
