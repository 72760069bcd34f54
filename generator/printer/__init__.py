"""What a printer does wrong: measured with a test sheet, kept by name, undone on every sheet."""
