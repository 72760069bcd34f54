"""Makes the files of the bundled games that people download from the site's gallery.

`python docs/make_downloads.py FOLDER [GAME]…` writes them to a folder, and Sphinx puts them into the site if it is told
`-D downloads=FOLDER`. A site built without them has a gallery without links.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from generator.base.html import Html, html, join_html  # noqa: E402 — after the path to it
from generator.pack.folder import GAME_FILE  # noqa: E402
from generator.pack.translations import forms  # noqa: E402
from generator.pipeline.packs import packs  # noqa: E402

LIST = "files.json"
"""The list of a game's files, in the game's folder."""

PAPERS = {"a4": "A4", "letter": "Letter"}
LANGUAGES = {"nl": "Dutch"}
KINDS = {
    r"-sheets-.*-low-ink": "Pieces, with little ink",
    r"-sheets-": "Pieces",
    r"-rules[^/]*-booklet-": "Rules as a booklet",
    r"-rules[^/]*\.pdf$": "Rules to read",
    r"-rules[^/]*\.html$": "Rules as a web page",
    r"-gallery": "Every piece in your browser",
    r"-patch-": "Only what changed since version {old}",
}
"""What a file is, by its name; the first that fits counts."""
NOT_FOR_PLAYERS = ".pnprelease"
PIECES = ("--what=sheets", "--what=making")


class Download(NamedTuple):
    """A file to download: the line of the table and its paper, the file's path, and what is in it."""

    line: str
    paper: str
    path: str
    about: str


def make_downloads(folder: Path, games: Iterable[str]) -> None:
    """Make the files of some games, and replace those of an earlier run."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        target = folder / game
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory() as name:
            downloads = list(build(game, Path(name)))
            archive = shutil.make_archive(f"{name}/{game}", "zip", name, game)
            shutil.move(f"{name}/{game}", target)
            shutil.move(archive, target)
        downloads.append(Download("All files", "", f"{game}/{game}.zip", ""))
        rows = [download._asdict() for download in downloads]
        (target / LIST).write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", "utf-8")
        print(f"{game}: {len(rows)} files, {to_text(weigh(target))}", flush=True)


def build(game: str, folder: Path) -> Iterator[Download]:
    """Build a game in each of its forms, and yield its files."""
    pack = packs()[game]
    settings = yaml.safe_load((pack / GAME_FILE).read_text("utf-8"))
    for variant, language in (("", ""), *forms(pack)):
        words = (*_option("--variant", variant), *_option("--lang", language))
        suffix = f" ({LANGUAGES[language]})" if language else ""
        suffix += f": {settings['variants'][variant]['title']}" if variant else ""
        # All in one build, so that the gallery links to the rest. A variant's rules are the game's.
        files = list(
            run("build", game, folder, *words, *(PIECES if variant else ()), suffix=suffix)
        )
        yield from files[: len(PAPERS)]  # the sheets, which come first
        if not variant:
            yield from run("build", game, folder, "--low-ink", *words, suffix=suffix)
        yield from files[len(PAPERS) :]
    for release in sorted((pack / "releases").glob("*.pnprelease")):
        if release.stem != settings["version"]:
            yield from run("patch", game, folder, f"--from={release.stem}", old=release.stem)


def _option(name: str, value: str) -> tuple[str, ...]:
    return (f"{name}={value}",) if value else ()


def run(
    command: str, game: str, folder: Path, *words: str, suffix: str = "", old: str = ""
) -> Iterator[Download]:
    """Run a command of pnp, and yield the files that people download."""
    line = [sys.executable, "-m", "generator", command, game, "-o", str(folder), "--json", *words]
    done = subprocess.run(line, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=True)
    for file in json.loads(done.stdout)["files"]:
        if file["path"].endswith(NOT_FOR_PLAYERS):
            Path(file["path"]).unlink()
            continue
        if not file["about"]:  # a picture of the page that follows
            continue
        path = Path(file["path"]).relative_to(folder).as_posix()
        kind = next((text for sign, text in KINDS.items() if re.search(sign, path)), None)
        if kind is None:
            raise SystemExit(f"{path}: add what it is to KINDS")
        paper = next((name for name in PAPERS if re.search(rf"-{name}\b", path)), "")
        yield Download(kind.format(old=old) + suffix, paper, path, file["about"])


def downloads_table(folder: Path, game: str, address: str) -> Html:
    """Return the table of a game's files in a folder of downloads; empty if they were not made.

    `address` leads from the page to the site's copy of the folder.
    """
    path = folder / game / LIST
    if not path.is_file():
        return Html()
    lines: dict[str, list[Html]] = {}
    for row in json.loads(path.read_text("utf-8")):
        file = Download(**row)
        cells = lines.setdefault(file.line, [_head(file)])
        cells.append(_cell(file, to_text(weigh(folder / file.path)), address))
    rows = (html("<tr>$cells</tr>", cells=join_html(cells)) for cells in lines.values())
    return html('<table class="docutils">\n$rows\n</table>', rows=join_html(rows, "\n"))


def _head(file: Download) -> Html:
    # What a build says of a web page, the line says already.
    about = html("<br><small>$about</small>", about=file.about) if file.paper else Html()
    return html("<td>$line$about</td>", line=file.line, about=about)


def _cell(file: Download, size: str, address: str) -> Html:
    kind = Path(file.path).suffix[1:].upper()
    return html(
        '<td$span><a href="$address/$path">$name</a> <small>$size</small></td>',
        span="" if file.paper else Html(' colspan="2"'),
        address=address,
        path=file.path,
        name=PAPERS.get(file.paper) or {"HTML": "Open"}.get(kind, kind),
        size=size,
    )


def weigh(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder; a page named `index.html` has files beside it."""
    folder = path.parent if path.name == "index.html" else path
    if not folder.is_dir():
        return path.stat().st_size
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def to_text(size: int) -> str:
    """Return a size as people read it: `0.8 MB`, with a space at which no line breaks."""
    return f"{max(size / 1e6, 0.1):.1f}\u00a0MB"


if __name__ == "__main__":
    make_downloads(Path(sys.argv[1]), sys.argv[2:] or packs())
