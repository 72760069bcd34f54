"""Export to Tabletop Simulator: a saved object with a deck, bag or board for each component.

The fields are those that the game writes. A card's number is 100 times its sheet's key plus its
index on the sheet. File names contain a digest of the content, because players' caches request an
address only once.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from math import atan2, ceil, degrees, hypot, sqrt
from typing import Any

from PIL import Image

from generator.base import polygon
from generator.base.errors import Kind, raising_at, unknown
from generator.base.files import Outbox
from generator.base.geometry import Rect, Size
from generator.base.outline import Outline
from generator.base.units import MM_PER_INCH, fine, format_count
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import WrittenFile
from generator.export.face_images import on_white, tile_pictures
from generator.export.rules import set_rules
from generator.export.targets import TargetOptions, select_chosen
from generator.export.targets.grids import fit_grid, render_cell, render_sheets
from generator.impose.nets.dice_and_boxes import DICE as DICE_NETS
from generator.impose.nets.dice_and_boxes import find_net_plan
from generator.impose.nets.net import Corners, FlatNet, NetPlan, Vector, find_normal
from generator.picture.images import encode_png
from generator.pipeline.project import Project
from generator.rules.booklet.make import TO_READ
from generator.rules.figures.build import SetPiece


@dataclass(frozen=True)
class FoldedMesh:
    """A folded net: the panels of its faces in order, and the columns and rows of faces on its picture."""

    plan: NetPlan
    panels: tuple[int, ...]
    columns: int
    rows: int

    @property
    def obj(self) -> str:
        """The mesh in inches around its centre; each face shows its cell of the picture."""
        lines = ["# a net, folded"]
        corner = 1
        for index, panel in enumerate(self.panels):
            corners_in_space = self._folded_panels[panel]
            lines += ["v " + " ".join(fine(part) for part in place) for place in corners_in_space]
            lines += [
                f"vt {fine(u)} {fine(v)}"
                for u, v in self._texture_places(index, self.plan.panels[panel].corners)
            ]
            lines.append(
                "vn " + " ".join(fine(part) for part in find_normal(self._folded_panels[panel]))
            )
            around = range(corner + len(corners_in_space) - 1, corner - 1, -1)
            lines.append("f " + " ".join(f"{at}/{at}/{index + 1}" for at in around))
            corner += len(corners_in_space)
        return "\n".join([*lines, ""])

    @cached_property
    def _folded_panels(self) -> tuple[tuple[Vector, ...], ...]:
        """All panels in inches around the centre.

        Axes: right, up, and towards the viewer of the first panel.
        """
        flat = FlatNet(self.plan)
        folded = [
            [flat.fold_point(number, place) for place in panel]
            for number, panel in enumerate(flat.panels)
        ]
        visible = [place for index in self.panels for place in folded[index]]
        middle = [sum(axis) / len(visible) for axis in zip(*visible, strict=True)]
        return tuple(tuple(_in_inches(place, middle) for place in panel) for panel in folded)

    def _texture_places(self, index: int, corners: Corners) -> Iterator[tuple[float, float]]:
        """Yield the texture coordinates of a face's corners, from the picture's bottom left."""
        box = polygon.box_around(corners)
        column = index % self.columns
        row = index // self.columns
        for place in corners:
            u = (place.x - box.x) / box.w
            v = (place.y - box.y) / box.h
            yield (column + u) / self.columns, 1 - (row + v) / self.rows

    def find_turns(self) -> tuple[dict[str, float], ...]:
        """Return the turns that put each face on top; or at the bottom, if no face is opposite."""
        directions = [find_normal(self._folded_panels[panel]) for panel in self.panels]
        return tuple(
            _find_turn(direction, -1 if _has_no_opposite(direction, directions) else 1)
            for direction in directions
        )


def _in_inches(place: Vector, middle: Sequence[float]) -> Vector:
    x, y, z = (part - centre for part, centre in zip(place, middle, strict=True))
    return x / MM_PER_INCH, -y / MM_PER_INCH, -z / MM_PER_INCH


def _has_no_opposite(direction: Vector, directions: Sequence[Vector]) -> bool:
    """Return True if no other face looks in the opposite direction."""
    return all(
        sum(a * b for a, b in zip(direction, other, strict=True)) > OPPOSITE_COSINE
        for other in directions
    )


def _find_turn(direction: Vector, sign: int) -> dict[str, float]:
    """Return the rotation, in the game's degrees, that turns a face's normal upwards; downwards for a `sign` of -1."""
    a = -direction[0] * sign
    b = direction[1] * sign
    c = direction[2] * sign
    return {
        "x": round(degrees(atan2(-c, hypot(a, b))), 3),
        "y": 0.0,
        "z": round(degrees(atan2(a, b)), 3),
    }


# `Any`, because the keys differ from kind to kind of object. They are those of files that the game saved.
State = dict[str, Any]

# Two normals are opposite if the cosine of the angle between them is at most this: 172 degrees.
OPPOSITE_COSINE = -0.99

# Limits of the game: columns and rows of a sheet, and its longest side.
MAX_COLUMNS_AND_ROWS = (10, 7)
MAX_SHEET_PX = 4096

# The game's numbers of the shapes of cards and of tiles.
CARD_TYPES = {"hex": 3, "hex pointed": 3, "circle": 4}
ROUNDED = 0
SHARP = 1
TILE_TYPES = {"rect": 0, "hex": 1, "hex pointed": 1, "circle": 2}

# At scale 1, the game takes a card to be as high as a poker card, and a tile to be 2 inches wide.
POKER_HEIGHT_MM = 88.9
TILE_WIDTH_MM = 50.8

# The game's numbers: a material and two types of models. Dice roll.
CARDBOARD = 3
GENERIC = 0
DIE = 2

# Distance between components in the table's units, which are inches.
COMPONENT_GAP_INCHES = 4.0

LOCAL_FILES_NOTE = (
    "others cannot see files of this machine: upload them and give their address with --url, "
    "or use Upload All in the game"
)


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the saved object, with all pictures and the rules next to it."""
    table = TtsTable(project, outbox, _setup_of(project))
    for component in project.watch.stage_of("pictures", select_chosen(project)):
        table.add(component)
    table.add_rules()
    notices: tuple[str, ...] = () if table.url else (LOCAL_FILES_NOTE,)
    if table.waiting:
        missing = ", ".join(dict.fromkeys(piece.design for piece in table.waiting))
        notices += (f"the set-up has more pieces than the game: {missing}",)
    text = json.dumps(
        {"SaveName": project.game.name, "ObjectStates": table.objects}, indent=1, ensure_ascii=False
    )
    path = outbox.write(f"{project.game.stem('table')}.json", text.encode())
    yield WrittenFile(path, format_count(len(table.objects), "object"), notices)


def _setup_of(project: Project) -> tuple[SetPiece, ...]:
    """Return the pieces of the set-up named by --setup, or of the first figure that shows one."""
    setups = {
        name: figure.set_pieces for name, figure in project.figures.items() if figure.set_pieces
    }
    name = project.request.get(TargetOptions).setup
    if name and name not in setups:
        with raising_at(None, "--setup"):
            raise unknown("set-up", name, setups, kind=Kind.USAGE)
    return setups[name] if name else next(iter(setups.values()), ())


@dataclass
class TtsTable:
    """The objects on the table: pieces of the set-up in their places, the others in a row in front.

    `sheets` and `row` count the sheets and the objects in the row; `waiting` are pieces of the
    set-up not yet placed. `names_by_digest` are the names of the files that are written, by digest
    and suffix.
    """

    project: Project
    outbox: Outbox
    setup: tuple[SetPiece, ...] = ()
    objects: list[State] = field(default_factory=list)
    sheets: int = 0
    row: int = 0
    waiting: list[SetPiece] = field(init=False)
    names_by_digest: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.waiting = list(self.setup)

    @property
    def url(self) -> str:
        """The web address of the pictures, or an empty string for files on this machine."""
        return self.project.request.get(TargetOptions).url

    def add(self, component: DrawnComponent) -> None:
        """Add a component: pieces of the set-up one by one, the others as a deck or a bag."""
        unplaced = []
        for design, state in self._pieces(component):
            spot = self._take_place(component, design)
            if spot is None:
                unplaced.append(state)
            else:
                self.objects.append(_with_guid(_place_piece(state, spot), len(self.objects)))
        single = len(unplaced) == 1 or component.spec.make.name == "board"
        for state in unplaced if single else [self._stack(component, unplaced)] if unplaced else ():
            self._put(state)

    def _pieces(self, component: DrawnComponent) -> Iterator[tuple[DrawnDesign, State]]:
        """Yield every piece as an object."""
        spec = component.spec
        make = component.spec.make.name
        if make == "piece" and spec.outline.is_rectangle:
            yield from self._cards(component)
            return
        kinds = {"board": self._board, "standee": self._figure, "piece": self._tile}
        kind = kinds.get(make, self._folded)
        for design in component.designs:
            state = kind(component, design)
            yield from ((design, state) for _ in range(design.count))

    def _take_place(self, component: DrawnComponent, design: DrawnDesign) -> SetPiece | None:
        """Return the next free place of a design in the set-up, which is then taken; None without one."""
        names = {design.id, f"{component.spec.id}:{design.id}"}
        free = next((piece for piece in self.waiting if piece.design in names), None)
        if free:
            self.waiting.remove(free)
        return free

    def add_rules(self) -> None:
        """Add the rules as a PDF."""
        rules = self.project.rules
        if rules is None:
            return
        typeset_rules, info = set_rules(self.project, rules, TO_READ)
        address = self._file("rules", "pdf", typeset_rules.reading_file(info))
        pages = {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
        self._put(_state("Custom_PDF", rules.title) | {"CustomPDF": pages})

    def _put(self, state: State) -> None:
        """Add an object to the row in front of the set-up."""
        lowest = max(
            (piece.at.y for piece in self.setup), default=-2 * COMPONENT_GAP_INCHES * MM_PER_INCH
        )
        place = {
            "posX": COMPONENT_GAP_INCHES * self.row,
            "posZ": round(-lowest / MM_PER_INCH - 2 * COMPONENT_GAP_INCHES, 3),
        }
        placed = {**state["Transform"], **place}
        self.row += 1
        self.objects.append(_with_guid({**state, "Transform": placed}, len(self.objects)))

    def _cards(self, component: DrawnComponent) -> Iterator[tuple[DrawnDesign, State]]:
        spec = component.spec
        for sheet in render_sheets(
            self.project.raster, component, MAX_COLUMNS_AND_ROWS, MAX_SHEET_PX
        ):
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
            for index, design in enumerate(sheet.designs):
                card = _state(
                    "CardCustom", design.title, spec.outline.size.h / POKER_HEIGHT_MM, 180
                )
                card |= {"CardID": key * 100 + index, "CustomDeck": {str(key): custom}}
                yield from ((design, card) for _ in range(design.count))

    def _stack(self, component: DrawnComponent, states: list[State]) -> State:
        """Return cards as a deck, and other pieces in a bag."""
        spec = component.spec
        if states[0]["Name"] != "CardCustom":
            return _state("Bag", spec.title) | {"ContainedObjects": states}
        sheets: dict[str, object] = {}
        for entry in states:
            sheets |= entry["CustomDeck"]
        deck = _state("DeckCustom", spec.title, spec.outline.size.h / POKER_HEIGHT_MM, 180)
        cards = [{**item, "Name": "Card"} for item in states]
        return deck | {
            "DeckIDs": [state["CardID"] for state in states],
            "CustomDeck": sheets,
            "ContainedObjects": cards,
        }

    def _tile(self, component: DrawnComponent, design: DrawnDesign) -> State:
        """Return a tile of a shape that the game has, or a token, which the game cuts along its alpha."""
        outline = component.spec.outline
        title = design.title
        scale = outline.size.w / TILE_WIDTH_MM
        if outline.kind not in TILE_TYPES:
            token = {
                "Thickness": 0.1,
                "MergeDistancePixels": 5.0,
                "StandUp": False,
                "Stackable": True,
            }
            return _state("Custom_Token", title, scale) | self._image(
                component, design, {"CustomToken": token}
            )
        tile = {
            "Type": TILE_TYPES[outline.kind],
            "Thickness": 0.1,
            "Stackable": True,
            "Stretch": True,
        }
        return _state("Custom_Tile", title, scale) | self._image(
            component, design, {"CustomTile": tile}
        )

    def _board(self, component: DrawnComponent, design: DrawnDesign) -> State:
        return _state("Custom_Board", design.title) | self._image(component, design, {})

    def _figure(self, component: DrawnComponent, design: DrawnDesign) -> State:
        return _state("Figurine_Custom", design.title) | self._image(component, design, {})

    def _folded(self, component: DrawnComponent, design: DrawnDesign) -> State:
        """Return a folded piece as a mesh with its faces as texture.

        A die has a value for each rotation.
        """
        spec = component.spec
        net = find_net_plan(spec.make.name, spec.outline.size, spec.depth)
        if net is None:
            return self._tile(component, design)
        plan, panels = net
        faces = (design.front, *design.more)
        columns = ceil(sqrt(len(faces)))
        mesh = FoldedMesh(plan, panels, columns, ceil(len(faces) / columns))
        largest = Size(max(face.size.w for face in faces), max(face.size.h for face in faces))
        pixels = fit_grid(len(faces), largest, (columns, columns), MAX_SHEET_PX).cell
        cells = [
            render_cell(self.project.raster, face, Outline.of_box(Rect(0, 0, *face.size)), pixels)
            for face in faces
        ]
        shape = self._file(f"{spec.id}-mesh", "obj", mesh.obj.encode())
        name = f"{spec.id}-{design.id}"
        custom: State = {
            "MeshURL": shape,
            "DiffuseURL": self._picture(name, tile_pictures(cells, columns)),
            "NormalURL": "",
        }
        rolls = spec.make.name in DICE_NETS
        custom |= {
            "ColliderURL": shape,
            "Convex": True,
            "MaterialIndex": CARDBOARD,
            "TypeIndex": DIE if rolls else GENERIC,
        }
        state = _state("Custom_Model", design.title) | {
            "CustomMesh": {**custom, "CastShadows": True}
        }
        values = [
            {"Value": str(index), "Rotation": turn}
            for index, turn in enumerate(mesh.find_turns(), 1)
        ]
        return state | ({"RotationValues": values} if rolls else {})

    def _image(self, component: DrawnComponent, design: DrawnDesign, more: State) -> State:
        """Return the fields of an object with a picture on its front, and on its back if it has one."""
        spec = component.spec
        pixels = fit_grid(1, design.front.size, (1, 1), MAX_SHEET_PX).cell
        front = self._picture(
            f"{spec.id}-{design.id}",
            render_cell(self.project.raster, design.front, spec.outline, pixels),
        )
        back = front
        if design.back:
            image = render_cell(self.project.raster, design.back, spec.behind, pixels)
            back = self._picture(f"{spec.id}-{design.id}-back", image)
        return {
            "CustomImage": {
                "ImageURL": front,
                "ImageSecondaryURL": back,
                "ImageScalar": 1.0,
                "WidthScale": 0.0,
                **more,
            }
        }

    def _picture(self, name: str, image: Image.Image) -> str:
        opaque = image.mode == "RGB" or image.getchannel("A").getextrema() == (255, 255)
        return self._file(name, "png", encode_png(on_white(image) if opaque else image))

    def _file(self, name: str, ending: str, data: bytes) -> str:
        """Return the address of a file with this content.

        Write the file unless an equal one was written.

        An equal file may have another name: all cards with one back share one file.
        """
        digest = _digest(data)
        full = self.names_by_digest.setdefault(
            f"{digest}.{ending}", f"{name}-{digest[:12]}.{ending}"
        )
        path = self.outbox.folder / full
        if full not in self.outbox.names:
            path = self.outbox.write(full, data)
        return f"{self.url.rstrip('/')}/{full}" if self.url else path.resolve().as_uri()


def _card_type(outline: Outline) -> int:
    return ROUNDED if outline.radius else CARD_TYPES.get(outline.kind, SHARP)


def _state(name: str, title: str, scale: float = 1.0, turned: int = 0) -> State:
    """Return an object; with `turned` 180 its back is up."""
    size = round(scale, 3)
    place = {
        "posX": 0.0,
        "posY": 1.0,
        "posZ": 0.0,
        "rotX": 0.0,
        "rotY": 180.0,
        "rotZ": float(turned),
    }
    return {
        "Name": name,
        "Nickname": title,
        "Transform": {**place, "scaleX": size, "scaleY": 1.0, "scaleZ": size},
    }


def _place_piece(state: State, piece: SetPiece) -> State:
    """Return an object in its place of the set-up."""
    place = {
        "posX": piece.at.x / MM_PER_INCH,
        "posZ": -piece.at.y / MM_PER_INCH,
        "rotY": (180.0 + piece.turn) % 360,
    }
    place |= {"rotZ": 0.0 if piece.face_up else 180.0}
    rounded = {key: round(value, 3) for key, value in place.items()}
    return {**state, "Transform": {**state["Transform"], **rounded}}


def _with_guid(state: State, index: int) -> State:
    return {**state, "GUID": _digest(repr((index, state)).encode())[:6]}


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
