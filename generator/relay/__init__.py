"""Find the pieces of third-party PDFs: their places on pages, and the back behind each front."""
