"""Turn blocks of rules into items of the flow: their layout at each picture size, and ties.

Lengths in mm.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from generator.base.units import MM_PER_PT, number
from generator.pdf.typst import typst_string
from generator.rules.booklet.boxes import (
    FlowBox,
    FlowItem,
    Heights,
    SetRectangle,
    frame_box,
    picture,
    stack,
    words,
)
from generator.rules.booklet.headings import set_heading
from generator.rules.booklet.initials import InitialSplit, set_initial
from generator.rules.booklet.pages import FIRM, HELD, LOOSE, NO_TIE, Tie
from generator.rules.booklet.pictures import PictureSetter
from generator.rules.booklet.tables import set_table
from generator.rules.booklet.typst_code import (
    LINE_EM,
    TYPST_HEADING_SCALES,
    RuleCoder,
    TextStyle,
    mark_words,
)
from generator.rules.model import (
    Block,
    Callout,
    Components,
    Credits,
    FigureBlock,
    Gallery,
    Heading,
    Line,
    Listing,
    PageBreak,
    Paragraph,
    Table,
    Thumbnails,
    YesNo,
    plain,
)
from generator.text.bidi import is_rtl_language

FILLS = {"note": "#f6efe0", "example": "#eef2ee", "tip": "#edf1f6"}

# The gaps before and after headings, by level: before them three to four times as much as after, so that
# a heading visibly belongs to the text below it.
HEADING_GAPS_MM = {2: (6.0, 2.1), 3: (4.2, 1.2), 4: (2.8, 0.7)}

# Lines of a long paragraph that stay together; its last stretch may have one more.
LINES_TOGETHER = 3

# A paragraph with more letters may continue in the next column.
MAX_UNSPLIT_LETTERS = 600

# The cost of splitting a list, and of separating steps from the figure that shows them, and the
# fault to report then.
SPLIT_LIST_COST = 0.6 * HELD
SPLIT_LIST_FAULT = "a list is on another page than its figure"


@dataclass(frozen=True)
class RuleFlow:
    """Makes the items of one booklet."""

    coder: RuleCoder
    heights: Heights

    @cached_property
    def picture_setter(self) -> PictureSetter:
        """The builder of picture items."""
        return PictureSetter(self.coder, self.heights)

    def items(self, blocks: Sequence[Block], *, inside: bool = False) -> Iterator[FlowItem]:
        """Return the items of all blocks.

        A paragraph that introduces a figure or list is tied to it.

        The first paragraph that begins the booklet or a section and has room for the theme's
        initial gets it, except `inside` a box.
        """
        begun = inside
        for index, block in enumerate(blocks):
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            before = blocks[index - 1] if index else None
            if isinstance(block, Listing) and isinstance(before, FigureBlock):
                steps = list(self._steps(block))
            elif isinstance(block, Paragraph) and not begun and _begins_section(before):
                initial = set_initial(self.coder, self.heights, block.line, self.coder.text)
                begun = initial is not None
                steps = list(self._paragraphs(block.line, self.coder.text, initial))
            else:
                steps = list(self._block(block))
            if steps and not isinstance(block, Heading | PageBreak):
                steps[-1] = replace(
                    steps[-1],
                    tie=_tie_to_next(block, following),
                    give=_growth_after(block, following),
                )
            yield from steps

    def banner(self) -> Iterator[FlowItem]:
        """Yield the theme's art across the first page."""
        if face := self.coder.rules.style.theme.pictures.first:
            ratio = face.size.h / face.size.w
            yield FlowItem(
                lambda width, _share: picture(face, width, width * ratio),
                after=4.5,
                across=True,
                tie=Tie(HELD),
            )

    def title(self) -> FlowItem:
        """Return the title at the head of the first page of a booklet without cover."""
        set_rules = self.coder.set_rules(self.coder.heading(1))
        code = f"{{ {set_rules} heading(level: 1, {typst_string(self.coder.title)}) }}"
        accent = self.coder.rules.style.accent

        def box(width: float, _share: float) -> FlowBox:
            rule = FlowBox(width * 0.3, 0.8, (SetRectangle(0, 0, width * 0.3, 0.8, fill=accent),))
            return stack([words(self.heights, code)(width), rule], width, 2.6)

        return FlowItem(box, after=4, across=True, tie=Tie(HELD))

    def contents(self) -> Iterator[FlowItem]:
        """Return the table of contents: a line for each heading, with dot leaders."""
        title = self.coder.rules.words.contents
        yield self._section_heading(
            title, self.coder.plain(title, self.coder.heading(2)), after=2.5
        )
        for heading in self.coder.rules.headings:
            if heading.level <= 3:
                main = heading.level == 2
                style = replace(self.coder.text, bold=main, align="left")
                page = self.coder.places.first.get(heading.slug, 0)
                indent = 0 if main else 1.4
                target = typst_string(f"#{heading.slug}")
                line = f"{typst_string(heading.text)} #box(width: 1fr, repeat(gap: 0.25em)[.]) #[{page}]"
                code = f"{{ {self.coder.set_rules(style)} pad(left: {indent}em, go({target})[#par[#{line}]]) }}"
                yield replace(
                    self._words(code, before=1.2 if main else 0.0, after=0.5), tie=Tie(LOOSE / 3)
                )

    def _block(self, block: Block) -> Iterator[FlowItem]:
        match block:
            case Heading():
                yield self._heading(block)
            case Paragraph(line):
                yield from self._paragraphs(line, self.coder.text)
            case Listing():
                yield from self._list(block, 1)
            case Table():
                yield from set_table(self.coder, self.heights, block)
            case FigureBlock() | YesNo() | Components() | Gallery() | Thumbnails():
                yield from self.picture_setter.items(block)
            case Callout():
                yield self._callout(block)
            case PageBreak(back):
                yield FlowItem(None, opens=True, back=back)
            case Credits(lines):
                code = (
                    "{ "
                    + "; parbreak(); ".join(
                        self.coder.paragraph(line, self.coder.small) for line in lines
                    )
                    + " }"
                )
                yield self._words(code, after=2, notes=self.coder.notes(*lines))

    def _words(
        self, code: str, before: float = 0.0, after: float = 0.0, notes: tuple[str, ...] = ()
    ) -> FlowItem:
        text_box = words(self.heights, code)
        return FlowItem(
            lambda width, _share: text_box(width), before=before, after=after, notes=notes
        )

    def _section_heading(self, text: str, code: str, after: float) -> FlowItem:
        """Return a section heading in the theme's style; `code` sets its text."""
        heading = set_heading(
            self.coder.rules.style,
            text,
            words(self.heights, "{ " + code + " }"),
            TYPST_HEADING_SCALES[2] * self.coder.heading(2).size,
            is_rtl=is_rtl_language(self.coder.rules.language),
        )
        return FlowItem(lambda width, _share: heading(width), after=after, tie=Tie(HELD))

    def _heading(self, block: Heading) -> FlowItem:
        style = self.coder.heading(block.level)
        body = self.coder.inline(block.line, style)
        target = typst_string(block.slug)
        code = f"{self.coder.set_rules(style)} [#heading(level: {block.level})[{body}] #here({target})]"
        before, after = HEADING_GAPS_MM[block.level]
        box = (
            self._section_heading(block.text, code, after)
            if block.level == 2
            else self._words("{ " + code + " }", after=after)
        )
        fault = f"the heading {block.text!r} stands alone"
        return replace(
            box, before=before, rank=block.level, slug=block.slug, tie=Tie(HELD, fault), give=0.4
        )

    def _paragraphs(
        self, line: Line, style: TextStyle, initial: InitialSplit | None = None
    ) -> Iterator[FlowItem]:
        """Return a paragraph, split into stretches of lines if it is long."""
        paragraph = self._paragraph(line, style)
        if len(plain(line)) < MAX_UNSPLIT_LETTERS:
            yield (
                replace(self._words(initial.unsplit, after=paragraph.after), notes=paragraph.notes)
                if initial
                else paragraph
            )
            return
        unbroken = f"{self.coder.set_rules(style)} set text(hyphenate: false);"
        words = initial.words_below if initial else self.coder.pieces(line, style)
        starts = self.heights.breaks(
            f"{{ {unbroken} par[{mark_words(words)}] }}", self.coder.form.column
        )
        leading = (style.leading - LINE_EM) * style.size * MM_PER_PT
        same_paragraph = Tie(LOOSE / 3)
        if initial:
            yield replace(self._words(initial.head, after=leading), tie=same_paragraph, give=0.0)
        cuts = (
            [*starts[: max(1, len(starts) - 1) : LINES_TOGETHER], len(words)]
            if starts
            else [0, len(words)]
        )
        for start, end in pairwise(cuts):
            last = end == len(words)
            code = f"{{ {unbroken} par[{' '.join(words[start:end])}{'' if last else '#linebreak(justify: true)'}] }}"
            text_box = self._words(
                code,
                after=paragraph.after if last else leading,
                notes=paragraph.notes if last else (),
            )
            yield text_box if last else replace(text_box, tie=same_paragraph, give=0.0)

    def _paragraph(self, line: Line, style: TextStyle) -> FlowItem:
        code = "{ " + self.coder.paragraph(line, style) + " }"
        return self._words(code, after=1.95, notes=self.coder.notes(line))

    def _steps(self, block: Listing) -> Iterator[FlowItem]:
        """Return a list that explains the figure before it, tied to the figure."""
        *others, last = self._list(block, 1)
        yield from (
            replace(
                item,
                tie=Tie(
                    max(item.tie.cost, SPLIT_LIST_COST), item.tie.fault or SPLIT_LIST_FAULT, 1.0
                ),
            )
            for item in others
        )
        yield last

    def _list(self, block: Listing, depth: int) -> Iterator[FlowItem]:
        last = len(block.items) - 1
        for index, entry in enumerate(block.items):
            start = block.start + index
            entries = list(self._list_entry(entry, start if block.start else 0, depth))
            torn = index in {0, last - 1} and last > 0
            fault = "a list is split with one item on its own" if torn else ""
            for position, item in enumerate(entries):
                inner = (
                    Tie(FIRM, "a step is torn")
                    if position < len(entries) - 1
                    else Tie(0.7 * HELD if torn else SPLIT_LIST_COST, fault, 1.0)
                )
                yield replace(
                    item,
                    tie=inner if not item.tie.cost or position == len(entries) - 1 else item.tie,
                    give=0.8,
                )

    def _list_entry(self, entry: tuple[Block, ...], start: int, depth: int) -> Iterator[FlowItem]:
        sign = True
        for part in entry:
            if isinstance(part, Paragraph):
                yield self._list_text(part.line, start, depth, sign=sign)
            elif isinstance(part, Listing):
                yield from self._list(part, depth + 1)
            else:
                yield from self._block(part)
            sign = False

    def _list_text(self, line: Line, start: int, depth: int, *, sign: bool) -> FlowItem:
        coder = self.coder
        accent = self.coder.rules.style.accent
        body = coder.inline(line, coder.text)
        mark = self._mark(start) or f'text(weight: 700, fill: rgb("{accent}"))' + (
            f"[{start}.]" if start else "[•]"
        )
        left = number(1.6 * (depth - 1))
        if not sign:
            code = f"pad(left: {number(1.6 * depth)}em, par[{body}])"
        elif start:
            code = f"pad(left: {left}em, enum(start: {start}, numbering: n => {mark}, body-indent: 0.5em, [{body}]))"
        else:
            code = f"pad(left: {left}em, list(marker: {mark}, body-indent: 0.6em, [{body}]))"
        return self._words(
            f"{{ {coder.set_rules(coder.text)} {code} }}", after=1.15, notes=self.coder.notes(line)
        )

    def _mark(self, start: int) -> str:
        """Return a step's number or a bullet on the theme's art, or nothing without art."""
        pictures = self.coder.rules.style.theme.pictures
        if start and pictures.numeral:
            return self.coder.disc(pictures.numeral, str(start), 1.62)
        return self.coder.disc(pictures.bullet, "•", 0.8) if pictures.bullet and not start else ""

    def _callout(self, block: Callout) -> FlowItem:
        accent = self.coder.rules.style.accent
        style = replace(self.coder.text, bold=True, colour=accent, align="left")
        head = words(self.heights, "{ " + self.coder.plain(block.label, style) + " }")
        inside = list(self.items(block.blocks, inside=True))

        def box(width: float, share: float) -> FlowBox:
            padding = 2.8
            parts = [
                head(width - 2 * padding),
                *(item.box(width - 2 * padding, share) for item in inside if item.box),
            ]
            framed = stack(parts, width - 2 * padding, 1.5)
            fill = self.coder.rules.style.theme.box or FILLS[block.tone]
            return frame_box(
                framed, width, padding, SetRectangle(0, 0, 0, 0, fill=fill), bar=accent
            )

        notes = tuple(note for item in inside for note in item.notes)
        return FlowItem(box, before=2.1, after=3.2, notes=notes)


def _begins_section(before: Block | None) -> bool:
    """Return True if the block after this one begins a section or the booklet."""
    return before is None or (isinstance(before, Heading) and before.level == 2)


def _growth_after(block: Block, following: Block | None) -> float:
    """Return how far the gap after a block may grow in mm: most before headings and around pictures."""
    if isinstance(following, Heading):
        return {2: 9.0, 3: 6.5}.get(following.level, 2.0)
    pictures = FigureBlock | YesNo | Table | Callout | Components | Gallery | Thumbnails
    return 7.0 if isinstance(block, pictures) or isinstance(following, pictures) else 1.2


def _tie_to_next(block: Block, following: Block | None) -> Tie:
    """Return the tie between a block and the next."""
    # At the head of the next column a figure is in sight of its text; on the next page it is not.
    away = Tie(FIRM * 20, "a figure is on another page than its text", column_share=0.05)
    match block, following:
        case (_, None | Heading(level=2)):
            return NO_TIE
        case (FigureBlock() | YesNo(), FigureBlock() | YesNo()):
            return away
        case (_, FigureBlock() | YesNo()):
            return away
        case FigureBlock(), Listing():
            return replace(away, fault=SPLIT_LIST_FAULT)
        case Paragraph(), Listing() | Table() | Thumbnails() | Components():
            return Tie(0.2 * HELD, "a list is on another page than the text before it")
        case _:
            return Tie(LOOSE / 4)
