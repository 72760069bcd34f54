"""What every page that we write has in common: it runs nothing, asks the network for nothing, sends nothing."""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

_SAFE = re.compile(r"[^\w -]")


def policy(scripts: Iterable[str] = (), pictures: str = "data:") -> str:
    """The content security policy for a page's head: our own scripts by what they say, and no others.

    `pictures` says where images may come from; files beside a page are `'self'`, and `file:` where it lies on a disk.
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
    """A text as CSS writes one, in quotes: whatever could end it is written by its number."""
    return "'" + _SAFE.sub(lambda match: f"\\{ord(match[0]):x} ", text) + "'"


def font_face(family: str, weight: int, data: bytes, *, italic: bool) -> str:
    """A font that is in its page."""
    style = "italic" if italic else "normal"
    return (
        f"@font-face{{font-family:{css_text(family)};font-weight:{weight};font-style:{style};"
        f"font-display:swap;src:url(data:font/ttf;base64,{b64encode(data).decode()})}}"
    )
