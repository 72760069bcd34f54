"""A page with every face of a game, which needs nobody to serve it: one file, or a folder with the pictures it shows.

Faces are drawn by the browser, from what is printed: they are sharp at any size, and cost no more than their SVG. What
asks more than shapes and letters, or is longer than its pixels, is a picture of pixels.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.core.units import number, pixels
from generator.core.web import BESIDE, font_face
from generator.core.words import words_for
from generator.draw.sides import DesignSide, sides_of
from generator.export import Written
from generator.live.session import Card, CardSide
from generator.live.telling import gallery_to_json
from generator.live.whole import StaticParts, build_page
from generator.pack.folder import PackFolder
from generator.picture.face import Face
from generator.picture.html import Plates, draws_alike, plates
from generator.preview.gallery import Shot, face_names, figures
from generator.preview.screen import DPI, Screen, ScreenWriter

INSIDE = "data:"
YAML = (".yaml", ".yml")
MOST = 60_000
LETTERS = 24_000_000
"""Letters of one face, and of all faces, that stand in the page; what is longer is a picture of pixels."""


@dataclass(frozen=True)
class GalleryWish:
    """Whether all of it is to be one file."""

    single: bool = False


@dataclass(frozen=True)
class _Shown:
    """A side of a design with its face, and the name of the picture, which others with the same face share."""

    side: DesignSide
    face: Face
    picture: str


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The page, with a picture that several designs have just once."""
    stem = project.game.stem("gallery")
    single = project.order.wish(GalleryWish).single
    sides = list(_sides(project))
    pictures: dict[str, _Shown] = {}
    for each in sides:
        pictures.setdefault(each.picture, each)
    screen = Screen(None if single else lambda name, data: outbox.write(f"{stem}/{name}", data))
    with project.watch.stage("preview", len(pictures)) as tick:
        drawn = _drawn(pictures, screen)
        left = {name: each for name, each in pictures.items() if name not in drawn.shown}
        bodies = {**drawn.shown, **dict(_pixels(project, left, screen))}
        tick(len(pictures))
        page = _page(project, sides, bodies, drawn.common, single=single).encode()
    yield Written(outbox.write(f"{stem}.html" if single else f"{stem}/index.html", page), "every face, for a screen")


def _sides(project: Project) -> Iterator[_Shown]:
    names = face_names(project.game.components)
    first: dict[str, str] = {}
    for drawn in project.drawn:
        for design, faces in zip(drawn.spec.designs, drawn.designs, strict=True):
            for side, face in zip(sides_of(drawn.spec, design), faces.faces, strict=True):
                own = names[drawn.spec.id, design.id, side.name.replace(" ", "-")]
                yield _Shown(side, face, first.setdefault(face.name, own))


def _drawn(pictures: Mapping[str, _Shown], screen: Screen) -> Plates:
    """Those that the browser draws."""
    quick = {name: each for name, each in pictures.items() if draws_alike(each.face)}
    screen.expect(each.face for each in quick.values())
    cuts = {name: (each.face, each.side.outline) for name, each in quick.items()}
    return plates(cuts, ScreenWriter(screen), min(MOST, LETTERS // max(1, len(pictures))))


def _pixels(project: Project, pictures: Mapping[str, _Shown], screen: Screen) -> Iterator[tuple[str, str]]:
    """The others, as they are cut, by their names."""
    cuts = [(each.face.cut(each.side.outline), Rect(0, 0, *each.face.size)) for each in pictures.values()]
    for (name, each), data in zip(pictures.items(), project.raster.pngs(cuts, DPI), strict=True):
        w, h = (number(side) for side in each.face.size)
        yield name, f'<image href="{escape(screen.place(name, "png", data))}" width="{w}" height="{h}"/>'


def _page(project: Project, sides: Sequence[_Shown], bodies: Mapping[str, str], common: str, *, single: bool) -> str:
    game = project.game
    own: dict[tuple[str, str], list[CardSide]] = {}
    for each in sides:
        own.setdefault((each.side.component.id, each.side.design.id), []).append(CardSide(each.side, each.picture))
    cards = [Card(part, design, tuple(own[part.id, design.id])) for part in game.components for design in part.designs]
    fonts = "\n".join(font_face(at.family, at.weight, at.data, italic=at.italic) for at in project.fonts_shown)
    page = StaticParts(f"{game.name} {game.edition()}", figures(_shots(project, sides, bodies)), common, fonts)
    return build_page(gallery_to_json(game, cards, _read(project)), page, INSIDE if single else BESIDE)


def _read(project: Project) -> frozenset[str]:
    """Every word of the pack's own files but tables: a column that none of them names is nobody's business."""
    folder = PackFolder(project.folder)
    found = {"id", "title"}
    for name in folder.names(".", YAML):
        with suppress(Wrong):
            found.update(re.findall(r"[\w-]+", folder.read(name).decode("utf-8", "replace")))
    return frozenset(found)


def _shots(project: Project, sides: Sequence[_Shown], bodies: Mapping[str, str]) -> list[Shot]:
    """The pictures with words: whose it is, or of which components if designs share it; on how many pieces."""
    words = words_for(project.game.language)
    owners: dict[str, list[_Shown]] = {}
    for each in sides:
        owners.setdefault(each.picture, []).append(each)
    shots = []
    for name, shown in owners.items():
        own = [each.side for each in shown]
        titles = [each.design.title if len(shown) == 1 else each.component.title for each in own]
        title = ", ".join(dict.fromkeys(titles))
        if any(each.design.back for each in own):
            called = words.sheet.back if own[0].name == "back" else words.sheet.front
            title = words.preview.face.format(title=title, side=called)
        count = sum({(each.component.id, each.design.id): each.design.count for each in own}.values())
        said = f"{title} ×\N{NO-BREAK SPACE}{count}"
        shots.append(Shot(_svg(name, shown[0].face, bodies[name], said), said, own[0].component.title))
    return shots


def _svg(name: str, face: Face, body: str, said: str) -> str:
    """A face as an element of the page."""
    w, h = face.size
    box = f'viewBox="0 0 {number(w)} {number(h)}" width="{pixels(w, DPI)}" height="{pixels(h, DPI)}"'
    return f'<svg data-face="{escape(name)}" role="img" aria-label="{escape(said)}" {box}>{body}</svg>'
