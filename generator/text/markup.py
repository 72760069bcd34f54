r"""The little markup of texts: `**bold**`, `*italic*`, `***both***`, `:icon:`, `\*` for a star, `\n` for a line break.

A star that has no partner is a star; a colon that has no icon's name after it is a colon.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from generator.core.problems import unknown

_TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<line>\\n|\r\n|[\n\r\v\f\u0085\u2028\u2029])"
    r"|(?P<stars>\*+)|:(?P<icon>\w[\w./-]*):"
)
_BLANKS = re.compile(r"[ \t]+")
_BOLD, _ITALIC = 2, 1


@dataclass(frozen=True)
class StyledText:
    """A stretch of text in one look, or an icon in the place of a letter."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: str = ""


@dataclass
class _Stars:
    """A row of stars: how many still want a partner, and what begins and ends here."""

    left: int
    opens: bool
    closes: bool
    begins: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Icon:
    name: str


_Token = str | _Stars | _Icon


def parse(text: str, icons: Collection[str]) -> tuple[tuple[StyledText, ...], ...]:
    """Paragraphs of spans; a blank line between them is one without spans. Blanks in a row count as one."""
    tokens = list(_tokens(unicodedata.normalize("NFC", text), icons))
    _pair([token for token in tokens if isinstance(token, _Stars)])
    paragraphs: list[list[StyledText]] = [[]]
    for span in _spans(tokens):
        if span.text == "\n":
            paragraphs.append([])
        else:
            paragraphs[-1].append(span)
    stripped = [tuple(_stripped(paragraph)) for paragraph in paragraphs]
    shown = [i for i, paragraph in enumerate(stripped) if paragraph]
    return tuple(stripped[shown[0] : shown[-1] + 1]) if shown else ()


def _tokens(text: str, icons: Collection[str]) -> Iterator[_Token]:
    at = plain = 0
    while match := _TOKEN.search(text, at):
        at = match.end()
        token = _token(match, icons)
        if token is None:
            at = match.start() + 1
            continue
        yield text[plain : match.start()]
        yield token
        plain = at
    yield text[plain:]


def _token(match: re.Match[str], icons: Collection[str]) -> _Token | None:
    """What a match stands for; nothing when it is plain text after all."""
    text, start, end = match.string, match.start(), match.end()
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    if match["escaped"]:
        return match["escaped"]
    if match["line"]:
        return "\n"
    if match["stars"]:
        return _Stars(end - start, not after.isspace(), not before.isspace()) if end - start <= 3 else match[0]
    return _Icon(match["icon"]) if is_icon(match["icon"], before, after, icons) else None


def is_icon(name: str, before: str, after: str, icons: Collection[str]) -> bool:
    """Whether `:name:` is an icon. `10:30:15` and `a:b:c` are text, `a :sord: b` is a mistake."""
    if name in icons:
        return True
    if not name[0].isalpha() or (before.isalnum() and after.isalnum()):
        return False
    raise unknown("icon", name, icons)


def _pair(rows: Sequence[_Stars]) -> None:
    """Find the partner of every row of stars, innermost first, of its own length where there is one."""
    open_rows: list[_Stars] = []
    for row in rows:
        while row.closes and row.left and open_rows:
            same = [i for i, other in enumerate(open_rows) if other.left == row.left]
            del open_rows[(same or [len(open_rows) - 1])[-1] + 1 :]
            _join(open_rows[-1], row)
            if not open_rows[-1].left:
                open_rows.pop()
        if row.opens and row.left:
            open_rows.append(row)


def _join(first: _Stars, second: _Stars) -> None:
    """Spend as many stars of both as make one emphasis."""
    emphasis = _BOLD if min(first.left, second.left) >= _BOLD else _ITALIC
    first.left -= emphasis
    second.left -= emphasis
    first.begins += (emphasis,)
    second.ends += (emphasis,)


def _spans(tokens: Sequence[_Token]) -> Iterator[StyledText]:
    depth = {_BOLD: 0, _ITALIC: 0}
    for token in tokens:
        match token:
            case _Stars():
                for emphasis in token.ends:
                    depth[emphasis] -= 1
                yield StyledText("*" * token.left, depth[_BOLD] > 0, depth[_ITALIC] > 0)
                for emphasis in token.begins:
                    depth[emphasis] += 1
            case _Icon(name):
                yield StyledText("", depth[_BOLD] > 0, depth[_ITALIC] > 0, name)
            case _:
                yield StyledText(token, depth[_BOLD] > 0, depth[_ITALIC] > 0)


def _stripped(spans: Sequence[StyledText]) -> Iterator[StyledText]:
    """The spans without blanks at the paragraph's ends and after another blank."""
    shown = " "
    kept: list[StyledText] = []
    for span in spans:
        text = _BLANKS.sub(" ", span.text)
        text = text[1:] if text.startswith(" ") and shown == " " else text
        if text or span.icon:
            kept.append(StyledText(text, span.bold, span.italic, span.icon))
            shown = text[-1:]
    if kept and kept[-1].text.endswith(" "):
        last = kept.pop()
        kept.append(StyledText(last.text[:-1], last.bold, last.italic))
    return (span for span in kept if span.text or span.icon)
