"""Pictures: the values that drawing returns, and their writers.

`items.py` and `face.py` hold the values. `svg.py` writes them as SVG, `raster.py` as pixels and
`web_parts.py` as parts of web pages. `low_ink_items.py` changes them to need less ink, and
`line_art_items.py` turns them into outlines. `pdf/` prints them.
"""
