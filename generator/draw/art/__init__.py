"""Designers' own SVG: read, checked, coloured, filled in, and placed whole in a face.

    read: gate (admit) ─▶ plain (one namespace, one language, older words) ─▶ css ─▶ images ─▶ its bounds ─▶ Art (model)
    shelf: Art ─▶ changes (`set:`) ─▶ texts (their fonts) ─▶ a `<symbol>` that shows it as an image

What reaches the engines is the author's picture, written anew from the table of what may stand in one.
"""
