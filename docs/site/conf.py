"""The settings of the documentation site; CONTRIBUTING.md has the command that builds it."""

import re
import shutil
import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

import generator  # noqa: E402 — after the path to it
from docs.make_downloads import downloads_table  # noqa: E402
from docs.make_option_pictures import make_pictures  # noqa: E402
from docs.make_reference import write_pages  # noqa: E402

project = "pnp"
author = "The pnp-generator authors"
release = generator.__version__
html_title = f"pnp {release}"

# The source folder is the repository itself, so that the guides are read where they lie and their
# links to each other lead to the same files as on a code host.
root_doc = "docs/site/index"
include_patterns = [
    "docs/*.md",
    "docs/site/**.md",
    "templates/README.md",
    "templates/*/README.md",
    "generator/ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
]
exclude_patterns = [".*", "output", "build", "dist", "tests", "fonts"]
extensions = ["myst_parser"]
myst_heading_anchors = 4

smartquotes = False  # it would turn the -- of options into dashes

html_theme = "furo"
html_extra_path = ["root"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False

LISTS = {f"docs/site/{name}" for name in ("cookbook/index", "coming-from/index", "gallery")}
"""Pages that list others; on a code host they are plain lists of links."""

LINKED_PAGE = re.compile(r"\]\(([^)#\s]+)\.md\)")
GALLERY = "docs/site/gallery"
DOWNLOADS = re.compile(r"<!-- downloads: ([\w-]+) -->")
"""The place of a game's table of downloads in the gallery."""
NAMED_BLOCK = re.compile(r"^```(\w+) (\S+)\n", re.MULTILINE)


def show_file_names(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Turn the file name behind the language of a code block into the block's caption."""
    source[0] = NAMED_BLOCK.sub(r"```{code-block} \1\n:caption: \2\n\n", source[0])


def list_linked_pages(_app: Sphinx, name: str, source: list[str]) -> None:
    """Add a table of contents to a page that lists others."""
    if name in LISTS:
        pages = "\n".join(LINKED_PAGE.findall(source[0]))
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def list_downloads(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the tables of downloads into the gallery, if there is a folder of downloads."""
    if name == GALLERY and app.config.downloads:
        folder = Path(app.config.downloads)
        source[0] = DOWNLOADS.sub(
            lambda place: downloads_table(folder, place[1], "../../downloads"), source[0]
        )


def copy_downloads(app: Sphinx, error: Exception | None) -> None:
    """Copy the folder of downloads into the site."""
    if error is None and app.config.downloads:
        shutil.copytree(app.config.downloads, app.outdir / "downloads", dirs_exist_ok=True)


def setup(app: Sphinx) -> None:
    """Write the reference with its pictures, and connect the handlers of this site."""
    make_pictures()
    write_pages()
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", show_file_names)
    app.connect("source-read", list_linked_pages)
    app.add_config_value("downloads", "", "")
    app.connect("source-read", list_downloads)
    app.connect("env-get-outdated", lambda *_: [GALLERY])  # the downloads may have changed
    app.connect("build-finished", copy_downloads)
