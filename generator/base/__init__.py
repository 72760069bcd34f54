"""Leaves: lengths, points, fonts, files, words, problems.

They import nothing of ours outside this folder.
"""
