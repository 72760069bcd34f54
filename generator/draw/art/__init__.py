"""Designers' own SVG: read, checked, coloured, filled in, and placed whole in a face.

    read.py:    bytes ─ gate ─▶ elements ─ simplify ─ images ─ css ─ limits ─▶ ArtTree (tree.py)
    library.py: ArtTree ─ changes (`set:`) ─ texts (their fonts) ─ origins ─▶ an `Art` item of a face
    drawn.py:   ArtTree ─▶ the elements that it draws: for outlines, images inside, opaque parts, low ink, line art

The engines never get the author's file: the picture is written anew from a table of allowed
elements and attributes (`base/svg_table.py`).
"""
