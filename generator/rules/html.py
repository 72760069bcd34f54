"""Write rules as one web page that needs no other file: it contains its pictures and fonts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import count, takewhile, zip_longest
from typing import Any, Literal

from generator.base.fonts import FontFile, FontSet
from generator.base.html import Html, escape_html, html, join_html
from generator.picture.face import Face
from generator.picture.items import Picture, fonts_of, words_of
from generator.picture.web_parts import FULL_WIDTH, Share, Sprite, compose_page, make_sprite
from generator.rules.game_page import art_with_fonts, enlarging, font_rule, game_style, hero
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
    Inline,
    Line,
    Listing,
    PageBreak,
    PageRef,
    Panel,
    Paragraph,
    Rules,
    Span,
    Table,
    Thumbnails,
    YesNo,
    plain,
)
from generator.text.bidi import is_rtl_language

BODY = "Alegreya"

# Pictures that are wider than this many times their height are scrolled sideways on a phone.
MAX_UNSCROLLED_RATIO = 1.4

_ENTITIES = "<>&'\""


def font_rules(
    fonts: FontSet, heading: FontFile, text: str, pictures: Iterable[Picture]
) -> Iterator[str]:
    """Yield an `@font-face` rule for every font that sets the page's text or its pictures."""
    used = {font.key for picture in pictures for font in fonts_of(picture)}
    used_fonts = (
        {letter for picture in pictures for word in words_of(picture) for letter in word}
        | set(_ENTITIES)
        | {" "}
    )
    for font in fonts.files:
        letters = (
            set(text)
            if font == heading or (font.family == BODY and font.weight in {400, 700})
            else set()
        )
        letters |= used_fonts if font.key in used else set()
        if letters:
            yield font_rule(font, letters)


# Closing punctuation, which stays on the line of the icon before it.
_CLOSING = re.compile(r"[,.;:!?)]+")


def _closing_mark(part: Inline) -> str:
    """Return the punctuation with which an unstyled text starts."""
    if not isinstance(part, Span) or part != Span(part.text):
        return ""
    match = _CLOSING.match(part.text)
    return match[0] if match else ""


@dataclass(frozen=True)
class Writer:
    """Writes one game's rules as the body of a page; `pictures` shows each of them once and then refers to it."""

    rules: Rules
    pictures: Sprite
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def blocks(self, blocks: tuple[Block, ...]) -> Html:
        """Return the HTML of the blocks, one after the other."""
        return join_html(filter(None, map(self._block, blocks)), "\n")

    def line(self, line: Line) -> Html:
        """Return the HTML of a line of text."""
        return join_html(self._inlines(line))

    def _inlines(self, line: Line) -> Iterator[Html]:
        """Yield the HTML of each part of a line; an icon takes the punctuation after it along."""
        mark = ""
        for part, after in zip_longest(line, line[1:]):
            if isinstance(part, PageRef):
                yield self._reference(part)
                continue
            text = self._span(replace(part, text=part.text[len(mark) :]))
            mark = _closing_mark(after) if part.icon else ""
            yield (
                html('<span class="tight">$icon$mark</span>', icon=text, mark=mark)
                if mark
                else text
            )

    def _block(self, block: Block) -> Html:
        """Return the HTML of a block; a page break has none."""
        writers: dict[type[Block], Callable[[Any], Html]] = {
            Heading: self._heading,
            Paragraph: lambda text: html("<p>$line</p>", line=self.line(text.line)),
            Listing: self._list,
            Table: self._table,
            FigureBlock: self._figure_block,
            YesNo: self._panels,
            Components: lambda box: join_html(map(self._part, box.parts), "\n"),
            Gallery: lambda block: join_html(map(self._gallery_item, block.items), "\n"),
            Thumbnails: self._thumbnails,
            Callout: self._callout,
            Credits: self._credits,
            PageBreak: lambda _: Html(),
        }
        return writers[type(block)](block)

    def _figure_block(self, block: FigureBlock) -> Html:
        picture = self._picture(block.figure.face, block.figure.alt, block.caption)
        return self._figure(picture, block.caption, kind="wide" if block.figure.wide else "column")

    def _picture(self, face: Face, alt: str, caption: Line = (), share: Share = FULL_WIDTH) -> Html:
        """Return a picture that opens large."""
        words = self.rules.words
        label = alt or plain(caption) or words.enlarge
        return enlarging(
            self.pictures.use(face, alt or label, share=share),
            join_html((self.pictures.use(face, alt or label), self._figcaption(caption))),
            f"large-{next(self._numbers)}",
            label,
            (words.enlarge, words.close),
            is_wide=face.size.w > MAX_UNSCROLLED_RATIO * face.size.h,
        )

    def _heading(self, block: Heading) -> Html:
        line = self.line(block.line)
        return html(
            '<h$level id="$slug"><span>$line</span></h$level>',
            level=block.level,
            slug=block.slug,
            line=line,
        )

    def _callout(self, block: Callout) -> Html:
        return html(
            '<aside class="$tone"><strong>$label</strong>\n$inside</aside>',
            tone=block.tone,
            label=block.label,
            inside=self.blocks(block.blocks),
        )

    def _credits(self, block: Credits) -> Html:
        lines = join_html(html("<p>$line</p>", line=self.line(line)) for line in block.lines)
        return html('<div class="credits">$lines</div>', lines=lines)

    def _list(self, block: Listing) -> Html:
        items = join_html(
            html("<li>$blocks</li>", blocks=self.blocks(item)) for item in block.items
        )
        if not block.start:
            return html("<ul>$items</ul>", items=items)
        # The style sheet draws the numbers, by a counter.
        start = (
            html(
                ' start="$start" style="--from:$before"', start=block.start, before=block.start - 1
            )
            if block.start != 1
            else ""
        )
        return html("<ol$start>$items</ol>", start=start, items=items)

    def _table(self, block: Table) -> Html:
        head = self._row(block.head, block.aligns, "th") if any(map(plain, block.head)) else ""
        return html(
            '<div class="table"><table$kind>$head<tbody>$rows</tbody></table></div>',
            kind=html(' class="players"') if block.players else "",
            head=html("<thead>$row</thead>", row=head) if head else "",
            rows=join_html(self._row(row, block.aligns, "td") for row in block.rows),
        )

    def _row(self, cells: Sequence[Line], aligns: Sequence[str], tag: Literal["td", "th"]) -> Html:
        elements = (
            html(
                '<$tag$scope style="text-align:$align">$line</$tag>',
                tag=tag,
                scope=html(' scope="col"') if tag == "th" else "",
                align=align,
                line=self.line(cell),
            )
            for cell, align in zip(cells, aligns, strict=True)
        )
        return html("<tr>$cells</tr>", cells=join_html(elements))

    def _figure(
        self, picture: Html, caption: Line, head: Html | None = None, kind: str = ""
    ) -> Html:
        return html(
            "<figure$kind>$head$picture$words</figure>",
            kind=html(' class="$kind"', kind=kind) if kind else "",
            head=head or "",
            picture=picture,
            words=self._figcaption(caption),
        )

    def _figcaption(self, caption: Line) -> Html:
        return (
            html("<figcaption>$line</figcaption>", line=self.line(caption)) if caption else Html()
        )

    def _panels(self, block: YesNo) -> Html:
        widths = [
            scale * panel.figure.face.size.w
            for panel, scale in zip(block.panels, block.scales, strict=True)
        ]
        shares = (
            Share(width / max(widths), scale)
            for width, scale in zip(widths, block.scales, strict=True)
        )
        panels = join_html(
            self._panel(panel, share) for panel, share in zip(block.panels, shares, strict=True)
        )
        is_plain = all(panel.good is None for panel in block.panels)
        kind = "panels plain" if is_plain else "panels"
        return html('<div class="$kind">$panels</div>', kind=kind, panels=panels)

    def _thumbnails(self, block: Thumbnails) -> Html:
        """Return small pictures side by side, each above its caption."""
        figures = join_html(
            self._figure(self._picture(item.face, "", item.caption), item.caption)
            for item in block.items
        )
        return html('<div class="panels plain">$figures</div>', figures=figures)

    def _panel(self, panel: Panel, share: Share) -> Html:
        figure = panel.figure
        picture = self._picture(figure.face, figure.alt, panel.caption, share)
        return self._figure(picture, panel.caption, self._verdict(panel))

    def _verdict(self, panel: Panel) -> Html | None:
        """Return the HTML of a tick or a cross, if the panel has one."""
        if panel.good is None:
            return None
        words = self.rules.words
        kind, sign, word = ("yes", "✓", words.yes) if panel.good else ("no", "✗", words.no)
        template = '<p class="verdict $kind"><span aria-hidden="true">$sign</span> $word</p>'
        return html(template, kind=kind, sign=sign, word=word)

    def _part(self, part: ComponentEntry) -> Html:
        return html(
            '<div class="part"><div class="thumbs">$faces</div>'
            "<div><p><strong>$count × $title</strong></p>$text</div></div>",
            faces=join_html(self._picture(face, part.title) for face in part.faces),
            count=part.count,
            title=part.title,
            text=html("<p>$line</p>", line=self.line(part.line)) if part.line else "",
        )

    def _gallery_item(self, item: GalleryItem) -> Html:
        return html(
            '<div class="shown">$picture<div><p class="title">$title</p><p>$line</p></div></div>',
            picture=self._picture(item.face, "", item.title),
            title=self.line(item.title),
            line=self.line(item.line),
        )

    def _reference(self, ref: PageRef) -> Html:
        """Return a link to a heading, named by its title unless it has words."""
        titles = {heading.slug: heading.text for heading in self.rules.headings}
        title = titles[ref.first]
        if ref.last not in {"", ref.first}:
            title += f" – {titles[ref.last]}"
        words = self.line(ref.spans) or title
        return html('<a href="#$slug">$words</a>', slug=ref.first, words=words)

    def _span(self, span: Span) -> Html:
        if span.note:
            return html(
                '<sup><a href="#note-$number" role="doc-noteref">$number</a></sup>',
                number=span.note,
            )
        if span.icon:
            return self.pictures.use(
                self.rules.icons[span.icon], span.icon.replace("-", " "), "icon"
            )
        text = html("<br>") if span.text == "\n" else escape_html(span.text)
        text = html("<strong>$text</strong>", text=text) if span.bold else text
        text = html("<em>$text</em>", text=text) if span.italic else text
        return (
            html('<a href="$address">$text</a>', address=span.address, text=text)
            if span.address
            else text
        )

    def body(self) -> Html:
        """Return the HTML of the body."""
        rules = self.rules
        theme = rules.style.theme
        cover = rules.style.cover
        # Rules without sections are all text: they begin below the cover.
        opening = (
            tuple(takewhile(lambda block: isinstance(block, Paragraph), rules.blocks))
            if self._listed
            else ()
        )
        lead = join_html(
            html('<p class="lead">$line</p>', line=self.line(block.line))
            for block in opening
            if isinstance(block, Paragraph)
        )
        # The style sheet shows a part of the theme only where there is one.
        parts = {
            "begun": theme.initial,
            "marked": theme.pictures.mark,
            "numbered": theme.pictures.numeral,
            "dotted": theme.pictures.bullet,
        }
        kinds = " ".join((theme.heading_style, *(name for name, part in parts.items() if part)))
        return html(
            '<div class="game">$hero<main class="$kinds">\n$blocks\n$notes$up</main>\n<footer>$footer</footer></div>',
            hero=hero(
                rules.style,
                rules.title,
                self.pictures.use(cover, rules.title) if cover else Html(),
                join_html((lead, self._contents())),
            ),
            kinds=kinds,
            blocks=self.blocks(rules.blocks[len(opening) :]),
            notes=self._notes(),
            up=self._up(),
            footer=rules.footer,
        )

    @property
    def _listed(self) -> list[Heading]:
        """The headings of the table of contents."""
        return [heading for heading in self.rules.headings if heading.level <= 3]

    def _contents(self) -> Html:
        """Return the HTML of the table of contents; a page without headings has none."""
        if not self._listed:
            return Html()
        entries = (
            html(
                '<li$kind><a href="#$slug">$text</a></li>',
                kind=html(' class="deeper"') if heading.level > 2 else "",
                slug=heading.slug,
                text=heading.text,
            )
            for heading in self._listed
        )
        return html(
            '<nav id="contents" aria-label="$title"><ol>\n$entries\n</ol></nav>\n',
            title=self.rules.words.contents,
            entries=join_html(entries, "\n"),
        )

    def _up(self) -> Html:
        """Return the link to the table of contents, which stays in view."""
        if not self._listed:
            return Html()
        template = '<p class="up"><a class="pill" href="#contents">↑ $contents</a></p>\n'
        return html(template, contents=self.rules.words.contents)

    def _notes(self) -> Html:
        """Return the HTML of the footnotes."""
        if not self.rules.notes:
            return Html()
        items = (
            html(
                '<li id="note-$number" value="$number">$line</li>',
                number=number,
                line=self.line(line),
            )
            for number, line in self.rules.notes.items()
        )
        return html('<ol class="credits">$items</ol>\n', items=join_html(items))


def render_html(rules: Rules, fonts: FontSet) -> Html:
    """Return the rules as an HTML page."""
    faces = tuple({face.name: face for face in rules.pictures}.values())
    pictures = make_sprite(faces, art_with_fonts)
    body = Writer(rules, pictures).body()
    style = rules.style
    css = (files(__package__) / "page.css").read_text(encoding="utf-8")
    return compose_page(
        rules.title,
        rules.language,
        "\n".join(
            (
                *font_rules(fonts, style.heading, body, faces),
                game_style(style, style.heading.family),
                css,
            )
        ),
        join_html((pictures.symbols, body), "\n"),
        is_rtl=is_rtl_language(rules.language),
    )
