"""Releases: a game stored at one version, and the changes from one release to another.

record            a drawn game → a `Release`
release_file      a `Release` ↔ a file
compare_faces     compares two faces by their pixels
compare_releases  two releases → a `Difference`
plan              a `Difference` → a `Patch`: pieces to print and to remove
report            a `Difference` → text, JSON and a web page
leaflet           a `Patch` → the text of its first pages
"""
