"""Cutting: what a guillotine or a cutting machine must do with printed sheets."""
