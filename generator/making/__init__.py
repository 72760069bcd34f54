"""How a game is made with paper, knife and glue: what its sheets, as they are laid out, ask of whoever prints them."""
