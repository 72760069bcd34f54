"""The page's requests for edits, and the queries before them: the source of a value and whether it can change."""

import shlex
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Thread
from typing import Any

from generator.base.errors import InvalidValueError, Where
from generator.base.geometry import Point
from generator.base.units import parse_whole_number
from generator.draw.draw import DesignSide
from generator.live.cards import Card
from generator.live.faces import make_gone_error
from generator.live.file_editor import (
    FileChange,
    PackEditor,
    check_cells,
    find_names,
    find_place,
    set_colour,
    set_row_cell,
)
from generator.live.server import Request, Response, Route, json_response
from generator.live.session import Session
from generator.live.yaml_spans import parse_tree, replace_scalars, walk
from generator.pack.folder import GAME_FILE
from generator.pack.game import LayerAt
from generator.pack.load import PackForm
from generator.pack.translations import languages_of, own_language
from generator.pack.yaml_nodes import parse_yaml
from generator.pipeline.vocabulary import vocabulary

# Lines of the source that are displayed.
SOURCE_LINES = 4
# Largest distance in mm, or line number, that a request may name; pages never send larger ones.
MAX_REQUEST_NUMBER = 100_000
READ_ONLY = "editing is off (--read-only)"


@dataclass(frozen=True)
class EditRoutes:
    """The edits of one session's pack; `editor` is the command that opens a file, or empty."""

    session: Session
    pack_editor: PackEditor
    editor: str = ""
    read_only: bool = False

    @property
    def actions(self) -> Mapping[str, Route]:
        """The routes for requests that change or open something."""
        opening: dict[str, Route] = {
            "form": self.form,
            **({"open": self.open} if self.editor else {}),
        }
        if self.read_only:
            return opening
        return {
            **opening,
            "move": self.move,
            "cell": self.cell,
            "colour": self.colour,
            "undo": self.undo,
        }

    @property
    def queries(self) -> Mapping[str, Route]:
        """The routes for queries."""
        return {
            "source": self.source,
            "row": self.row,
            "palette": self.palette,
            "forms": self.forms,
        }

    def source(self, request: Request) -> Response:
        """Return the source of a layer; the address is `key/number`."""
        key, _, number = request.subpath.partition("/")
        side, at = _layer(self.session.renderer.find_side(key), number)
        name = self.pack_editor.find_name(at.where)
        kind = self._kinds[type(at.layer)]
        file = self.pack_editor.read(name)
        row = side.design.row
        columns = list[str]()
        with suppress(InvalidValueError):
            names = find_names(file.text, at.where.line, kind)
            columns = [
                column for item in names if (column := self._translated_column(item, row)) in row
            ]
        reason = self._reason_not_movable(file.text, at, kind)
        lines = file.text.splitlines()
        first = max(0, at.where.line - 1)
        return json_response(
            {
                **self._place(at.where),
                "digest": file.digest,
                "text": "\n".join(lines[first : first + SOURCE_LINES]),
                "columns": columns,
                "cards": self._count_cards(at.where),
                "movable": not reason,
                "why": reason,
            }
        )

    def row(self, request: Request) -> Response:
        """Return the source of a card's row, and whether its cells can be changed there."""
        card = self._card(request.subpath)
        where = card.design.where
        name = self.pack_editor.find_name(where)
        try:
            check_cells(name)
            digest = self.pack_editor.read(name).digest
            reason = READ_ONLY if self.read_only else ""
        except InvalidValueError as error:
            digest = ""
            reason = str(error.at(None))
        return json_response(
            {**self._place(where), "digest": digest, "editable": not reason, "why": reason}
        )

    def palette(self, _: Request) -> Response:
        """Return the colours of the main file as they are written."""
        file = self.pack_editor.read(GAME_FILE)
        nodes = walk(parse_tree(file.text))
        colours = [
            {
                "name": path[1],
                "value": node.value,
                **self._place(self.pack_editor.folder.where(GAME_FILE, node.start_mark.line + 1)),
            }
            for path, node in nodes
            if path[:1] == ("palette",) and len(path) == 2
        ]
        return json_response(
            {"digest": file.digest, "colours": colours, "editable": not self.read_only}
        )

    def forms(self, _: Request) -> Response:
        """Return the variants and languages of the pack, and the displayed ones."""
        root = parse_yaml(self.pack_editor.read(GAME_FILE).text, GAME_FILE)
        variants = root.find("variants")
        default_language = own_language(root)
        languages = [
            default_language,
            *sorted(languages_of(self.pack_editor.folder, root) - {default_language}),
        ]
        form = self.session.form
        current = {"variant": form.variant, "language": form.language or default_language}
        return json_response(
            {
                "variants": ["", *(variants.keys if variants else ())],
                "languages": languages,
                **current,
            }
        )

    def form(self, request: Request) -> Response:
        """Display another variant or language."""
        self.session.display_form(
            PackForm(request.get_text("variant"), request.get_text("language"))
        )
        return json_response({})

    def move(self, request: Request) -> Response:
        """Move a layer of a side by dx and dy in mm, as displayed.

        The side may be older than the last move; the digest tells whether the file has changed.
        """
        recent = self.session.renderer.find_recent_side(request.get_text("key"))
        side, at = _layer(recent, str(request.body.get("layer", "")))
        distance = Point(_number(request, "dx"), _number(request, "dy"))
        if side.spec.mirrored:
            distance = Point(-distance.x, distance.y)
        distance = distance.turned(-at.transform.turn)
        kind = self._kinds[type(at.layer)]
        line = at.where.line

        def move_text(text: str) -> str:
            return replace_scalars(
                text, find_place(text, line, kind).move(round(distance.x, 3), round(distance.y, 3))
            )

        change = self.pack_editor.edit(
            self.pack_editor.find_name(at.where), request.get_text("digest"), move_text
        )
        return _describe_change(change)

    def cell(self, request: Request) -> Response:
        """Set the text in a cell of a card's row."""
        where = self._card(request.get_text("card")).design.where
        name = self.pack_editor.find_name(where)
        column = request.get_text("column")
        value = request.get_text("value")
        digest = request.get_text("digest")
        change = self.pack_editor.edit(
            name, digest, lambda text: set_row_cell(text, where, name, column, value)
        )
        return _describe_change(change)

    def colour(self, request: Request) -> Response:
        """Set a colour of the palette."""
        name = request.get_text("name")
        value = request.get_text("value")
        change = self.pack_editor.edit(
            GAME_FILE, request.get_text("digest"), lambda text: set_colour(text, name, value)
        )
        return _describe_change(change)

    def undo(self, _: Request) -> Response:
        """Undo the last change."""
        change = self.pack_editor.undo()
        return _describe_change(change)

    def open(self, request: Request) -> Response:
        """Open a file of the pack in the user's editor.

        Raise InvalidValueError if the command fails to start.
        """
        line = int(_number(request, "line"))
        name = self.pack_editor.find_name(request.get_text("file"))
        path = self.pack_editor.folder.asset(name).path.resolve()
        words = shlex.split(self.editor)
        command = [
            word.replace("{file}", str(path)).replace("{line}", f"{line:d}") for word in words
        ]
        if "{file}" not in self.editor:
            command.append(str(path))
        try:
            editor = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - the person's own command
        except (OSError, ValueError) as error:
            raise InvalidValueError(
                f"{command[0]!r} cannot be started: {error}",
                "--editor with a command that is installed",
            ) from None
        Thread(target=editor.wait, daemon=True).start()
        return json_response({"opened": name})

    @cached_property
    def _kinds(self) -> Mapping[type, str]:
        return {kind: name for name, kind in vocabulary().layers.items()}

    def _reason_not_movable(self, text: str, at: LayerAt, kind: str) -> str:
        """Return the reason why a layer cannot be moved, or an empty text."""
        if self.read_only:
            return READ_ONLY
        try:
            find_place(text, at.where.line, kind)
        except InvalidValueError as error:
            return error.found
        return ""

    def _count_cards(self, where: Where) -> int:
        """Return the number of cards with the layer at a place."""
        return sum(
            any(at.where == where for side in card.sides for at in side.side.spec.layers)
            for card in self.session.state.cards.values()
        )

    def _translated_column(self, column: str, row: Mapping[str, str]) -> str:
        """Return the column for the displayed language."""
        game = self.session.state.game
        translated = f"{column}@{game.language}" if game else column
        return translated if translated in row else column

    def _card(self, name: str) -> Card:
        card = self.session.state.cards.get(name)
        if card is None:
            raise InvalidValueError(f"card {name!r} no longer exists")
        return card

    def _place(self, where: Where) -> dict[str, Any]:
        return {"file": where.file, "line": where.line}


def _describe_change(change: FileChange) -> Response:
    return json_response({"file": change.name, "digest": change.digest})


def _layer(side: DesignSide | None, number: str) -> tuple[DesignSide, LayerAt]:
    index = parse_whole_number(number)
    if side is None or index is None or index >= len(side.spec.layers):
        raise make_gone_error()
    return side, side.spec.layers[index]


def _number(request: Request, name: str) -> float:
    value = request.body.get(name, 0)
    if not isinstance(value, int | float) or not -MAX_REQUEST_NUMBER <= value <= MAX_REQUEST_NUMBER:
        raise InvalidValueError(f"{name}: {value!r} is not a plausible number")
    return float(value)
