"""Parts of every page that we write: no page runs foreign scripts, uses the network or sends anything."""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

_SAFE = re.compile(r"[^\w -]")


def policy(scripts: Iterable[str] = (), pictures: str = "data:") -> str:
    """Return the content security policy for a page's head: our own scripts by their digests, and no others.

    `pictures` says where images may come from: `'self'` for files beside a page, and `file:` for a page on a disk.
    """
    digests = " ".join(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    rules = {
        "default-src": "'none'",
        "script-src": digests or "'none'",
        "style-src": "'unsafe-inline'",
        "font-src": "data:",
        "img-src": pictures,
        "form-action": "'none'",
        "base-uri": "'none'",
    }
    content = "; ".join(f"{name} {value}" for name, value in rules.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


BESIDE = "'self' file: data:"
"""Images that lie beside their page."""


def css_text(text: str) -> str:
    """Return a text as a quoted CSS string; every character that could end it is escaped by its number."""
    return "'" + _SAFE.sub(lambda match: f"\\{ord(match[0]):x} ", text) + "'"


def font_face(family: str, weight: int, data: bytes, *, italic: bool) -> str:
    """Return a CSS rule with a font inside the page."""
    style = "italic" if italic else "normal"
    return (
        f"@font-face{{font-family:{css_text(family)};font-weight:{weight};font-style:{style};"
        f"font-display:swap;src:url(data:font/ttf;base64,{b64encode(data).decode()})}}"
    )
