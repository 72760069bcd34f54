"""Write rules as one web page that needs no other file: it contains its pictures and fonts."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from typing import Any

import uharfbuzz as hb

from generator.base.fonts import FontFile, FontSet, take_glyphs
from generator.picture.face import Face
from generator.picture.items import Art, Picture, fonts_of, words_of
from generator.picture.svg import art_data_address
from generator.picture.web import Share, Sprite, css_text, font_face, policy, sprite
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

_FAMILIES = re.compile(r"font-family\s*[=:]\s*[\"']?([^\";>]+)")
_TAG = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
_ENTITIES = "<>&'\""


def font_rules(fonts: FontSet, heading: FontFile, text: str, pictures: Iterable[Picture]) -> Iterator[str]:
    """Yield an `@font-face` rule for every font that sets the page's text or its pictures."""
    used = {font.key for picture in pictures for font in fonts_of(picture)}
    drawn = {letter for picture in pictures for word in words_of(picture) for letter in word} | set(_ENTITIES) | {" "}
    for font in fonts.files:
        letters = set(text) if font == heading or (font.family == BODY and font.weight in {400, 700}) else set()
        letters |= drawn if font.key in used else set()
        if letters:
            yield _rule(font, letters)


def _art_with_fonts(art: Art) -> str:
    """Return the address of art that carries the fonts of its texts: a browser gives an image none of the page's."""
    if not art.fonts:
        return art_data_address(art)
    letters = {letter for word in art.words for letter in word} | {" "}
    rules = "".join(_rule(font, letters) for font in art.fonts)
    head, end, tail = art.svg.partition("</title>")
    return art_data_address(replace(art, svg=f"{head}{end}<style>{rules}</style>{tail}"))


def _rule(font: FontFile, letters: set[str]) -> str:
    """Return an `@font-face` rule for a font, subset to some letters."""
    return font_face(font.family, font.weight, _subset(font, letters), italic=font.italic)


def _subset(font: FontFile, letters: set[str]) -> bytes:
    """Return the file of a font, subset to some letters."""
    options = hb.SubsetInput()
    options.unicode_set.update({ord(letter) for letter in letters})
    return take_glyphs(hb.Blob.from_file_path(str(font.path)), options, font.key)


_CLOSING = re.compile(r"[,.;:!?)]+")
# An icon and the punctuation after it stay on one line.


@dataclass(frozen=True)
class Writer:
    """Writes the blocks of one game's rules as HTML."""

    rules: Rules
    shown: Sprite

    def blocks(self, blocks: tuple[Block, ...]) -> str:
        """Return the HTML of the blocks, one after the other."""
        return "\n".join(text for text in map(self._block, blocks) if text)

    def line(self, line: Line) -> str:
        """Return the HTML of a line of text."""
        made = [self._reference(part) if isinstance(part, PageRef) else self._span(part) for part in line]
        for number, part in enumerate(line[:-1]):
            if getattr(part, "icon", "") and (closed := _CLOSING.match(made[number + 1])):
                made[number] = f'<span class="tight">{made[number]}{closed[0]}</span>'
                made[number + 1] = made[number + 1][closed.end() :]
        return "".join(made)

    def _block(self, block: Block) -> str:
        """Return the HTML of a block; a page break has none."""
        writers: dict[type[Block], Callable[[Any], str]] = {
            Heading: self._heading,
            Paragraph: lambda text: f"<p>{self.line(text.line)}</p>",
            Listing: self._list,
            Table: self._table,
            FigureBlock: self._figure_block,
            YesNo: self._panels,
            Components: lambda box: "\n".join(map(self._part, box.parts)),
            Gallery: lambda block: "\n".join(map(self._gallery_item, block.items)),
            Thumbnails: self._thumbnails,
            Callout: self._callout,
            Credits: self._credits,
            PageBreak: lambda _: "",
        }
        return writers[type(block)](block)

    def _figure_block(self, block: FigureBlock) -> str:
        picture = self.shown.use(block.figure.face, block.figure.alt)
        return self._figure(picture, block.caption)

    def _heading(self, block: Heading) -> str:
        return f'<h{block.level} id="{escape(block.slug)}">{self.line(block.line)}</h{block.level}>'

    def _callout(self, block: Callout) -> str:
        inside = self.blocks(block.blocks)
        return f'<aside class="{block.tone}"><strong>{escape(block.label)}</strong>\n{inside}</aside>'

    def _credits(self, block: Credits) -> str:
        return f'<div class="credits">{"".join(f"<p>{self.line(line)}</p>" for line in block.lines)}</div>'

    def _list(self, block: Listing) -> str:
        items = "".join(f"<li>{self.blocks(item)}</li>" for item in block.items)
        if not block.start:
            return f"<ul>{items}</ul>"
        start = f' start="{block.start}"' if block.start != 1 else ""
        return f"<ol{start}>{items}</ol>"

    def _table(self, block: Table) -> str:
        head = "".join(self._cell("th", cell, align) for cell, align in zip(block.head, block.aligns, strict=True))
        rows = "".join(
            f"<tr>{''.join(self._cell('td', cell, align) for cell, align in zip(row, block.aligns, strict=True))}</tr>"
            for row in block.rows
        )
        head = f"<thead><tr>{head}</tr></thead>" if any(map(plain, block.head)) else ""
        kind = ' class="players"' if block.players else ""
        return f'<div class="table"><table{kind}>{head}<tbody>{rows}</tbody></table></div>'

    def _cell(self, tag: str, line: Line, align: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        return f'<{tag}{scope} style="text-align:{align}">{self.line(line)}</{tag}>'

    def _figure(self, picture: str, caption: Line, head: str = "") -> str:
        words = f"<figcaption>{self.line(caption)}</figcaption>" if caption else ""
        return f"<figure>{head}{picture}{words}</figure>"

    def _panels(self, block: YesNo) -> str:
        widths = [scale * panel.figure.face.size.w for panel, scale in zip(block.panels, block.scales, strict=True)]
        shares = (Share(width / max(widths), scale) for width, scale in zip(widths, block.scales, strict=True))
        panels = (self._panel(panel, share) for panel, share in zip(block.panels, shares, strict=True))
        plain = " plain" if all(panel.good is None for panel in block.panels) else ""
        return f'<div class="panels{plain}">{"".join(panels)}</div>'

    def _thumbnails(self, block: Thumbnails) -> str:
        """Return small pictures side by side, each above its caption."""
        figures = (self._figure(self.shown.use(item.face, ""), item.caption) for item in block.items)
        return f'<div class="panels plain">{"".join(figures)}</div>'

    def _panel(self, panel: Panel, share: Share) -> str:
        return self._figure(
            self.shown.use(panel.figure.face, panel.figure.alt, share=share), panel.caption, self._verdict(panel)
        )

    def _verdict(self, panel: Panel) -> str:
        """Return the HTML of a tick or a cross, or nothing."""
        if panel.good is None:
            return ""
        words = self.rules.words
        kind, sign, word = ("yes", "✓", words.yes) if panel.good else ("no", "✗", words.no)
        return f'<p class="verdict {kind}"><span aria-hidden="true">{sign}</span> {escape(word)}</p>'

    def _part(self, part: ComponentEntry) -> str:
        faces = "".join(self.shown.use(face, "") for face in part.faces)
        text = f"<p>{self.line(part.line)}</p>" if part.line else ""
        head = f"<p><strong>{part.count} × {escape(part.title)}</strong></p>"
        return f'<div class="part"><div class="thumbs">{faces}</div><div>{head}{text}</div></div>'

    def _gallery_item(self, item: GalleryItem) -> str:
        head = f'<p class="title">{self.line(item.title)}</p>'
        return f'<div class="shown">{self.shown.use(item.face, "")}<div>{head}<p>{self.line(item.line)}</p></div></div>'

    def _reference(self, ref: PageRef) -> str:
        """Return a link to a heading, named by its title unless it has words."""
        titles = {heading.slug: heading.text for heading in self.rules.headings}
        words = self.line(ref.spans) or escape(titles[ref.first])
        if not ref.spans and ref.last not in {"", ref.first}:
            words += f" – {escape(titles[ref.last])}"
        return f'<a href="#{escape(ref.first)}">{words}</a>'

    def _span(self, span: Span) -> str:
        if span.note:
            return f'<sup><a href="#note-{span.note}" role="doc-noteref">{span.note}</a></sup>'
        if span.icon:
            return self.shown.use(self.rules.icons[span.icon], span.icon.replace("-", " "), "icon")
        text = "<br>" if span.text == "\n" else escape(span.text, quote=False)
        text = f"<strong>{text}</strong>" if span.bold else text
        text = f"<em>{text}</em>" if span.italic else text
        return f'<a href="{escape(span.address)}">{text}</a>' if span.address else text


@dataclass(frozen=True)
class _Page:
    """The body of the page."""

    rules: Rules
    faces: tuple[Face, ...]
    writer: Writer

    def body(self) -> str:
        """Return the HTML of the body."""
        rules = self.rules
        main_class = ' class="begun"' if rules.look.theme.initial else ""
        parts = [
            f"<header><h1>{escape(rules.title)}</h1>{self._cover()}</header>",
            "\n".join(self._contents()),
            f"<main{main_class}>\n{self.writer.blocks(rules.blocks)}\n{self._notes()}</main>",
            f"<footer>{escape(rules.footer)}</footer>",
        ]
        return "\n".join(part for part in parts if part)

    def _cover(self) -> str:
        cover = self.rules.look.cover
        return self.writer.shown.use(cover, self.rules.title) if cover else ""

    def _contents(self) -> Iterator[str]:
        """Yield the HTML of the table of contents."""
        headings = [heading for heading in self.rules.headings if heading.level <= 3]
        if not headings:
            return
        yield f"<nav><details><summary>{escape(self.rules.words.contents)}</summary><ol>"
        for heading in headings:
            deeper = ' class="deeper"' if heading.level > 2 else ""
            yield f'<li{deeper}><a href="#{escape(heading.slug)}">{escape(heading.text)}</a></li>'
        yield "</ol></details></nav>"

    def _notes(self) -> str:
        """Return the HTML of the footnotes."""
        if not self.rules.notes:
            return ""
        items = (
            f'<li id="note-{number}" value="{number}">{self.writer.line(line)}</li>'
            for number, line in self.rules.notes.items()
        )
        return f'<ol class="credits">{"".join(items)}</ol>\n'


def _theme_css(theme: Theme) -> str:
    """Return the CSS variables of the theme's colours that a screen uses."""
    band = f"--band:{theme.band};--on-band:{theme.on_band};--room:.3rem .7rem;" if theme.band else ""
    others = {"box": theme.box, "initial": theme.initial}
    return band + "".join(f"--{name}:{colour};" for name, colour in others.items() if colour)


def render_html(rules: Rules, fonts: FontSet) -> str:
    """Return the rules as an HTML page."""
    faces = tuple({face.name: face for face in rules.pictures}.values())
    shown = sprite(faces, _art_with_fonts)
    body = _Page(rules, faces, Writer(rules, shown)).body()
    look = rules.look
    colours = (
        f":root{{--heading:{css_text(look.heading.family)};--weight:{look.heading.weight};"
        f"--colour:{look.colour};--accent:{look.accent};{_theme_css(look.theme)}}}"
    )
    css = (files(__package__) / "page.css").read_text(encoding="utf-8")
    style = "\n".join((*font_rules(fonts, look.heading, body, faces), colours, css))
    direction = ' dir="rtl"' if is_rtl_language(rules.language) else ""
    return (
        f'<!doctype html>\n<html lang="{escape(rules.language)}"{direction}>\n<head>\n'
        f'<meta charset="utf-8">\n{policy()}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(rules.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{shown.symbols}\n{body}\n</body>\n</html>\n"
    )
