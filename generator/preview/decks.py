"""Pictures of a component in a shop's size; fronts and backs have matching file names."""

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

# A bleed or trim may be off by this much without a note.
TOLERANCE_MM = 0.5

# Pillow turns anticlockwise; the keys are degrees clockwise.
ROTATIONS = {90: Image.Transpose.ROTATE_270, -90: Image.Transpose.ROTATE_90}


@dataclass(frozen=True)
class ShopDeck:
    """The designs of a component, the shop's product, and the turn of the fronts in degrees clockwise."""

    component: DrawnComponent
    size: ShopSize
    turn: int

    @property
    def folder(self) -> str:
        """The folder of the pictures, such as `cards-poker`."""
        return f"{self.component.spec.id}-{self.size.name}"

    @property
    def count(self) -> int:
        """The number of cards."""
        return sum(design.count for design in self.component.designs)

    @property
    def shared_back(self) -> Face | None:
        """The back, if all designs have the same one."""
        backs = [design.back for design in self.component.designs]
        return backs[0] if len({back and back.name for back in backs}) == 1 else None

    def name(self, index: int, side: str) -> str:
        """Return the file name of a side of the design at `index`."""
        design = self.component.designs[index]
        if side == BACK and self.shared_back:
            return "back.png"
        return f"{index + 1:03}-{design.id}-x{design.count}-{side}.png"

    def files(self, raster: Rasteriser) -> Iterator[tuple[str, bytes]]:
        """Yield every picture once, with its name."""
        for index, design in enumerate(self.component.designs):
            yield self.name(index, FRONT), self._picture(raster, design.front, self.turn)
            if design.back and not (index and self.shared_back):
                yield self.name(index, BACK), self._picture(raster, design.back, -self.turn)

    def blank(self) -> bytes:
        """Return a white back."""
        return png(Image.new("RGB", self.size.pixels, WHITE), self.size.dpi)

    def _picture(self, raster: Rasteriser, face: Face, turn: int) -> bytes:
        w, h = self.size.pixels
        image = bled(raster, face, (h, w) if turn else (w, h), self.size.dpi)
        return png(image.transpose(ROTATIONS[turn]) if turn else image, self.size.dpi)

    @property
    def notices(self) -> tuple[str, ...]:
        """Notes to read before ordering."""
        return tuple(self._notices())

    def _notices(self) -> Iterator[str]:
        spec = self.component.spec
        wants = self.size.bleed * MM_PER_INCH / self.size.dpi
        if spec.bleed < wants - TOLERANCE_MM:
            short = f"a bleed of {number(spec.bleed)} mm where the shop wants {number(wants)} mm"
            yield f"{spec.title}: {short}; the outermost pixels are repeated outwards"
        own = spec.outline.size.turned(self.turn)
        cut = self.size.trim
        if max(abs(own.w - cut.w), abs(own.h - cut.h)) > TOLERANCE_MM:
            yield f"{spec.title}: drawn for {spec.outline}, cut as {self.size}"
        if self.turn:
            yield f"{spec.title}: the shop's cards are upright: fronts are turned clockwise, backs anticlockwise"


def shop_decks(shop: PrintShop, components: tuple[DrawnComponent, ...]) -> tuple[ShopDeck, ...]:
    """Return all components in the shop's products; raise an error that lists those without one."""
    report = Reporter()
    decks = []
    for component in components:
        with report.at(None):
            decks.append(ShopDeck(component, *shop.size_for(component.spec)))
    report.raise_any()
    return tuple(decks)
