"""`image: art/$photo` — a PNG or JPEG; a JPEG goes into the print as it is."""

from typing import ClassVar, Literal

from generator.core.geometry import Rect
from generator.core.problems import Wrong
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.pixels import Pixels, dots, grown_parts, seen_part
from generator.pack.fields import AssetField, Box


class ImageLayer(DrawnLayer):
    """A picture of pixels in a box; without a box it covers the face and its bleed.

    `extend` grows a picture that ends at the trim through the bleed: by its mirror image, or by its edge's colours.
    """

    main: ClassVar[str | None] = "image"
    image: AssetField
    box: Box | None = None
    fit: Literal["contain", "cover", "stretch"] = "cover"
    position: Literal["center", "top", "bottom", "left", "right"] = "center"
    extend: Literal["none", "mirror", "edge"] = "none"

    def draw(self, canvas: Canvas) -> None:
        """Put the picture into its box, and what it grows by round it."""
        picture = canvas.shelf.pixels(self.image)
        box = self.box or self._default_box(canvas)
        canvas.pixels(picture, box, self.fit, self.position)
        if self.extend != "none" and canvas.subject.bleed:
            self._extend(canvas, picture, box)
        canvas.note_picture(self.image.name, dots((picture.width, picture.height), box.size, self.fit))

    def _extend(self, canvas: Canvas, picture: Pixels, box: Rect) -> None:
        if self.fit == "contain":
            raise Wrong("a picture that need not fill its box cannot be extended", "fit: cover or fit: stretch")
        image = picture.open()
        seen = seen_part(image, box, self.position) if self.fit == "cover" else image
        for part, place in grown_parts(picture.name, seen, box, canvas.subject.bleed, self.extend):
            canvas.pixels(part, place, "stretch", "center")

    def _default_box(self, canvas: Canvas) -> Rect:
        return Rect(0, 0, *canvas.subject.outline.size) if self.extend != "none" else canvas.subject.full
