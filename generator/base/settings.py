"""The user's settings folder: printer profiles, and the key that signs the cache."""

import os
from pathlib import Path

import click

from generator.base.errors import InvalidValueError, Kind

SETTINGS_VARIABLE = "PNP_CONFIG"
"""The environment variable that names another folder."""


def settings_folder() -> Path:
    """Return the folder for settings: the one that PNP_CONFIG names, or the platform's own.

    Raise `InvalidValueError` if this user has no home folder.
    """
    place = Path(os.environ.get(SETTINGS_VARIABLE) or click.get_app_dir("pnp"))
    # without a home, click returns "~/.config/pnp" unexpanded: a folder "~" would be made here
    if not os.environ.get(SETTINGS_VARIABLE) and not place.is_absolute():
        raise no_home_error(SETTINGS_VARIABLE)
    return place


def no_home_error(variable: str) -> InvalidValueError:
    """Return the error for a user without a home folder."""
    return InvalidValueError(
        "this user has no home folder", f"a folder named by {variable}", kind=Kind.MISSING
    )
