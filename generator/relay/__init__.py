"""Read third-party PDFs: what is drawn where on their pages, and parts of them as pages of ours.

These files are not trusted: `relay/project.py` runs all of this in a worker with limits.
"""
