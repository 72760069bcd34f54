"""The routes of the live page: a row for each question and each action."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from queue import Empty

from generator.app.packs import vocabulary
from generator.live.easel import SCALES
from generator.live.orders import Orders
from generator.live.playing import Boards
from generator.live.server import HEARTBEAT, HTML, MISSING, PNG, Answer, Asked, LiveServer, Routes, told
from generator.live.session import Session
from generator.live.telling import Told, told_layers, told_news, told_state
from generator.live.views import Views

# Media types of the page's own files.
KINDS = {
    ".html": HTML,
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class LivePage:
    """The routes of one session."""

    session: Session
    server: LiveServer
    views: Views
    orders: Orders
    boards: Boards

    @property
    def routes(self) -> Routes:
        """The table of routes."""
        shown = {
            "": self.index,
            "page": self.part,
            "state": lambda _: told(told_state(self.session.shown)),
            "can": self.can,
            "face": self.face,
            "layers": self.layers,
            "sheets": lambda asked: told(self.views.sheets(asked.rest)),
            "rules": lambda _: Answer(self.views.rules(), HTML, locked=True),
            "releases": lambda _: told(self.views.releases()),
            "changes": lambda asked: told(self.views.changes(asked.rest)),
            "was": self.was,
            "board": self.boards.about,
            **self.orders.asked,
        }
        return Routes(shown, {"lay": self.boards.lay, **self.orders.ordered}, self.news)

    @cached_property
    def _parts(self) -> dict[str, Traversable]:
        """The page's own files by name."""
        folder = files("generator.live") / "page"
        return {each.name: each for each in folder.iterdir() if PurePosixPath(each.name).suffix in KINDS}

    def index(self, asked: Asked) -> Answer:
        """Return the page itself, with the token that its requests must bring."""
        if asked.rest:
            return MISSING
        text = self._parts["index.html"].read_text("utf-8")
        return Answer(text.replace("{{token}}", self.server.token).encode(), HTML)

    def part(self, asked: Asked) -> Answer:
        """Return one of the page's own files."""
        found = self._parts.get(asked.rest)
        return Answer(found.read_bytes(), KINDS[PurePosixPath(found.name).suffix]) if found else MISSING

    def can(self, _: Asked) -> Answer:
        """Return the names of the actions that are available."""
        return told(sorted(self.orders.ordered))

    def face(self, asked: Asked) -> Answer:
        """Return a picture by key; the address is `key-scale.png`."""
        key, _, scale = asked.rest.removesuffix(".png").partition("-")
        if scale not in map(str, SCALES):
            return MISSING
        data = self.session.png(key, int(scale))
        return Answer(data, PNG, forever=True, locked=True) if data else MISSING

    def was(self, asked: Asked) -> Answer:
        """Return a picture of a change since a release; the address is `version/name`."""
        version, _, name = asked.rest.rpartition("/")
        data = self.views.picture(version, name)
        return Answer(data, PNG, locked=True) if data else MISSING

    def layers(self, asked: Asked) -> Answer:
        """Return the layers of a side by its key."""
        kinds = {kind: name for name, kind in vocabulary().layers.items()}
        return told(told_layers(self.session.easel.layers(asked.rest), kinds))

    def news(self) -> Iterator[Told | None]:
        """Yield changes, starting with the number of the state; None after a pause without any."""
        queue = self.session.subscribe()
        try:
            yield {"number": self.session.shown.number, "hello": True}
            while not self.session.stopped.is_set():
                try:
                    news = queue.get(timeout=HEARTBEAT)
                except Empty:
                    yield None
                    continue
                if news is None:
                    return
                yield told_news(news)
        finally:
            self.session.leave(queue)
