"""Boards: which design lies where becomes networks, verdicts, scores, and whether a claim is true."""
