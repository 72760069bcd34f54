"""Convert RGB to a press's inks by an ICC profile.

Inks are from 0 to 1, and a sum of 2.4 is 240 %.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from PIL import Image, ImageCms, ImageMath

from generator.base.errors import InvalidValueError

Inks = tuple[float, float, float, float]

NO_INK: Inks = (0.0, 0.0, 0.0, 0.0)
KEY_BLACK: Inks = (0.0, 0.0, 0.0, 1.0)
# Rich black, for large areas: black ink alone looks grey there.
RICH_BLACK: Inks = (0.6, 0.4, 0.4, 1.0)

# Total ink coverage of 240 %, for digital presses; coated paper in sheet-fed offset takes 300 to 330 %.
MAX_TOTAL_INK = 2.4
# Rows of an image that are converted at once: the sums of its inks take some 40 bytes a pixel.
STRIP_ROWS = 256

# The purposes and licences of the built-in profiles.
PROFILES: Mapping[str, str] = MappingProxyType(
    {
        "pnp-coated": "coated paper in offset, by a model (CC0)",
        "pnp-uncoated": "uncoated paper in offset, by a model (CC0)",
    }
)
USUAL_PROFILE = "pnp-coated"


def load_profile(name: str = USUAL_PROFILE) -> bytes:
    """Return a built-in profile."""
    return (files(__package__) / f"{name}.icc").read_bytes()


@dataclass
class PressInks:
    """Converts colours and images to the inks of a profile, and records the inks that were used."""

    profile: bytes = field(default_factory=load_profile, repr=False)
    name: str = USUAL_PROFILE  # of the profile, in messages
    limit: float = MAX_TOTAL_INK
    black: Inks = KEY_BLACK  # the inks of black areas
    spots: Mapping[tuple[int, ...], str] = field(default_factory=dict)  # spot inks by RGB, 0 to 255
    max_total_ink: float = 0.0  # the largest total so far
    used_spots: dict[str, Inks] = field(default_factory=dict)  # spot inks so far, with similar CMYK
    key: Inks = KEY_BLACK  # the inks of black text
    _inks_by_colour: dict[tuple[int, ...], Inks] = field(default_factory=dict, repr=False)

    @cached_property
    def _transform(self) -> Any:
        expected = "an ICC profile of a press, for CMYK"
        try:
            press = ImageCms.ImageCmsProfile(io.BytesIO(self.profile))
        except (OSError, ImageCms.PyCMSError):
            raise InvalidValueError(f"{self.name} cannot be read", expected) from None
        kind = press.profile.xcolor_space.strip()
        if kind != "CMYK":
            raise InvalidValueError(f"{self.name} is for {kind} colours", expected)
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
        try:
            return ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"), press, "RGB", "CMYK", intent, flags
            )
        except ImageCms.PyCMSError as error:
            raise InvalidValueError(f"{self.name} is damaged: {error}", expected) from None

    @property
    def title(self) -> str:
        """The profile's description of itself."""
        return str(
            ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(self.profile)))
        ).strip()

    def convert(self, rgb: Sequence[float]) -> Inks:
        """Return the inks of a colour; black uses black ink only, and white no ink."""
        key = _in_bytes(rgb)
        if key not in self._inks_by_colour:
            self._inks_by_colour[key] = self._compute_inks(key)
        inks = self._inks_by_colour[key]
        self.max_total_ink = max(self.max_total_ink, sum(inks))
        return inks

    def find_spot(self, rgb: Sequence[float]) -> str:
        """Return the name of a colour's spot ink, or an empty string."""
        name = self.spots.get(_in_bytes(rgb), "")
        if name:
            self.used_spots[name] = self.convert(rgb)
        return name

    def _compute_inks(self, key: tuple[int, ...]) -> Inks:
        if max(key) == 0:
            return self.black
        if min(key) == 255:
            return NO_INK
        pixel = self._limit_total(self._separate(Image.new("RGB", (1, 1), key))).getpixel((0, 0))
        c, m, y, k = (part / 255 for part in pixel) if isinstance(pixel, tuple) else NO_INK
        return c, m, y, k

    def convert_image(self, image: Image.Image) -> Image.Image:
        """Convert an image to CMYK."""
        plates = Image.new("CMYK", image.size)
        for box in _strips(image):
            part = self._limit_total(self._separate(image.crop(box).convert("RGB")))
            self.max_total_ink = max(self.max_total_ink, _measure_total_ink(part))
            plates.paste(part, box[:2])
        return plates

    def limit_ink(self, image: Image.Image) -> Image.Image | None:
        """Return a CMYK image with less ink where it has too much; None if the limit is kept everywhere."""
        largest = max(_measure_total_ink(image.crop(box)) for box in _strips(image))
        if largest <= self.limit:
            self.max_total_ink = max(self.max_total_ink, largest)
            return None
        plates = Image.new("CMYK", image.size)
        for box in _strips(image):
            part = self._limit_total(image.crop(box))
            self.max_total_ink = max(self.max_total_ink, _measure_total_ink(part))
            plates.paste(part, box[:2])
        return plates

    def _separate(self, image: Image.Image) -> Image.Image:
        separated = ImageCms.applyTransform(image, self._transform)
        if separated is None:
            raise TypeError("no plates")
        return separated

    def _limit_total(self, separated: Image.Image) -> Image.Image:
        planes = _planes(separated)
        bands = [
            ImageMath.lambda_eval(self._limited_plate(name), **planes).convert("L")
            for name in "cmy"
        ]
        return Image.merge("CMYK", (*bands, separated.getchannel("K")))

    def _limited_plate(self, name: str) -> Any:
        """Return a function for ImageMath that reduces an ink where the total exceeds the limit.

        Black keeps its full amount; cyan, magenta and yellow share the rest in proportion.
        """

        def plate(args: Any) -> Any:
            colours = args["c"] + args["m"] + args["y"]
            left = int(self.limit * 255) - args["k"]
            return args["min"](args[name], args[name] * left / args["max"](colours, 1))

        return plate


@dataclass
class MaskInks:
    """Converts the colours of soft masks to grey, since masks are not printed.

    It has the methods of `PressInks` that `Recolourer` calls.
    """

    black: tuple[float, ...] = (0.0,)
    key: tuple[float, ...] = (0.0,)

    def convert(self, rgb: Sequence[float]) -> tuple[float, ...]:
        """Return the luminosity of a colour (ISO 32000-1, 10.3.3)."""
        red, green, blue = rgb
        return (min(1.0, 0.3 * red + 0.59 * green + 0.11 * blue),)

    def find_spot(self, _rgb: Sequence[float]) -> str:
        """Return an empty string: masks have no spot inks."""
        return ""

    def convert_image(self, image: Image.Image) -> Image.Image:
        """Convert an image to grey."""
        return image.convert("L")

    def limit_ink(self, _image: Image.Image) -> Image.Image | None:
        """Return None: masks have no ink."""
        return None


def _in_bytes(rgb: Sequence[float]) -> tuple[int, ...]:
    """Return the parts of a colour from 0 to 255, from those between 0 and 1."""
    return tuple(min(255, max(0, round(part * 255))) for part in rgb)


def _strips(image: Image.Image) -> Iterator[tuple[int, int, int, int]]:
    """Yield boxes of full width that cover an image."""
    for top in range(0, image.height, STRIP_ROWS):
        yield 0, top, image.width, min(top + STRIP_ROWS, image.height)


def _measure_total_ink(image: Image.Image) -> float:
    """Return the largest total ink of a CMYK image: 2.4 is 240 %."""
    total = ImageMath.lambda_eval(
        lambda planes: planes["c"] + planes["m"] + planes["y"] + planes["k"], **_planes(image)
    )
    return float(total.getextrema()[1]) / 255


def _planes(image: Image.Image) -> dict[str, Image.Image]:
    """Return the channels as 32-bit integers, so that sums do not overflow."""
    return {name: image.getchannel(name.upper()).convert("I") for name in "cmyk"}
