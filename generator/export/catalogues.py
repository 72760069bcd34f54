"""Pages that show all fonts in their own letters and all icons, for `pnp list fonts --show` and `pnp icons --show`."""

from collections.abc import Iterable
from mimetypes import guess_type

from generator.base.fonts import FontFile, FontSet, missing_letters
from generator.base.html import Html, html, join_html
from generator.pack.folder import Asset
from generator.picture.images import data_address
from generator.picture.web_parts import compose_page, css_text, font_face
from generator.release.record import subset

SAMPLE = "The quick brown fox jumps over the lazy dog. 0123456789 ÄÉÑ ½ → ♥ ★ ✓ ⚀ 🎲"

FONT_STYLE = """
h2 { margin: 2rem 0 .2rem; font-size: 1rem; color: var(--soft); }
p { margin: .2rem 0; font-size: 1.5rem; }
small { font: .85rem var(--ui); color: var(--soft); display: block; }
"""


def compose_font_page(fonts: FontSet) -> Html:
    """Return a page with a line of text in each face of each family."""
    rules = []
    lines: list[Html] = []
    for family in fonts.families:
        lines.append(html("<h2>$family</h2>", family=family))
        for file in fonts.files:
            if file.family == family:
                rules.append(_font_rule(file))
                lines.append(_line(file))
    body = html('<main class="sheet"><h1>Fonts</h1>\n$lines</main>', lines=join_html(lines, "\n"))
    return compose_page("Fonts", "en", FONT_STYLE + "\n".join(rules), body)


def _font_rule(file: FontFile) -> str:
    data = subset(file, _sample(file))
    return font_face(file.family, file.weight, data, italic=file.italic)


def _sample(file: FontFile) -> str:
    """Return the part of the sample that a font has: browsers would set other characters in another font."""
    missing = missing_letters(SAMPLE, file)
    return "".join(letter for letter in SAMPLE if letter not in missing).strip()


def _line(file: FontFile) -> Html:
    style = f"font-family:{css_text(file.family)};font-weight:{file.weight}"
    slope = ";font-style:italic" if file.italic else ""
    return html(
        '<p style="$style">$sample<small>$name</small></p>',
        style=style + slope,
        sample=_sample(file),
        name=file.style,
    )


ICON_STYLE = """
.icons { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: 1.2rem; }
figure { text-align: center; overflow-wrap: anywhere; }
img { width: 4rem; height: 4rem; object-fit: contain; }
small { color: var(--soft); display: block; }
"""

_ICON = """<figure>
<img src="$address" alt="">
<figcaption>:$name:<small>$about</small></figcaption>
</figure>"""


def compose_icon_page(icons: Iterable[tuple[str, Asset, str]]) -> Html:
    """Return a page with icons, each with its name and a remark."""
    figures = (
        html(_ICON, address=_address(asset), name=name, about=about) for name, asset, about in icons
    )
    body = html(
        '<main class="sheet"><h1>Icons</h1>\n<div class="icons">$figures</div></main>',
        figures=join_html(figures, "\n"),
    )
    return compose_page("Icons", "en", ICON_STYLE, body)


def _address(asset: Asset) -> str:
    """Return a picture as a `data:` address; browsers run no scripts of images in `img` elements."""
    kind = "image/svg+xml" if asset.is_svg else guess_type(asset.path.name)[0] or "image/png"
    return data_address(kind, asset.read())
