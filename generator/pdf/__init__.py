"""Faces and sheets become the file. The only y-flip, the only conversion from mm to points."""
