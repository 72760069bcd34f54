"""Tabletop Simulator: a saved object with a deck, a bag or a board for each component, and its pictures.

Fields as the game writes them: a card's number is its sheet's key times 100 and its place there. A file's name has a
digest of what is in it, because players' caches ask for an address only once.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from PIL import Image

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.outline import Outline
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.draw.face import Face
from generator.export import Written
from generator.export.rules import book_pdf, set_rules
from generator.export.targets import TargetWish, wanted
from generator.pdf.typeset.made import TO_READ
from generator.preview.atlas import cell, face_grid, face_sheets
from generator.preview.finished import on_white

State = dict[str, object]

MOST, SIDE = (10, 7), 4096
"""Columns and rows of a sheet, and its pixels a side."""

CARD_TYPES = {"hex": 3, "hex pointed": 3, "circle": 4}
ROUNDED, SHARP = 0, 1
TILE_TYPES = {"rect": 0, "hex": 1, "hex pointed": 1, "circle": 2}

POKER_HEIGHT, INCH_TILE = 88.9, 50.8
"""mm: how high a card, and how wide a tile, of scale 1 is taken to be."""

APART = 4.0
"""Units of the table from one component to the next."""

HERE = "others cannot see files of this machine: upload them and give their address with --url, or use Upload All there"


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The object, and beside it all pictures and the rules."""
    table = TtsTable(project, outbox)
    components = wanted(project)
    with project.watch.stage("pictures", len(components)) as tick:
        for done, component in enumerate(components, 1):
            table.add(component)
            tick(done)
    table.add_rules()
    text = json.dumps({"SaveName": project.game.name, "ObjectStates": table.objects}, indent=1, ensure_ascii=False)
    path = outbox.write(f"{project.game.stem('table')}.json", text.encode())
    yield Written(path, f"{len(table.objects)} objects", () if table.url else (HERE,))


@dataclass
class TtsTable:
    """The objects as they come to lie in a row, and the sheets that cards refer to by their keys."""

    project: Project
    outbox: Outbox
    objects: list[State] = field(default_factory=list)
    sheets: int = 0

    @property
    def url(self) -> str:
        """Where the pictures will be on the web; nothing where they stay here."""
        return self.project.order.wish(TargetWish).url

    def add(self, component: DrawnComponent) -> None:
        """A component, as what it is."""
        spec, make = component.spec, component.spec.make
        if make == "piece" and spec.outline.is_box and not spec.outline.is_circle:
            self._put(self._deck(component))
            return
        kind = {"board": self._board, "standee": self._figure, "die": self._die}.get(make, self._tile)
        states = [kind(component, design) for design in component.designs for _ in range(design.count)]
        single = len(states) == 1 or make == "board"
        for state in states if single else [_bag(spec.title, states)]:
            self._put(state)

    def add_rules(self) -> None:
        """The rules, as a file to leaf through."""
        rules = self.project.rules
        if rules is None:
            return
        made = set_rules(self.project, TO_READ)
        address = self._file("rules", "pdf", book_pdf(self.project, made, "DuplexFlipLongEdge"))
        pages = {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
        self._put(_state("Custom_PDF", rules.title) | {"CustomPDF": pages})

    def _put(self, state: State) -> None:
        turned, at = state["Transform"], APART * len(self.objects)
        placed = {**turned, "posX": at} if isinstance(turned, dict) else {}
        self.objects.append({**state, "Transform": placed, "GUID": _digest(repr((at, state)).encode())[:6]})

    def _deck(self, component: DrawnComponent) -> State:
        spec, cards, sheets = component.spec, [], {}
        for sheet in face_sheets(self.project.raster, component, MOST, SIDE):
            self.sheets += 1
            sheets[str(self.sheets)] = {
                "FaceURL": self._picture(f"{spec.id}-{self.sheets}-faces", sheet.front),
                "BackURL": self._picture(f"{spec.id}-{self.sheets}-backs", sheet.back),
                "NumWidth": sheet.grid.columns,
                "NumHeight": sheet.grid.rows,
                "BackIsHidden": True,
                "UniqueBack": sheet.own_backs,
                "Type": _card_type(spec.outline),
            }
            custom = {str(self.sheets): sheets[str(self.sheets)]}
            cards += [
                _state("Card", design.title, spec.outline.size.h / POKER_HEIGHT, 180)
                | {"CardID": self.sheets * 100 + nth, "CustomDeck": custom}
                for nth, design in enumerate(sheet.designs)
                for _ in range(design.count)
            ]
        if len(cards) == 1:
            return {**cards[0], "Name": "CardCustom"}
        deck = _state("DeckCustom", spec.title, spec.outline.size.h / POKER_HEIGHT, 180)
        return deck | {"DeckIDs": [card["CardID"] for card in cards], "CustomDeck": sheets, "ContainedObjects": cards}

    def _tile(self, component: DrawnComponent, design: DrawnDesign) -> State:
        """A tile of a shape that the game has, or a token, which is cut where its picture has no ink."""
        outline, title = component.spec.outline, design.title
        scale = outline.size.w / INCH_TILE
        if outline.kind not in TILE_TYPES:
            token = {"Thickness": 0.1, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": True}
            return _state("Custom_Token", title, scale) | self._image(component, design, {"CustomToken": token})
        tile = {"Type": TILE_TYPES[outline.kind], "Thickness": 0.1, "Stackable": True, "Stretch": True}
        return _state("Custom_Tile", title, scale) | self._image(component, design, {"CustomTile": tile})

    def _board(self, component: DrawnComponent, design: DrawnDesign) -> State:
        return _state("Custom_Board", design.title) | self._image(component, design, {})

    def _figure(self, component: DrawnComponent, design: DrawnDesign) -> State:
        return _state("Figurine_Custom", design.title) | self._image(component, design, {})

    def _die(self, component: DrawnComponent, design: DrawnDesign) -> State:
        """A tile with a state a face: how the game lays pictures on dice is nowhere written."""
        tile: State = {"CustomTile": {"Type": 0, "Thickness": 0.4, "Stackable": False, "Stretch": True}}
        scale, faces = component.spec.outline.size.w / INCH_TILE, (design.front, *design.more)
        states = [
            _state("Custom_Tile", f"{design.title} {nth}", scale) | self._shown(component, design, face, tile)
            for nth, face in enumerate(faces, 1)
        ]
        return states[0] | {"States": {str(nth): state for nth, state in enumerate(states[1:], 2)}}

    def _image(self, component: DrawnComponent, design: DrawnDesign, more: State) -> State:
        return self._shown(component, design, design.front, more)

    def _shown(self, component: DrawnComponent, design: DrawnDesign, face: Face, more: State) -> State:
        spec = component.spec
        pixels = face_grid(1, face.size, (1, 1), SIDE).cell
        front = self._picture(f"{spec.id}-{design.id}", cell(self.project.raster, face, spec.outline, pixels))
        back = front
        if design.back:
            image = cell(self.project.raster, design.back, spec.behind, pixels)
            back = self._picture(f"{spec.id}-{design.id}-back", image)
        return {
            "CustomImage": {"ImageURL": front, "ImageSecondaryURL": back, "ImageScalar": 1.0, "WidthScale": 0.0, **more}
        }

    def _picture(self, name: str, image: Image.Image) -> str:
        buffer = io.BytesIO()
        opaque = image.mode == "RGB" or image.getchannel("A").getextrema() == (255, 255)
        (on_white(image) if opaque else image).save(buffer, "PNG")
        return self._file(name, "png", buffer.getvalue())

    def _file(self, name: str, ending: str, data: bytes) -> str:
        """Keep a file; gives its address."""
        full = f"{name}-{_digest(data)[:12]}.{ending}"
        path = self.outbox.folder / full
        if full not in self.outbox.names:
            path = self.outbox.write(full, data)
        return f"{self.url.rstrip('/')}/{full}" if self.url else path.resolve().as_uri()


def _card_type(outline: Outline) -> int:
    return ROUNDED if outline.radius else CARD_TYPES.get(outline.kind, SHARP)


def _bag(title: str, states: list[State]) -> State:
    return _state("Bag", title) | {"ContainedObjects": states}


def _state(name: str, title: str, scale: float = 1.0, turned: int = 0) -> State:
    """An object of a kind; `turned` 180 lies with its back up."""
    size = round(scale, 3)
    place = {"posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": float(turned)}
    return {
        "Name": name,
        "Nickname": title,
        "Transform": {**place, "scaleX": size, "scaleY": 1.0, "scaleZ": size},
    }


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
