"""A new pack from what a designer already has: a table, finished pictures, or another program's script."""
