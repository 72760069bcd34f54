"""Blocks become items: which flowable each is set as, and what it stays together with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus import tables

from generator.core.units import points
from generator.pdf.booklet.columns import FlowItem
from generator.pdf.booklet.pieces import FaceBox, FlowableRow, FramedStack, RuleLine, Stack, VerdictMark
from generator.pdf.booklet.typesetter import QUIET, Typesetter, Voice
from generator.rules.model import (
    Block,
    Callout,
    ComponentEntry,
    Components,
    Credits,
    FigureBlock,
    Gallery,
    GalleryItem,
    Heading,
    Line,
    Listing,
    PageBreak,
    PageRef,
    Panel,
    Paragraph,
    Span,
    Table,
    Tone,
    YesNo,
    plain,
)

PAD = 5.0


def table(setter: Typesetter, block: Table) -> Any:
    """A ReportLab table of paragraphs."""
    rows = [block.head, *block.rows]
    voices = [Voice(setter.text.size, setter.text.leading, bold=not index) for index in range(len(rows))]
    cells = [
        [setter.paragraph(cell, _aligned(voice, block.aligns[n])) for n, cell in enumerate(row)]
        for voice, row in zip(voices, rows, strict=True)
    ]
    made = tables.Table(cells, colWidths=_widths(setter, block), hAlign="LEFT", repeatRows=1)
    made.setStyle(tables.TableStyle(_lines(setter, block)))
    return made


def _aligned(voice: Voice, align: str) -> Voice:
    return Voice(voice.size, voice.leading, bold=voice.bold, align=align)


def _lines(setter: Typesetter, block: Table) -> list[tuple[Any, ...]]:
    font = setter.type.regular
    whole = (0, 0), (-1, -1)
    shaded = [("BACKGROUND", (0, 0), (0, -1), HexColor("#f4ecdc"))] if block.players else []
    return [
        ("FONTNAME", *whole, font),
        ("TOPPADDING", *whole, 2.2),
        ("BOTTOMPADDING", *whole, 3.2),
        ("LEFTPADDING", *whole, PAD),
        ("RIGHTPADDING", *whole, PAD),
        ("VALIGN", *whole, "TOP"),
        *shaded,
        ("BACKGROUND", (0, 0), (-1, 0), HexColor("#efe6d4")),
        ("LINEBELOW", (0, 0), (-1, 0), 0.9, HexColor(setter.rules.look.accent)),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, HexColor(QUIET)),
    ]


def _widths(setter: Typesetter, block: Table) -> list[float]:
    """What the longest cell of each column wants; when that is too much, the wide columns give way."""
    room = setter.format.column
    rows = [block.head, *block.rows]
    wanted = [max(_wish(setter, row[n]) for row in rows) + 2 * PAD + 1 for n in range(len(block.head))]
    if block.players:
        widest = max(wanted)
        wanted = [min(max(width, widest), room / len(wanted)) for width in wanted]
    narrow = {n for n, width in enumerate(wanted) if width <= room / len(wanted)}
    taken = sum(wanted[n] for n in narrow)
    over = sum(wanted) - taken
    if sum(wanted) <= room:
        return wanted
    return [width if n in narrow else width / over * (room - taken) for n, width in enumerate(wanted)]


def _wish(setter: Typesetter, line: Line) -> float:
    icons = sum(1 for part in line if getattr(part, "icon", ""))
    return setter.width(plain(line), Voice(setter.text.size, 0, bold=True)) + icons * setter.text.size * 1.3


FILLS = {Tone.NOTE: "#f6efe0", Tone.EXAMPLE: "#eef2ee", Tone.TIP: "#edf1f6"}
TALLEST = 0.6
"""A figure takes at most this share of a page's height."""

SHOWN = 0.36
"""The share of the page's width that a picture takes with its words beside it."""

THUMBNAIL = 46.0
"""Points; the height of the faces that stand for a component."""


@dataclass(frozen=True)
class Flow:
    """Makes the items of one booklet."""

    set: Typesetter

    def items(self, blocks: Sequence[Block]) -> Iterator[FlowItem]:
        """The items of all blocks; a paragraph that leads up to a figure or a list stays with it."""
        for index, block in enumerate(blocks):
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            leads = isinstance(block, Paragraph) and isinstance(following, FigureBlock | YesNo | Listing | Table)
            for item in self._block(block):
                yield replace(item, keep=item.keep or leads, soft=leads)

    def _block(self, block: Block) -> Iterator[FlowItem]:
        match block:
            case Heading():
                yield self._heading(block)
            case Paragraph(line):
                yield self._text(line, self.set.text)
            case Listing():
                yield from self._list(block, self.set.text.size * 1.6)
            case Table():
                yield FlowItem(
                    table(self.set, block), before=4, after=9, notes=self._notes(*block.head, *chain(*block.rows))
                )
            case FigureBlock() | YesNo():
                yield self._pictures(block)
            case Components(entries) | Gallery(entries):
                yield from map(self._entry, entries)
            case Callout():
                yield self._callout(block)
            case PageBreak(back):
                yield FlowItem(None, breaks=True, back=back)
            case Credits(lines):
                yield FlowItem(
                    Stack([self.set.paragraph(line, self.set.small) for line in lines], gap=4),
                    after=6,
                    notes=self._notes(*lines),
                )

    def _heading(self, block: Heading) -> FlowItem:
        voice = self.set.heading(block.level)
        flow: Any = self.set.paragraph(block.line, voice)
        if block.level == 2:
            flow = Stack([flow, RuleLine(self.set.rules.look.accent, 0.9)], gap=3.5)
        before, after = {2: (17, 6), 3: (12, 3), 4: (8, 2)}[block.level]
        return FlowItem(flow, before=before, after=after, keep=True, rank=block.level, slug=block.slug)

    def _text(self, line: Line, voice: Voice, after: float = 5.5) -> FlowItem:
        return FlowItem(self.set.paragraph(line, voice), after=after, notes=self._notes(line))

    def _notes(self, *lines: Line) -> tuple[Any, ...]:
        spans = [
            span for line in lines for part in line for span in (part.spans if isinstance(part, PageRef) else (part,))
        ]
        numbers = [span.note for span in spans if span.note]
        voice = replace(self.set.small, left=self.set.small.size * 1.5)
        notes = self.set.rules.notes
        return tuple(self.set.paragraph(notes[n], replace(voice, bullet=str(n))) for n in numbers)

    def _list(self, block: Listing, indent: float) -> Iterator[FlowItem]:
        for number, item in enumerate(block.items, block.start):
            sign = f"{number}." if block.start else "•"
            for part in item:
                voice = replace(self.set.text, left=indent, bullet=sign)
                sign = ""
                if isinstance(part, Paragraph):
                    opens = number == block.start and len(block.items) > 1
                    yield replace(self._text(part.line, voice, after=3.2), keep=opens, soft=opens)
                elif isinstance(part, Listing):
                    yield from self._list(part, indent + self.set.text.size * 1.6)
                else:
                    yield from self._block(part)

    def _pictures(self, block: FigureBlock | YesNo) -> FlowItem:
        """Pictures, which may become a little smaller to fill a page."""
        form = self.set.format
        figures = [block.figure] if isinstance(block, FigureBlock) else [panel.figure for panel in block.panels]
        wide = any(figure.wide for figure in figures)
        room = (form.width if wide else form.column), form.height * TALLEST

        def made(share: float) -> Stack:
            if isinstance(block, FigureBlock):
                return self._figure(block, room, share * form.pictures)
            return self._panels(block, room, share * form.pictures)

        captions = [block.caption] if isinstance(block, FigureBlock) else [panel.caption for panel in block.panels]
        return FlowItem(made(1.0), before=8, after=11, wide=wide, smaller=made, notes=self._notes(*captions))

    def _figure(self, block: FigureBlock, room: tuple[float, float], share: float) -> Stack:
        parts: list[Any] = [FaceBox(block.figure.face, *room, share=share)]
        parts += [self.set.paragraph(block.caption, self._caption(centred=True))] if block.caption else []
        return Stack(parts, gap=5, middle=True)

    def _caption(self, *, centred: bool) -> Voice:
        return replace(self.set.small, italic=True, align="center" if centred else "left")

    def _panels(self, block: YesNo, room: tuple[float, float], share: float) -> Stack:
        """The panels in rows, as many beside each other as have a readable width."""
        abreast = max(1, min(len(block.panels), int(room[0] // 105)))
        width = (room[0] - 12 * (abreast - 1)) / abreast
        sizes = _even(block, (width, room[1]))
        rows = []
        for start in range(0, len(block.panels), abreast):
            row = block.panels[start : start + abreast]
            stacks = [self._panel(panel, size, share) for panel, size in zip(row, sizes[start:], strict=False)]
            rows.append(FlowableRow(stacks, [width / (room[0] - 12 * (len(row) - 1))] * len(row), 12))
        return Stack(rows, gap=10)

    def _panel(self, panel: Panel, room: tuple[float, float], share: float) -> Stack:
        words = self.set.rules.words
        parts: list[Any] = [FaceBox(panel.figure.face, *room, share=share)]
        if panel.good is not None:
            word = words.yes if panel.good else words.no
            parts.insert(0, VerdictMark(good=panel.good, word=word, font=self.set.type.bold, size=self.set.small.size))
        plain = panel.good is None
        parts += [self.set.paragraph(panel.caption, self._caption(centred=plain))] if panel.caption else []
        return Stack(parts, gap=4, middle=plain)

    def _entry(self, entry: ComponentEntry | GalleryItem) -> FlowItem:
        return self._part(entry) if isinstance(entry, ComponentEntry) else self._shown(entry)

    def _part(self, part: ComponentEntry) -> FlowItem:
        voice = self.set.text
        head = (Span(f"{part.count} × ", bold=True), Span(part.title, bold=True))
        text = [self.set.paragraph(head, voice)]
        text += [self.set.paragraph(part.line, self.set.small)] if part.line else []
        width = self.set.format.column
        share = 0.46 if part.faces else 0.0
        each = (share * width - 3 * (len(part.faces) - 1)) / max(1, len(part.faces))
        pictures: list[Any] = [FaceBox(face, each, THUMBNAIL, line=True) for face in part.faces]
        faces = FlowableRow(pictures, [1 / max(1, len(pictures))] * len(pictures), 3) if pictures else None
        flow = FlowableRow([faces, Stack(text, gap=1)], [share, 1 - share], 9) if faces else Stack(text, gap=1)
        return FlowItem(flow, before=3, after=7, notes=self._notes(part.line))

    def _shown(self, item: GalleryItem) -> FlowItem:
        """Across the page; the picture may become smaller, so that a page holds some more of them."""
        words = [
            self.set.paragraph(item.title, self.set.heading(3)),
            self.set.paragraph(item.line, self.set.text),
        ]
        room = SHOWN * self.set.format.width, self.set.format.height * TALLEST

        def made(share: float) -> FlowableRow:
            picture = FaceBox(item.face, *room, share=share)
            return FlowableRow([picture, Stack(words, gap=4)], [SHOWN, 1 - SHOWN], 12, middle=True)

        return FlowItem(made(1.0), before=5, after=5, wide=True, smaller=made, notes=self._notes(item.title, item.line))

    def _callout(self, block: Callout) -> FlowItem:
        accent = self.set.rules.look.accent
        head = self.set.words(block.label, replace(self.set.text, bold=True, colour=accent))
        inside = list(self.items(block.blocks))
        parts: list[Any] = [head, *(item.flow for item in inside)]
        notes = tuple(note for item in inside for note in item.notes)
        return FlowItem(Stack(parts, FramedStack(FILLS[block.tone], accent, 8), gap=4), before=6, after=9, notes=notes)


def _even(block: YesNo, room: tuple[float, float]) -> list[tuple[float, float]]:
    """The sizes of pictures side by side, in points: as large as all of them fit, with tiles of one size."""
    sizes = [
        (scale * points(panel.figure.face.size.w), scale * points(panel.figure.face.size.h))
        for panel, scale in zip(block.panels, block.scales, strict=True)
    ]
    share = min([1.0, *(room[0] / w for w, _ in sizes), *(room[1] / h for _, h in sizes)])
    return [(share * w, share * h) for w, h in sizes]
