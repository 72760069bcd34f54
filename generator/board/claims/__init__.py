"""Claims: what a figure's caption says of its board, checked against the board."""
