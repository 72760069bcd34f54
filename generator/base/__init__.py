"""The foundation of all packages: lengths, geometry, outlines, allowed SVG, fonts, files, problems, cache, workers.

Nothing here imports another package of the generator.
"""
