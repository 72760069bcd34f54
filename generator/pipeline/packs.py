"""Bundled and users' packs by name or folder."""

from pathlib import Path

from generator.base.errors import InvalidValueError, Kind, raising_at, unknown
from generator.base.files import bundled_folder, display
from generator.pack.folder import GAME_FILE, MISTAKEN_NAMES

TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".xlsx", ".ods"})

CURRENT_FOLDER = "."
"""The pack of a command that names none."""


def packs() -> dict[str, Path]:
    """Return the folders of the bundled packs by name."""
    folder = bundled_folder("templates")
    return {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{GAME_FILE}"))}


def find_pack(name: str) -> Path:
    """Return a pack's folder, given its path or the name of a bundled pack.

    Raise a `PnpError` if there is none.
    """
    path = Path(name)
    if (path / GAME_FILE).is_file() or (path.name == GAME_FILE and path.is_file()):
        return path.parent if path.name == GAME_FILE else path
    if name in packs():
        return packs()[name]
    with raising_at():
        above = next((folder for folder in path.parents if (folder / GAME_FILE).is_file()), None)
        if above is not None and path.exists():
            raise InvalidValueError(
                f"{name} is a part of a pack",
                f"the pack's folder: {display(above)}",
                kind=Kind.USAGE,
            )
        if path.is_dir():
            inside = [
                f"{display(main_file.parent)}" for main_file in sorted(path.glob(f"*/{GAME_FILE}"))
            ]
            hint = f"packs in it: {', '.join(inside[:5])}" if inside else _misname_hint(path)
            if name == CURRENT_FOLDER:
                raise InvalidValueError(
                    f"this folder has no {GAME_FILE}",
                    "a pack: name one, such as `pnp build my-game`, or change into its folder",
                    hint or _hint_at_pack_above(path.resolve()) or _hint_at_table(path),
                    Kind.USAGE,
                )
            raise InvalidValueError(
                f"no {GAME_FILE} in {name}", "a pack: a folder with a game.yaml", hint, Kind.USAGE
            )
        near = unknown("game", name, [*packs(), *_sibling_packs(path)], kind=Kind.USAGE)
        begins = [
            game for game in packs() if name.lower() and game.startswith(name.lower().rstrip("/"))
        ]
        hint = f"did you mean {begins[0]!r}?" if begins and not near.hint else near.hint
        raise InvalidValueError(
            near.found, f"a pack's folder, or {near.expected}", hint, Kind.USAGE
        )


def _misname_hint(folder: Path) -> str:
    """Return a hint for a main file whose name is nearly right."""
    near = next((name for name in MISTAKEN_NAMES if (folder / name).is_file()), "")
    return f"{near} is not read: call it {GAME_FILE}" if near else ""


def _hint_at_pack_above(folder: Path) -> str:
    """Return a hint at the pack that a folder is a part of."""
    above = next((parent for parent in folder.parents if (parent / GAME_FILE).is_file()), None)
    return f"this folder is a part of the pack {display(above)}" if above else ""


def _hint_at_table(folder: Path) -> str:
    """Return a hint to begin a pack with a table that lies in a folder without one."""
    tables = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in TABLE_SUFFIXES]
    return (
        f"to begin a pack with a table: pnp new my-game --from {tables[0].name}" if tables else ""
    )


def _sibling_packs(path: Path) -> list[str]:
    """Return the packs next to a path that is not a pack."""
    try:
        return [main_file.parent.as_posix() for main_file in path.parent.glob(f"*/{GAME_FILE}")]
    except OSError:
        return []
