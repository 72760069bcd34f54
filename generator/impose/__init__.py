"""Imposition: pieces and a paper in, sheets out; pure geometry in millimetres.

`impose.py`, `impose`, is the entry point: it takes `Piece`s and a `Setup` and returns a `Job`.
"""
