"""Designers' own SVG: read, checked, coloured, filled in, and placed whole in a face.

    read: gate (admit) ─▶ plain (one namespace, one language, SVG 1.1) ─▶ css ─▶ images ─▶ limits ─▶
    ArtTree (model) shelf: ArtTree ─▶ changes (`set:`) ─▶ texts (their fonts) ─▶ an `Art` item,
    placed as an image

The engines never get the author's file: the picture is written anew from a table of allowed
elements and attributes.
"""
