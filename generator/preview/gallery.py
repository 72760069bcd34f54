"""A page for the browser that shows a preview's pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from generator.core.web import BESIDE, policy

_PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem auto; max-width: 74rem; padding: 0 1rem; color: #202428; background: #f6f4ef }}
body {{ font: 1rem/1.5 system-ui, sans-serif }}
h2 {{ margin: 2.5rem 0 1rem; font-size: 1.25rem }}
section {{ display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }}
figure {{ margin: 0; width: min-content }}
img {{ display: block; max-width: calc(100vw - 3rem); height: auto; filter: drop-shadow(0 1px 3px #0003) }}
figcaption {{ color: #555; font-size: .9rem; margin-top: .4rem }}
@media print {{ body {{ background: none }} figure {{ break-inside: avoid }} }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


@dataclass(frozen=True)
class Shot:
    """A picture by its file's name, with its caption and the heading under which it stands."""

    file: str
    caption: str
    group: str


def gallery(title: str, language: str, shots: Sequence[Shot]) -> str:
    """The page; the pictures lie beside it."""
    body = "\n".join(
        f"<h2>{escape(group)}</h2>\n<section>\n" + "\n".join(map(_figure, members)) + "\n</section>"
        for group, members in groupby(shots, key=lambda shot: shot.group)
    )
    return _PAGE.format(policy=policy(pictures=BESIDE), lang=escape(language), title=escape(title), body=body)


def _figure(shot: Shot) -> str:
    file, caption = escape(shot.file), escape(shot.caption)
    picture = f'<img src="{file}" alt="{caption}" loading="lazy">'
    return f'<figure><a href="{file}">{picture}</a><figcaption>{caption}</figcaption></figure>'
