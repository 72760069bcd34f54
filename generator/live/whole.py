"""The page in one file without a server: its modules become one script, and the data is embedded."""

import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from generator.core.web import policy
from generator.core.words import has_words
from generator.live.telling import JsonObject

MAIN_MODULE = "app"
IMPORT_PATTERN = re.compile(r'^import (?:(\{ [\w, ]+ \})|\* as (\w+)) from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT_PATTERN = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
# Parts of the page's head that only the server needs.
SERVER_LINKS = (
    '<meta name="pnp-token" content="{{token}}">\n',
    '<link rel="stylesheet" href="page/style.css">\n',
    '<script type="module" src="page/app.js"></script>\n',
    "<title>pnp live</title>\n",
)
TITLE_ELEMENT = '<strong id="title">pnp</strong>'
# Without scripts, tools that need them are hidden, and everything is printed.
NO_SCRIPT_STYLE = """<noscript><style>
.tools, #tabs, #side, .skip { display: none }
@media print { body, .body, #main, noscript { display: block; position: static; height: auto; overflow: visible } }
</style></noscript>"""


@dataclass(frozen=True)
class StaticParts:
    """The static parts of a page: pictures with text, shared SVG definitions, and fonts.

    Readers without scripts see the pictures; the script takes the displayed ones from them.
    """

    title: str
    plain: str
    common: str
    fonts: str


def build_page(data: JsonObject, parts: StaticParts, pictures: str) -> str:
    """Return the page with its data; `pictures` is the policy's source list for images.

    Browsers load no modules from file: addresses. So the modules are joined to one script, the only one
    that the page's policy allows.
    """
    page = read_page_file("index.html")
    script = join_modules()
    language = data["game"]["language"]
    if has_words(language):
        page = page.replace('<html lang="en">', f'<html lang="{escape(language)}">', 1)
    for link in SERVER_LINKS:
        page = page.replace(link, "")
    page = page.replace(TITLE_ELEMENT, TITLE_ELEMENT.replace("pnp", escape(parts.title)), 1)
    style = f"<style>{parts.fonts}\n{read_page_file('style.css')}</style>"
    head = f"{policy([script], pictures)}\n<title>{escape(parts.title)}</title>\n{style}\n{NO_SCRIPT_STYLE}\n</head>"
    common = f'<svg class="filters" aria-hidden="true" width="0" height="0">{parts.common}</svg>'
    body = f"{common}\n{_embed_data(data)}\n<script>{script}</script>\n</body>"
    page = page.replace("</head>", head, 1).replace("</main>", f"<noscript>{parts.plain}</noscript></main>", 1)
    return page.replace("</body>", body, 1)


def _embed_data(content: JsonObject) -> str:
    """Return the data as a script element; no text in it can close the element."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="told">{data}</script>'


@cache
def join_modules() -> str:
    """Return all modules as one script: each a function that returns its exports."""
    done: dict[str, str] = {}
    _add_module(MAIN_MODULE, done, ())
    body = "\n".join(done.values())
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'


def _add_module(name: str, done: dict[str, str], before: tuple[str, ...]) -> None:
    """Add a module after the modules that it imports."""
    if name in before:
        raise ValueError(f"the page's modules import each other: {' → '.join((*before, name))}")
    if name in done:
        return
    text = read_page_file(f"{name}.js")
    for _, _, other in IMPORT_PATTERN.findall(text):
        _add_module(other, done, (*before, name))
    given = EXPORT_PATTERN.findall(text)
    text = EXPORT_PATTERN.sub("", IMPORT_PATTERN.sub(lambda each: f"const {each[1] or each[2]} = {each[3]}Js;\n", text))
    if wrong := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js: this has an import or export of an unsupported form: {wrong[0]}")
    done[name] = f"const {name}Js = (() => {{\n{text}return {{ {', '.join(given)} }};\n}})();"


def read_page_file(name: str) -> str:
    """Return one of the page's own files."""
    return (files("generator.live") / "page" / name).read_text("utf-8")
