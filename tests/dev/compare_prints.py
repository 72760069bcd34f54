"""List the prints that differ from those of a revision: `python -m tests.dev.compare_prints REVISION [PACK…]`.

Build every pack with the generator at a git revision and with this tree, each with its own packs, for A4 and Letter.
List each file that differs, and exit with 1 if any does. The prints of a revision are stored in output/prints/ and made
once. Files are compared by what a user would notice:

- Sheets: the place of each face and of each mark, read with pikepdf, may differ by 0.001 mm.
- Pages: pixels at 300 dpi may differ only where they touch an edge.
- Metadata for printers and viewers: boxes, labels, preferences, language, tags, links.
- Pictures: by their pixels. Other files: by their text.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pikepdf
import pypdfium2
from PIL import Image, ImageChops, ImageFilter

from tests.tools.read_pdf import Page, PlacedForm, Stroke, read_all

ROOT = Path(__file__).resolve().parents[2]
PRINTS = ROOT / "output" / "prints"
DPI = 300
NOISE = 8
"""Levels of 255 by which channels may differ because of rounding."""
NEAR_MM = 0.001
"""Distance in mm that a face or a mark may have moved: ReportLab writes numbers with seven digits."""
OPTIONS = ("--paper", "a4", "--paper", "letter", "--cut-plan")
DIGEST = re.compile(r"\b[0-9a-f]{12,64}\b")
"""The digests that name faces: the faces themselves are compared as pixels."""


def git(*args: str) -> str:
    return subprocess.run(
        ["git", *args], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def packs(tree: Path) -> dict[str, Path]:
    """Return the packs of a tree by name."""
    folders = [
        path.parent
        for place in ("templates", "tests/packs", "tests/data/packs", "generator/starters")
        for path in sorted((tree / place).glob("*/game.yaml"))
    ]
    return {folder.name: folder for folder in folders}


def guide(tree: Path, folder: Path) -> Path:
    """Make the deck of the guide from a starter and the blocks of the guide, and return its folder."""
    text = (tree / "templates" / "README.md").read_text("utf-8")
    pnp(tree, "new", str(folder / "potions"))
    for name, body in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(body, "utf-8")
    return folder / "potions"


def pnp(tree: Path, *args: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    process = subprocess.run(
        [sys.executable, "-m", "generator", *args],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise SystemExit(f"pnp {' '.join(args)} in {tree}:\n{process.stderr}")


def build(tree: Path, output: Path, names: list[str]) -> None:
    """Build the named packs of a tree, or all."""
    with tempfile.TemporaryDirectory() as folder:
        folders = packs(tree) | {"potions": guide(tree, Path(folder))}
        for name in names or folders:
            if not (output / name).is_dir():
                pnp(tree, "build", str(folders[name]), "-o", str(output), *OPTIONS)
                print(f"built {name} in {tree}", file=sys.stderr)


def differences(old: Path, new: Path) -> Iterator[str]:
    """Yield a line for each difference between two folders."""
    before, after = (
        {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
        for folder in (old, new)
    )
    yield from (f"{name}: is gone" for name in sorted(before - after))
    yield from (f"{name}: is new" for name in sorted(after - before))
    for name in sorted(before & after):
        yield from (
            f"{name}: {difference}" for difference in _compare_files(old / name, new / name)
        )


def _compare_files(old: Path, new: Path) -> Iterator[str]:
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
    return DIGEST.sub("…", path.read_text("utf-8", "replace")).splitlines()


def _pages(old: Path, new: Path) -> Iterator[str]:
    """Yield the differences between two files, whose pages are paired by their labels.

    The number of sheet 1 depends on the number of how-to-make pages before it.
    """
    yield from _compare_metadata(old, new)
    before, after = (
        {page.label or str(number + 1): number for number, page in enumerate(read_all(path))}
        for path in (old, new)
    )
    yield from (f"page {label}: is gone" for label in before if label not in after)
    yield from (f"page {label}: is new" for label in after if label not in before)
    documents = [pypdfium2.PdfDocument(path) for path in (old, new)]
    for label, number in before.items():
        if label in after:
            numbers = (number, after[label])
            pages = [read_all(path)[at] for path, at in zip((old, new), numbers, strict=True)]
            pictures = [
                document[at].render(scale=DPI / 72).to_pil()
                for document, at in zip(documents, numbers, strict=True)
            ]
            for difference in (*_compare_places(*pages), *_compare_away_from_edges(*pictures)):
                yield f"page {label}: {difference}"


def _compare_metadata(old: Path, new: Path) -> Iterator[str]:
    """Yield the differences between the metadata of two files and of their pages."""
    with pikepdf.open(old) as before, pikepdf.open(new) as after:
        old_values = dict(_metadata(before))
        new_values = dict(_metadata(after))
    for label in old_values.keys() & new_values.keys():
        if old_values[label] != new_values[label]:
            yield f"{label} was {old_values[label]}, is {new_values[label]}"


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
    for page in pdf.pages:
        boxes = [
            [round(float(edge), 4) for edge in page.get(key, [])]
            for key in ("/MediaBox", "/TrimBox", "/BleedBox")
        ]
        yield f"page {page.label}: its boxes", boxes
        yield (
            f"page {page.label}: its blending",
            page.Group.unparse(resolved=True) if "/Group" in page else None,
        )
        yield f"page {page.label}: its links", len(page.get("/Annots", []))


def _compare_places(old: Page, new: Page) -> Iterator[str]:
    """Yield a line if faces or marks of a page were added, removed or moved."""
    for kind in ("faces", "marks"):
        before = list(_places(old, kind))
        after = list(_places(new, kind))
        if len(before) != len(after):
            yield f"had {len(before)} {kind}, has {len(after)}"
            continue
        distance = max(map(_distance, before, after), default=0.0)
        if distance > NEAR_MM:
            yield f"{kind} moved by up to {distance:.4f} mm"


def _places(page: Page, kind: str) -> Iterable[PlacedForm | Stroke]:
    return page.forms if kind == "faces" else page.strokes


def _distance(old: PlacedForm | Stroke, new: PlacedForm | Stroke) -> float:
    """Return the largest distance in mm between two faces or two marks."""
    if isinstance(old, Stroke):
        return _largest_difference(
            *((line.x1, line.y1, line.x2, line.y2, line.width, *line.dash) for line in (old, new))
        )
    places = _largest_difference(*(tuple(_corners(form.matrix, form.box)) for form in (old, new)))
    # A face that is not cut is shown as far as its own box goes.
    return (
        max(places, _largest_difference(old.window, new.window))
        if old.window and new.window
        else places
    )


def _corners(matrix: tuple[float, ...], box: tuple[float, ...]) -> Iterator[float]:
    """Return three corners of a form's box on the page in mm, which determine its matrix."""
    a, b, c, d, e, f = matrix
    left, bottom, right, top = box
    for x, y in ((left, bottom), (right, bottom), (left, top)):
        yield from (a * x + c * y + e, b * x + d * y + f)


def _largest_difference(old: tuple[float, ...], new: tuple[float, ...]) -> float:
    if len(old) != len(new):
        return float("inf")
    return max((abs(a - b) for a, b in zip(old, new, strict=True)), default=0.0)


def _compare_away_from_edges(old: Image.Image, new: Image.Image) -> Iterator[str]:
    """Yield a line with the number of differing pixels away from all edges of the old and the new picture."""
    if old.size != new.size:
        yield f"was {old.size[0]} × {old.size[1]} pixels, is {new.size[0]} × {new.size[1]}"
        return
    old = old.convert("RGB")
    new = new.convert("RGB")
    difference = _difference_mask(old, new)
    box = difference.getbbox()
    if not box:
        return
    box = (max(0, box[0] - 2), max(0, box[1] - 2), box[2] + 2, box[3] + 2)
    edges = ImageChops.darker(_edges(old.crop(box)), _edges(new.crop(box)))
    off_edges = ImageChops.subtract(difference.crop(box), edges)
    if off_edges.getbbox():
        yield f"{off_edges.histogram()[255]} pixels off any edge differ, in the box {box} at {DPI} dpi"


def _edges(picture: Image.Image) -> Image.Image:
    """Return a mask that is white where a pixel and its neighbours differ in colour."""
    return _difference_mask(
        picture.filter(ImageFilter.MinFilter(3)), picture.filter(ImageFilter.MaxFilter(3))
    )


def _difference_mask(old: Image.Image, new: Image.Image) -> Image.Image:
    return ImageChops.difference(old, new).convert("L").point(lambda by: 255 * (by > NOISE))


def _pixels(old: Image.Image, new: Image.Image) -> Iterator[str]:
    if old.size != new.size:
        yield f"was {old.size[0]} × {old.size[1]} pixels, is {new.size[0]} × {new.size[1]}"
        return
    difference = _difference_mask(old.convert("RGB"), new.convert("RGB"))
    if difference.getbbox():
        yield f"{difference.histogram()[255]} pixels differ, in the box {difference.getbbox()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision")
    parser.add_argument("packs", nargs="*")
    options = parser.parse_args()
    commit = git("rev-parse", "--short", options.revision)
    before = PRINTS / commit
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        current = Path(folder) / "now"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            build(tree, before, options.packs)
        finally:
            git("worktree", "remove", "--force", str(tree))
        build(ROOT, current, options.packs)
        names = options.packs or sorted(path.name for path in current.iterdir())
        lines = [
            f"{name}/{line}"
            for name in names
            for line in differences(before / name, current / name)
        ]
    print("\n".join(lines) or f"all prints are equal to those at {commit}")
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
