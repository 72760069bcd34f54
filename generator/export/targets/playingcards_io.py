"""Export to playingcards.io: a room to import as `.pcio`, a zip of widgets and pictures.

Each component is a deck in a pile of its own, as in the site's own exports: a `cardDeck` with its
types and templates of the two sides, a `card` for each piece, and a `holder` for the pile.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256

from PIL import Image

from generator.base.files import Outbox
from generator.base.units import format_count
from generator.draw.draw import DrawnComponent
from generator.export import WrittenFile
from generator.export.face_images import Pixels, encode_sized_png
from generator.export.targets import note_first_faces, repeat_pieces, select_chosen
from generator.export.targets.grids import render_cell
from generator.pipeline.project import Project

Widget = dict[str, object]

# The version of these fields in the site's exports; before version 6 a holder had another name.
SCHEMA_VERSION = "8"

# The longer side of a card in the table's pixels, and picture pixels for each of them, for zooming
# in.
CARD_PX = 160
PICTURE_SCALE = 4
DPI = 300

# Piles in a row; the distance between piles and from the room's corner to the first pile, in table
# pixels.
PILES_PER_ROW = 7
PILE_STEP_PX = (200, 260)
FIRST_PILE_PX = (60, 80)

# The earliest date that a zip file can have: equal rooms give equal files.
EPOCH = (1980, 1, 1, 0, 0, 0)


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the file to import."""
    widgets: list[Widget] = [
        {"id": "hand", "type": "hand", "x": 50, "y": 820, "z": 1, "dragging": None, "enabled": True}
    ]
    assets: dict[str, bytes] = {}
    components = select_chosen(project)
    for index, component in enumerate(project.watch.stage_of("pictures", components)):
        widgets += _deck(project, component, index, assets)
    count = sum(design.count for component in components for design in component.designs)
    yield WrittenFile(
        outbox.write(f"{project.game.stem('table')}.pcio", _zip_room(widgets, assets)),
        format_count(count, "card"),
        tuple(note for component in components for note in note_first_faces(component)),
    )


def _deck(
    project: Project, component: DrawnComponent, index: int, assets: dict[str, bytes]
) -> Iterator[Widget]:
    spec = component.spec
    w, h = table_size(component)
    x = FIRST_PILE_PX[0] + index % PILES_PER_ROW * PILE_STEP_PX[0]
    y = FIRST_PILE_PX[1] + index // PILES_PER_ROW * PILE_STEP_PX[1]
    place: Widget = {"x": x, "y": y}
    pile = f"{spec.id}-pile"
    deck = f"{spec.id}-deck"
    label = {"label": spec.title, "hasShuffleButton": True}
    yield {"id": pile, "type": "holder", **place, "z": 2, "width": w + 8, "height": h + 8, **label}
    pictures: dict[str, dict[str, str]] = {}
    addresses: dict[str, str] = {}
    for design in component.designs:
        sides = (("image", design.front, spec.outline), ("back", design.back, spec.behind))
        for key, face, outline in sides:
            name = face.name if face else ""
            if name not in addresses:
                addresses[name] = _asset(
                    render_cell(
                        project.raster, face, outline, (w * PICTURE_SCALE, h * PICTURE_SCALE)
                    ),
                    assets,
                )
            pictures.setdefault(design.id, {"label": design.title})[key] = addresses[name]
    size = {"cardWidth": w, "cardHeight": h, "enlarge": True}
    templates = {
        "faceTemplate": _template("image", (w, h)),
        "backTemplate": _template("back", (w, h)),
    }
    yield {
        "id": deck,
        "type": "cardDeck",
        **place,
        "z": 3,
        "parent": pile,
        "cardTypes": pictures,
        **size,
        **templates,
    }
    for number, design in enumerate(repeat_pieces(component.designs), 1):
        card: Widget = {
            "deck": deck,
            "cardType": design.id,
            "parent": pile,
            "faceup": False,
            "owner": None,
        }
        yield {"id": f"{spec.id}-{number}", "type": "card", **place, "z": 3 + number, **card}


def table_size(component: DrawnComponent) -> Pixels:
    """Return the size of a card on the table, in the table's pixels."""
    size = component.spec.outline.size
    longest = max(size)
    return max(1, round(CARD_PX * size.w / longest)), max(1, round(CARD_PX * size.h / longest))


def _template(key: str, size: Pixels) -> Widget:
    """Return the template of a side that is one picture, which each card type names under `key`."""
    picture = {"type": "image", "x": 0, "y": 0, "w": size[0], "h": size[1], "color": "transparent"}
    return {
        "includeBorder": False,
        "includeRadius": False,
        "objects": [{**picture, "valueType": "dynamic", "value": key}],
    }


def _asset(image: Image.Image, assets: dict[str, bytes]) -> str:
    data = encode_sized_png(image, DPI)
    name = f"userassets/{sha256(data).hexdigest()[:16]}.png"
    assets[name] = data
    return f"package://{name}"


def _zip_room(widgets: list[Widget], assets: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {
            "schemaVersion": SCHEMA_VERSION.encode(),
            "widgets.json": json.dumps(widgets).encode(),
            **assets,
        }.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
