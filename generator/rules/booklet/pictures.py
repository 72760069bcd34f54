"""Lay out pictures among rules: figures, figures with verdicts, contents of the box.

Lengths in mm.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import ceil, inf

from generator.base.units import MM_PER_PT
from generator.pdf.typst import typst_string
from generator.picture.face import Face
from generator.rules.booklet.boxes import (
    FlowBox,
    FlowItem,
    Heights,
    SetPicture,
    SetRectangle,
    frame_box,
    picture,
    row,
    stack,
    thumbnail,
    words,
)
from generator.rules.booklet.pages import FIRM, HELD, LOOSE, ROUNDING_MM, Tie
from generator.rules.booklet.typst_code import BODY, INK, RuleCoder
from generator.rules.model import (
    ComponentEntry,
    Components,
    Figure,
    FigureBlock,
    Gallery,
    GalleryItem,
    Line,
    Panel,
    Span,
    Thumbnail,
    Thumbnails,
    YesNo,
    plain,
    walk,
)
from generator.text.shape import measure

YES = "#2c7a3f"
NO = "#b3261e"
# A figure's largest share of a page's height, and that of a figure whose pieces need it: the rest holds
# its caption and a heading.
MAX_HEIGHT_SHARE = 0.7
MAX_ALONE_SHARE = 0.9

# The share of the page's width of a picture with text next to it.
PICTURE_SHARE = 0.36

# The factor by which such a picture may grow.
MAX_PICTURE_GROWTH = 1.25

# Height of the faces that illustrate a component, the share of a column that they take side by side if
# they are wide enough, and the gap between them.
THUMBNAIL_MM = 16.0
THUMBNAILS_SHARE = 0.46
THUMBNAIL_GAP_MM = 1.0

# Up to this number, thumbnails are large.
MAX_LARGE_THUMBNAILS = 12

# The number of components from which their list has two columns on a page with one, and the gap between
# these columns. Shorter lists seldom have to be split.
MIN_PAIRED_PARTS = 5
PAIR_GAP_MM = 6.0

# In such a list, texts are next to the pieces if pictures are scaled by this share or less.
MAX_BESIDE_SHARE = 0.7

# The longer side of a thumbnail, and the least width of its caption: five large or seven small ones
# across A4.
LARGE_MM = 24.0
LARGE_CELL_MM = 32.0
SMALL_MM = 15.0
SMALL_CELL_MM = 22.5

CELL_GAP_MM = 3.0
CAPTION_GAP_MM = 1.0

# Between a figure and its frame.
FRAME_PADDING_MM = 1.8

# The narrowest panel with a caption, and the narrowest and widest captions beside their pictures: the
# widest has 45 letters a line.
MIN_PANEL_MM = 28.0
MIN_BESIDE_MM = 27.0
MAX_BESIDE_MM = 60.0

# Between panels side by side, and below each other.
PANEL_GAP_MM = 4.2
PANEL_LEAD_MM = 3.5

# Pictures without a board that would be narrower move to another row.
LEAST_PICTURE_MM = 37.0

# Between a picture and the caption beside it.
BESIDE_GAP_MM = 3.0

# The smallest piece of a figure: as wide as this, people recognise it and read its signs.
MIN_PIECE_MM = 14.0

# The narrowest piece in a list of pieces.
MIN_THUMBNAIL_MM = 11.0

# Between a figure and a caption below it.
BELOW_GAP_MM = 1.6

# From the page's edge to a figure that is too wide for the type area: the 4.2 mm that printers clip, and
# a millimetre by which a fold may be off.
MIN_PAGE_MARGIN_MM = 5.2


def _least_scale(figure: Figure) -> float:
    """Return the scale of a figure's picture at which its pieces have their smallest size."""
    return MIN_PIECE_MM / figure.piece if figure.piece else 0.0


def _block_figures(block: FigureBlock | YesNo) -> tuple[Figure, ...]:
    if isinstance(block, FigureBlock):
        return (block.figure,)
    return tuple(panel.figure for panel in block.panels)


def _thumbnails(part: ComponentEntry, width: float, most: float, share: float = 1.0) -> FlowBox:
    """Return the pieces of a component side by side; in rows if they would be too small.

    They are as wide as `width` if possible, and at most as wide as `most`; `share` scales them.
    """
    fitting = int((most + THUMBNAIL_GAP_MM) / (MIN_THUMBNAIL_MM + THUMBNAIL_GAP_MM))
    rows = ceil(len(part.faces) / max(1, fitting))
    per_row = ceil(len(part.faces) / rows)
    available = (width + THUMBNAIL_GAP_MM) / per_row - THUMBNAIL_GAP_MM
    available = max(available, MIN_THUMBNAIL_MM)
    boxes = []
    for face in part.faces:
        least = min(THUMBNAIL_MM, MIN_THUMBNAIL_MM * face.size.h / min(face.size))
        scale = min(1.0, available / face.size.w, max(share * THUMBNAIL_MM, least) / face.size.h)
        boxes.append(thumbnail(face, scale * face.size.w, scale * face.size.h))
    made = [
        row(boxes[start : start + per_row], THUMBNAIL_GAP_MM)
        for start in range(0, len(boxes), per_row)
    ]
    return stack(made, max(box.width for box in made), THUMBNAIL_GAP_MM)


@dataclass(frozen=True)
class PictureSetter:
    """Makes the items of pictures."""

    coder: RuleCoder
    heights: Heights
    _captions: dict[tuple[Line, str, float], str] = field(default_factory=dict)

    def items(
        self, block: FigureBlock | YesNo | Components | Gallery | Thumbnails
    ) -> Iterator[FlowItem]:
        """Yield the items of a block of pictures."""
        match block:
            case FigureBlock():
                yield self.pictures(block)
            case YesNo():
                yield from self.panels(block)
            case Components(entries) | Gallery(entries):
                yield from self.entries(entries)
            case Thumbnails(thumbnails):
                yield from self.thumbnails(thumbnails)

    def pictures(self, block: FigureBlock | YesNo) -> FlowItem:
        """Return figures at the scale of the booklet; only pictures without a board vary in size."""
        figures = _block_figures(block)
        captions = (
            [block.caption]
            if isinstance(block, FigureBlock)
            else [panel.caption for panel in block.panels]
        )

        def box(width: float, share: float) -> FlowBox:
            if isinstance(block, FigureBlock):
                return self._figure(block, width, share)
            return self._panels(block, width, share)

        names = ", ".join(figure.name for figure in figures)
        small = any(
            figure.piece
            and (self._turned_scale(block) or self.scale_of(figure))
            < _least_scale(figure) - ROUNDING_MM
            for figure in figures
        )
        is_across = self._is_across(block)
        return FlowItem(
            box,
            before=2.8,
            after=3.9,
            across=is_across,
            floats=is_across,
            notes=self.coder.notes(*captions),
            name=names,
            fault=f"the pieces in {names} are too small to read comfortably" if small else "",
        )

    def panels(self, block: YesNo) -> Iterator[FlowItem]:
        """Yield figures side by side as one item; below each other, as one item each."""
        column = self.coder.form.column
        per_row = self._panels_per_row(block, self._panel_sizes(block, column, 1.0), column)
        if per_row > 1 or self._is_across(block):
            yield self.pictures(block)
            return
        fault = "figures that belong together are on different pages"
        apart = Tie(FIRM * 20, fault, column_share=0.05)
        last = len(block.panels) - 1
        for index, panel in enumerate(block.panels):
            item = self.pictures(YesNo((panel,)))
            yield replace(
                item,
                box=partial(self._lone_panel, block, index),
                before=PANEL_LEAD_MM if index else item.before,
                after=item.after if index == last else PANEL_LEAD_MM,
                tie=apart,
                give=2.0,
            )

    def _lone_panel(self, block: YesNo, index: int, width: float, share: float) -> FlowBox:
        """Return one of several panels, as wide as the column."""
        size = self._panel_sizes(block, width, share)[index]
        panel = self._panel(block.panels[index], size, width)
        return stack([panel], width, 0.0, middle=True)

    @cached_property
    def scale(self) -> float:
        """The scale of the booklet's figures: the format's, or the largest at which all of them fit.

        Figures that cannot fit even with pieces of the smallest size do not count.
        """
        figures = [
            figure
            for block in walk(self.coder.rules.blocks)
            if isinstance(block, FigureBlock | YesNo)
            for figure in _block_figures(block)
            if figure.piece
        ]
        fits = (max(self._largest_scale(figure), _least_scale(figure)) for figure in figures)
        return min(self.coder.form.pictures, *fits, inf)

    def scale_of(self, figure: Figure, share: float = 1.0) -> float:
        """Return the scale of a figure; `share` applies to pictures without a board."""
        if not figure.piece:
            return share * self.coder.form.pictures
        return min(max(self.scale, _least_scale(figure)), self._largest_scale(figure))

    def _largest_scale(self, figure: Figure) -> float:
        """Return the largest scale of a figure that fits in its column or, if too wide, on its page."""
        form = self.coder.form
        face = figure.face
        least = _least_scale(figure)
        framed = (form.width if figure.wide else form.column, form.width)
        widths = (width - 2 * self._frame_padding for width in framed)
        edge = form.size.w - 2 * MIN_PAGE_MARGIN_MM
        available = next((width for width in widths if width >= least * face.size.w), edge)
        page_scale = form.height / face.size.h
        return min(
            available / face.size.w,
            max(MAX_HEIGHT_SHARE * page_scale, min(least, MAX_ALONE_SHARE * page_scale)),
        )

    def _turned_scale(self, block: FigureBlock | YesNo) -> float:
        """Return the scale of a figure that is turned, with its head at the left; 0 for upright figures.

        A figure is turned, on a page of its own, if its pieces would be too small upright.
        """
        if not isinstance(block, FigureBlock) or not block.figure.piece:
            return 0.0
        form = self.coder.form
        face = block.figure.face
        least = _least_scale(block.figure)
        upright = self.scale_of(block.figure)
        if upright >= least - ROUNDING_MM:
            return 0.0
        available = form.height - sum(
            BELOW_GAP_MM + box.height for box in self._caption_below(block)
        )
        widest = form.size.w - 2 * MIN_PAGE_MARGIN_MM
        turned = min(widest / face.size.h, available / face.size.w, max(self.scale, least))
        return turned if turned > upright else 0.0

    def _caption_below(self, block: FigureBlock) -> list[FlowBox]:
        """Return the caption of a figure across the page; nothing for a figure without one."""
        if not block.caption:
            return []
        width = self.coder.form.width
        return [words(self.heights, self._caption(block.caption, "center", width))(width)]

    def _is_across(self, block: FigureBlock | YesNo) -> bool:
        """Return True for figures across the page: those that ask for it, and those that need it."""
        figures = _block_figures(block)
        column = self.coder.form.column
        return self._turned_scale(block) > 0 or any(
            figure.wide
            or (
                figure.piece
                and self._framed_width(figure, self.scale_of(figure)) > column + ROUNDING_MM
            )
            for figure in figures
        )

    def _size(self, face: Face, available: float, share: float) -> tuple[float, float]:
        max_height = MAX_HEIGHT_SHARE * self.coder.form.height
        scale = min(
            share * self.coder.form.pictures, available / face.size.w, max_height / face.size.h
        )
        return scale * face.size.w, scale * face.size.h

    def _figure(self, block: FigureBlock, width: float, share: float) -> FlowBox:
        face = block.figure.face
        if scale := self._turned_scale(block):
            w = scale * face.size.h
            h = scale * face.size.w
            alt = block.figure.alt or block.figure.name
            turned = FlowBox(w, h, (SetPicture(0, 0, w, h, face, alt, turned=True),))
            return stack([turned, *self._caption_below(block)], width, BELOW_GAP_MM, middle=True)
        if block.figure.piece:
            own = self.scale_of(block.figure)
            size = own * face.size.w, own * face.size.h
        else:
            size = self._size(face, width - 2 * self._frame_padding, share)
        return self._panel(Panel(None, block.figure, block.caption), size, width)

    @property
    def _frame_padding(self) -> float:
        """The width of a frame at each side of a figure."""
        return FRAME_PADDING_MM if self.coder.rules.style.theme.frame else 0.0

    def _framed_width(self, figure: Figure, scale: float) -> float:
        return scale * figure.face.size.w + 2 * self._frame_padding

    def _framed(self, box: FlowBox) -> FlowBox:
        """Return a figure in its frame; one that is too wide for a frame has none."""
        frame = self.coder.rules.style.theme.frame
        if not frame or box.width + 2 * self._frame_padding > self.coder.form.width + ROUNDING_MM:
            return box
        width, colour = frame
        rectangle = SetRectangle(
            0, 0, 0, 0, fill="#ffffff", stroke=colour, thickness=width, radius=1.2
        )
        return frame_box(box, box.width + 2 * FRAME_PADDING_MM, FRAME_PADDING_MM, rectangle)

    def _caption(self, line: Line, align: str, width: float) -> str:
        """Return a caption in lines of about equal length.

        No word is hyphenated that fits on a line. A caption is written once, and not for each size
        that is tried of its picture.
        """
        key = line, align, width
        if key not in self._captions:
            style = replace(self.coder.small, italic=True, align=align)
            no_hyphens = (
                " set text(hyphenate: false);" if self._widest_word([line]) <= width else ""
            )
            text = self.coder.paragraph(line, style)
            self._captions[key] = f"align({align}, level({{{no_hyphens} {text} }}))"
        return self._captions[key]

    def _panels(self, block: YesNo, width: float, share: float) -> FlowBox:
        """Return the panels side by side, as many as fit, in rows of about the same number."""
        sizes = self._panel_sizes(block, width, share)
        per_row = self._panels_per_row(block, sizes, width)
        cells = list(zip(block.panels, sizes, strict=True))
        rows = [cells[start : start + per_row] for start in range(0, len(cells), per_row)]
        widths = self._cell_widths(block, sizes, per_row)
        spare = (width - sum(widths) - PANEL_GAP_MM * (per_row - 1)) / per_row
        made = [
            row(
                [
                    self._panel(panel, size, each + spare)
                    for (panel, size), each in zip(panels, widths, strict=False)
                ],
                PANEL_GAP_MM,
            )
            for panels in rows
        ]
        return stack(made, width, PANEL_LEAD_MM, middle=True)

    def _panel_sizes(self, block: YesNo, width: float, share: float) -> list[tuple[float, float]]:
        """Return the sizes of pictures side by side, with tiles of one size."""
        max_height = MAX_HEIGHT_SHARE * self.coder.form.height
        widths_needed = [
            (scale * panel.figure.face.size.w, scale * panel.figure.face.size.h)
            for panel, scale in zip(block.panels, block.scales, strict=True)
        ]
        fits = min(
            self.scale_of(panel.figure, share) / scale
            for panel, scale in zip(block.panels, block.scales, strict=True)
        )
        if not any(panel.figure.piece for panel in block.panels):
            each = self._even_width(len(block.panels), width) - 2 * self._frame_padding
            fits = min(
                [
                    fits,
                    *(each / w for w, _ in widths_needed),
                    *(max_height / h for _, h in widths_needed),
                ]
            )
        return [(fits * w, fits * h) for w, h in widths_needed]

    def _even_width(self, count: int, width: float) -> float:
        """Return the width of each panel if as many as possible stand side by side."""
        least = LEAST_PICTURE_MM + PANEL_GAP_MM
        rows = ceil(count / max(1, min(count, int((width + PANEL_GAP_MM) // least))))
        return (width + PANEL_GAP_MM) / ceil(count / rows) - PANEL_GAP_MM

    def _cell_widths(
        self, block: YesNo, sizes: Sequence[tuple[float, float]], per_row: int
    ) -> list[float]:
        """Return the least width of each column of panels."""
        cells = [
            max(w + 2 * self._frame_padding, MIN_PANEL_MM if panel.caption else 0.0)
            for panel, (w, _) in zip(block.panels, sizes, strict=True)
        ]
        return [max(cells[column::per_row]) for column in range(per_row)]

    def _panels_per_row(
        self, block: YesNo, sizes: Sequence[tuple[float, float]], width: float
    ) -> int:
        """Return the number of panels in a row: as many as fit, spread evenly over the rows."""
        count = len(sizes)
        for rows in range(1, count):
            per_row = ceil(count / rows)
            widths = self._cell_widths(block, sizes, per_row)
            if sum(widths) + PANEL_GAP_MM * (per_row - 1) <= width + ROUNDING_MM:
                return per_row
        return 1

    def _panel(self, panel: Panel, size: tuple[float, float], width: float) -> FlowBox:
        """Return a picture with its verdict and its caption, which is beside it if there is space."""
        ui_words = self.coder.rules.words
        framed = self._framed(
            picture(panel.figure.face, *size, alt=panel.figure.alt or panel.figure.name)
        )
        verdict = ""
        if panel.good is not None:
            colour, word, sign = (
                (YES, ui_words.yes, "tick") if panel.good else (NO, ui_words.no, "cross")
            )
            set_rules = self.coder.set_rules(self.coder.small)
            verdict = f'{{ {set_rules} verdict({sign}, {typst_string(word)}, rgb("{colour}")) }}'
        parts = [framed]
        if verdict:
            parts.insert(0, words(self.heights, verdict)(width))
        if panel.caption:
            align = "center" if panel.good is None else "left"
            parts.append(words(self.heights, self._caption(panel.caption, align, width))(width))
        below = stack(parts, width, BELOW_GAP_MM, middle=panel.good is None)
        beside_width = min(width - framed.width - BESIDE_GAP_MM, MAX_BESIDE_MM)
        if not panel.caption or beside_width < MIN_BESIDE_MM:
            return below
        codes = [verdict, self._caption(panel.caption, "left", beside_width)]
        texts = [words(self.heights, code)(beside_width) for code in codes if code]
        next_to_it = row(
            [framed, stack(texts, beside_width, BELOW_GAP_MM)], BESIDE_GAP_MM, middle=True
        )
        if panel.figure.wide:
            next_to_it = stack([next_to_it], width, 0.0, middle=True)
        # A long caption beside a low figure may be higher than both below each other.
        return min(next_to_it, below, key=lambda box: box.height)

    def thumbnails(self, items: Sequence[Thumbnail]) -> Iterator[FlowItem]:
        """Yield an item per row of thumbnails, so that no page ends inside a row.

        As many stand in a row as the widest word of all captions allows, so that no word is broken.
        """
        longest, cell = (
            (LARGE_MM, LARGE_CELL_MM)
            if len(items) <= MAX_LARGE_THUMBNAILS
            else (SMALL_MM, SMALL_CELL_MM)
        )
        widest_word = self._widest_word(item.caption for item in items)
        width = self.coder.form.width
        per_row = max(1, int((width + CELL_GAP_MM) / (max(cell, widest_word) + CELL_GAP_MM)))
        each = (width + CELL_GAP_MM) / per_row - CELL_GAP_MM
        style = replace(self.coder.small, colour=INK)
        set_rules = self.coder.set_rules(style)
        if widest_word <= each:
            set_rules += " set text(hyphenate: false);"
        cells = [
            (item.face, f"{{ {set_rules} par[{self.coder.inline(item.caption, style)}] }}")
            for item in items
        ]
        for start in range(0, len(cells), per_row):
            yield self._thumbnail_row(cells[start : start + per_row], min(longest, each), each)

    def _widest_word(self, captions: Iterable[Line]) -> float:
        """Return the width of the widest word of some captions, in mm."""
        font = self.coder.fonts.find(BODY, 700)
        texts = {word for caption in captions for word in plain(caption).split()}
        return max(
            (measure(word, font, self.coder.small.size * MM_PER_PT) for word in texts), default=0.0
        )

    def _thumbnail_row(
        self, cells: Sequence[tuple[Face, str]], longest: float, width: float
    ) -> FlowItem:
        """Return a row of pictures, whose lower edges are level, each above its caption in typst's code.

        The longer side of each picture, and the width of each cell, are in mm.
        """
        shares = [longest / max(face.size) for face, _ in cells]
        pictures = [
            thumbnail(face, share * face.size.w, share * face.size.h)
            for (face, _), share in zip(cells, shares, strict=True)
        ]
        tallest = max(thumbnail_box.height for thumbnail_box in pictures)
        level = [
            FlowBox(width, tallest, thumbnail_box.at(0, tallest - thumbnail_box.height))
            for thumbnail_box in pictures
        ]

        def box(_width: float, _share: float) -> FlowBox:
            captions = [words(self.heights, code)(width) for _, code in cells]
            pairs = zip(level, captions, strict=True)
            return row([stack(pair, width, CAPTION_GAP_MM) for pair in pairs], CELL_GAP_MM)

        return FlowItem(box, before=1.5, after=3.0, across=True, tie=Tie(LOOSE))

    def entries(self, entries: Sequence[ComponentEntry | GalleryItem]) -> Iterator[FlowItem]:
        """Yield the contents of the box, or pictures across the page, below each other.

        Both stay on one page if they fit. A list of contents may go on in the next column, but no
        item stands on its own there.
        """
        parts = [entry for entry in entries if isinstance(entry, ComponentEntry)]
        pictured = [entry for entry in entries if isinstance(entry, GalleryItem)]
        columns = self.coder.form.columns
        per_row = 2 if columns == 1 and len(parts) >= MIN_PAIRED_PARTS else 1
        rows = [
            self._parts(parts[start : start + per_row], parts, per_row)
            for start in range(0, len(parts), per_row)
        ]
        rows += [
            self._gallery_pictures(pictured[start : start + columns])
            for start in range(0, len(pictured), columns)
        ]
        for index, item in enumerate(rows):
            torn = Tie(0.8 * HELD, "a list is split with one item on its own")
            inner = parts and 0 < index < len(rows) - 2
            yield replace(
                item, tie=Tie(0.8 * HELD, column_share=LOOSE / HELD) if inner else torn, give=6.0
            )

    def _parts(
        self, parts: Sequence[ComponentEntry], all_parts: Sequence[ComponentEntry], per_row: int
    ) -> FlowItem:
        """Return some components of a list side by side, each with its pieces; all texts of the list are aligned.

        In a list with several columns, the texts are below the pieces, which shrink and grow with
        other pictures; if these have to be small, the texts are next to the pieces.
        """

        def box(width: float, share: float) -> FlowBox:
            each = (width + PAIR_GAP_MM) / per_row - PAIR_GAP_MM
            if per_row > 1 and share > MAX_BESIDE_SHARE:
                return self._part_row_above(parts, each, share)
            return self._part_row(parts, all_parts, each)

        notes = [note for part in parts for note in self.coder.notes(part.line)]
        return FlowItem(box, before=1, after=2.5, notes=tuple(notes))

    def _part_row_above(
        self, parts: Sequence[ComponentEntry], each: float, share: float
    ) -> FlowBox:
        """Return a row of components in cells of a width, with their pieces above their texts."""
        pieces = [_thumbnails(part, each, each, min(MAX_PICTURE_GROWTH, share)) for part in parts]
        tallest = max(box.height for box in pieces)
        cells = []
        for part, faces in zip(parts, pieces, strict=True):
            text = words(self.heights, f"{{ {self._part_words(part)} }}")(each)
            level = FlowBox(each, tallest, faces.things)
            cells.append(stack([level, text], each, CAPTION_GAP_MM))
        return row(cells, PAIR_GAP_MM)

    def _part_row(
        self, parts: Sequence[ComponentEntry], all_parts: Sequence[ComponentEntry], each: float
    ) -> FlowBox:
        """Return a row of components in cells of a width, with their pieces next to their texts."""
        share = THUMBNAILS_SHARE * each
        most = each - BESIDE_GAP_MM - MIN_BESIDE_MM
        widths = [_thumbnails(part, share, most).width for part in all_parts if part.faces]
        cells = []
        for part in parts:
            text = words(self.heights, f"{{ {self._part_words(part)} }}")
            if not part.faces:
                cells.append(text(each))
                continue
            faces = _thumbnails(part, share, most)
            left = FlowBox(max(widths), faces.height, faces.things)
            cells.append(row([left, text(each - left.width - BESIDE_GAP_MM)], BESIDE_GAP_MM))
        return row(cells, PAIR_GAP_MM)

    def _part_words(self, part: ComponentEntry) -> str:
        """Return the number, title and description of a component as typst code."""
        coder = self.coder
        head = (Span(f"{part.count} × ", bold=True), Span(part.title, bold=True))
        code = coder.paragraph(head, replace(coder.text, align="left"))
        if part.line:
            code += f"; v(0.35em, weak: true); {coder.paragraph(part.line, coder.small)}"
        return code

    def _gallery_pictures(self, items: Sequence[GalleryItem]) -> FlowItem:
        """Return pictures across the page: one with its text next to it, or a row with texts below.

        Pictures may shrink, so that a page holds more of them, or grow.
        """

        def box(width: float, share: float) -> FlowBox:
            if self.coder.form.columns == 1:
                return self._beside(items[0], width, min(MAX_PICTURE_GROWTH, share))
            each = self.coder.form.column
            return row(
                [self._below(item, each, min(1.0, share)) for item in items], self.coder.form.gap
            )

        notes = self.coder.notes(*(line for item in items for line in (item.title, item.line)))
        return FlowItem(box, before=1.8, after=1.8, across=True, notes=notes)

    def _beside(self, item: GalleryItem, width: float, share: float) -> FlowBox:
        picture_width = PICTURE_SHARE * max(1.0, share) * width
        w, h = self._size(item.face, PICTURE_SHARE * width * share, MAX_PICTURE_GROWTH)
        left = FlowBox(
            picture_width,
            h,
            picture(item.face, w, h, alt=plain(item.title)).at((picture_width - w) / 2, 0),
        )
        return row(
            [left, words(self.heights, self._gallery_words(item))(width - picture_width - 4)],
            4.0,
            middle=True,
        )

    def _below(self, item: GalleryItem, width: float, share: float) -> FlowBox:
        picture_box = picture(
            item.face, *self._size(item.face, width * share, 1.0), alt=plain(item.title)
        )
        return stack(
            [picture_box, words(self.heights, self._gallery_words(item))(width)], width, 2.2
        )

    def _gallery_words(self, item: GalleryItem) -> str:
        coder = self.coder
        title = coder.paragraph(item.title, coder.heading(3))
        return f"{{ {{ {title} }}; v(0.5em, weak: true); {{ {coder.paragraph(item.line, coder.text)} }} }}"
