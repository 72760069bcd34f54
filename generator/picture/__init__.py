"""A composed picture, and its writers: `svg.py` and `html.py` here, and `pdf/forms.py`, the only writer of PDF.

A figure, a face, an icon, a cover: each is a `Picture`, an ordered list of parts. `contract.py` says what the SVG in
one may hold.
"""
