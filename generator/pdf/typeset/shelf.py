"""Pictures among the blocks of rules: figures, verdicts side by side, what is in the box. Lengths in mm."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.draw.face import Face
from generator.pdf.typeset.boxes import Box, FlowItem, Heights, picture, row, stack, thumbnail, words
from generator.pdf.typeset.code import RuleCoder, quoted
from generator.rules.model import ComponentEntry, FigureBlock, GalleryItem, Line, Panel, Span, YesNo, plain
from generator.rules.pages import FIRM, LOOSE, Tie

YES, NO = "#2c7a3f", "#b3261e"
TALLEST = 0.62
"""A figure takes at most this share of a page's height."""

SHOWN = 0.36
"""The share of the page's width that a picture takes with its words beside it."""

THUMBNAIL = 16.0
"""The height of the faces that stand for a component."""

ABREAST = 37.0
"""Panels narrower than this go into another row."""


@dataclass(frozen=True)
class Shelf:
    """Makes the items of pictures."""

    coder: RuleCoder
    heights: Heights

    def pictures(self, block: FigureBlock | YesNo) -> FlowItem:
        """Pictures, at any of the sizes."""
        figures = [block.figure] if isinstance(block, FigureBlock) else [panel.figure for panel in block.panels]
        captions = [block.caption] if isinstance(block, FigureBlock) else [panel.caption for panel in block.panels]

        def box(width: float, share: float) -> Box:
            if isinstance(block, FigureBlock):
                return self._figure(block, width, share)
            return self._panels(block, width, share)

        names = ", ".join(figure.name for figure in figures)
        return FlowItem(
            box,
            before=2.8,
            after=3.9,
            across=any(figure.wide for figure in figures),
            notes=self.coder.notes(*captions),
            name=f"the figure {names}" if len(figures) == 1 else f"the figures {names}",
        )

    def _size(self, face: Face, room: float, share: float) -> tuple[float, float]:
        tall = TALLEST * self.coder.form.height
        own = min(share * self.coder.form.pictures, room / face.size.w, tall / face.size.h)
        return own * face.size.w, own * face.size.h

    def _figure(self, block: FigureBlock, width: float, share: float) -> Box:
        face = block.figure.face
        parts = [picture(face, *self._size(face, width, share), alt=block.figure.alt or block.figure.name)]
        if block.caption:
            parts.append(words(self.heights, self._caption(block.caption, "center"))(width))
        return stack(parts, width, 1.8, middle=True)

    def _caption(self, line: Line, align: str) -> str:
        voice = replace(self.coder.small, italic=True, align=align)
        return "{ " + self.coder.paragraph(line, voice) + " }"

    def _panels(self, block: YesNo, width: float, share: float) -> Box:
        """The panels in rows, as many beside each other as have a readable width."""
        abreast = max(1, min(len(block.panels), int(width // ABREAST)))
        gap = 4.2
        each = (width - gap * (abreast - 1)) / abreast
        sizes = self._even(block, each, share)
        rows = []
        for start in range(0, len(block.panels), abreast):
            panels = block.panels[start : start + abreast]
            rows.append(row([self._panel(p, s, each) for p, s in zip(panels, sizes[start:], strict=False)], gap))
        return stack(rows, width, 3.5, middle=True)

    def _even(self, block: YesNo, each: float, share: float) -> list[tuple[float, float]]:
        """The sizes of pictures side by side: with tiles of one size."""
        tall = TALLEST * self.coder.form.height
        own = [
            (scale * panel.figure.face.size.w, scale * panel.figure.face.size.h)
            for panel, scale in zip(block.panels, block.scales, strict=True)
        ]
        fits = min([share * self.coder.form.pictures, *(each / w for w, _ in own), *(tall / h for _, h in own)])
        return [(fits * w, fits * h) for w, h in own]

    def _panel(self, panel: Panel, size: tuple[float, float], width: float) -> Box:
        said = self.coder.rules.words
        shown = picture(panel.figure.face, *size, alt=panel.figure.alt or panel.figure.name)
        parts = [shown]
        if panel.good is not None:
            colour, word, sign = (YES, said.yes, "tick") if panel.good else (NO, said.no, "cross")
            code = f'{{ {self.coder.style(self.coder.small)} verdict({sign}, {quoted(word)}, rgb("{colour}")) }}'
            parts.insert(0, words(self.heights, code)(width))
        if panel.caption:
            align = "center" if panel.good is None else "left"
            parts.append(words(self.heights, self._caption(panel.caption, align))(width))
        return stack(parts, width, 1.4, middle=panel.good is None)

    def entries(self, entries: Sequence[ComponentEntry | GalleryItem]) -> Iterator[FlowItem]:
        """What is in the box, or pictures across the page, one under the other."""
        for index, entry in enumerate(entries):
            made = self._part(entry) if isinstance(entry, ComponentEntry) else self._shown(entry)
            yield replace(made, tie=Tie(LOOSE if 0 < index < len(entries) - 2 else FIRM), give=2.0)

    def _part(self, part: ComponentEntry) -> FlowItem:
        coder = self.coder
        head = (Span(f"{part.count} × ", bold=True), Span(part.title, bold=True))
        code = coder.paragraph(head, replace(coder.text, align="left"))
        if part.line:
            code += f"; v(0.35em, weak: true); {coder.paragraph(part.line, coder.small)}"

        def box(width: float, _share: float) -> Box:
            if not part.faces:
                return words(self.heights, f"{{ {code} }}")(width)
            room = (0.46 * width - 1.0 * (len(part.faces) - 1)) / len(part.faces)
            shown = []
            for face in part.faces:
                fits = min(1.0, room / face.size.w, THUMBNAIL / face.size.h)
                shown.append(thumbnail(face, fits * face.size.w, fits * face.size.h))
            faces = row(shown, 1.0)
            left = Box(0.46 * width, faces.height, faces.things)
            text = words(self.heights, f"{{ {code} }}")(width - left.width - 3)
            return row([left, text], 3.0)

        return FlowItem(box, before=1, after=2.5, notes=self.coder.notes(part.line))

    def _shown(self, item: GalleryItem) -> FlowItem:
        """Across the page; the picture may become smaller, so that a page holds some more of them."""
        coder = self.coder
        title = coder.paragraph(item.title, coder.heading(3))
        code = f"{{ {{ {title} }}; v(0.5em, weak: true); {{ {coder.paragraph(item.line, coder.text)} }} }}"

        def box(width: float, share: float) -> Box:
            w, h = self._size(item.face, SHOWN * width * min(1.0, share), 1.0)
            left = Box(SHOWN * width, h, picture(item.face, w, h, alt=plain(item.title)).at((SHOWN * width - w) / 2, 0))
            return row([left, words(self.heights, code)((1 - SHOWN) * width - 4)], 4.0, middle=True)

        return FlowItem(box, before=1.8, after=1.8, across=True, notes=self.coder.notes(item.title, item.line))
