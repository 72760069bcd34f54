"""What a game was at a version, and what of it must be printed again for another.

`record` makes a `manifest.Release` of a drawn game, `store` a file of a release and back.
"""
