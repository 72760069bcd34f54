"""Pieces in a file that somebody else made: where they lie on its pages, and which back is behind which front."""
