"""New packs from the files that a designer already has: a table, or finished pictures."""
