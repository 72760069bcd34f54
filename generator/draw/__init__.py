"""A design's side becomes a `Face`: an SVG in millimetres."""
