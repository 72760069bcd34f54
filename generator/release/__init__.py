"""Releases: a game stored at one version, and the changes from one release to another.

record     a drawn game → a `Release`
file       a `Release` ↔ a file
same_look  compares two faces by their pixels
compare    two releases → a `Difference`
plan       a `Difference` → a `Patch`: pieces to print and to remove
report     a `Difference` → text, JSON and a web page
leaflet    a `Patch` → the text of its first pages
"""
