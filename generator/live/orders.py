"""The page's requests for edits, and the questions before them: the source of a value and whether it can change."""

import shlex
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Thread
from typing import Any

from generator.app.packs import vocabulary
from generator.core.geometry import Point
from generator.core.problems import Where, Wrong
from generator.draw.sides import DesignSide
from generator.live.easel import gone
from generator.live.editing import Desk, check_cells, names_of_layer, place_of, recoloured, with_row_cell
from generator.live.server import Answer, Asked, Route, told
from generator.live.session import Card, Session
from generator.live.spans import tree_of, walk, with_scalars
from generator.pack.game import LayerAt
from generator.pack.load import MAIN, PackForm
from generator.pack.source import parse
from generator.pack.translations import own_language, spoken

# Lines of the source that are displayed.
AROUND = 4
# Largest distance in mm, or line number, in a request: more is no honest request.
MOST = 100_000
FIXED = "nothing is changed from here (--read-only)"


@dataclass(frozen=True)
class Orders:
    """The edits of one session's pack; `editor` is the command that opens a file, or empty."""

    session: Session
    desk: Desk
    editor: str = ""
    read_only: bool = False

    @property
    def ordered(self) -> Mapping[str, Route]:
        """The routes for requests that change or open something."""
        opening: dict[str, Route] = {"form": self.form, **({"open": self.open} if self.editor else {})}
        if self.read_only:
            return opening
        return {**opening, "move": self.move, "cell": self.cell, "colour": self.colour, "undo": self.undo}

    @property
    def asked(self) -> Mapping[str, Route]:
        """The routes for questions."""
        return {"source": self.source, "row": self.row, "palette": self.palette, "forms": self.forms}

    def source(self, asked: Asked) -> Answer:
        """Return the source of a layer; the address is `key/number`."""
        key, _, number = asked.rest.partition("/")
        side, at = _layer(self.session.easel.side(key), number)
        name = self.desk.name_of(at.where)
        kind = self._kinds[type(at.layer)]
        written = self.desk.read(name)
        row = side.design.row
        columns = list[str]()
        with suppress(Wrong):
            named = names_of_layer(written.text, at.where.line, kind)
            columns = [column for each in named if (column := self._as_spoken(each, row)) in row]
        why = self._fixed(written.text, at, kind)
        lines = written.text.splitlines()
        first = max(0, at.where.line - 1)
        return told(
            {
                **self._place(at.where),
                "digest": written.digest,
                "text": "\n".join(lines[first : first + AROUND]),
                "columns": columns,
                "movable": not why,
                "why": why,
            }
        )

    def row(self, asked: Asked) -> Answer:
        """Return the source of a card's row, and whether its cells can be changed there."""
        card = self._card(asked.rest)
        where = card.design.where
        name = self.desk.name_of(where)
        try:
            check_cells(name)
            digest = self.desk.read(name).digest
            why = FIXED if self.read_only else ""
        except Wrong as wrong:
            digest = ""
            why = str(wrong.at(None))
        return told({**self._place(where), "digest": digest, "editable": not why, "why": why})

    def palette(self, _: Asked) -> Answer:
        """Return the colours of the main file as they are written."""
        written = self.desk.read(MAIN)
        nodes = walk(tree_of(written.text))
        colours = [
            {
                "name": path[1],
                "value": node.value,
                **self._place(self.desk.folder.where(MAIN, node.start_mark.line + 1)),
            }
            for path, node in nodes
            if path[:1] == ("palette",) and len(path) == 2
        ]
        return told({"digest": written.digest, "colours": colours, "editable": not self.read_only})

    def forms(self, _: Asked) -> Answer:
        """Return the variants and languages of the pack, and the displayed ones."""
        root = parse(self.desk.read(MAIN).text, MAIN)
        variants = root.find("variants")
        own = own_language(root)
        languages = [own, *sorted(spoken(self.desk.folder, root) - {own})]
        wish = self.session.wish
        shown = {"variant": wish.variant, "language": wish.language or own}
        return told({"variants": ["", *(variants.keys if variants else ())], "languages": languages, **shown})

    def form(self, asked: Asked) -> Answer:
        """Display another variant or language."""
        self.session.show_as(PackForm(asked.word("variant"), asked.word("language")))
        return told({})

    def move(self, asked: Asked) -> Answer:
        """Move a layer of a side by dx and dy in mm, as displayed.

        The side may be older than the last move; the digest tells whether the file has changed.
        """
        side, at = _layer(self.session.easel.lately(asked.word("key")), str(asked.order.get("layer", "")))
        way = Point(_number(asked, "dx"), _number(asked, "dy"))
        if side.spec.mirrored:
            way = Point(-way.x, way.y)
        for group in at.moves:
            way = way.turned(-group.turn)
        kind = self._kinds[type(at.layer)]
        line = at.where.line

        def moved(text: str) -> str:
            return with_scalars(text, place_of(text, line, kind).moved(round(way.x, 3), round(way.y, 3)))

        done = self.desk.change(self.desk.name_of(at.where), asked.word("digest"), moved)
        return told({"file": done.name, "digest": done.since})

    def cell(self, asked: Asked) -> Answer:
        """Set the text in a cell of a card's row."""
        where = self._card(asked.word("card")).design.where
        name = self.desk.name_of(where)
        column = asked.word("column")
        value = asked.word("value")
        done = self.desk.change(
            name, asked.word("digest"), lambda text: with_row_cell(text, where, name, column, value)
        )
        return told({"file": done.name, "digest": done.since})

    def colour(self, asked: Asked) -> Answer:
        """Set a colour of the palette."""
        name = asked.word("name")
        value = asked.word("value")
        done = self.desk.change(MAIN, asked.word("digest"), lambda text: recoloured(text, name, value))
        return told({"file": done.name, "digest": done.since})

    def undo(self, _: Asked) -> Answer:
        """Undo the last change."""
        done = self.desk.undo()
        return told({"file": done.name, "digest": done.since})

    def open(self, asked: Asked) -> Answer:
        """Open a file of the pack in the user's editor; raise Wrong if the command fails to start."""
        line = int(_number(asked, "line"))
        name = self.desk.name_of(asked.word("file"))
        path = self.desk.folder.asset(name).path.resolve()
        words = shlex.split(self.editor)
        command = [word.replace("{file}", str(path)).replace("{line}", f"{line:d}") for word in words]
        if "{file}" not in self.editor:
            command.append(str(path))
        try:
            editor = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - the person's own command
        except (OSError, ValueError) as error:
            raise Wrong(f"{command[0]!r} cannot be begun: {error}", "--editor with a command of yours") from None
        Thread(target=editor.wait, daemon=True).start()
        return told({"opened": name})

    @cached_property
    def _kinds(self) -> Mapping[type, str]:
        return {kind: name for name, kind in vocabulary().layers.items()}

    def _fixed(self, text: str, at: LayerAt, kind: str) -> str:
        """Return the reason why a layer cannot be moved, or an empty text."""
        if self.read_only:
            return FIXED
        try:
            place_of(text, at.where.line, kind)
        except Wrong as wrong:
            return wrong.found
        return ""

    def _as_spoken(self, column: str, row: Mapping[str, str]) -> str:
        """Return the column for the displayed language."""
        game = self.session.shown.game
        spoken = f"{column}@{game.language}" if game else column
        return spoken if spoken in row else column

    def _card(self, name: str) -> Card:
        card = self.session.shown.cards.get(name)
        if card is None:
            raise Wrong(f"there is no card {name!r} any more")
        return card

    def _place(self, where: Where) -> dict[str, Any]:
        return {"file": where.file, "line": where.line}


def _layer(side: DesignSide | None, number: str) -> tuple[DesignSide, LayerAt]:
    if side is None or not number.isdigit() or int(number) >= len(side.spec.layers):
        raise gone()
    return side, side.spec.layers[int(number)]


def _number(asked: Asked, name: str) -> float:
    value = asked.order.get(name, 0)
    if not isinstance(value, int | float) or not -MOST <= value <= MOST:
        raise Wrong(f"{name}: {value!r} is no number that is meant well")
    return float(value)
