"""Pictures: the values that drawing returns, and their writers.

`items.py` and `face.py` hold the values. `svg.py` writes them as SVG, `raster.py` as pixels and
`web.py` as parts of web pages; `low_ink.py` changes them to need less ink. `pdf/` prints them.
"""
