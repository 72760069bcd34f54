"""All views but the cards: imposed sheets, rules, and changes since a release."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from typing import Any

from generator.base.errors import InvalidValueError, Where, raising_at, unknown
from generator.base.geometry import Rect
from generator.base.paper import PaperChoice
from generator.base.paper import paper as paper_of
from generator.base.units import MM_PER_INCH
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.impose.sheet import Line, Note, PlacedFace, SheetSide
from generator.live.cards import (
    Card,
    JsonObject,
    box_to_json,
    card_to_json,
    component_to_json,
    game_to_json,
    outline_to_json,
    problem_to_json,
)
from generator.live.session import LiveState, News, Session
from generator.pack.game import Game, LayerAt
from generator.picture.face import Face
from generator.picture.images import encode_png
from generator.picture.raster import page_pictures
from generator.pipeline.open_releases import ComparedReleases, CompareOptions, compare_requested
from generator.pipeline.printing import ImposedSheets
from generator.pipeline.project import BuildRequest, Project
from generator.release.compare_releases import DesignChange
from generator.release.release_file import folder_of, versions
from generator.rules.model import Rules


def state_to_json(state: LiveState) -> JsonObject:
    """Serialize a state."""
    return {
        "number": state.number,
        "game": game_to_json(state.game) if state.game else None,
        "components": [component_to_json(part) for part in state.game.components]
        if state.game
        else [],
        "cards": [card_to_json(card) for card in state.cards.values()],
        "problems": [problem_to_json(problem) for problem in state.problems],
        "notes": list(state.notes),
        "downloads": dict(state.pulled),
    }


def news_to_json(news: News) -> JsonObject:
    """Serialize the difference between two states: changed cards in full, the order of cards if it changed."""
    before, now = news
    result: JsonObject = {
        "number": now.number,
        "problems": [problem_to_json(problem) for problem in now.problems],
    }
    cards = [card for name, card in now.cards.items() if _differs(before.cards.get(name), card)]
    removed = [name for name in before.cards if name not in now.cards]
    result["cards"] = [card_to_json(card) for card in cards]
    result["gone"] = removed
    if before.pulled != now.pulled:
        result["downloads"] = dict(now.pulled)
    if list(before.cards) != list(now.cards):
        result["order"] = list(now.cards)
    if before.game is not now.game and now.game:
        result |= {"game": game_to_json(now.game), "notes": list(now.notes)}
        result["components"] = [component_to_json(part) for part in now.game.components]
    return result


def _differs(before: Card | None, now: Card) -> bool:
    if before is None or before != now:
        return True
    a = before.design
    b = now.design
    return a is not b and (a.where, a.title, a.count, a.row) != (b.where, b.title, b.count, b.row)


def layers_to_json(
    layers: Iterable[tuple[LayerAt, Rect | None]],
    kinds: Mapping[type, str],
    find_name: Callable[[Where, str], str],
) -> list[JsonObject]:
    """Serialize the layers of a side, lowest first: kind, name, source and extent."""
    result = []
    for at, extent in layers:
        kind = kinds.get(type(at.layer), "layer")
        result.append(
            {
                "kind": kind,
                "name": find_name(at.where, kind),
                "where": str(at.where),
                "ink": box_to_json(extent) if extent else None,
            }
        )
    return result


# Resolution of the pictures of changes in pixels per mm.
PIXELS_PER_MM = 6
MAX_CHANGES = 400
# Resolution of the booklet's pages: an A5 page is as wide as a column of the live page.
BOOKLET_DPI = 110
# zlib's fastest level: the browser is usually on the same machine.
PNG_COMPRESSION = 1


# The changes since a release, and their pictures by names derived from their content.
Comparison = tuple[JsonObject, dict[str, bytes]]


@dataclass
class Views:
    """Builds the views of the displayed state, each once for a state."""

    session: Session
    _cache: dict[str, Any] = field(default_factory=dict)
    _state_number: int = -1
    _lock: Lock = field(default_factory=Lock)
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "comparing"))

    def stop(self) -> None:
        """Cancel comparisons that have not begun."""
        self._worker.shutdown(cancel_futures=True)

    def impose_sheets(self, paper: str) -> JsonObject:
        """Return the sheets on a paper: the places of pictures by key, and all marks and notes around them."""
        state = self.session.state
        game = _require_game(state)
        components = tuple(_undrawn_components(state, game))
        project = Project(
            BuildRequest(str(game.folder)), results={("game",): game, ("components",): components}
        )
        with raising_at():
            choice = PaperChoice(paper_of(paper) if paper else game.print.papers[0])
            imposed = project.impose(choice)
        return _sheets_to_json(choice.paper.name, imposed)

    def make_rules(self) -> bytes:
        """Return the page of the rules; raise the problems of rules, figures and claims."""
        return bytes(self._cached("rules", self._rules))

    def draw_booklet(self) -> tuple[bytes, ...]:
        """Return the pages of the booklet as PNG, in reading order; raise the problems of the rules."""
        pages: tuple[bytes, ...] = self._cached("booklet", self._booklet)
        return pages

    def list_releases(self) -> list[str]:
        """Return the versions in the pack's releases."""
        return versions(folder_of(self.session.folder))

    def find_changes(self, version: str) -> JsonObject:
        """Return the change of each design since a release, with pictures before and after.

        Raise InvalidValueError for an unknown version.
        """
        if version not in (names := self.list_releases()):
            raise unknown("release", version, names)
        changes, _ = self._cached(
            f"changes {version}", lambda: self._worker.submit(self._compare, version).result()
        )
        return dict(changes)

    def find_picture(self, version: str, name: str) -> bytes | None:
        """Return a picture of a change, or None."""
        _, pictures = self._cache.get(f"changes {version}", ({}, {}))
        picture: bytes | None = pictures.get(name)
        return picture

    def _compare(self, version: str) -> Comparison:
        """Compare with a release.

        Run in its own thread, because resvg must end in the thread where it began.
        """
        try:
            project = Project(
                BuildRequest(
                    str(self.session.folder), self.session.form, (CompareOptions(version),)
                )
            )
            with compare_requested(project) as releases:
                return _compare_pictures(version, releases)
        finally:
            gc.collect()

    def _cached(self, name: str, build: Callable[[], Any]) -> Any:
        with self._lock:
            number = self.session.state.number
            if number != self._state_number:
                self._cache = {}
                self._state_number = number
            if name not in self._cache:
                self._cache[name] = build()
            return self._cache[name]

    def _project(self) -> Project:
        return Project(BuildRequest(str(self.session.folder), self.session.form))

    def _rules(self) -> bytes:
        from generator.rules.html import render_html  # slow to load

        project = self._project()
        return render_html(_require_rules(project), project.game.fonts).encode()

    def _booklet(self) -> tuple[bytes, ...]:
        from generator.rules.booklet.make import TO_FOLD, typeset  # slow to load

        project = self._project()
        rules = _require_rules(project)
        with raising_at():
            book = typeset(rules, project.game.fonts, project.rule_pages, TO_FOLD)
        pictures = page_pictures(book.pdf, BOOKLET_DPI)
        return tuple(encode_png(page, PNG_COMPRESSION) for page in pictures)


def _require_rules(project: Project) -> Rules:
    if project.rules is None:
        raise InvalidValueError(
            "this game has no rules", "`rules: {file: rules.md}` in its game.yaml"
        )
    return project.rules


def _compare_pictures(version: str, releases: ComparedReleases) -> Comparison:
    pictures: dict[str, bytes] = {}
    changes = []
    for change in releases.difference.changes[:MAX_CHANGES]:
        sides = []
        for side in change.sides or ("front",):
            names = {"side": side}
            versions = (
                ("before", change.old, releases.comparer.old),
                ("now", change.new, releases.comparer.new),
            )
            for when, design, raster in versions:
                face = getattr(design, side, None)
                if face is not None:
                    png = raster.png(face, PIXELS_PER_MM * MM_PER_INCH, Rect(0, 0, *face.size))
                    names[when] = f"{sha256(png).hexdigest()[:16]}.png"
                    pictures[names[when]] = png
            sides.append(names)
        changes.append(_change_to_json(change, sides))
    omitted = len(releases.difference.changes) - len(changes)
    rules = [rule.language for rule in releases.difference.rules]
    return {"version": version, "changes": changes, "left": omitted, "rules": rules}, pictures


def _change_to_json(change: DesignChange, sides: Sequence[Mapping[str, str]]) -> JsonObject:
    old = change.old
    new = change.new
    return {
        "name": change.name,
        "title": change.design.title,
        "kinds": [kind.value for kind in change.kinds],
        "counts": [old.count if old else 0, new.count if new else 0],
        "size": list(change.design.front.size),
        "sides": list(sides),
    }


def _require_game(state: LiveState) -> Game:
    if state.game is None:
        raise InvalidValueError("there is no game yet", "a pack without mistakes")
    return state.game


@dataclass(frozen=True)
class UndrawnFace(Face):
    """A face with only a name, its source key, and a size: imposition needs no more."""

    @property
    def name(self) -> str:
        """The key of the side."""
        return self.source_key


def _undrawn_components(state: LiveState, game: Game) -> Iterator[DrawnComponent]:
    """Yield the components with faces that are not rendered."""
    for part in game.components:
        designs = []
        for design in part.designs:
            card = state.cards[f"{part.id}:{design.id}"]
            faces = []
            for side in card.sides:
                face = UndrawnFace((), side.side.outline.size, part.bleed, source_key=side.key)
                faces.append((side.side.name, face))
            sides = dict(faces)
            front = sides.pop("front")
            back = sides.pop("back", None)
            designs.append(
                DrawnDesign(
                    design.id, design.title, design.count, front, back, tuple(sides.values())
                )
            )
        yield DrawnComponent(part, tuple(designs))


def _sheets_to_json(paper: str, imposed: ImposedSheets) -> JsonObject:
    job = imposed.job
    sheets = [
        {
            "size": list(sheet.paper),
            "front": _sheet_side_to_json(sheet.front),
            "back": _sheet_side_to_json(sheet.back) if sheet.back else None,
        }
        for sheet in job.sheets
    ]
    header = {"paper": paper, "mode": job.mode, "duplex": job.duplex, "summary": job.summary}
    return {**header, "notices": list(job.notices), "sheets": sheets}


def _sheet_side_to_json(side: SheetSide) -> JsonObject:
    return {
        "label": side.label,
        "faces": [_face_to_json(item) for item in side.placed],
        "lines": [_line_to_json(line) for line in (*side.marks, *side.ruler)],
        "notes": [_note_to_json(note) for note in side.notes],
    }


def _face_to_json(face: PlacedFace) -> JsonObject:
    return {
        "key": face.face,
        "piece": face.piece,
        "trim": box_to_json(face.trim),
        "ink": box_to_json(face.ink),
        "turn": face.turn,
        "clip": outline_to_json(face.clip),
    }


def _line_to_json(line: Line) -> list[float]:
    return [*(round(v, 3) for v in (*line.a, *line.b)), line.width]


def _note_to_json(note: Note) -> JsonObject:
    return {
        "text": note.text,
        "at": list(note.at),
        "size": note.size,
        "anchor": note.anchor.value,
        "turn": note.turn,
    }
