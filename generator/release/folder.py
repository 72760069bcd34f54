"""The releases of a pack: which there are, and what they are called."""

import re
from pathlib import Path

from generator.core.places import display
from generator.core.problems import Kind, Wrong, error_of, unknown
from generator.release import store
from generator.release.manifest import Release

SUFFIX = ".pnp"

_DIGITS = re.compile(r"(\d+)")


def folder_of(pack: Path) -> Path:
    """Where a pack's releases lie: in the pack, whatever a stranger has put there."""
    folder = pack / "releases"
    if folder.is_symlink():
        raise Wrong(f"{display(pack)}/releases is a link", "a folder in the pack", "name where it leads: -o FOLDER")
    return folder


def file_name(version: str) -> str:
    """The file of a version; what a file's name may not hold becomes a dash."""
    return (re.sub(r"[^\w.-]+", "-", version).strip("-.") or "release") + SUFFIX


def versions(folder: Path) -> list[str]:
    """The versions that lie in a folder, by their files' names, in the order in which people count: 2 before 10."""
    return sorted((path.stem for path in folder.glob(f"*{SUFFIX}")), key=_counted)


def _counted(version: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(version)]


def last_before(folder: Path, version: str) -> str | None:
    """The newest release that is older than a version."""
    older = [name for name in versions(folder) if _counted(name) < _counted(Path(file_name(version)).stem)]
    return older[-1] if older else None


def find(folder: Path, name: str) -> Release:
    """The release of that version, or in the file of that name."""
    direct = Path(name)
    if direct.suffix == SUFFIX and direct.is_file():
        return store.read(direct)
    if (folder / file_name(name)).is_file():
        return store.read(folder / file_name(name))
    raise error_of([unknown("release", name, versions(folder), f"{folder.name}/", Kind.MISSING).at(None)])
