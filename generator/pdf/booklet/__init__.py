"""Rules become a booklet: blocks are set in type, laid on pages, and the pages on sheets to fold.

Rules ─ flow ─▶ items ─ paginate ─▶ pages ─ write ─▶ the file to read ─ stitch ─▶ the file to fold

Inside this folder lengths are points, since ReportLab measures in them; y is downwards until a page is drawn.
"""
