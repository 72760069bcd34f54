"""Placeholders for pictures and icons that a designer's table names and that are not drawn yet."""

import io
from collections.abc import Mapping, Sequence

from generator.base.fonts import font_set, missing_letters
from generator.base.html import html
from generator.pack.new.import_notes import list_places
from generator.text.shape import measure

ICONS_WANTED = "icons-wanted.txt"
# As many characters of the condensed font as usually fit across a picture of `_PIXELS`.
MAX_LABEL_CHARACTERS = 18
_LABEL_FONT = "Fira Sans Condensed"
# In units of an icon that is 20 high.
_LABEL_SIZE = 12.0
_LABEL_MARGIN = 5.0
# Width and height of a placeholder: 2 by 1⅓ inches at 300 dpi.
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
