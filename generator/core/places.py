"""Where the packs and fonts that come with the program are: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

OUTPUT = "output"
"""Where files go unless one says so, below the folder to stand in."""

_PACKAGE = Path(__file__).resolve().parent.parent


def bundled(name: str) -> Path:
    """The folder `templates` or `fonts`."""
    inside = _PACKAGE / "bundled" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def display(path: Path) -> str:
    """A path as the user would write it: relative to where they stand, when it lies below."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):
        return path.as_posix()
