"""A component as a shop takes it: a picture of each face in the shop's size, front and back paired by name."""

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from generator.core.problems import Reporter
from generator.core.units import MM_PER_INCH, number
from generator.draw.draw import DrawnComponent
from generator.picture.face import Face
from generator.picture.raster import Rasteriser
from generator.preview.finished import WHITE, bled, png
from generator.preview.gallery import BACK, FRONT
from generator.preview.shops import PrintShop, ShopSize

SHORT = 0.5
"""mm by which a bleed may be too small without a word."""

QUARTERS = {90: Image.Transpose.ROTATE_270, -90: Image.Transpose.ROTATE_90}
"""Pillow's turns, by degrees clockwise."""


@dataclass(frozen=True)
class ShopDeck:
    """The designs of a component, what the shop makes of it, and how its fronts are turned."""

    component: DrawnComponent
    size: ShopSize
    turn: int

    @property
    def folder(self) -> str:
        """Where its pictures go: `cards-poker`."""
        return f"{self.component.spec.id}-{self.size.name}"

    @property
    def count(self) -> int:
        """How many cards it has."""
        return sum(design.count for design in self.component.designs)

    @property
    def shared_back(self) -> Face | None:
        """The back, where all designs have the same."""
        backs = [design.back for design in self.component.designs]
        return backs[0] if len({back and back.name for back in backs}) == 1 else None

    def name(self, nth: int, side: str) -> str:
        """The file of a side of the design of that place."""
        design = self.component.designs[nth]
        if side == BACK and self.shared_back:
            return "back.png"
        return f"{nth + 1:03}-{design.id}-x{design.count}-{side}.png"

    def files(self, raster: Rasteriser) -> Iterator[tuple[str, bytes]]:
        """Every picture with its name, each once."""
        for nth, design in enumerate(self.component.designs):
            yield self.name(nth, FRONT), self._picture(raster, design.front, self.turn)
            if design.back and not (nth and self.shared_back):
                yield self.name(nth, BACK), self._picture(raster, design.back, -self.turn)

    def blank(self) -> bytes:
        """A white back."""
        return png(Image.new("RGB", self.size.pixels, WHITE), self.size.dpi)

    def _picture(self, raster: Rasteriser, face: Face, turn: int) -> bytes:
        w, h = self.size.pixels
        image = bled(raster, face, (h, w) if turn else (w, h), self.size.dpi)
        return png(image.transpose(QUARTERS[turn]) if turn else image, self.size.dpi)

    @property
    def notices(self) -> tuple[str, ...]:
        """What should be known of it before it is ordered."""
        return tuple(self._notices())

    def _notices(self) -> Iterator[str]:
        spec = self.component.spec
        wants = self.size.bleed * MM_PER_INCH / self.size.dpi
        if spec.bleed < wants - SHORT:
            short = f"a bleed of {number(spec.bleed)} mm where the shop wants {number(wants)} mm"
            yield f"{spec.title}: {short}; the outermost colours are carried outwards"
        own = spec.outline.size.turned(self.turn)
        cut = self.size.trim
        if max(abs(own.w - cut.w), abs(own.h - cut.h)) > SHORT:
            yield f"{spec.title}: drawn for {spec.outline}, cut as {self.size}"
        if self.turn:
            yield f"{spec.title}: its cards stand at the shop: fronts are turned clockwise, backs the other way"


def shop_decks(shop: PrintShop, components: tuple[DrawnComponent, ...]) -> tuple[ShopDeck, ...]:
    """All components as the shop makes them; raises for those that it does not."""
    report = Reporter()
    decks = []
    for component in components:
        with report.at(None):
            decks.append(ShopDeck(component, *shop.size_for(component.spec)))
    report.raise_any()
    return tuple(decks)
