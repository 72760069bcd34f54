"""The foundation of all other packages: lengths, geometry, outlines, fonts, files, problems, the cache and workers.

Nothing here imports another package of the generator.
"""
