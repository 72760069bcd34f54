"""The files of the live page, which the gallery uses too."""

import json
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from generator.base.html import Html, html, raw_text

PAGE_FOLDER: Traversable = files(__package__) / "page"


def read_page_file(name: str) -> str:
    """Return one of the page's own files."""
    return (PAGE_FOLDER / name).read_text("utf-8")


def json_script(content: Mapping[str, Any]) -> Html:
    """Return data as JSON for a script element; no text in it can close the element."""
    return raw_text(
        json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    )


def compose_index(
    *,
    title: str,
    heading: str,
    head: Html,
    language: str = "en",
    start: Html | str = "",
    end: Html | str = "",
) -> Html:
    """Return `index.html` with its title and heading, and more in its head, at its start and at its end.

    A page with something at its start is one for players, which shows the rest only if they ask for it.
    """
    template = read_page_file("index.html")
    return html(
        template,
        title=title,
        heading=heading,
        head=head,
        language=language,
        kind=html(' class="players"') if start else "",
        start=start,
        end=end,
    )
