"""Typeset rules: typst breaks and measures lines, a search composes pages, and typst writes the file."""
