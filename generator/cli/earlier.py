"""What earlier builds left beside what was made now, and is not as the pack is any more: said, and never removed."""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from generator.core.paper import papers
from generator.pack.load import MAIN

SHOWN = 3
"""Files that are named."""


def left_over(folder: Path, names: Sequence[str], pack: Path) -> str:
    """What to say of files that are older than the pack, of papers and designs that this build did not make."""
    beside = {name for name in (*_other_papers(names), *_other_pictures(folder, names)) if name not in names}
    there = sorted(name for name in beside if (folder / name).is_file())
    changed = _changed(pack, folder) if there and (pack / MAIN).is_file() else 0.0
    found = [name for name in there if (folder / name).stat().st_mtime < changed]
    if not found:
        return ""
    listed = ", ".join(found[:SHOWN]) + (", …" if len(found) > SHOWN else "")
    is_are = "is one file" if len(found) == 1 else f"are {len(found)} files"
    return f"in {folder.name}/ {is_are} of an earlier build, older than the pack and not made now: {listed}"


def _other_papers(names: Sequence[str]) -> Iterator[str]:
    """The same files on the papers that there are."""
    known = {paper.name for paper in papers()}
    for name in names:
        stem, _, paper = PurePosixPath(name).stem.rpartition("-")
        if paper in known:
            yield from (str(PurePosixPath(name).with_stem(f"{stem}-{other}")) for other in known)


def _other_pictures(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """The pictures that lie beside a page, and so were made for it."""
    for name in names:
        if PurePosixPath(name).name == "index.html":
            under = PurePosixPath(name).parent
            yield from ((under / path.name).as_posix() for path in (folder / under).glob("*.png"))


def _changed(pack: Path, made: Path) -> float:
    """When a file of a pack was last changed; what was made of it may lie in its folder too."""
    own = (path for path in pack.rglob("*") if path.is_file() and not path.is_relative_to(made.parent))
    return max((path.stat().st_mtime for path in own), default=0.0)
