"""Press files: colours converted to inks by an ICC profile, page boxes, and the rules of PDF/X."""
