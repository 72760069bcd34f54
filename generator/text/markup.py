r"""The markup of texts: `**bold**`, `*italic*`, `***both***`, `:icon:`, `\*` for a star, `\n` for a line break.

A star without a partner is printed as a star, and a colon without an icon's name as a colon.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from generator.base.errors import InvalidValueError
from generator.base.symbols import unknown_icon

_TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<line>\\n|\r\n|[\n\r\v\f\u0085\u2028\u2029])"
    r"|(?P<stars>\*+)|:(?P<icon>\w[\w./-]*):"
    r"|\[(?P<mark>/|[^\[\]\n/][^\[\]\n]{0,39})\]|(?P<end>\[/\w[^\[\]\n]{0,19}\])"
    r"|</?(?P<tag>[A-Za-z][A-Za-z0-9]*)\b[^<>]*>"
    r"|(?P<entity>&(?:amp|lt|gt|quot|apos|nbsp|\#\d+);)|(?<![\w_])(?P<under>__(?=[^\W_])[^_\n]+__)(?![\w_])"
    r"|(?<![\w_])(?P<slant>_(?=[^\W_])[^_\n]*(?<=\S)_)(?![\w_])|(?P<struck>~~(?=[^\s~])[^~\n]+~~)"
    r"|(?P<link>\]\(https?:)|(?P<hole>\{\{[^{}\n]{1,40}\}\}|%[A-Za-z_]\w*%)|(?P<cell>\$\{[^{}\n]{1,60}\})"
    r"|\{(?P<braced>\w[\w./-]*)\}|(?<![\w:]):(?P<half>[A-Za-z][\w-]+)(?![\w:./-])"
)
# First characters of all markup: most texts have none, which saves the full pattern.
_MARKUP_START = re.compile(r"[\\\n\r\v\f\u0085\u2028\u2029*:\[\]<&_~{%$]")
# An icon in doubled colons, as other programs write it.
_DOUBLED = re.compile(r"\W?::\w[\w./-]*::(?!\w)")
# An end tag, or a tag with an attribute: HTML whatever its name.
_ATTRIBUTE = re.compile(r"</|<\w+=|<\w+ \w+=")
_BLANKS = re.compile(r"[ \t]+")
_BOLD = 2
_ITALIC = 1


@dataclass(frozen=True)
class StyledText:
    """A stretch of text in one style, or an icon in place of a letter."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: str = ""
    marks: tuple[str, ...] = ()
    """The inline marks around the stretch, as written between their brackets, the outer first."""
    family: str = ""
    """The family that draws it if the font of its style lacks its characters."""


@dataclass
class _Stars:
    """A row of stars: how many still lack a partner, and the emphasis that begins and ends here."""

    left: int
    opens: bool
    closes: bool
    begins: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Mark:
    """The start of an inline style, or with `/` its end."""

    words: str


_Token = str | StyledText | _Stars | _Mark
"""Plain text, an icon, a row of stars, or the start or end of an inline style."""

# Tags that people write who think of a web page; they would be printed as text.
TAGS = frozenset(
    [
        "b",
        "i",
        "u",
        "em",
        "strong",
        "br",
        "p",
        "span",
        "font",
        "sup",
        "sub",
        "small",
        "big",
        "center",
        "div",
    ]
)


# Markup of other systems: the message and the hint for each.
ELSEWHERE = MappingProxyType(
    {
        "entity": ("this is an HTML entity", "the sign itself, such as & or <"),
        "under": ("underscores do not make words bold", "**bold**"),
        "slant": ("underscores do not make words italic", "*italic*"),
        "struck": ("pnp does not strike out text", "the words without ~~"),
        "end": ("a mark ends with [/]", "[bold]…[/], [red]…[/], [12pt]…[/]"),
        "cell": (
            "a cell is printed as written",
            "the name in the layout, or a column under `columns:`",
        ),
        "hole": ("braces do not insert a column", "$text, or ${Card name}, in a layout"),
        "link": ("links do not work on paper", "the address itself"),
    }
)


def parse_markup(
    text: str, icons: Collection[str], *, keep_spaces: bool = False
) -> tuple[tuple[StyledText, ...], ...]:
    """Parse a text into paragraphs of spans; a blank line is a paragraph without spans.

    Consecutive blanks count as one, and those at the ends of a paragraph are dropped, unless
    `keep_spaces`.
    """
    tokens = list(_tokens(unicodedata.normalize("NFC", text), icons))
    stars = [token for token in tokens if isinstance(token, _Stars)]
    _pair(stars)
    _check_stars(stars)
    paragraphs: list[list[StyledText]] = [[]]
    for span in _spans(tokens):
        if span.text == "\n":
            paragraphs.append([])
        else:
            paragraphs[-1].append(span)
    clean = _keep_blanks if keep_spaces else _strip_blanks
    stripped = [tuple(clean(paragraph)) for paragraph in paragraphs]
    filled = [i for i, paragraph in enumerate(stripped) if paragraph]
    return tuple(stripped[filled[0] : filled[-1] + 1]) if filled else ()


def _tokens(text: str, icons: Collection[str]) -> Iterator[_Token]:
    at = plain = 0
    while match := _TOKEN.search(text, at) if _MARKUP_START.search(text, at) else None:
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
    """Return the token of a match, or None if the match is plain text."""
    text = match.string
    start = match.start()
    end = match.end()
    before = text[start - 1 : start] or " "
    after = text[end : end + 1] or " "
    if match["escaped"]:
        return match["escaped"]
    if match["line"]:
        return "\n"
    if match["mark"]:
        return _mark(match["mark"], text[end:], icons)
    _check_ours(match, icons)
    if match["stars"]:
        return (
            _Stars(end - start, not after.isspace(), not before.isspace())
            if end - start <= 3
            else match[0]
        )
    return (
        StyledText("", icon=match["icon"])
        if match["icon"] and is_icon(match["icon"], before, after, icons)
        else None
    )


def _check_ours(match: re.Match[str], icons: Collection[str]) -> None:
    """Raise InvalidValueError for markup of another system, which would be printed as text."""
    found = match[0]
    kind = match.lastgroup or ""
    if kind == "braced" and match["braced"] in icons:
        raise _foreign_icon(match["braced"], found)
    if kind == "half" and match["half"] in icons:
        raise InvalidValueError(
            f"{found!r} begins an icon name that has no end", f"{found}:", f"to print it: \\{found}"
        )
    if (
        kind == "icon"
        and match["icon"] in icons
        and _DOUBLED.match(match.string, max(match.start() - 2, 0))
    ):
        raise InvalidValueError(
            f"':{found}:' has two colons on each side", found, "to print a colon next to it: \\:"
        )
    if kind == "tag" and (match["tag"].lower() in TAGS or _ATTRIBUTE.match(found)):
        hint = f"to print it: \\{found}"
        raise InvalidValueError(
            f"{found!r} is HTML", "**bold**, *italic*, or [big]…[/] and the like", hint
        )
    if kind in ELSEWHERE:
        what, ours = ELSEWHERE[kind]
        raise InvalidValueError(f"{found!r}: {what}", ours, f"to print it: \\{found}")


def _mark(words: str, after: str, icons: Collection[str]) -> _Token | None:
    """Return the start or end of an inline style, or None for a bracket that is plain text."""
    if words == "/" or "[/]" in after:
        return _Mark(words)
    if words[0].isalpha() and len(words) > 1 and words in icons:
        raise _foreign_icon(words, f"[{words}]")
    return None


def _foreign_icon(name: str, found: str) -> InvalidValueError:
    return InvalidValueError(
        f"{found!r} is an icon in other programs", f":{name}:", f"to print it: \\{found}"
    )


def is_icon(name: str, before: str, after: str, icons: Collection[str]) -> bool:
    """Return True if `:name:` is an icon, and False for text such as `10:30:15` and `a:b:c`.

    Between letters, only the pack's own icons count: `attack:time:place` is text. Raise
    InvalidValueError if it stands alone like an icon whose name is unknown: `a :sord: b`.
    """
    if before.isalnum() and after.isalnum():
        return any(name == icon for icon in icons)
    if name in icons:
        return True
    if not name[0].isalpha():
        return False
    raise unknown_icon(name, icons)


def _pair(rows: Sequence[_Stars]) -> None:
    """Pair the rows of stars, innermost first, preferring rows of equal length."""
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
    """Use up as many stars of both rows as one emphasis takes."""
    emphasis = _BOLD if min(first.left, second.left) >= _BOLD else _ITALIC
    first.left -= emphasis
    second.left -= emphasis
    first.begins += (emphasis,)
    second.ends += (emphasis,)


def _check_stars(rows: Sequence[_Stars]) -> None:
    """Raise InvalidValueError for two stars beside a word without a partner.

    A lone star is text.
    """
    for row in rows:
        if row.left == _BOLD and row.opens != row.closes:
            what = (
                "begin bold text that has no end"
                if row.opens
                else "end bold text that has no beginning"
            )
            raise InvalidValueError(f"two stars {what}", "**bold**", "to print two stars: \\*\\*")


def _spans(tokens: Sequence[_Token]) -> Iterator[StyledText]:
    marks: tuple[str, ...] = ()
    for span in _apply_stars(tokens):
        if isinstance(span, StyledText):
            yield replace(span, marks=marks) if marks else span
        elif span.words != "/":
            marks = (*marks, span.words)
        elif marks:
            marks = marks[:-1]
        else:
            raise InvalidValueError("[/] ends nothing", "[big]…[/]", "to print it: \\[/]")
    if marks:
        raise InvalidValueError(
            f"[{marks[-1]}] is not ended", "[/] at its end", f"to print it: \\[{marks[-1]}]"
        )


def _apply_stars(tokens: Sequence[_Token]) -> Iterator[StyledText | _Mark]:
    depth = {_BOLD: 0, _ITALIC: 0}
    for token in tokens:
        match token:
            case _Mark():
                yield token
            case _Stars():
                for emphasis in token.ends:
                    depth[emphasis] -= 1
                yield StyledText("*" * token.left, depth[_BOLD] > 0, depth[_ITALIC] > 0)
                for emphasis in token.begins:
                    depth[emphasis] += 1
            case StyledText():
                yield replace(token, bold=depth[_BOLD] > 0, italic=depth[_ITALIC] > 0)
            case _:
                yield StyledText(token, depth[_BOLD] > 0, depth[_ITALIC] > 0)


def _keep_blanks(spans: Sequence[StyledText]) -> Iterator[StyledText]:
    """Yield the spans with all their blanks; none if the paragraph has nothing else."""
    if any(span.icon or span.text.strip() for span in spans):
        yield from (span for span in spans if span.text or span.icon)


def _strip_blanks(spans: Sequence[StyledText]) -> Iterator[StyledText]:
    """Yield the spans without repeated blanks and without blanks at the paragraph's ends."""
    last_character = " "
    stripped: list[StyledText] = []
    for span in spans:
        text = _BLANKS.sub(" ", span.text)
        text = text[1:] if text.startswith(" ") and last_character == " " else text
        if text or span.icon:
            stripped.append(replace(span, text=text))
            last_character = text[-1:]
    if stripped and stripped[-1].text.endswith(" "):
        last = stripped.pop()
        stripped.append(replace(last, text=last.text[:-1]))
    return (span for span in stripped if span.text or span.icon)
