"""Find fonts of this computer for characters that pnp's fonts lack.

`pnp new` copies them into the pack. A build uses no other fonts of the computer.
"""

import os
import struct
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import uharfbuzz as hb

from generator.base.errors import InvalidValueError
from generator.base.files import MAX_FILE_BYTES
from generator.base.fonts import FontFile, files_in, open_face, read_fonts

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
"""The largest number of fonts that are copied into one pack: tables seldom mix more scripts."""
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
    """Yield the font files of this computer with the characters that each has.

    Of a collection, only the first font counts.
    """
    for folder in FONT_FOLDERS:
        for path in files_in(folder.expanduser()):
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
        font = read_fonts(path)[0]
        os2 = open_face(font).reference_table("OS/2").data
    except InvalidValueError:
        return None
    (embedding_rights,) = struct.unpack_from(">H", os2, _FSTYPE_AT)
    is_regular = font.weight == _REGULAR and not font.italic
    return font if is_regular and embedding_rights & 0x000F != _EMBEDDING_FORBIDDEN else None
