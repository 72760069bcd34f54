"""Rules as one web page that needs nothing else: pictures inline, fonts inside."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from generator.core.fonts import FontSet
from generator.core.web import css_text, policy
from generator.draw.face import Face
from generator.rules.htmlblocks import Writer
from generator.rules.model import Rules, faces_of
from generator.rules.sprite import sprite, use
from generator.rules.webfonts import font_rules


@dataclass(frozen=True)
class _Page:
    """The parts of one page."""

    rules: Rules
    faces: tuple[Face, ...]
    writer: Writer

    def body(self) -> str:
        rules = self.rules
        parts = [
            f"<header><h1>{escape(rules.title)}</h1>{self._cover()}</header>",
            "\n".join(self._contents()),
            f"<main>\n{self.writer.blocks(rules.blocks)}\n{self._notes()}</main>",
            f"<footer>{escape(rules.footer)}</footer>",
        ]
        return "\n".join(part for part in parts if part)

    def _cover(self) -> str:
        cover = self.rules.look.cover
        return use(cover, self.rules.title) if cover else ""

    def _contents(self) -> Iterator[str]:
        headings = [heading for heading in self.rules.headings if heading.level <= 3]
        if not headings:
            return
        yield f"<nav><details><summary>{escape(self.rules.words.contents)}</summary><ol>"
        for heading in headings:
            deeper = ' class="deeper"' if heading.level > 2 else ""
            yield f'<li{deeper}><a href="#{escape(heading.slug)}">{escape(heading.text)}</a></li>'
        yield "</ol></details></nav>"

    def _notes(self) -> str:
        if not self.rules.notes:
            return ""
        items = (
            f'<li id="note-{number}" value="{number}">{self.writer.line(line)}</li>'
            for number, line in self.rules.notes.items()
        )
        return f'<ol class="credits">{"".join(items)}</ol>\n'


def html(rules: Rules, fonts: FontSet) -> str:
    """The page."""
    faces = tuple({face.name: face for face in faces_of(rules)}.values())
    body = _Page(rules, faces, Writer(rules)).body()
    look = rules.look
    colours = (
        f":root{{--heading:{css_text(look.heading.family)};--weight:{look.heading.weight};"
        f"--colour:{look.colour};--accent:{look.accent}}}"
    )
    css = (files(__package__) / "page.css").read_text(encoding="utf-8")
    style = "\n".join((*font_rules(fonts, look.heading, body, faces), colours, css))
    return (
        f'<!doctype html>\n<html lang="{escape(rules.language)}">\n<head>\n<meta charset="utf-8">\n{policy()}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(rules.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{sprite(faces)}\n{body}\n</body>\n</html>\n"
    )
