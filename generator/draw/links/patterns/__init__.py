"""What is drawn upon a link's fill, in its style's `ink`, so that kinds differ without colour.

All of them are mirror-safe: at a tile's edge each is its own mirror image along the link and across it, so two tiles
continue it in any turn and either face up. `zigzag`, which by nature is not, forks at the edge for that reason
(`zigzag.py`). A new pattern is a function and a row here.
"""

from collections.abc import Mapping

from generator.core.problems import unknown
from generator.draw.links.patterns.base import Pattern
from generator.draw.links.patterns.lines import dashes, double, line
from generator.draw.links.patterns.motifs import diamonds, dots, scales
from generator.draw.links.patterns.solid import solid
from generator.draw.links.patterns.stripes import stripes
from generator.draw.links.patterns.zigzag import zigzag

__all__ = ["PATTERNS", "Pattern", "pattern_named"]

PATTERNS: Mapping[str, Pattern] = {
    "solid": Pattern(solid, "the plain fill", mirror_safe=True),
    "stripes": Pattern(stripes, "bars across the link", mirror_safe=True),
    "dots": Pattern(dots, "a row of dots", mirror_safe=True),
    "dashes": Pattern(dashes, "a thin broken line down the middle", mirror_safe=True),
    "line": Pattern(line, "a broad line down the middle", mirror_safe=True),
    "double": Pattern(double, "two rails along the rims", mirror_safe=True),
    "zigzag": Pattern(zigzag, "a line that swings from side to side, with a diamond at each edge", mirror_safe=True),
    "diamonds": Pattern(diamonds, "a chain of solid diamonds", mirror_safe=True),
    "scales": Pattern(scales, "a snake's skin of staggered scales", mirror_safe=True),
}


def pattern_named(name: str) -> Pattern:
    """The pattern of this name."""
    if name not in PATTERNS:
        raise unknown("pattern", name, PATTERNS)
    return PATTERNS[name]
