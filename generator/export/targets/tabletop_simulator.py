"""Tabletop Simulator: a saved object with a deck, a bag or a board for each component, and its pictures.

Fields as the game writes them: a card's number is its sheet's key times 100 and its place there. A file's name has a
digest of what is in it, because players' caches ask for an address only once.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil, sqrt

from PIL import Image

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.geometry import Rect, Size
from generator.core.outline import Outline
from generator.core.problems import Kind, placed, unknown
from generator.core.units import MM_PER_INCH
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import Written
from generator.export.rules import set_rules
from generator.export.targets import TargetWish, wanted
from generator.figure.build import SetPiece
from generator.impose.folded import DICE as DICE_NETS
from generator.impose.folded import find_net_plan
from generator.impose.mesh import FoldedMesh
from generator.pdf.typeset.made import TO_READ
from generator.picture.face import Face
from generator.preview.atlas import cell, face_grid, face_sheets
from generator.preview.finished import on_white, tiled

State = dict[str, object]

MOST = (10, 7)
SIDE = 4096
"""Columns and rows of a sheet, and its pixels a side."""

CARD_TYPES = {"hex": 3, "hex pointed": 3, "circle": 4}
ROUNDED = 0
SHARP = 1
TILE_TYPES = {"rect": 0, "hex": 1, "hex pointed": 1, "circle": 2}

POKER_HEIGHT = 88.9
INCH_TILE = 50.8
"""mm: how high a card, and how wide a tile, of scale 1 is taken to be."""

CARDBOARD = 3
GENERIC = 0
ROLLED = 2
"""The game's numbers of a material and of two kinds of models."""

APART = 4.0
"""Units of the table from one component to the next."""

HERE = "others cannot see files of this machine: upload them and give their address with --url, or use Upload All there"


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The object, and beside it all pictures and the rules."""
    table = TtsTable(project, outbox, _set_up(project))
    components = wanted(project)
    with project.watch.stage("pictures", len(components)) as tick:
        for done, component in enumerate(components, 1):
            table.add(component)
            tick(done)
    table.add_rules()
    notices: tuple[str, ...] = () if table.url else (HERE,)
    if table.waiting:
        missing = ", ".join(dict.fromkeys(piece.design for piece in table.waiting))
        notices += (f"the set-up lays out more pieces than there are: {missing}",)
    text = json.dumps({"SaveName": project.game.name, "ObjectStates": table.objects}, indent=1, ensure_ascii=False)
    path = outbox.write(f"{project.game.stem('table')}.json", text.encode())
    yield Written(path, f"{len(table.objects)} objects", notices)


def _set_up(project: Project) -> tuple[SetPiece, ...]:
    """How the table is laid before play: as the figure shows that is named, or the first that is a set-up."""
    found = {name: figure.laid for name, figure in project.figures.items() if figure.laid}
    name = project.order.wish(TargetWish).setup
    if name and name not in found:
        with placed(None, "--setup"):
            raise unknown("set-up", name, found, kind=Kind.USAGE)
    return found[name] if name else next(iter(found.values()), ())


@dataclass
class TtsTable:
    """The objects: those of the set-up where it has them, the others in a row before it; sheets by their keys."""

    project: Project
    outbox: Outbox
    setup: tuple[SetPiece, ...] = ()
    objects: list[State] = field(default_factory=list)
    sheets: int = 0
    row: int = 0
    waiting: list[SetPiece] = field(init=False)

    def __post_init__(self) -> None:
        self.waiting = list(self.setup)

    @property
    def url(self) -> str:
        """Where the pictures will be on the web; nothing where they stay here."""
        return self.project.order.wish(TargetWish).url

    def add(self, component: DrawnComponent) -> None:
        """A component, as what it is: first those of its pieces that are set out, the rest together."""
        rest = []
        for design, state in self._pieces(component):
            spot = self._spot(component, design)
            if spot is None:
                rest.append(state)
            else:
                self.objects.append(_named(_set_out(state, spot), len(self.objects)))
        single = len(rest) == 1 or component.spec.make.name == "board"
        for state in rest if single else [self._together(component, rest)] if rest else ():
            self._put(state)

    def _pieces(self, component: DrawnComponent) -> Iterator[tuple[DrawnDesign, State]]:
        """Every piece as an object."""
        spec = component.spec
        make = component.spec.make.name
        if make == "piece" and spec.outline.is_box and not spec.outline.is_circle:
            yield from self._cards(component)
            return
        kinds = {"board": self._board, "standee": self._figure, "piece": self._tile}
        kind = kinds.get(make, self._folded)
        for design in component.designs:
            state = kind(component, design)
            yield from ((design, state) for _ in range(design.count))

    def _spot(self, component: DrawnComponent, design: DrawnDesign) -> SetPiece | None:
        """Where a piece of a design is set out, if one still is."""
        names = {design.id, f"{component.spec.id}:{design.id}"}
        found = next((piece for piece in self.waiting if piece.design in names), None)
        if found:
            self.waiting.remove(found)
        return found

    def add_rules(self) -> None:
        """The rules, as a file to leaf through."""
        rules = self.project.rules
        if rules is None:
            return
        made, said = set_rules(self.project, rules, TO_READ)
        address = self._file("rules", "pdf", made.finished(said))
        pages = {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
        self._put(_state("Custom_PDF", rules.title) | {"CustomPDF": pages})

    def _put(self, state: State) -> None:
        turned = state["Transform"]
        lowest = max((piece.at.y for piece in self.setup), default=-2 * APART * MM_PER_INCH)
        place = {"posX": APART * self.row, "posZ": round(-lowest / MM_PER_INCH - 2 * APART, 3)}
        placed = {**turned, **place} if isinstance(turned, dict) else {}
        self.row += 1
        self.objects.append(_named({**state, "Transform": placed}, len(self.objects)))

    def _cards(self, component: DrawnComponent) -> Iterator[tuple[DrawnDesign, State]]:
        spec = component.spec
        for sheet in face_sheets(self.project.raster, component, MOST, SIDE):
            self.sheets += 1
            custom = {
                "FaceURL": self._picture(f"{spec.id}-{self.sheets}-faces", sheet.front),
                "BackURL": self._picture(f"{spec.id}-{self.sheets}-backs", sheet.back),
                "NumWidth": sheet.grid.columns,
                "NumHeight": sheet.grid.rows,
                "BackIsHidden": True,
                "UniqueBack": sheet.own_backs,
                "Type": _card_type(spec.outline),
            }
            key = self.sheets
            for nth, design in enumerate(sheet.designs):
                card = _state("CardCustom", design.title, spec.outline.size.h / POKER_HEIGHT, 180)
                card |= {"CardID": key * 100 + nth, "CustomDeck": {str(key): custom}}
                yield from ((design, card) for _ in range(design.count))

    def _together(self, component: DrawnComponent, states: list[State]) -> State:
        """Cards as a deck, anything else in a bag."""
        spec = component.spec
        if states[0]["Name"] != "CardCustom":
            return _state("Bag", spec.title) | {"ContainedObjects": states}
        sheets: dict[str, object] = {}
        for each in states:
            sheets |= each["CustomDeck"] if isinstance(each["CustomDeck"], dict) else {}
        deck = _state("DeckCustom", spec.title, spec.outline.size.h / POKER_HEIGHT, 180)
        cards = [{**each, "Name": "Card"} for each in states]
        return deck | {"DeckIDs": [each["CardID"] for each in states], "CustomDeck": sheets, "ContainedObjects": cards}

    def _tile(self, component: DrawnComponent, design: DrawnDesign) -> State:
        """A tile of a shape that the game has, or a token, which is cut where its picture has no ink."""
        outline = component.spec.outline
        title = design.title
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

    def _folded(self, component: DrawnComponent, design: DrawnDesign) -> State:
        """What is folded, as a mesh with its faces on; a die tells which of them is up."""
        spec = component.spec
        found = find_net_plan(spec.make.name, spec.outline.size, spec.depth)
        if found is None:
            return self._tile(component, design)
        plan, panels = found
        faces = (design.front, *design.more)
        columns = ceil(sqrt(len(faces)))
        mesh = FoldedMesh(plan, panels, columns, ceil(len(faces) / columns))
        largest = Size(max(face.size.w for face in faces), max(face.size.h for face in faces))
        pixels = face_grid(len(faces), largest, (columns, columns), SIDE).cell
        cells = [cell(self.project.raster, face, Outline.of_box(Rect(0, 0, *face.size)), pixels) for face in faces]
        shape = self._file(f"{spec.id}-mesh", "obj", mesh.obj.encode())
        name = f"{spec.id}-{design.id}"
        custom: State = {"MeshURL": shape, "DiffuseURL": self._picture(name, tiled(cells, columns)), "NormalURL": ""}
        rolls = spec.make.name in DICE_NETS
        custom |= {
            "ColliderURL": shape,
            "Convex": True,
            "MaterialIndex": CARDBOARD,
            "TypeIndex": ROLLED if rolls else GENERIC,
        }
        state = _state("Custom_Model", design.title) | {"CustomMesh": {**custom, "CastShadows": True}}
        values = [{"Value": str(nth), "Rotation": turn} for nth, turn in enumerate(mesh.find_turns(), 1)]
        return state | ({"RotationValues": values} if rolls else {})

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


def _state(name: str, title: str, scale: float = 1.0, turned: int = 0) -> State:
    """An object of a kind; `turned` 180 lies with its back up."""
    size = round(scale, 3)
    place = {"posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": float(turned)}
    return {
        "Name": name,
        "Nickname": title,
        "Transform": {**place, "scaleX": size, "scaleY": 1.0, "scaleZ": size},
    }


def _set_out(state: State, piece: SetPiece) -> State:
    """An object where a set-up has it; what is set out stays together when the table is searched for stacks."""
    turned = state["Transform"]
    place = {"posX": piece.at.x / MM_PER_INCH, "posZ": -piece.at.y / MM_PER_INCH, "rotY": (180.0 + piece.turn) % 360}
    place |= {"rotZ": 0.0 if piece.face_up else 180.0}
    placed = {**turned, **{key: round(value, 3) for key, value in place.items()}} if isinstance(turned, dict) else {}
    return {**state, "Transform": placed}


def _named(state: State, nth: int) -> State:
    return {**state, "GUID": _digest(repr((nth, state)).encode())[:6]}


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
