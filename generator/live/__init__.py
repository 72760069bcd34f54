"""The page that shows a pack while it is written: a server on this machine, and what it serves."""
