"""Printers by name, in the user's configuration folder."""

import json
import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import click

from generator.core.files import Outbox
from generator.core.problems import Kind, Wrong, nearest
from generator.printer.profile import Profile

VARIABLE = "PNP_CONFIG"
"""The environment variable that names another folder."""

FILE = "printers.json"


def folder() -> Path:
    """Where the profiles are."""
    return Path(os.environ.get(VARIABLE) or click.get_app_dir("pnp"))


def profiles() -> dict[str, Profile]:
    """All printers, by name."""
    path = folder() / FILE
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text("utf-8"))
        return {name: Profile(name, **_checked(row)) for name, row in rows.items()}
    except Wrong as wrong:
        raise Wrong(f"{path}: {wrong.found}", wrong.expected) from None
    except (ValueError, AttributeError, TypeError):
        raise Wrong(f"{path} cannot be read", "what 'pnp printer add' writes; mend it or remove it") from None


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    known = {field.name for field in fields(Profile)} - {"name"}
    if set(row) - known:
        raise ValueError(row)
    return row


def profile(name: str) -> Profile:
    """The printer of that name."""
    known = profiles()
    if name not in known:
        listed = f"one of: {', '.join(sorted(known))}" if known else "a name that 'pnp printer add' has been given"
        hint = nearest(name, known) or "pnp calibrate makes the sheet to measure a printer with"
        raise Wrong(f"unknown printer {name!r}", listed, hint, Kind.MISSING)
    return known[name]


def keep(new: Profile) -> None:
    """Add a printer, or measure it anew."""
    _write(profiles() | {new.name: new})


def remove(name: str) -> None:
    """Forget a printer."""
    gone = profile(name).name
    _write({name: other for name, other in profiles().items() if name != gone})


def _write(known: dict[str, Profile]) -> None:
    rows = {name: {key: value for key, value in asdict(row).items() if key != "name"} for name, row in known.items()}
    with Outbox(folder()) as outbox:
        outbox.write(FILE, (json.dumps(rows, indent=2, ensure_ascii=False, sort_keys=True) + "\n").encode())
