"""A composed picture, and its writers: `model.py` (SVG) and `html.py` here, and `pdf/forms.py`, the only one of PDF.

A figure, a face, an icon, a cover: each is a `Picture`, an ordered list of parts. `contract.py` says what the SVG in
one may hold.
"""
