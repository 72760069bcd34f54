"""A page for the browser that shows a preview's pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #202428; background: #f6f4ef }}
body {{ font: 1rem/1.5 system-ui, sans-serif }}
figure {{ margin: 1.5rem 0 }}
img {{ max-width: 100%; height: auto; background: #fff; box-shadow: 0 1px 5px #0003 }}
figcaption {{ color: #555 }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


@dataclass(frozen=True)
class Shot:
    """A picture by its file's name, with its caption."""

    file: str
    caption: str


def gallery(title: str, language: str, shots: Sequence[Shot]) -> str:
    """The page; the pictures lie beside it."""
    body = "\n".join(
        f'<figure><img src="{escape(shot.file)}" alt="{escape(shot.caption)}" loading="lazy">'
        f"<figcaption>{escape(shot.caption)}</figcaption></figure>"
        for shot in shots
    )
    return _PAGE.format(lang=escape(language), title=escape(title), body=body)
