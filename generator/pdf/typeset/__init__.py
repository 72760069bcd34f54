"""Rules in type: typst breaks their lines and measures them, the search composes their pages, typst writes the file."""
