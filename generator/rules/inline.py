"""What stands in a line: looks, icons, links, references to headings, marks of footnotes."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markdown_it.token import Token

from generator.core.problems import Reporter, Where, unknown
from generator.rules.model import Inline, Line, PageRef, Span
from generator.text.markup import is_icon

_SPECIAL = re.compile(r":(?P<icon>\w[\w./-]*):|\[\^(?P<note>[\w-]+)\]")
_REFERENCE = re.compile(r"#(?P<first>[^#.]+)(?P<range>\.\.(?P<last>[^#.]+)?)?")
_ADDRESS = re.compile(r"(?:https?://|mailto:)\S+")
_LOOKS = {"strong_open": ("bold", True), "strong_close": ("bold", False)} | {
    "em_open": ("italic", True),
    "em_close": ("italic", False),
}


@dataclass(frozen=True)
class Lines:
    """Reads lines of one file; `notes` are the numbers of its footnotes."""

    file: str
    icons: Collection[str]
    notes: Mapping[str, int]
    report: Reporter

    def read(self, tokens: Sequence[Token], line: int) -> Line:
        """The spans of an inline token's children; `line` is where the text begins."""
        made: list[Inline] = []
        look = Span("")
        link: tuple[str, int, int] | None = None
        for token in tokens:
            if token.type in _LOOKS:
                name, value = _LOOKS[token.type]
                look = replace(look, bold=value) if name == "bold" else replace(look, italic=value)
            elif token.type == "link_open":
                link = (str(token.attrs["href"]), len(made), line)
            elif token.type == "link_close" and link:
                href, start, begun = link
                made[start:] = self._link(href, [part for part in made[start:] if isinstance(part, Span)], begun)
            else:
                made += self._plain(token, look, line)
                line += token.type in {"softbreak", "hardbreak"}
        return tuple(made)

    def where(self, line: int) -> Where:
        """A line of the file."""
        return Where(self.file, line)

    def _plain(self, token: Token, look: Span, line: int) -> Sequence[Span]:
        if token.type in {"softbreak", "hardbreak"}:
            return [replace(look, text=" " if token.type == "softbreak" else "\n")]
        if token.type == "code_inline":
            return [replace(look, text=token.content)]
        if token.type == "image":
            expected = "an icon, such as :name:, or a block `::: figure NAME`"
            self.report.tell(self.where(line), "a picture in the text", expected)
            return []
        return list(self._text(token.content, look, line))

    def _text(self, text: str, look: Span, line: int) -> Iterator[Span]:
        """Text with its icons and notes taken out; a colon that belongs to no icon is a colon."""
        at = plain = 0
        while match := _SPECIAL.search(text, at):
            at = match.end()
            special = self._special(match, look, line)
            if special is None:
                at = match.start() + 1
                continue
            if text[plain : match.start()]:
                yield replace(look, text=text[plain : match.start()])
            yield special
            plain = at
        if text[plain:]:
            yield replace(look, text=text[plain:])

    def _special(self, match: re.Match[str], look: Span, line: int) -> Span | None:
        text, start, end = match.string, match.start(), match.end()
        with self.report.at(self.where(line)):
            if match["note"] is None:
                around = text[start - 1 : start] or " ", text[end : end + 1] or " "
                return replace(look, icon=match["icon"]) if is_icon(match["icon"], *around, self.icons) else None
            if match["note"] not in self.notes:
                raise unknown("footnote", match["note"], self.notes)
            return replace(look, note=self.notes[match["note"]])
        return replace(look, text=match[0])

    def _link(self, href: str, spans: Sequence[Span], line: int) -> list[Inline]:
        match = _REFERENCE.fullmatch(href)
        if match:
            last = match["last"] or (match["first"] if match["range"] else "")
            return [PageRef(match["first"], last, tuple(spans))]
        if not _ADDRESS.fullmatch(href):
            expected = "a heading, such as #scoring, or an address with https://"
            self.report.tell(self.where(line), f"{href!r} leads nowhere", expected)
        return [replace(span, address=href) for span in spans]
