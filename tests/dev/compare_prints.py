"""List the prints that differ from those of a revision: `python -m tests.dev.compare_prints REVISION [PACK…]`.

Build every pack with the generator at a git revision and with this tree, each with its own packs, for A4 and Letter.
List each file that differs, and exit with 1 if any does. The prints of a revision are stored in output/prints/ and made
once. Files are compared by what a user would notice:

- Sheets: the place of each face and of each mark, read with pikepdf, may differ by 0.001 mm.
- Pages: pixels at 300 dpi may differ only where they touch an edge.
- What a file asks of a printer and says to a reader's program: boxes, labels, preferences, language, tags, links.
- Pictures: by their pixels. All else: by its text.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

import pikepdf
import pypdfium2
from PIL import Image, ImageChops, ImageFilter

from tests.tools.read_pdf import Page, Seen, Stroke, whole

ROOT = Path(__file__).resolve().parents[2]
PRINTS = ROOT / "output" / "prints"
DPI = 300
NOISE = 8
"""Of 255; less is another rounding."""
NEAR_MM = 0.001
"""How far a face or a mark may have moved: ReportLab writes numbers with seven digits."""
OPTIONS = ("--paper", "a4", "--paper", "letter", "--cut-plan")
SAID = re.compile(r"\b[0-9a-f]{12,64}\b")
"""Names of faces are digests: what they are of is compared as pixels."""


def git(*args: str) -> str:
    return subprocess.run(
        ["git", *args], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def packs(tree: Path) -> dict[str, Path]:
    """Everything that can be built in a tree, by name."""
    folders = [
        path.parent
        for place in ("templates", "tests/packs", "tests/data/packs", "generator/starters")
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
    before, after = (
        {path.relative_to(at) for path in at.rglob("*") if path.is_file()} for at in (old, new)
    )
    yield from (f"{name}: is gone" for name in sorted(before - after))
    yield from (f"{name}: is new" for name in sorted(after - before))
    for name in sorted(before & after):
        yield from (f"{name}: {what}" for what in _differs(old / name, new / name))


def _differs(old: Path, new: Path) -> Iterator[str]:
    if old.read_bytes() == new.read_bytes() or old.suffix == ".pnprelease":
        return
    if old.suffix == ".pdf":
        yield from _pages(old, new)
    elif old.suffix == ".png":
        with Image.open(old) as before, Image.open(new) as after:
            yield from _pixels(before, after)
    elif _text(old) != _text(new):
        first = next(
            (n for n, (a, b) in enumerate(zip(_text(old), _text(new), strict=False), 1) if a != b),
            0,
        )
        yield f"differs from line {first} on" if first else "is longer or shorter"


def _text(path: Path) -> list[str]:
    return SAID.sub("…", path.read_text("utf-8", "replace")).splitlines()


def _pages(old: Path, new: Path) -> Iterator[str]:
    yield from _compare_metadata(old, new)
    yield from _moved(old, new)
    before = pypdfium2.PdfDocument(old)
    after = pypdfium2.PdfDocument(new)
    if len(before) != len(after):
        yield f"{len(before)} pages were, {len(after)} are"
    for number in range(min(len(before), len(after))):
        pictures = [
            document[number].render(scale=DPI / 72).to_pil() for document in (before, after)
        ]
        yield from (f"page {number + 1}: {what}" for what in _off_edges(*pictures))


def _compare_metadata(old: Path, new: Path) -> Iterator[str]:
    """List the differences between the metadata of two files and of their pages."""
    with pikepdf.open(old) as before, pikepdf.open(new) as after:
        for (what, was), (_, now) in zip(_metadata(before), _metadata(after), strict=False):
            if was != now:
                yield f"{what} was {was}, is {now}"


def _metadata(pdf: pikepdf.Pdf) -> Iterator[tuple[str, object]]:
    root = pdf.Root
    for key in ("/Lang", "/MarkInfo", "/ViewerPreferences"):
        yield key, root[key].unparse(resolved=True) if key in root else None
    yield "the document information", {key: str(value) for key, value in pdf.docinfo.items()}
    tags: dict[str, int] = {}
    for item in pdf.objects:
        if (
            isinstance(item, pikepdf.Dictionary)
            and "/S" in item
            and ("/P" in item or item.get("/Type") == "/StructElem")
        ):
            tags[str(item.S)] = tags.get(str(item.S), 0) + 1
    yield "the number of tags", dict(sorted(tags.items()))
    for number, page in enumerate(pdf.pages, 1):
        boxes = [
            [round(float(edge), 4) for edge in page.get(key, [])]
            for key in ("/MediaBox", "/TrimBox", "/BleedBox")
        ]
        yield f"page {number}: its boxes", boxes
        yield f"page {number}: its label", page.label
        yield (
            f"page {number}: its blending",
            page.Group.unparse(resolved=True) if "/Group" in page else None,
        )
        yield f"page {number}: its links", len(page.get("/Annots", []))


def _moved(old: Path, new: Path) -> Iterator[str]:
    """List the pages on which a face or a mark is gone, is new, or lies elsewhere."""
    for number, (before, after) in enumerate(zip_longest(whole(old), whole(new)), 1):
        for kind in ("faces", "marks"):
            lists = [list(_places(page, kind)) if page else [] for page in (before, after)]
            if [*map(len, lists)] != [len(lists[0])] * 2:
                yield f"page {number}: {len(lists[0])} {kind} were, {len(lists[1])} are"
                continue
            most = max((_distance(*pair) for pair in zip(*lists, strict=True)), default=0.0)
            if most > NEAR_MM:
                yield f"page {number}: {kind} lie up to {most:.4f} mm elsewhere"


def _places(page: Page, kind: str) -> Iterable[Seen | Stroke]:
    return page.forms if kind == "faces" else page.strokes


def _distance(old: Seen | Stroke, new: Seen | Stroke) -> float:
    """Return the largest distance in mm between two faces or two marks."""
    if isinstance(old, Stroke):
        return _apart(
            *((line.x1, line.y1, line.x2, line.y2, line.width, *line.dash) for line in (old, new))
        )
    places = _apart(*(tuple(_corners(form.matrix, form.box)) for form in (old, new)))
    # A face that is not cut is shown as far as its own box goes.
    return max(places, _apart(old.window, new.window)) if old.window and new.window else places


def _corners(matrix: tuple[float, ...], box: tuple[float, ...]) -> Iterator[float]:
    """Return three corners of a form's box on the page in mm, which determine its matrix."""
    a, b, c, d, e, f = matrix
    left, bottom, right, top = box
    for x, y in ((left, bottom), (right, bottom), (left, top)):
        yield from (a * x + c * y + e, b * x + d * y + f)


def _apart(old: tuple[float, ...], new: tuple[float, ...]) -> float:
    if len(old) != len(new):
        return float("inf")
    return max((abs(a - b) for a, b in zip(old, new, strict=True)), default=0.0)


def _off_edges(old: Image.Image, new: Image.Image) -> Iterator[str]:
    """Say how many of the pixels that differ touch no edge, be it in the old picture or in the new one."""
    if old.size != new.size:
        yield f"was {old.size[0]} × {old.size[1]} pixels, is {new.size[0]} × {new.size[1]}"
        return
    old = old.convert("RGB")
    new = new.convert("RGB")
    apart = _differing(old, new)
    box = apart.getbbox()
    if not box:
        return
    box = (max(0, box[0] - 2), max(0, box[1] - 2), box[2] + 2, box[3] + 2)
    edges = ImageChops.darker(_edges(old.crop(box)), _edges(new.crop(box)))
    found = ImageChops.subtract(apart.crop(box), edges)
    if found.getbbox():
        yield f"{found.histogram()[255]} pixels off any edge differ, in the box {box} at {DPI} dpi"


def _edges(picture: Image.Image) -> Image.Image:
    """White where a pixel and those beside it are not of one colour."""
    return _differing(
        picture.filter(ImageFilter.MinFilter(3)), picture.filter(ImageFilter.MaxFilter(3))
    )


def _differing(old: Image.Image, new: Image.Image) -> Image.Image:
    return ImageChops.difference(old, new).convert("L").point(lambda by: 255 * (by > NOISE))


def _pixels(old: Image.Image, new: Image.Image) -> Iterator[str]:
    if old.size != new.size:
        yield f"was {old.size[0]} × {old.size[1]} pixels, is {new.size[0]} × {new.size[1]}"
        return
    apart = _differing(old.convert("RGB"), new.convert("RGB"))
    if apart.getbbox():
        yield f"{apart.histogram()[255]} pixels differ, in the box {apart.getbbox()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision")
    parser.add_argument("packs", nargs="*")
    asked = parser.parse_args()
    commit = git("rev-parse", "--short", asked.revision)
    before = PRINTS / commit
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        now = Path(folder) / "now"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            build(tree, before, asked.packs)
        finally:
            git("worktree", "remove", "--force", str(tree))
        build(ROOT, now, asked.packs)
        names = asked.packs or sorted(path.name for path in now.iterdir())
        found = [
            f"{name}/{line}" for name in names for line in differences(before / name, now / name)
        ]
    print("\n".join(found) or f"nothing prints otherwise than at {commit}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
