"""A difference as a page for the browser: before and after side by side, and what changed marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from generator.core.web import BESIDE, policy
from generator.release.compare import DesignChange, Difference
from generator.release.report import row, said_of, summary

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #202428; background: #f6f4ef }}
body {{ font: 1rem/1.5 system-ui, sans-serif }}
section {{ border-top: 1px solid #ccc; padding: 1rem 0 }}
h2 {{ font-size: 1.1rem; margin: 0 }}
p {{ margin: .2rem 0 .8rem; color: #555 }}
.sides {{ display: flex; gap: 1.5rem; flex-wrap: wrap }}
figure {{ margin: 0 }}
img {{ max-width: 100%; height: auto; background: #fff; box-shadow: 0 1px 5px #0003 }}
figcaption {{ color: #555; font-size: .9rem }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
{body}
</html>
"""


@dataclass(frozen=True)
class Plate:
    """A picture for the page: its address (a file beside the page, or data) and its caption."""

    address: str
    caption: str


def page(difference: Difference, plates: Sequence[Sequence[Plate]]) -> str:
    """The page; the pictures belong to the changes in their order."""
    old, new = difference.old, difference.new
    sections = [_section(change, shown) for change, shown in zip(difference.changes, plates, strict=True)]
    rules = [_rules(rules.language, said_of(rules)) for rules in difference.rules]
    return _PAGE.format(
        policy=policy(pictures=BESIDE),
        title=escape(f"{new.name}: {old.version} → {new.version}"),
        summary=escape(summary(difference)),
        body="\n".join([*sections, *rules]),
    )


def _section(change: DesignChange, plates: Sequence[Plate]) -> str:
    kinds, name, title, details = row(change)
    text = " · ".join(part for part in (kinds, name, details) if part)
    return (
        f'<section id="{escape(name)}"><h2>{escape(title)}</h2><p>{escape(text)}</p>'
        f'<div class="sides">{"".join(_figures(plates))}</div></section>'
    )


def _figures(plates: Sequence[Plate]) -> Iterator[str]:
    for plate in plates:
        caption = escape(plate.caption)
        yield f'<figure><img src="{escape(plate.address)}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'


def _rules(language: str, what: str) -> str:
    return f"<section><h2>Rules ({escape(language)})</h2><p>{escape(what)}</p></section>"
