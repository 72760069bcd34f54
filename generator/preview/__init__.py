"""Pictures for people: contact sheets, pictures for shops, galleries, and pages rendered by PDFium."""
