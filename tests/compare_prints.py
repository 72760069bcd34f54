"""What prints otherwise than it did: `python tests/compare_prints.py REVISION [PACK…]`.

Builds every pack with the generator at a git revision and with this tree, each with its own packs, and lists each page,
picture and file that differs: pages and pictures by their pixels, all else by its content. Exits with 1 where anything
does. The prints of a revision are kept in output/prints/ and made once.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parents[1]
PRINTS = ROOT / "output" / "prints"
DPI = 72
NOISE = 8
"""Of 255; less is another rounding."""
OPTIONS = ("--paper", "a4", "--cut-plan")
SAID = re.compile(r"\b[0-9a-f]{12,64}\b")
"""Names of faces are digests: what they are of is compared as pixels."""


def git(*args: str) -> str:
    return subprocess.run(["git", *args], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def packs(tree: Path) -> dict[str, Path]:
    """Everything that can be built in a tree, by name."""
    folders = [
        path.parent
        for place in ("templates", "tests/packs", "generator/starters")
        for path in sorted((tree / place).glob("*/game.yaml"))
    ]
    return {folder.name: folder for folder in folders}


def guide(tree: Path, folder: Path) -> Path:
    """The deck of the guide, made of the guide's own blocks over a starter."""
    text = (tree / "templates" / "README.md").read_text("utf-8")
    pnp(tree, "new", str(folder / "potions"))
    for name, body in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(body, "utf-8")
    return folder / "potions"


def pnp(tree: Path, *args: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-m", "generator", *args],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"pnp {' '.join(args)} in {tree}:\n{done.stderr}")


def build(tree: Path, into: Path, names: list[str]) -> None:
    """Print the packs of a tree that are named, or all."""
    with tempfile.TemporaryDirectory() as folder:
        found = packs(tree) | {"potions": guide(tree, Path(folder))}
        for name in names or found:
            if not (into / name).is_dir():
                pnp(tree, "build", str(found[name]), "-o", str(into), *OPTIONS)
                print(f"built {name} in {tree}", file=sys.stderr)


def differences(old: Path, new: Path) -> Iterator[str]:
    """All that differs in two folders, a line each."""
    before, after = ({path.relative_to(at) for path in at.rglob("*") if path.is_file()} for at in (old, new))
    yield from (f"{name}: is gone" for name in sorted(before - after))
    yield from (f"{name}: is new" for name in sorted(after - before))
    for name in sorted(before & after):
        yield from (f"{name}: {what}" for what in _differs(old / name, new / name))


def _differs(old: Path, new: Path) -> Iterator[str]:
    if old.read_bytes() == new.read_bytes() or old.suffix == ".pnp":
        return
    if old.suffix == ".pdf":
        yield from _pages(old, new)
    elif old.suffix == ".png":
        with Image.open(old) as before, Image.open(new) as after:
            yield from _pixels(before, after)
    elif _text(old) != _text(new):
        first = next((n for n, (a, b) in enumerate(zip(_text(old), _text(new), strict=False), 1) if a != b), 0)
        yield f"differs from line {first} on" if first else "is longer or shorter"


def _text(path: Path) -> list[str]:
    return SAID.sub("…", path.read_text("utf-8", "replace")).splitlines()


def _pages(old: Path, new: Path) -> Iterator[str]:
    before, after = pypdfium2.PdfDocument(old), pypdfium2.PdfDocument(new)
    if len(before) != len(after):
        yield f"{len(before)} pages were, {len(after)} are"
    for number in range(min(len(before), len(after))):
        pictures = [document[number].render(scale=DPI / 72).to_pil() for document in (before, after)]
        yield from (f"page {number + 1}: {what}" for what in _pixels(*pictures))


def _pixels(old: Image.Image, new: Image.Image) -> Iterator[str]:
    if old.size != new.size:
        yield f"was {old.size[0]} × {old.size[1]} pixels, is {new.size[0]} × {new.size[1]}"
        return
    apart = (
        ImageChops.difference(old.convert("RGB"), new.convert("RGB")).convert("L").point(lambda by: 255 * (by > NOISE))
    )
    if apart.getbbox():
        count = apart.histogram()[255]
        yield f"{count} pixels differ, in the box {apart.getbbox()} at {DPI} dpi"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision")
    parser.add_argument("packs", nargs="*")
    asked = parser.parse_args()
    commit = git("rev-parse", "--short", asked.revision)
    before = PRINTS / commit
    with tempfile.TemporaryDirectory() as folder:
        tree, now = Path(folder) / "tree", Path(folder) / "now"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            build(tree, before, asked.packs)
        finally:
            git("worktree", "remove", "--force", str(tree))
        build(ROOT, now, asked.packs)
        names = asked.packs or sorted(path.name for path in now.iterdir())
        found = [f"{name}/{line}" for name in names for line in differences(before / name, now / name)]
    print("\n".join(found) or f"nothing prints otherwise than at {commit}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
