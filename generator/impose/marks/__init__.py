"""Lines on the paper by which pieces are cut out and folded."""
