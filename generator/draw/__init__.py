"""Draw designs: the layers of each side record items on a canvas, which become a `Face`."""
