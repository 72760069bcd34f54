"""A note on files of earlier builds that no longer match the pack; pnp never removes them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

PICTURE_SUFFIXES = {".png", ".jpg", ".webp"}
"""The suffixes of pictures stored next to a page."""

MAX_LISTED_FILES = 3
"""Old files that the note names; it counts the others."""


def describe_old_files(folder: Path, names: Sequence[str], pack: Path) -> str:
    """Return a note about files of earlier builds that are older than the pack; empty without any."""
    from generator.base.errors import join_some
    from generator.pack.folder import GAME_FILE

    siblings = {
        name
        for name in (*_find_other_sheets(folder, names), *_find_other_pictures(folder, names))
        if name not in names
    }
    existing = sorted(name for name in siblings if (folder / name).is_file())
    changed = _last_change(pack, folder) if existing and (pack / GAME_FILE).is_file() else 0.0
    old = [name for name in existing if (folder / name).stat().st_mtime < changed]
    if not old:
        return ""
    listed = join_some(old, MAX_LISTED_FILES)
    count = "is 1 file" if len(old) == 1 else f"are {len(old)} files"
    verb = "is" if len(old) == 1 else "are"
    return (
        f"in {folder.name}/ {count} of an earlier build that {verb} older than the pack: {listed}"
    )


def _find_other_sheets(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield the files in a folder with the content of `names` on other papers, in another duplex mode or ink."""
    from generator.base.paper import papers
    from generator.impose.duplex import DUPLEX_MODES

    paper_names = "|".join(re.escape(paper.name) for paper in papers())
    modes = "|".join(DUPLEX_MODES)
    # The parts after the name of the content, in the order of `name_options`.
    parts = rf"-(?:{paper_names})(?:-landscape)?(?:-(?:{modes}))?(?:-low-ink)?(?:-cmyk)?(?:-1-fronts|-2-backs)?"
    pattern = re.compile(rf"(.+?){parts}(\.\w+)")
    contents = {match.groups() for name in names if (match := pattern.fullmatch(name))}
    for path in folder.glob("*.*"):
        match = pattern.fullmatch(path.name)
        if match and match.groups() in contents:
            yield path.name


def _find_other_pictures(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield the pictures next to a written page, which an earlier build wrote for this page."""
    for name in names:
        if PurePosixPath(name).name == "index.html":
            under = PurePosixPath(name).parent
            pictures = (
                path.name
                for path in (folder / under).glob("*.*")
                if path.suffix in PICTURE_SUFFIXES
            )
            yield from ((under / picture).as_posix() for picture in pictures)


def _last_change(pack: Path, output: Path) -> float:
    """Return the time of the last change of the pack's files, without the folder of built files."""
    sources = (
        path
        for path in pack.rglob("*")
        if path.is_file() and not path.is_relative_to(output.parent)
    )
    return max((path.stat().st_mtime for path in sources), default=0.0)
