"""Faces and sheets become pictures to look at."""
