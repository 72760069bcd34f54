"""Read third-party PDFs: find the pieces on their pages, and cut them out as pages.

These files are not trusted: `relay/project.py` runs all of this in a worker with limits.
"""
