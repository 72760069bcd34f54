"""Write rules as one web page that needs no other file: it contains its pictures and fonts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import zip_longest
from typing import Any, Literal
from xml.etree import ElementTree as ET

import uharfbuzz as hb

from generator.base.fonts import FontFile, FontSet, take_glyphs
from generator.base.html import Html, escape_html, html, join_html
from generator.picture.items import Art, Picture, fonts_of, words_of
from generator.picture.svg import art_data_address
from generator.picture.svg_table import SVG
from generator.picture.web import Share, Sprite, compose_page, css_text, font_face, make_sprite
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
from generator.rules.theme import Theme
from generator.text.bidi import is_rtl_language

BODY = "Alegreya"

_ENTITIES = "<>&'\""


def font_rules(
    fonts: FontSet, heading: FontFile, text: str, pictures: Iterable[Picture]
) -> Iterator[str]:
    """Yield an `@font-face` rule for every font that sets the page's text or its pictures."""
    used = {font.key for picture in pictures for font in fonts_of(picture)}
    drawn = (
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
        letters |= drawn if font.key in used else set()
        if letters:
            yield _font_rule(font, letters)


def _art_with_fonts(art: Art) -> str:
    """Return the address of art that carries the fonts of its texts: a browser gives an image none of the page's."""
    if not art.fonts:
        return art_data_address(art)
    letters = {letter for word in art.words for letter in word} | {" "}
    rules = "".join(_font_rule(font, letters) for font in art.fonts)
    root = ET.fromstring(art.svg)
    style = ET.Element(f"{{{SVG}}}style")
    style.text = rules
    root.insert(0, style)
    return art_data_address(replace(art, svg=ET.tostring(root, encoding="unicode")))


def _font_rule(font: FontFile, letters: set[str]) -> str:
    """Return an `@font-face` rule for a font, subset to some letters."""
    return font_face(font.family, font.weight, _subset(font, letters), italic=font.italic)


def _subset(font: FontFile, letters: set[str]) -> bytes:
    """Return the file of a font, subset to some letters."""
    options = hb.SubsetInput()
    options.unicode_set.update({ord(letter) for letter in letters})
    return take_glyphs(hb.Blob.from_file_path(str(font.path)), options, font.key)


# Closing punctuation, which stays on the line of the icon before it.
_CLOSING = re.compile(r"[,.;:!?)]+")


def _closing_mark(part: Inline) -> str:
    """Return the punctuation with which an unstyled text starts."""
    if not isinstance(part, Span) or part != Span(part.text):
        return ""
    found = _CLOSING.match(part.text)
    return found[0] if found else ""


@dataclass(frozen=True)
class Writer:
    """Writes one game's rules as the body of a page; `pictures` shows each of them once and then refers to it."""

    rules: Rules
    pictures: Sprite

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
        picture = self.pictures.use(block.figure.face, block.figure.alt)
        return self._figure(picture, block.caption)

    def _heading(self, block: Heading) -> Html:
        line = self.line(block.line)
        return html(
            '<h$level id="$slug">$line</h$level>', level=block.level, slug=block.slug, line=line
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
        start = html(' start="$start"', start=block.start) if block.start != 1 else ""
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
        made = (
            html(
                '<$tag$scope style="text-align:$align">$line</$tag>',
                tag=tag,
                scope=html(' scope="col"') if tag == "th" else "",
                align=align,
                line=self.line(cell),
            )
            for cell, align in zip(cells, aligns, strict=True)
        )
        return html("<tr>$cells</tr>", cells=join_html(made))

    def _figure(self, picture: Html, caption: Line, head: Html | None = None) -> Html:
        words = html("<figcaption>$line</figcaption>", line=self.line(caption)) if caption else ""
        return html(
            "<figure>$head$picture$words</figure>", head=head or "", picture=picture, words=words
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
            self._figure(self.pictures.use(item.face, ""), item.caption) for item in block.items
        )
        return html('<div class="panels plain">$figures</div>', figures=figures)

    def _panel(self, panel: Panel, share: Share) -> Html:
        picture = self.pictures.use(panel.figure.face, panel.figure.alt, share=share)
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
            faces=join_html(self.pictures.use(face, "") for face in part.faces),
            count=part.count,
            title=part.title,
            text=html("<p>$line</p>", line=self.line(part.line)) if part.line else "",
        )

    def _gallery_item(self, item: GalleryItem) -> Html:
        return html(
            '<div class="shown">$picture<div><p class="title">$title</p><p>$line</p></div></div>',
            picture=self.pictures.use(item.face, ""),
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
        return html(
            "<header><h1$lettered>$title</h1>$cover</header>\n$contents"
            "<main$kind>\n$blocks\n$notes</main>\n<footer>$footer</footer>",
            title=rules.title,
            lettered=html(' class="lettered"')
            if rules.look.cover and rules.look.theme.lettered
            else "",
            cover=self._cover(),
            contents=self._contents(),
            kind=html(' class="begun"') if rules.look.theme.initial else "",
            blocks=self.blocks(rules.blocks),
            notes=self._notes(),
            footer=rules.footer,
        )

    def _cover(self) -> Html:
        cover = self.rules.look.cover
        return self.pictures.use(cover, self.rules.title) if cover else Html()

    def _contents(self) -> Html:
        """Return the HTML of the table of contents; a page without headings has none."""
        headings = [heading for heading in self.rules.headings if heading.level <= 3]
        if not headings:
            return Html()
        entries = (
            html(
                '<li$kind><a href="#$slug">$text</a></li>',
                kind=html(' class="deeper"') if heading.level > 2 else "",
                slug=heading.slug,
                text=heading.text,
            )
            for heading in headings
        )
        return html(
            "<nav><details><summary>$title</summary><ol>\n$entries\n</ol></details></nav>\n",
            title=self.rules.words.contents,
            entries=join_html(entries, "\n"),
        )

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


def _theme_css(theme: Theme) -> str:
    """Return the CSS variables of the theme's colours that a screen uses."""
    band = (
        f"--band:{theme.band};--on-band:{theme.on_band};--room:.3rem .7rem;" if theme.band else ""
    )
    others = {"box": theme.box, "initial": theme.initial}
    return band + "".join(f"--{name}:{colour};" for name, colour in others.items() if colour)


def render_html(rules: Rules, fonts: FontSet) -> Html:
    """Return the rules as an HTML page."""
    faces = tuple({face.name: face for face in rules.pictures}.values())
    pictures = make_sprite(faces, _art_with_fonts)
    body = Writer(rules, pictures).body()
    look = rules.look
    colours = (
        f":root{{--heading:{css_text(look.heading.family)};--weight:{look.heading.weight};"
        f"--colour:{look.colour};--accent:{look.accent};{_theme_css(look.theme)}}}"
    )
    css = (files(__package__) / "page.css").read_text(encoding="utf-8")
    return compose_page(
        rules.title,
        rules.language,
        "\n".join((*font_rules(fonts, look.heading, body, faces), colours, css)),
        join_html((pictures.symbols, body), "\n"),
        is_rtl=is_rtl_language(rules.language),
    )
