"""The pictures that an SVG of a pack links to.

They lie in the pack too, and are embedded when the SVG is read.

Inkscape links pictures by default, by their path from the SVG's folder. The engines never open a
file: they get the bytes that are read here.
"""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from generator.base.errors import InvalidValueError, prefixing
from generator.draw.art.gate import LOADING_ELEMENTS, is_file_link, parse
from generator.pack.folder import PackFolder
from generator.pack.game import Asset
from generator.picture.svg_table import key_of, tag_of

MAX_LINKED_BYTES = 30_000_000
"""Bytes of all pictures that one SVG links to: unlike photographs of `image:` layers, art is held in memory."""


def find_linked(asset: Asset, address: str) -> Asset:
    """Return the file of the pack that an SVG links to.

    Raise `InvalidValueError` if it is missing or outside the pack.
    """
    if asset.pack is None:
        raise InvalidValueError(
            f"{asset.name} links to {address!r}", "a picture that holds all it needs: embed images"
        )
    name = posixpath.normpath(posixpath.join(posixpath.dirname(asset.name), unquote(address)))
    with prefixing(f"{asset.name} links to {address!r}"):
        return PackFolder(asset.pack).asset(name)


def linked_files(asset: Asset) -> tuple[Asset, ...]:
    """Return all files that an SVG links to, also those that they link to.

    Missing files are left out.
    """
    files: dict[Asset, None] = {}
    ahead = [asset]
    while ahead:
        new = [item for item in _files_in(ahead.pop()) if item not in files]
        files |= dict.fromkeys(new)
        ahead += new
    return tuple(files)


def _files_in(asset: Asset) -> Iterator[Asset]:
    data = asset.read()
    # Most art links to nothing, and need not be parsed. UTF-16 has a zero beside each letter.
    if not asset.is_svg or b"image" not in data.replace(b"\0", b"").lower():
        return
    try:
        root = parse(data, asset.name)
    except InvalidValueError:
        return  # it is reported when it is drawn
    for element in root.iter():
        for key, value in element.attrib.items():
            if (
                tag_of(element) in LOADING_ELEMENTS
                and key_of(key) == "href"
                and is_file_link(value)
            ):
                try:
                    yield find_linked(asset, value.strip())
                except InvalidValueError:
                    continue  # so is a missing file
