"""Low ink: designs with tints for fills, as light as legibility allows, and with lines for backs."""

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image, ImageChops, ImageFilter

from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.picture.face import Face
from generator.picture.low_ink import Tints, save_ink
from generator.picture.raster import Rasteriser

SHARES = (0.35, 0.5, 0.65, 0.8, 1.0)
"""Of a colour, what may be left of it: the least with which nothing is lost."""

DPI = 50
STRONG, MIN_EDGE_SHARE = 90, 0.33
"""An edge of so many steps of 255 is one that somebody sees; of it so much must be left."""

LOST = 0.1
"""Of all that is seen, what may be lost."""


def saving(drawn: Sequence[DrawnComponent], raster: Rasteriser) -> tuple[DrawnComponent, ...]:
    """Return all components in low ink."""
    return tuple(_component(component, raster) for component in drawn)


def _component(component: DrawnComponent, raster: Rasteriser) -> DrawnComponent:
    """Return a component in low ink; all its faces get the same tint, so that equal colours stay equal."""
    fronts = {face.name: face for design in component.designs for face in (design.front, *design.more)}
    shares = [_share(face, raster) for face in fronts.values()]
    way = Tints(max(shares, default=1.0))
    return replace(component, designs=tuple(_design(design, way) for design in component.designs))


def _design(design: DrawnDesign, way: Tints) -> DrawnDesign:
    back = design.back and save_ink(design.back, Tints(SHARES[0], outlines=True))
    more = tuple(save_ink(face, way) for face in design.more)
    return replace(design, front=save_ink(design.front, way), more=more, back=back)


def _share(face: Face, raster: Rasteriser) -> float:
    before = raster.face(face, DPI)
    return next(
        share for share in SHARES if share == 1 or _legible(before, raster.face(save_ink(face, Tints(share)), DPI))
    )


def _legible(before: Image.Image, after: Image.Image) -> bool:
    """Return True if everything visible before is still visible."""
    was, now = _edges(before), _edges(after)
    strong = was.point(lambda step: 255 if step >= STRONG else 0)
    left = ImageChops.subtract(was.point(lambda step: round(step * MIN_EDGE_SHARE)), now).point(
        lambda step: 255 if step else 0
    )
    seen = strong.histogram()[255]
    lost = ImageChops.multiply(strong, left).histogram()[255]
    return lost <= LOST * seen


def _edges(picture: Image.Image) -> Image.Image:
    """Return how much each pixel differs from its neighbours, in the channel that differs most."""
    paper = Image.new("RGBA", picture.size, "white")
    paper.alpha_composite(picture.convert("RGBA"))
    red, green, blue = (_both_sides(band) for band in paper.convert("RGB").split())
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _both_sides(band: Image.Image) -> Image.Image:
    """Return the edges of a channel in both directions: text may change from light on dark to dark on light."""
    light, dark = (each.filter(ImageFilter.FIND_EDGES) for each in (band, ImageChops.invert(band)))
    return ImageChops.lighter(light, dark)
