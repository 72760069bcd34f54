"""playingcards.io: a room to import, `.pcio`: a zip of widgets and of the pictures that they name.

Each component is a deck in a pile of its own, as the site's own exports have it: a `cardDeck` with its types and the
templates of its two sides, a `card` a piece, and a `holder` that holds them.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256

from PIL import Image

from generator.app.project import Project
from generator.core.files import Outbox
from generator.draw.draw import DrawnComponent
from generator.export import Written
from generator.export.targets import each_piece, wanted
from generator.preview.atlas import cell
from generator.preview.finished import Pixels, png

Widget = dict[str, object]

SCHEMA = "8"
"""The version of these fields; the site called a holder otherwise before its sixth."""

LONG = 160
SHARPER = 4
DPI = 300
"""The longer side of a card on the table, in its pixels; how many of a picture's make one of them."""

PILES = 7
STEP = (200, 260)
EDGE = (60, 80)
"""Piles in a row; from one to the next; from the room's corner to the first."""

EPOCH = (1980, 1, 1, 0, 0, 0)


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The file to import."""
    widgets: list[Widget] = [
        {"id": "hand", "type": "hand", "x": 50, "y": 820, "z": 1, "dragging": None, "enabled": True}
    ]
    assets: dict[str, bytes] = {}
    components = wanted(project)
    with project.watch.stage("pictures", len(components)) as tick:
        for nth, component in enumerate(components):
            widgets += _deck(project, component, nth, assets)
            tick(nth + 1)
    count = sum(design.count for component in components for design in component.designs)
    yield Written(outbox.write(f"{project.game.stem('table')}.pcio", _zipped(widgets, assets)), f"{count} cards")


def _deck(project: Project, component: DrawnComponent, nth: int, assets: dict[str, bytes]) -> Iterator[Widget]:
    spec, (w, h) = component.spec, table_size(component)
    x = EDGE[0] + nth % PILES * STEP[0]
    y = EDGE[1] + nth // PILES * STEP[1]
    place: Widget = {"x": x, "y": y}
    pile = f"{spec.id}-pile"
    deck = f"{spec.id}-deck"
    label = {"label": spec.title, "hasShuffleButton": True}
    yield {"id": pile, "type": "holder", **place, "z": 2, "width": w + 8, "height": h + 8, **label}
    pictures: dict[str, dict[str, str]] = {}
    made: dict[str, str] = {}
    for design in component.designs:
        sides = (("image", design.front, spec.outline), ("back", design.back, spec.behind))
        for key, face, outline in sides:
            name = face.name if face else ""
            if name not in made:
                made[name] = _asset(cell(project.raster, face, outline, (w * SHARPER, h * SHARPER)), assets)
            pictures.setdefault(design.id, {"label": design.title})[key] = made[name]
    size = {"cardWidth": w, "cardHeight": h, "enlarge": True}
    templates = {"faceTemplate": _template("image", (w, h)), "backTemplate": _template("back", (w, h))}
    yield {"id": deck, "type": "cardDeck", **place, "z": 3, "parent": pile, "cardTypes": pictures, **size, **templates}
    for number, design in enumerate(each_piece(component.designs), 1):
        card: Widget = {"deck": deck, "cardType": design.id, "parent": pile, "faceup": False, "owner": None}
        yield {"id": f"{spec.id}-{number}", "type": "card", **place, "z": 3 + number, **card}


def table_size(component: DrawnComponent) -> Pixels:
    """A card on the table, in its pixels."""
    size = component.spec.outline.size
    longest = max(size)
    return max(1, round(LONG * size.w / longest)), max(1, round(LONG * size.h / longest))


def _template(key: str, size: Pixels) -> Widget:
    """A side that is all one picture, which each type of card names under a key."""
    picture = {"type": "image", "x": 0, "y": 0, "w": size[0], "h": size[1], "color": "transparent"}
    return {
        "includeBorder": False,
        "includeRadius": False,
        "objects": [{**picture, "valueType": "dynamic", "value": key}],
    }


def _asset(image: Image.Image, assets: dict[str, bytes]) -> str:
    data = png(image, DPI)
    name = f"userassets/{sha256(data).hexdigest()[:16]}.png"
    assets[name] = data
    return f"package://{name}"


def _zipped(widgets: list[Widget], assets: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {
            "schemaVersion": SCHEMA.encode(),
            "widgets.json": json.dumps(widgets).encode(),
            **assets,
        }.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
