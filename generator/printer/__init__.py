"""Printer calibration: a test sheet, profiles by name, and the correction of every sheet."""
