"""A picture of the pack as a face of its own, for where no component shows it: icons in a line, covers."""

from generator.core.geometry import Rect, Size
from generator.core.shapes import shaped
from generator.draw.canvas import Canvas, Subject
from generator.draw.face import Face
from generator.draw.shelf import ArtShelf
from generator.pack.game import Asset, Game
from generator.pack.links import NO_LINKS


def face_of_art(game: Game, asset: Asset, height: float, colour: str) -> Face:
    """The picture so high in mm, as wide as it is; `colour` is what it takes for currentColor."""
    shelf = ArtShelf(game.language)
    size = Size(height * shelf.art(asset).ratio, height)
    subject = Subject(
        shaped("rect", size), 0.0, NO_LINKS, game.links, game.features, game.fonts, game.icons, game.language
    )
    canvas = Canvas(subject, shelf)
    canvas.art(asset, Rect(0, 0, *size), colour=colour)
    return canvas.face(mirrored=False)
