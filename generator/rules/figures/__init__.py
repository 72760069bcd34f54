"""Figures of the rules: boards drawn as pictures, with overlays that explain them."""
