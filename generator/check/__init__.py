"""Checks for packs that are valid but would print badly."""
