"""A page with a picture of each icon, for `pnp icons --show`."""

from collections.abc import Iterable
from mimetypes import guess_type

from generator.base.html import Html, html, join_html
from generator.pack.game import Asset
from generator.picture.images import data_address
from generator.picture.web import compose_page

STYLE = """
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
    return compose_page("Icons", "en", STYLE, body)


def _address(asset: Asset) -> str:
    """Return a picture as a `data:` address; browsers run no scripts of images in `img` elements."""
    kind = "image/svg+xml" if asset.is_svg else guess_type(asset.path.name)[0] or "image/png"
    return data_address(kind, asset.read())
