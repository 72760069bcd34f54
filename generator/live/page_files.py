"""The files of the live page, which the gallery uses too."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from generator.base.html import Html, html

PAGE_FOLDER: Traversable = files(__package__) / "page"


def read_page_file(name: str) -> str:
    """Return one of the page's own files."""
    return (PAGE_FOLDER / name).read_text("utf-8")


def compose_index(
    *,
    title: str,
    heading: str,
    head: Html,
    language: str = "en",
    main: Html | str = "",
    end: Html | str = "",
) -> Html:
    """Return `index.html` with its title and heading, and more in its head, in its main part and at its end."""
    template = read_page_file("index.html")
    return html(
        template, title=title, heading=heading, head=head, language=language, main=main, end=end
    )
