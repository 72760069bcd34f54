"""Words that change their font in the middle, which ReportLab 5.1 shapes with the wrong font's glyphs."""

from collections.abc import Sequence
from typing import Any

from generator.pdf.booklet.typeface import unshaped

BLANKS = (" ", "\n", "\t")


def unmixed(frags: Sequence[Any]) -> list[Any]:
    """The same frags, but that the beginning of such a word is in a font that is not shaped.

    `**bold**,` is one word in two fonts. The first of them decides whether the word is shaped at all.
    """
    made: list[Any] = []
    for frag in frags:
        before = _last_text(made)
        if before is not None and frag.text and _joined(made[before], frag):
            made[before : before + 1] = _split(made[before])
        made.append(frag)
    return made


def _last_text(made: Sequence[Any]) -> int | None:
    """The frag before, past icons; none at the beginning of a line."""
    for index in reversed(range(len(made))):
        if getattr(made[index], "lineBreak", False):
            return None
        if made[index].text:
            return index
    return None


def _joined(one: Any, two: Any) -> bool:
    return not one.text.endswith(BLANKS) and not two.text.startswith(BLANKS) and one.fontName != two.fontName


def _split(frag: Any) -> list[Any]:
    """What stands before its last word, and that word."""
    head, blank, word = frag.text.rpartition(" ")
    last = frag.clone(text=word, fontName=unshaped(frag.fontName))
    return [frag.clone(text=head + blank), last] if head + blank else [last]
