"""Write the guides as web pages, for `pnp docs`, from the Markdown that comes with pnp."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from generator.base.errors import InvalidValueError, Kind, unknown
from generator.base.files import Outbox, bundled_folder
from generator.base.html import Html, html, join_html
from generator.picture.web_parts import EMBEDDED_OR_BESIDE, compose_page

PACK_GUIDE = "making-a-pack"
"""The name of the guide for new packs: `README.md` in the folder of the bundled games."""

PICTURES_FOLDER = "pictures"
"""The folder of the guides' pictures."""

STYLE = """
:root { color-scheme: light dark; --ground: Canvas; --ink: CanvasText; --accent: LinkText; --line: #8886; }
body { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
a { color: var(--accent); }
nav { font-size: .9rem; border-bottom: 1px solid var(--line); padding-bottom: .6rem; }
nav a { margin-right: .8em; display: inline-block; }
img { max-width: 100%; height: auto; background: #fff; }
pre { overflow-x: auto; padding: .8rem; border-radius: .4rem; background: #8882; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }
"""


def guides() -> dict[str, Path]:
    """Return the Markdown file of each guide by name, the guide for new packs first."""
    docs = {path.stem: path for path in sorted(bundled_folder("docs").glob("*.md"))}
    return {PACK_GUIDE: bundled_folder("templates") / "README.md", **docs}


def find_guide(name: str) -> str:
    """Return the name of a guide; raise `InvalidValueError` for an unknown one."""
    if name not in guides():
        raise unknown("guide", name, guides(), kind=Kind.USAGE)
    return name


def write_guides(folder: Path) -> Path:
    """Write all guides as web pages with their pictures; return the folder of the pages."""
    pages = guides()
    if not all(path.is_file() for path in pages.values()):
        raise InvalidValueError(
            "the guides are missing in this installation", "pnp installed again", kind=Kind.MISSING
        )
    with Outbox(folder) as outbox:
        for name, path in pages.items():
            page = _page(name, path.read_text("utf-8"), list(pages))
            outbox.write(f"{name}.html", page.encode())
        docs = bundled_folder("docs")
        for linked in sorted([*(docs / PICTURES_FOLDER).rglob("*.png"), *docs.glob("*.json")]):
            outbox.write(linked.relative_to(docs).as_posix(), linked.read_bytes())
    return folder


def _page(name: str, markdown: str, names: list[str]) -> Html:
    # Our guides contain a few HTML elements, such as <code> around a bar in a table.
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(markdown)
    anchors: dict[str, int] = {}
    for token, next_token in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(next_token.content, anchors))
    for token in _all_tokens(tokens):
        for key in ("href", "src"):
            if address := token.attrGet(key):
                token.attrSet(key, _address_between_pages(str(address)))
    body = Html(parser.renderer.render(tokens, parser.options, {}))
    links = join_html(
        (
            html('<a href="$name.html">$text</a>', name=other, text=title_of(other))
            for other in names
        ),
        "\n",
    )
    contents = html("<nav>$links</nav>\n<main>\n$body</main>", links=links, body=body)
    return compose_page(f"pnp: {title_of(name)}", "en", STYLE, contents, EMBEDDED_OR_BESIDE)


def title_of(name: str) -> str:
    """Return the name of a guide as a link's text: `Making a pack`."""
    return name.replace("-", " ").capitalize()


def _all_tokens(tokens: list[Token]) -> list[Token]:
    return [*tokens, *(child for token in tokens for child in token.children or ())]


def _anchor(heading: str, used: dict[str, int]) -> str:
    """Return the anchor that GitHub gives a heading; the second of two equal ones ends in -1."""
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    number = used[anchor] = used.get(anchor, -1) + 1
    return f"{anchor}-{number}" if number else anchor


def _address_between_pages(address: str) -> str:
    """Return the address of a linked guide or picture relative to the pages; other addresses stay unchanged."""
    parts = urlsplit(address)
    path = Path(unquote(parts.path))
    if parts.scheme or not path.name:
        return address
    if PICTURES_FOLDER in path.parts:
        return Path(*path.parts[path.parts.index(PICTURES_FOLDER) :]).as_posix()
    if path.suffix != ".md":
        return address
    is_guide: Callable[[str], bool] = guides().__contains__
    name = PACK_GUIDE if path.parts[-2:] == ("templates", "README.md") else path.stem
    anchor = f"#{parts.fragment}" if parts.fragment else ""
    return f"{name}.html{anchor}" if is_guide(name) else address
