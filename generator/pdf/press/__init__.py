"""Finished pages for a press: colours as inks by a profile, boxes, and what the PDF/X standards ask for."""
