"""Designers' own SVG: read, checked, coloured, filled in, and placed whole in a face.

    gate (admit) ─▶ plain (one namespace, one language) ─▶ css ─▶ dialect ─▶ images ─▶ limits ─▶ Art
    Art ─▶ settings (`set:`) ─▶ fonts ─▶ placed: a `<symbol>` that shows it as an image

What reaches the engines is the author's picture, written anew from the table of what may stand in one.
"""

from generator.draw.art.model import Art
from generator.draw.art.read import check_face, read_art

__all__ = ["Art", "check_face", "read_art"]
