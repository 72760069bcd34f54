"""The routes of the live page: a row for each query and each action."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from queue import Empty

from generator.base.html import html
from generator.base.symbols import symbol_paths
from generator.base.ui_strings import words_for
from generator.base.units import parse_whole_number
from generator.live.board_api import BoardRoutes
from generator.live.build_api import BuildRoutes
from generator.live.cards import JsonObject
from generator.live.edit_api import EditRoutes
from generator.live.faces import SCALES
from generator.live.page_files import PAGE_FOLDER, compose_index, json_script
from generator.live.server import (
    HEARTBEAT_SECONDS,
    HTML,
    MISSING,
    PNG,
    LiveServer,
    Request,
    Response,
    Route,
    Routes,
    json_response,
)
from generator.live.session import Session
from generator.live.views import Views, layers_to_json, news_to_json, state_to_json
from generator.picture.web_parts import shared_style
from generator.pipeline.vocabulary import vocabulary

ICON_MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
OTHER_ICON_MEDIA_TYPE = "image/jpeg"


# The parts of the page's head that need the server; `$token` is what the page's requests must
# bring.
HEAD = """<meta name="pnp-token" content="$token">
<script type="application/json" id="words">$words</script>
<link rel="stylesheet" href="page/page.css">
<link rel="stylesheet" href="page/style.css">
<script type="module" src="page/app.js"></script>"""
# The style that all pages share, under a name of the page's own files.
SHARED_STYLE = "page.css"
# Media types of the page's own files.
MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class LiveRoutes:
    """The routes of one session."""

    session: Session
    server: LiveServer
    views: Views
    edits: EditRoutes
    boards: BoardRoutes
    builds: BuildRoutes

    @property
    def routes(self) -> Routes:
        """The table of routes."""
        queries = {
            "": self.index,
            "page": self.page_file,
            "state": lambda _: json_response(state_to_json(self.session.state)),
            "actions": self.actions,
            "face": self.face,
            "layers": self.layers,
            "sheets": lambda request: json_response(self.views.impose_sheets(request.subpath)),
            "rules": lambda _: Response(self.views.make_rules(), HTML, is_pack_content=True),
            "booklet": self.booklet,
            "releases": lambda _: json_response(self.views.list_releases()),
            "changes": lambda request: json_response(self.views.find_changes(request.subpath)),
            "old-face": self.old_picture,
            "board": self.boards.describe,
            **self.edits.queries,
            **self.builds.queries,
            "icons": self.list_icons,
            "icon": self.send_icon,
        }
        return Routes(queries, {"judge": self.boards.judge, **self._changes}, self.news)

    @property
    def _changes(self) -> Mapping[str, Route]:
        """The routes for requests that change or open something."""
        return {**self.edits.actions, **self.builds.actions}

    @cached_property
    def _parts(self) -> dict[str, Traversable]:
        """The page's own files by name."""
        return {
            item.name: item
            for item in PAGE_FOLDER.iterdir()
            if PurePosixPath(item.name).suffix in MEDIA_TYPES
        }

    def index(self, request: Request) -> Response:
        """Return the page itself, with the token that its requests must bring."""
        if request.subpath:
            return MISSING
        words = json_script(dict(words_for(request.language).page))
        page = compose_index(
            title="pnp live",
            heading="pnp",
            head=html(HEAD, token=self.server.token, words=words),
            language=request.language,
        )
        return Response(page.encode(), HTML)

    def page_file(self, request: Request) -> Response:
        """Return one of the page's own files."""
        if request.subpath == SHARED_STYLE:
            return Response(shared_style().encode(), MEDIA_TYPES[".css"])
        file = self._parts.get(request.subpath)
        return (
            Response(file.read_bytes(), MEDIA_TYPES[PurePosixPath(file.name).suffix])
            if file
            else MISSING
        )

    def actions(self, _: Request) -> Response:
        """Return the names of the actions that are available."""
        return json_response(sorted(self._changes))

    def face(self, request: Request) -> Response:
        """Return a picture by key; the address is `key-scale.png`."""
        key, _, scale = request.subpath.removesuffix(".png").partition("-")
        if scale not in map(str, SCALES):
            return MISSING
        data = self.session.render_png(key, int(scale))
        return Response(data, PNG, is_immutable=True, is_pack_content=True) if data else MISSING

    def booklet(self, request: Request) -> Response:
        """Return the number of the booklet's pages, or one page; the address is `number.png`."""
        pages = self.views.draw_booklet()
        if not request.subpath:
            return json_response({"pages": len(pages)})
        number = parse_whole_number(request.subpath.removesuffix(".png")) or 0
        if not 1 <= number <= len(pages):
            return MISSING
        return Response(pages[number - 1], PNG, is_pack_content=True)

    def list_icons(self, _: Request) -> Response:
        """Return the names of the pack's icons, then those of the symbols."""
        game = self.session.state.game
        return json_response(list(dict.fromkeys([*(game.icons if game else ()), *symbol_paths()])))

    def send_icon(self, request: Request) -> Response:
        """Return the picture of an icon by name."""
        game = self.session.state.game
        if game is None or request.subpath not in game.icons:
            return MISSING
        asset = game.icons[request.subpath]
        suffix = ".svg" if asset.is_svg else asset.path.suffix.lower()
        media_type = ICON_MEDIA_TYPES.get(suffix, OTHER_ICON_MEDIA_TYPE)
        return Response(asset.read(), media_type, is_pack_content=True)

    def old_picture(self, request: Request) -> Response:
        """Return a picture of a change since a release; the address is `version/name`."""
        version, _, name = request.subpath.rpartition("/")
        data = self.views.find_picture(version, name)
        return Response(data, PNG, is_pack_content=True) if data else MISSING

    def layers(self, request: Request) -> Response:
        """Return the layers of a side by its key."""
        kinds = {kind: name for name, kind in vocabulary().layers.items()}
        layers = self.session.renderer.measure_layers(request.subpath)
        return json_response(layers_to_json(layers, kinds, self.edits.pack_editor.layer_names()))

    def news(self) -> Iterator[JsonObject | None]:
        """Yield changes, starting with the number of the state; None after a pause without any."""
        queue = self.session.subscribe()
        try:
            yield {"number": self.session.state.number, "hello": True}
            while not self.session.stopped.is_set():
                try:
                    news = queue.get(timeout=HEARTBEAT_SECONDS)
                except Empty:
                    yield None
                    continue
                if news is None:
                    return
                yield news_to_json(news)
        finally:
            self.session.unsubscribe(queue)
