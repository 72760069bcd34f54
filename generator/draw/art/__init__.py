"""Designers' own SVG: read, made plain, and inlined in a face.

    read (guard) ─▶ plain (one namespace, one language) ─▶ refuse, limits ─▶ cascade (CSS) ─▶ Art
    Art ─▶ settings (`set:`) ─▶ fonts ─▶ viewport, gradients ─▶ inline: a `<symbol>`

What reaches the engines is a small SVG: every style on its own element, every
length a number, every id the picture's own.
"""

from generator.draw.art.model import Art
from generator.draw.art.read import check_svg, read_art

__all__ = ["Art", "check_svg", "read_art"]
