"""Colours of a screen as inks of a press, by a profile; 0 to 1 of each; 2.4 is the 240 % of the trade."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from PIL import Image, ImageCms, ImageMath

from generator.core.problems import Wrong

Inks = tuple[float, float, float, float]

NONE: Inks = (0.0, 0.0, 0.0, 0.0)
KEY: Inks = (0.0, 0.0, 0.0, 1.0)
RICH: Inks = (0.6, 0.4, 0.4, 1.0)
"""Paper, black by its own ink alone, and the black of large areas."""

LIMIT = 2.4


@dataclass(frozen=True)
class PressProfile:
    """A row: what a profile that comes with the program is for, and on what terms it may be passed on."""

    title: str
    licence: str


PROFILES: Mapping[str, PressProfile] = MappingProxyType(
    {
        "pnp-coated": PressProfile("coated paper in offset, by a model", "CC0"),
        "pnp-uncoated": PressProfile("uncoated paper in offset, by a model", "CC0"),
    }
)
USUAL_PROFILE = "pnp-coated"


def own_profile(name: str = USUAL_PROFILE) -> bytes:
    """A profile that comes with the program."""
    return (files(__package__) / f"{name}.icc").read_bytes()


@dataclass
class PressInks:
    """A profile and how much ink it may come to; `black` is that of areas, `heaviest` the most that was met.

    Colours of `spots`, by their red, green and blue, are inks of their own name; `spotted` are those that were met.
    """

    profile: bytes = field(default_factory=own_profile, repr=False)
    limit: float = LIMIT
    black: Inks = KEY
    spots: Mapping[tuple[int, ...], str] = field(default_factory=dict)
    heaviest: float = 0.0
    spotted: dict[str, Inks] = field(default_factory=dict)
    key: Inks = KEY
    _known: dict[tuple[int, ...], Inks] = field(default_factory=dict, repr=False)

    @cached_property
    def _transform(self) -> Any:
        try:
            press = ImageCms.ImageCmsProfile(io.BytesIO(self.profile))
            kind = press.profile.xcolor_space.strip()
        except (OSError, ImageCms.PyCMSError):
            kind = "unreadable"
        if kind != "CMYK":
            raise Wrong(f"a profile for {kind} colours cannot be printed by", "an ICC profile of a press, for CMYK")
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
        try:
            return ImageCms.buildTransform(ImageCms.createProfile("sRGB"), press, "RGB", "CMYK", intent, flags)
        except ImageCms.PyCMSError as error:
            raise Wrong(f"this profile is damaged: {error}", "an ICC profile of a press, for CMYK") from None

    @property
    def title(self) -> str:
        """What the profile calls itself."""
        return str(ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(self.profile)))).strip()

    def of(self, rgb: Sequence[float]) -> Inks:
        """The inks of a colour; black is black alone, and paper takes none."""
        key = _in_bytes(rgb)
        if key not in self._known:
            self._known[key] = self._inks(key)
        made = self._known[key]
        self.heaviest = max(self.heaviest, sum(made))
        return made

    def spot(self, rgb: Sequence[float]) -> str:
        """The name of the ink that a colour is, if it is one."""
        name = self.spots.get(_in_bytes(rgb), "")
        if name:
            self.spotted[name] = self.of(rgb)
        return name

    def _inks(self, key: tuple[int, ...]) -> Inks:
        if max(key) == 0:
            return self.black
        if min(key) == 255:
            return NONE
        pixel = self._separated(Image.new("RGB", (1, 1), key)).getpixel((0, 0))
        c, m, y, k = (part / 255 for part in pixel) if isinstance(pixel, tuple) else NONE
        return c, m, y, k

    def image(self, image: Image.Image) -> Image.Image:
        """A picture as four plates."""
        made = self._separated(image.convert("RGB"))
        heavy = ImageMath.lambda_eval(lambda a: a["c"] + a["m"] + a["y"] + a["k"], **_planes(made)).getextrema()[1]
        self.heaviest = max(self.heaviest, heavy / 255)
        return made

    def _separated(self, image: Image.Image) -> Image.Image:
        made = ImageCms.applyTransform(image, self._transform)
        if made is None:
            raise TypeError("no plates")
        planes = _planes(made)

        bands = [ImageMath.lambda_eval(self._within(name), **planes).convert("L") for name in "cmy"]
        return Image.merge("CMYK", (*bands, made.getchannel("K")))

    def _within(self, name: str) -> Any:
        """A plate with less of its colour where the inks come to too much."""

        def plate(args: Any) -> Any:
            colours = args["c"] + args["m"] + args["y"]
            room = int(self.limit * 255) - args["k"]
            return args["min"](args[name], args[name] * room / args["max"](colours, 1))

        return plate


@dataclass
class MaskInks:
    """What a mask is told in: how light it is, since nothing of it is printed."""

    black: tuple[float, ...] = (0.0,)
    key: tuple[float, ...] = (0.0,)

    def of(self, rgb: Sequence[float]) -> tuple[float, ...]:
        """The lightness of a colour, as PDF weighs it."""
        red, green, blue = rgb
        return (min(1.0, 0.3 * red + 0.59 * green + 0.11 * blue),)

    def spot(self, _rgb: Sequence[float]) -> str:
        """No ink at all."""
        return ""

    def image(self, image: Image.Image) -> Image.Image:
        """A picture in grey."""
        return image.convert("L")


def _in_bytes(rgb: Sequence[float]) -> tuple[int, ...]:
    return tuple(min(255, max(0, round(part * 255))) for part in rgb)


def _planes(image: Image.Image) -> dict[str, Image.Image]:
    """The plates in whole numbers that can be added up."""
    return {name: image.getchannel(name.upper()).convert("I") for name in "cmyk"}
