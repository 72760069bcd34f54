"""The icons that texts of the displayed pack may name, and their pictures."""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.base.symbols import symbol_paths
from generator.live.server import MISSING, Answer, Request, Route, json_answer
from generator.live.session import Session

MEDIA_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
OTHER_TYPE = "image/jpeg"


@dataclass(frozen=True)
class IconRoutes:
    """Lists and serves the icons of the displayed pack, and pnp's symbols."""

    session: Session

    @property
    def questions(self) -> Mapping[str, Route]:
        """The routes for questions."""
        return {"icons": self.list_icons, "icon": self.send_icon}

    def list_icons(self, _: Request) -> Answer:
        """Return the names of the pack's icons, then those of the symbols."""
        game = self.session.state.game
        return json_answer(list(dict.fromkeys([*(game.icons if game else ()), *symbol_paths()])))

    def send_icon(self, request: Request) -> Answer:
        """Return the picture of an icon by name."""
        game = self.session.state.game
        if game is None or request.subpath not in game.icons:
            return MISSING
        asset = game.icons[request.subpath]
        suffix = ".svg" if asset.is_svg else asset.path.suffix.lower()
        media_type = MEDIA_TYPES.get(suffix, OTHER_TYPE)
        return Answer(asset.read(), media_type, is_pack_content=True)
