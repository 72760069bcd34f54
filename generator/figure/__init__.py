"""A board becomes a picture for the rules: tiles where they lie, and what is drawn over them to explain."""
