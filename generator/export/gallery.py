"""Write a page with every face of a game, which needs no server: one file, or a folder with its pictures.

Browsers draw most faces from their SVG, so they are sharp at any zoom and small. Faces that need more than shapes and
letters, or whose SVG is longer than their pixels, become PNG images.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from generator.base.errors import InvalidValueError
from generator.base.files import Outbox
from generator.base.geometry import Rect
from generator.base.html import Html, html, raw_text
from generator.base.ui_strings import has_words
from generator.base.units import number
from generator.draw.sides import DesignSide, sides_of
from generator.export import Written
from generator.export.player_page import GalleryPicture, PlayerPage
from generator.export.preview_page import face_names
from generator.live.page_files import compose_index, json_script, read_page_file
from generator.live.session import Card, CardSide
from generator.live.views import JsonObject, gallery_to_json
from generator.pack.folder import PackFolder
from generator.picture.face import Face
from generator.picture.web import (
    BESIDE,
    DPI,
    INSIDE,
    Plates,
    Screen,
    ScreenWriter,
    draws_alike,
    font_face,
    make_plates,
    policy,
    shared_style,
)
from generator.pipeline.project import Project
from generator.pipeline.rulebook import game_look

MAIN_MODULE = "app"
IMPORT_PATTERN = re.compile(
    r'^import (?:(\{ [\w, ]+ \})|\* as (\w+)) from "\./(\w+)\.js";\n', re.MULTILINE
)
EXPORT_PATTERN = re.compile(
    r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE
)
HEAD = """$policy
<style>$style</style>"""
END = """<svg class="filters" aria-hidden="true" width="0" height="0">$common</svg>
<script type="application/json" id="told">$data</script>
<script>$script</script>"""


@dataclass(frozen=True)
class StaticParts:
    """The parts that the faces need: shared SVG definitions, fonts, and the policy's source list for images."""

    common: Html
    fonts: str
    pictures: str


def build_page(data: JsonObject, page: PlayerPage, parts: StaticParts) -> Html:
    """Return the page with its data.

    Browsers load no modules from file: addresses. So the modules are joined to one script, the only
    one that the page's policy allows.
    """
    script = join_modules()
    language = data["game"]["language"]
    title = f"{page.game.name} {page.game.edition()}"
    style = "\n".join((parts.fonts, shared_style(), read_page_file("style.css"), page.style))
    return compose_index(
        title=title,
        heading=title,
        head=html(HEAD, policy=policy([script], parts.pictures), style=raw_text(style)),
        language=language if has_words(language) else "en",
        start=page.compose(),
        end=html(END, common=parts.common, data=json_script(data), script=raw_text(script)),
    )


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
    text = EXPORT_PATTERN.sub(
        "", IMPORT_PATTERN.sub(lambda each: f"const {each[1] or each[2]} = {each[3]}Js;\n", text)
    )
    if wrong := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise ValueError(
            f"{name}.js: this has an import or export of an unsupported form: {wrong[0]}"
        )
    done[name] = f"const {name}Js = (() => {{\n{text}return {{ {', '.join(given)} }};\n}})();"


YAML = (".yaml", ".yml")
# Characters of SVG of one face in the page.
MAX_FACE_CHARS = 60_000
# Characters of SVG of all faces in the page; faces beyond these limits become PNG images.
MAX_PAGE_CHARS = 24_000_000


@dataclass(frozen=True)
class GalleryOptions:
    """`single` is True for a page in one file."""

    single: bool = False


@dataclass(frozen=True)
class _GallerySide:
    """A side of a design with its face; `picture` names the picture, which equal faces share."""

    side: DesignSide
    face: Face
    picture: str


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the page; a picture that several designs share is included once."""
    stem = project.game.stem("gallery")
    single = project.request.get(GalleryOptions).single
    sides = list(_sides(project))
    pictures: dict[str, _GallerySide] = {}
    for item in sides:
        pictures.setdefault(item.picture, item)
    screen = Screen(None if single else lambda name, data: outbox.write(f"{stem}/{name}", data))
    with project.watch.stage("preview", len(pictures)) as tick:
        drawn = _plates(pictures, screen)
        left = {name: item for name, item in pictures.items() if name not in drawn.shown}
        bodies = {**drawn.shown, **dict(_pixels(project, left, screen))}
        tick(len(pictures))
        files = None if single else [name for name in outbox.names if "/" not in name]
        page = _page(project, sides, bodies, drawn.common, files).encode()
    yield Written(
        outbox.write(f"{stem}.html" if single else f"{stem}/index.html", page),
        "a web page of every card",
    )


def _sides(project: Project) -> Iterator[_GallerySide]:
    """Yield the sides of all designs."""
    names = face_names(project.game.components)
    first: dict[str, str] = {}
    for drawn in project.components:
        for design, faces in zip(drawn.spec.designs, drawn.designs, strict=True):
            for side, face in zip(sides_of(drawn.spec, design), faces.faces, strict=True):
                own = names[drawn.spec.id, design.id, side.name.replace(" ", "-")]
                yield _GallerySide(side, face, first.setdefault(face.name, own))


def _plates(pictures: Mapping[str, _GallerySide], screen: Screen) -> Plates:
    """Return the faces that the browser draws."""
    quick = {name: item for name, item in pictures.items() if draws_alike(item.face)}
    screen.expect(item.face for item in quick.values())
    cuts = {name: (item.face, item.side.outline) for name, item in quick.items()}
    return make_plates(
        cuts, ScreenWriter(screen), min(MAX_FACE_CHARS, MAX_PAGE_CHARS // max(1, len(pictures)))
    )


def _pixels(
    project: Project, pictures: Mapping[str, _GallerySide], screen: Screen
) -> Iterator[tuple[str, Html]]:
    """Yield the other faces as images, cut out, by name."""
    cuts = [
        (item.face.cut(item.side.outline), Rect(0, 0, *item.face.size))
        for item in pictures.values()
    ]
    for (name, item), data in zip(pictures.items(), project.raster.pngs(cuts, DPI), strict=True):
        w, h = (number(side) for side in item.face.size)
        address = screen.place(name, "png", data)
        yield (
            name,
            html('<image href="$address" width="$w" height="$h"/>', address=address, w=w, h=h),
        )


def _page(
    project: Project,
    sides: Sequence[_GallerySide],
    bodies: Mapping[str, Html],
    common: Html,
    files: Sequence[str] | None,
) -> Html:
    """Return the HTML page; `files` are those that were built next to its folder, None for a single page."""
    game = project.game
    own: dict[tuple[str, str], list[CardSide]] = {}
    pictures: dict[str, GalleryPicture] = {}
    for item in sides:
        own.setdefault((item.side.component.id, item.side.design.id), []).append(
            CardSide(item.side, item.picture)
        )
        pictures.setdefault(
            item.picture,
            GalleryPicture(item.face.size, item.side.outline, bodies[item.picture]),
        )
    cards = [
        Card(part, design, tuple(own[part.id, design.id]))
        for part in game.components
        for design in part.designs
    ]
    fonts = "\n".join(
        font_face(at.family, at.weight, at.data, italic=at.italic) for at in project.used_fonts
    )
    return build_page(
        gallery_to_json(game, cards, _words_of_pack(project)),
        PlayerPage(game, game_look(project), cards, pictures, files or ()),
        StaticParts(common, fonts, INSIDE if files is None else BESIDE),
    )


def _words_of_pack(project: Project) -> frozenset[str]:
    """Return every word of the pack's YAML files.

    Columns that no file names are notes of the authors, and are not published.
    """
    folder = PackFolder(project.folder)
    found = {"id", "title"}
    for name in folder.names(".", YAML):
        with suppress(InvalidValueError):
            found.update(re.findall(r"[\w-]+", folder.read(name).decode("utf-8", "replace")))
    return frozenset(found)
