"""The pictures of pixels that a page's faces show, no finer than a screen shows them."""

import io
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import quote

from PIL import Image

from generator.core.geometry import Size
from generator.core.held import Drawing, Held
from generator.core.pixels import PLAIN, QUALITY, TYPES, data_address, jpeg, opened, opened_address, reduced
from generator.core.raster import boxes, larger, size_of
from generator.core.svg import PICTURE_KEY
from generator.core.units import MM_PER_INCH

DPI = 120
"""Enough for a screen; what is made smaller by whole steps is finer."""
HARD, FEW = 6, 1024
"""How hard PNGs are packed, and how many colours they have."""
KINDS = {"png": TYPES["PNG"], "jpg": TYPES["JPEG"], "webp": "image/webp"}
"""What files are, by how their names end."""

_SHOWN = re.compile(rf'<image\b([^<>]*?)((?:xlink:)?href)="({PICTURE_KEY.pattern})"([^<>]*?)/?>')
_RATIO = re.compile(r'\bpreserveAspectRatio="([^"]*)"')


@dataclass
class Screen:
    """Makes each picture once, and puts it where `keep` says, or into the page; there it is defined if many show it."""

    keep: Callable[[str, bytes], object] | None = None
    files: set[str] = field(default_factory=set)
    _boxes: dict[str, Size] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)
    _known: dict[str, str] = field(default_factory=dict)
    _defined: set[str] = field(default_factory=set)

    def expect(self, drawings: Iterable[Drawing]) -> None:
        """All that will be shown: how large, and how often."""
        for drawing in drawings:
            for key, box in boxes(drawing.written).items():
                self._boxes[key] = larger(box, self._boxes.get(key))
                self._times[key] += 1

    def text(self, drawing: Drawing) -> str:
        """A drawing with the addresses of its pictures."""
        if not drawing.pictures:
            return drawing.written
        held, defined = dict(drawing.pictures), []

        def shown(match: re.Match[str]) -> str:
            before, href, key, behind = match.groups()
            address = self._address(key, held[key])
            if self.keep or self._times[key] == 1:
                return f'<image{before}{href}="{address}"{behind}/>'
            ratio = (_RATIO.search(before + behind) or ["", ""])[1]
            name = f"p{key[-12:]}-{ratio[:4]}{ratio[-5:].strip()}"
            defined.append(self._definition(name, ratio, address))
            return f'<use{before}{href}="#{name}"{behind}/>'

        written = _SHOWN.sub(shown, drawing.written)
        head, end, tail = written.partition(">")
        return f"{head}{end}<defs>{''.join(defined)}</defs>{tail}"

    def _definition(self, name: str, ratio: str, address: str) -> str:
        """A picture that many faces show, where the first of them shows it."""
        if name in self._defined:
            return ""
        self._defined.add(name)
        with opened_address(address) as picture:
            box = f'width="{picture.width}" height="{picture.height}"'
            view = f'viewBox="0 0 {picture.width} {picture.height}" preserveAspectRatio="{ratio}"'
        return f'<symbol id="{name}" {view}><image {box} href="{address}"/></symbol>'

    def _address(self, key: str, picture: Held) -> str:
        if key not in self._known:
            self._known[key] = self.place(f"picture-{key[-12:]}", *for_screen(picture, self._boxes.get(key)))
        return self._known[key]

    def place(self, stem: str, kind: str, data: bytes) -> str:
        """The address of a file."""
        address = data_address(KINDS[kind], data)
        if self.keep:
            address = quote(f"{stem}.{kind}")
            self.keep(f"{stem}.{kind}", data)
        self.files.add(address)
        return address


def for_screen(picture: Held, box: Size | None) -> tuple[str, bytes]:
    """How the file ends, and its bytes, for a picture that is shown in a box (mm), or whole where that is not known."""
    held = picture.less if picture.less and _finer(picture.less, box) >= 1 else picture
    data = b64decode(held.text.partition(",")[2])
    with opened(data) as whole:
        kind = "jpg" if whole.format == "JPEG" else "png"
        share = max(1, int(_finer(held, box)))
        is_made = kind == "jpg" and held is not picture and share == 1
        if is_made or whole.mode not in PLAIN:
            return kind, data
        if kind == "jpg":  # which is read by halves
            return kind, jpeg(reduced(whole, 1 << share.bit_length() - 1))
        return _packed(reduced(whole, share))


def _finer(picture: Held, box: Size | None) -> float:
    """How many times as fine as a screen a picture is in a box; of one that is not known, nobody can tell."""
    size = size_of(picture)
    return min(size.w / box.w, size.h / box.h) * MM_PER_INCH / DPI if box else 0.0


def _packed(picture: Image.Image) -> tuple[str, bytes]:
    """What was a PNG: as one again where it is drawn, in few colours; a photograph as those are packed."""
    buffer = io.BytesIO()
    plain = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    if plain.getcolors(FEW):
        plain.save(buffer, "PNG", compress_level=HARD)
        return "png", buffer.getvalue()
    if plain.mode != "RGBA":
        return "jpg", jpeg(plain)
    plain.save(buffer, "WEBP", quality=QUALITY, method=0)
    return "webp", buffer.getvalue()
