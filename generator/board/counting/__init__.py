"""Counting: groups of a board, the things in them, and the points that a pack gives for these."""
