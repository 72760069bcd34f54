"""Imposition: pieces and a paper in, sheets out; pure geometry in millimetres.

`lay.impose` is the way in, `setup.Setup` what it is told, `sheet.Job` what it gives.
"""
