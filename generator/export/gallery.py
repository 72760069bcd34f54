"""A page with every face of a game, which needs nobody to serve it: a folder of its own, or one file."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from urllib.parse import quote

from generator.app.project import Project
from generator.core.classes import dataclass
from generator.core.files import Outbox
from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.core.web import BESIDE
from generator.core.words import words_for
from generator.draw.draw import DesignSide, sides_of
from generator.draw.face import Face
from generator.export import Written
from generator.live.session import Card, CardSide
from generator.live.telling import told_gallery
from generator.live.whole import whole
from generator.pack.folder import PackFolder
from generator.preview.gallery import Shot, face_names, figures

DPI = 120
"""Enough for a screen, and quick."""
INSIDE = "data:"
YAML = (".yaml", ".yml")


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
    stem, single = project.game.stem("gallery"), project.order.wish(GalleryWish).single
    sides = list(_sides(project))
    places: dict[str, str] = {}
    for name, data in _drawn(project, sides):
        if single:
            places[name] = f"data:image/png;base64,{b64encode(data).decode()}"
        else:
            outbox.write(f"{stem}/{name}.png", data)
            places[name] = quote(f"{name}.png")
    page = _page(project, sides, places, single=single).encode()
    yield Written(outbox.write(f"{stem}.html" if single else f"{stem}/index.html", page), "every face, for a screen")


def _sides(project: Project) -> Iterator[_Shown]:
    names = face_names(project.game.components)
    first: dict[str, str] = {}
    for drawn in project.drawn:
        for design, faces in zip(drawn.spec.designs, drawn.designs, strict=True):
            for side, face in zip(sides_of(drawn.spec, design), faces.faces, strict=True):
                own = names[drawn.spec.id, design.id, side.name.replace(" ", "-")]
                yield _Shown(side, face, first.setdefault(face.name, own))


def _drawn(project: Project, sides: Sequence[_Shown]) -> Iterator[tuple[str, bytes]]:
    """The pictures as they are cut, by their names."""
    pictures: dict[str, _Shown] = {}
    for each in sides:
        pictures.setdefault(each.picture, each)
    plates = [(each.face.cut(each.side.outline), Rect(0, 0, *each.face.size)) for each in pictures.values()]
    with project.watch.stage("preview", len(plates)) as tick:
        for done, (name, data) in enumerate(zip(pictures, project.raster.pngs(plates, DPI), strict=True), 1):
            yield name, data
            tick(done)


def _page(project: Project, sides: Sequence[_Shown], places: Mapping[str, str], *, single: bool) -> str:
    game = project.game
    own: dict[tuple[str, str], list[CardSide]] = {}
    for each in sides:
        own.setdefault((each.side.component.id, each.side.design.id), []).append(CardSide(each.side, each.picture))
    cards = [Card(part, design, tuple(own[part.id, design.id])) for part in game.components for design in part.designs]
    told = told_gallery(game, cards, _read(project), places)
    plain = "" if single else figures(_shots(project, sides, places))
    return whole(told, f"{game.name} {game.edition()}", plain, INSIDE if single else BESIDE)


def _read(project: Project) -> frozenset[str]:
    """Every word of the pack's own files but tables: a column that none of them names is nobody's business."""
    folder, found = PackFolder(project.folder), {"id", "title"}
    for name in folder.names(".", YAML):
        with suppress(Wrong):
            found.update(re.findall(r"[\w-]+", folder.read(name).decode("utf-8", "replace")))
    return frozenset(found)


def _shots(project: Project, sides: Sequence[_Shown], places: Mapping[str, str]) -> list[Shot]:
    """The pictures with words: whose it is, or of which components if designs share it; on how many pieces."""
    words = words_for(project.game.language)
    owners: dict[str, list[DesignSide]] = {}
    for each in sides:
        owners.setdefault(each.picture, []).append(each.side)
    shots = []
    for name, shown in owners.items():
        titles = [each.design.title if len(shown) == 1 else each.component.title for each in shown]
        title = ", ".join(dict.fromkeys(titles))
        if any(each.design.back for each in shown):
            called = words.sheet.back if shown[0].name == "back" else words.sheet.front
            title = words.preview.face.format(title=title, side=called)
        count = sum({(each.component.id, each.design.id): each.design.count for each in shown}.values())
        shots.append(Shot(places[name], f"{title} ×\N{NO-BREAK SPACE}{count}", shown[0].component.title))
    return shots
