"""Substitutes for what a designer's table needs and does not bring: pictures and fonts.

Pictures that are not drawn yet become labelled placeholders. Characters that pnp's fonts lack are printed in fonts of
this computer, which `pnp new` copies into the pack; a build never uses the others.
"""

import io
import os
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import uharfbuzz as hb

from generator.base.errors import InvalidValueError
from generator.base.files import MAX_FILE_BYTES
from generator.base.fonts import FontFile, font_set, missing_letters, read_font
from generator.base.html import html
from generator.pack.new.import_notes import list_places
from generator.text.shape import measure

ICONS_WANTED = "icons-wanted.txt"
MAX_LABEL_CHARACTERS = 18
_LABEL_SIZE = 12.0
_LABEL_FONT = "Fira Sans Condensed"
_LABEL_MARGIN = 5.0
_PIXELS = (600, 400)


def placeholder_svg(name: str) -> bytes:
    """Return an SVG with the name of a missing icon in a dashed frame, as wide as the name.

    Icons in a line of text have one height, so a wide picture keeps the name legible.
    """
    font = font_set().find(_LABEL_FONT, 700)
    label = name.replace("-", " ")[:MAX_LABEL_CHARACTERS]
    label = "?" if missing_letters(label, font) else label
    width = measure(label, font, _LABEL_SIZE) + 2 * _LABEL_MARGIN
    return html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width 20">\n'
        '<rect x="0.75" y="0.75" width="$inner" height="18.5" rx="5" fill="#ffffff"'
        ' stroke="#b0357b" stroke-width="1.5" stroke-dasharray="3 2"/>\n'
        '<text x="$middle" y="14.2" text-anchor="middle" font-family="$font" font-weight="700"'
        ' font-size="12" fill="#b0357b">$label</text>\n</svg>\n',
        width=f"{width:.2f}",
        inner=f"{width - 1.5:.2f}",
        middle=f"{width / 2:.2f}",
        font=_LABEL_FONT,
        label=label,
    ).encode()


def placeholder_pixels(name: str, suffix: str) -> bytes:
    """Return a PNG or JPEG with the name of a missing picture in a frame."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", _PIXELS, "#f4e9f0")
    draw = ImageDraw.Draw(image)
    draw.rectangle((12, 12, _PIXELS[0] - 13, _PIXELS[1] - 13), outline="#b0357b", width=6)
    font = font_set().find(_LABEL_FONT, 700)
    label = name.replace("-", " ")[:MAX_LABEL_CHARACTERS]
    label = "?" if missing_letters(label, font) else label
    face = ImageFont.truetype(font.path, _PIXELS[1] // 8)
    draw.text((_PIXELS[0] / 2, _PIXELS[1] / 2), label, "#b0357b", face, anchor="mm")
    out = io.BytesIO()
    image.save(out, "JPEG" if suffix == ".jpg" else "PNG", dpi=(300, 300))
    return out.getvalue()


def wanted_list(places_by_file: Mapping[str, Sequence[str]]) -> bytes:
    """Return the text of `icons-wanted.txt`: each missing file and where it is used."""
    lines = [
        "Icons and pictures that the cards name and that are not drawn yet.",
        "Each has a placeholder, so that the cards can be printed now. Replace the files one by",
        "one by your own of the same names. If yours is a PNG or JPEG in place of an SVG, also",
        "delete the placeholder.",
        "",
        *(
            f"{file}    used in {list_places(places)}"
            for file, places in sorted(places_by_file.items())
        ),
    ]
    return ("\n".join(lines) + "\n").encode()


FONT_FOLDERS: Sequence[Path] = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("~/.local/share/fonts"),
    Path("~/.fonts"),
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
    Path("~/Library/Fonts"),
    Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts",
    Path(os.environ.get("LOCALAPPDATA", "~")) / "Microsoft" / "Windows" / "Fonts",
)
"""The folders in which Linux, macOS and Windows install fonts."""
MAX_FONTS = 4
"""Number of fonts that are copied into one pack."""
_REGULAR = 400
# OpenType, OS/2 table, fsType: bit 1 alone forbids embedding.
_FSTYPE_AT = 8
_EMBEDDING_FORBIDDEN = 0x0002


def find_fonts_with(letters: Collection[str]) -> list[FontFile]:
    """Return a few installed fonts that together have as many of some characters as possible."""
    missing = {ord(letter) for letter in letters}
    candidates = [
        (path, missing & covered)
        for path, covered in _installed()
        if not missing.isdisjoint(covered)
    ]
    fonts: list[FontFile] = []
    while missing and candidates and len(fonts) < MAX_FONTS:
        path, covered = max(candidates, key=lambda pair: (len(pair[1] & missing), _rank(pair[0])))
        if not covered & missing:
            break
        candidates.remove((path, covered))
        if (font := _usable(path)) is not None:
            fonts.append(font)
            missing -= covered
    return fonts


def _installed() -> Iterator[tuple[Path, set[int]]]:
    """Yield the TrueType files of this computer with the characters that each has."""
    for folder in FONT_FOLDERS:
        for path in sorted(folder.expanduser().rglob("*.ttf")):
            try:
                if path.stat().st_size <= MAX_FILE_BYTES:
                    yield path, set(hb.Face(hb.Blob.from_file_path(str(path))).unicodes)
            except Exception:  # noqa: BLE001, S112 - uharfbuzz has its own errors for bad files
                continue


def _rank(path: Path) -> tuple[int, bool, str]:
    """Return a key that is greater for fonts that suit a card: proportional, sans-serif, regular."""
    name = path.stem.lower()
    unusual = ("mono", "condensed", "narrow", "serif", "light")
    return -sum(word in name for word in unusual), "regular" in name, name


def _usable(path: Path) -> FontFile | None:
    """Return an upright font of regular weight that may be embedded; None for other files."""
    try:
        font = read_font(path)
        os2 = hb.Face(hb.Blob.from_file_path(str(path))).reference_table("OS/2").data
    except InvalidValueError:
        return None
    (embedding_rights,) = struct.unpack_from(">H", os2, _FSTYPE_AT)
    is_regular = font.weight == _REGULAR and not font.italic
    return font if is_regular and embedding_rights & 0x000F != _EMBEDDING_FORBIDDEN else None
