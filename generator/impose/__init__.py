"""Imposition: pieces and a paper in, sheets out; pure geometry in millimetres.

`lay.impose` is the entry point; it takes a `setup.Setup` and returns a `sheet.Job`.
"""
