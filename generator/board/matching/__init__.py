"""The rules of `matching:`, one file a rule; `table.py` is the table of them."""
