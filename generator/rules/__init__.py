"""Rules: Markdown and figures become blocks, which `pdf/` sets in type and `html.py` writes as a page.

Markdown ─ syntax ─▶ tokens ─ reader, directives, inline ─▶ blocks ─ read ─▶ Rules
"""
