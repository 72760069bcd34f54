"""The addresses of published sheets."""

import re

_SHEET = re.compile(
    r"https://docs\.google\.com/spreadsheets/d/(?P<published>e/)?(?P<key>[\w-]+)(?P<rest>.*)"
)


def as_csv(address: str) -> str:
    """Return the address of a Google Sheet's CSV, given the address of the page that edits or shows it."""
    match = _SHEET.fullmatch(address.strip())
    if match is None or "csv" in match["rest"]:
        return address
    sheet = re.search(r"[?#&]gid=(\d+)", match["rest"])
    part = f"&gid={sheet[1]}" if sheet else ""
    base = f"https://docs.google.com/spreadsheets/d/{match['published'] or ''}{match['key']}"
    if match["published"]:
        return f"{base}/pub?output=csv{part}{'&single=true' if part else ''}"
    return f"{base}/export?format=csv{part}"
