"""A new pack from what a designer already has: a table, or finished pictures."""
