"""Pieces that are folded from a flat net: dice, boxes and standees."""
