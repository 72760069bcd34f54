"""Limits of fonts from strangers: small files that make engines fill the memory.

typst lists every character of a font, and resvg and typst draw each part of a glyph that other glyphs
make up. A file of 100 kB can name billions of both.
"""

import struct
from collections.abc import Iterator, Sequence

import uharfbuzz as hb

from generator.base.errors import InvalidValueError

MAX_CHARACTERS = 3_000_000
"""Characters in all tables of a font; Unicode has 1.1 million, and a font may list them in several tables."""
MAX_CHARACTER_TABLES = 100
"""Tables of characters in a font; fonts have up to ten."""
MAX_PARTS = 200
"""Glyphs of which a glyph may be made up, with those in them; letters with accents have two or three."""
MAX_DEPTH = 16
"""Glyphs inside each other. OpenType fonts of type foundries have at most five."""

# OpenType, table glyf, flags of the parts of a glyph: the sizes of what follows each of them.
_WIDE_OFFSETS = 0x0001
_SCALE = 0x0008
_MORE_PARTS = 0x0020
_TWO_SCALES = 0x0040
_MATRIX = 0x0080


def find_excess(face: hb.Face, checked: hb.Face | None = None) -> str:
    """Return why a font would take too much memory; an empty string for a good font.

    The fonts of a collection mostly share their outlines, which need not be checked again if `checked`,
    a good font, has the same.
    """
    try:
        return (
            _too_many_characters(face)
            or _too_many_parts(face)
            or ("" if checked and _has_same_steps(face, checked) else _too_many_steps(face))
        )
    except (struct.error, IndexError):
        return "a table is cut off"
    except InvalidValueError as error:
        return error.found


def _too_many_characters(face: hb.Face) -> str:
    """Return the excess of a font that claims very many characters, or has very many tables of them."""
    table = face.reference_table("cmap").data
    (count,) = struct.unpack_from(">H", table, 2)
    if count > MAX_CHARACTER_TABLES:
        return f"it has {count} tables of characters"
    total = 0
    for at in range(4, 4 + 8 * count, 8):
        for first, last in _character_ranges(table, *struct.unpack_from(">I", table, at + 4)):
            total += max(0, last - first + 1)
            if total > MAX_CHARACTERS:
                return f"it claims to have more than {MAX_CHARACTERS:,} characters"
    return ""


def _character_ranges(table: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a table of characters; other kinds than these list at most 65,536 characters."""
    (kind,) = struct.unpack_from(">H", table, start)
    if kind in {12, 13}:
        (groups,) = struct.unpack_from(">I", table, start + 12)
        end = min(start + 16 + 12 * groups, len(table) - (len(table) - start - 16) % 12)
        for first, last, _ in struct.iter_unpack(">III", table[start + 16 : end]):
            yield first, last
    elif kind == 4:
        (size,) = struct.unpack_from(">H", table, start + 6)
        lasts = struct.unpack_from(f">{size // 2}H", table, start + 14)
        firsts = struct.unpack_from(f">{size // 2}H", table, start + 16 + size)
        yield from zip(firsts, lasts, strict=True)


def _too_many_parts(face: hb.Face) -> str:
    """Return the excess of a TrueType font with glyphs that are made up of very many others."""
    if "glyf" not in face.table_tags:
        return ""
    glyphs = face.reference_table("glyf").data
    is_long = struct.unpack_from(">h", face.reference_table("head").data, 50)[0]
    loca = face.reference_table("loca").data
    width = 4 if is_long else 2
    count = len(loca) // width
    offsets = struct.unpack_from(f">{count}{'I' if is_long else 'H'}", loca)
    starts = offsets if is_long else [2 * offset for offset in offsets]
    counts: dict[int, int] = {}
    has_many = any(
        _count_parts(number, glyphs, starts, counts, 0) > MAX_PARTS for number in range(count - 1)
    )
    return f"a glyph has more than {MAX_PARTS} parts" if has_many else ""


def _too_many_steps(face: hb.Face) -> str:
    """Return the excess of an OpenType font with CFF outlines, whose subroutines may call each other."""
    if "CFF " not in face.table_tags:
        return ""
    font = hb.Font(face)
    # HarfBuzz gives no extents of a glyph that it gives up to draw, after some 10,000 steps.
    has_long = any(font.get_glyph_extents(number) is None for number in range(face.glyph_count))
    return "a glyph is drawn in too many steps" if has_long else ""


def _has_same_steps(face: hb.Face, other: hb.Face) -> bool:
    """Return True if two fonts have the same CFF outlines."""
    return bool(face.reference_table("CFF ").data == other.reference_table("CFF ").data)


def _count_parts(
    number: int, glyphs: bytes, starts: Sequence[int], counts: dict[int, int], depth: int
) -> int:
    """Return the number of glyphs that make up a glyph, with itself; `counts` holds those known already."""
    if number not in counts:
        if depth > MAX_DEPTH:
            raise InvalidValueError(f"its glyphs are nested more than {MAX_DEPTH} deep")
        is_known = number + 1 < len(starts) and starts[number] < starts[number + 1]
        total = 1
        for part in _parts(glyphs, starts[number]) if is_known else ():
            total += _count_parts(part, glyphs, starts, counts, depth + 1)
            if total > MAX_PARTS:
                break
        counts[number] = total
    return counts[number]


def _parts(glyphs: bytes, start: int) -> Iterator[int]:
    """Yield the numbers of the glyphs that make up a glyph; none for one with outlines of its own."""
    if not glyphs[start] & 0x80:  # the number of outlines is negative in a glyph of parts
        return
    at = start + 10
    flags = _MORE_PARTS
    while flags & _MORE_PARTS:
        flags, number = struct.unpack_from(">HH", glyphs, at)
        yield number
        at += 8 if flags & _WIDE_OFFSETS else 6
        at += 2 * bool(flags & _SCALE) + 4 * bool(flags & _TWO_SCALES) + 8 * bool(flags & _MATRIX)
