"""Files that somebody else made: what is drawn where on their pages, and windows of these as pages of ours.

Nothing here trusts such a file; `app/relay.py` has all of it done in a process that can be stopped.
"""
