"""Designers' own SVG: read, made plain, and inlined in a face.

    gate (admit) ─▶ plain (one namespace, one language) ─▶ cascade (CSS) ─▶ limits ─▶ Art
    Art ─▶ settings (`set:`) ─▶ fonts ─▶ viewport, gradients ─▶ inline: a `<symbol>`

What reaches the engines is a small SVG: every style on its own element, every
length a number, every id the picture's own.
"""

from generator.draw.art.model import Art
from generator.draw.art.read import check_face, read_art

__all__ = ["Art", "check_face", "read_art"]
