"""Test UAX #9 with lines of Unicode's two test files (`unicode/`, version 15.0).

Neighbouring lines differ little. A run tries every fifth, and all with the profile `thorough` of
hypothesis.
"""

import lzma
from itertools import compress
from pathlib import Path

from hypothesis import settings

from generator.text import bidi

HERE = Path(__file__).parents[1] / "data" / "unicode"

STEP = 1 if settings.default is settings.get_profile("thorough") else 5

CLASSES = ["L", "R", "AL", "EN", "AN", "ES", "ET", "CS", "NSM", "BN", "B", "S", "WS", "ON"]
CODES = ["LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"]
A_CHARACTER_OF = dict(zip(CLASSES, "aא\u06271\u0661+%,\u0300\u00ad\u2029\t !", strict=True))
A_CHARACTER_OF |= dict(
    zip(CODES, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", strict=True)
)


def lines_of(name):
    with lzma.open(HERE / f"{name}.txt.xz", "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def expected_levels(field):
    """Return a list of visible characters as booleans, and their levels."""
    levels = field.split()
    return [level != "x" for level in levels], [int(level) for level in levels if level != "x"]


def places_in_order(is_visible, levels):
    places = list(compress(range(len(is_visible)), is_visible))
    return " ".join(str(places[index]) for index in bidi.visual(levels))


def test_levels_and_order_agree_with_lines_of_bidicharactertest():
    lines = list(lines_of("BidiCharacterTest"))
    assert len(lines) == 91_707
    for line in lines[::STEP]:
        codes, direction, paragraph, levels, order = line.split(";")
        text = "".join(chr(int(code, 16)) for code in codes.split())
        base = bidi.base_level(text) if direction == "2" else int(direction)
        is_visible, expected = expected_levels(levels)
        visible_levels = list(compress(bidi.levels(text, base), is_visible))
        assert (base, visible_levels) == (int(paragraph), expected), line
        assert places_in_order(is_visible, visible_levels) == order, line


def test_levels_and_order_agree_with_lines_of_biditest():
    """Lines give classes and the base directions for which they hold: 1 auto, 2 left to right, 4 right to left."""
    count = 0
    is_visible = []
    expected = []
    for line in lines_of("BidiTest"):
        if line.startswith("@Levels:"):
            is_visible, expected = expected_levels(line.partition(":")[2])
        elif line.startswith("@Reorder:"):
            assert places_in_order(is_visible, expected) == line.partition(":")[2].strip()
        else:
            count += 1
            if count % STEP:
                continue
            classes, _, bits = line.partition("; ")
            text = "".join([A_CHARACTER_OF[name] for name in classes.split()])
            bases = {base for base, bit in ((0, 2), (1, 4)) if int(bits) & bit}
            if int(bits) & 1:
                bases.add(bidi.base_level(text))
            for base in bases:
                visible_levels = list(compress(bidi.levels(text, base), is_visible))
                assert visible_levels == expected, (line, base)
    assert count == 490_846
