"""The steps of the action: build and check a pack, compare it with its base, and comment.

    python pack.py build PACK --out FOLDER [--options "…"]
    python pack.py compare PACK --base REVISION --out FOLDER
    python pack.py comment --out FOLDER --number PULL_REQUEST

`build` writes FOLDER/files, which are attached to the run, and FOLDER/site, which is published.
`compare` writes FOLDER/changes: a picture of each changed card before and after, the patch, and
the text of the comment. `comment` pushes the picture to the branch `pnp-pictures`, since a comment
can only link pictures, and writes the comment or replaces the one that it wrote before. Run
`build` and `compare` anywhere in a repository to see what the action would make.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import yaml
from PIL import Image, ImageDraw, ImageFont

from generator.base.files import bundled_folder
from generator.base.html import html, join_html

MAX_PICTURED_SIDES = 40
"""Sides of cards in the picture; the comment lists the other cards without pictures."""
DPI = 100
MAX_SIDE_PIXELS = 360
"""Longest side of a card in the picture: large tiles are shrunk, so that two fit side by side."""
GAP_PIXELS = 16
LABEL_PIXELS = 26
PAPER = "#f2f2f2"
COLUMNS = 2
"""Pairs of before and after side by side; a comment is about 800 pixels wide."""
FONT = bundled_folder("fonts") / "alegreya-sans" / "AlegreyaSans-Regular.ttf"
PICTURES_BRANCH = "pnp-pictures"
BOT = ("-c", "user.name=pnp", "-c", "user.email=pnp@users.noreply.github.com")


class CommandError(Exception):
    """A command that failed, with what it printed."""


def run(*words: object, folder: Path | None = None) -> str:
    """Run a command and return what it prints; raise CommandError if it fails."""
    done = subprocess.run(
        list(map(str, words)),
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    sys.stderr.write(done.stderr)
    if done.returncode:
        raise CommandError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def pnp(*words: object) -> str:
    """Run pnp; -P keeps the folders of the repository from being imported in its place."""
    return run(sys.executable, "-P", "-m", "generator", *words)


# Build


def build(pack: Path, out: Path, options: Sequence[str]) -> None:
    """Check and build a pack, and put what players read and print into a site."""
    print(pnp("check", pack))
    built = json.loads(pnp("build", pack, "-o", out / "files", "--json", *options))["files"]
    (folder,) = (path.resolve() for path in (out / "files").iterdir() if path.is_dir())
    site = out / "site"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(folder, site)
    files = {
        Path(file["path"]).resolve().relative_to(folder).as_posix(): file["about"] for file in built
    }
    title = str(yaml.safe_load((pack / "game.yaml").read_text("utf-8"))["name"])
    (site / "index.html").write_text(write_index(title, files), "utf-8")
    for name, about in files.items():
        print(f"{name}  {about}".rstrip())
    tell("game", folder.name)


def write_index(title: str, files: Mapping[str, str]) -> str:
    """Return the first page of a site, which links the files that have a description."""
    links = [
        html('<li><a href="$name">$about</a><br><small>$name</small></li>', name=name, about=about)
        for name, about in files.items()
        if about
    ]
    page = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>$title</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
li { margin: .8rem 0 }
small { color: #555 }
</style>
<h1>$title</h1>
<p>Print the sheets at 100 %.</p>
<ul>
$links
</ul>
"""
    return str(html(page, title=title, links=join_html(links, "\n")))


def tell(name: str, value: str) -> None:
    """Set an output of the action's step, if this is one."""
    if path := os.environ.get("GITHUB_OUTPUT"):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{name}={value}\n")


# Compare


@dataclass(frozen=True)
class Pair:
    """One side of a card before and after; None where there is no such card."""

    label: str
    before: Path | None
    after: Path | None


@contextmanager
def checked_out(revision: str, repository: Path) -> Iterator[Path]:
    """Yield a folder with the files of a revision."""
    with tempfile.TemporaryDirectory(prefix="pnp-base-") as name:
        tree = Path(name) / "tree"
        run("git", "worktree", "add", "--quiet", "--detach", tree, revision, folder=repository)
        try:
            yield tree
        finally:
            run("git", "worktree", "remove", "--force", tree, folder=repository)


def compare(pack: Path, revision: str, out: Path) -> None:
    """Compare a pack with a revision, and write the comment with its picture and the patch."""
    changes = out / "changes"
    shutil.rmtree(changes, ignore_errors=True)
    changes.mkdir(parents=True)
    repository = Path(run("git", "rev-parse", "--show-toplevel", folder=pack).strip())
    with checked_out(revision, repository) as tree:
        text = describe(tree / pack.resolve().relative_to(repository.resolve()), pack, changes)
    (changes / "comment.md").write_text(text, "utf-8")
    print(text)


def describe(old_pack: Path, pack: Path, changes: Path) -> str:
    """Return the comment's text, and write the picture and the patch into a folder."""
    title = f"<!-- pnp: {pack.as_posix()} -->\n### Cards of `{pack.resolve().name}`\n\n"
    if not (old_pack / "game.yaml").is_file():
        return f"{title}This pack is new: there is nothing to compare it with.\n"
    try:
        pnp("build", old_pack, "--what", "release", "-o", changes / "base")
    except CommandError as error:
        text = str(error).replace(old_pack.as_posix(), pack.as_posix())
        return f"{title}The pack cannot be built before this change:\n\n```\n{text}\n```\n"
    (release,) = (changes / "base").glob("*/*.pnprelease")
    found = json.loads(pnp("diff", pack, "--from", release, "--json"))
    pnp("patch", pack, "--from", release, "-o", changes / "patch")
    pages = count_pages(changes / "patch")
    pairs = list(find_pairs(found["changes"], old_pack, pack, changes))
    if pairs:
        draw_pairs(pairs[:MAX_PICTURED_SIDES]).save(changes / "changes.png", optimize=True)
    rows = [describe_change(change) for change in found["changes"]]
    rows += [f"| rules ({rules['language']}) | {rules['what']} |" for rules in found["rules"]]
    table = "\n".join(("| card | change |", "|---|---|", *rows)) if rows else "No card changes."
    picture = "![Cards before and after]({picture})\n\n" if pairs else ""
    left = len(pairs) - MAX_PICTURED_SIDES
    more = f"{left} more sides changed; the picture shows the first {MAX_PICTURED_SIDES}.\n\n"
    counts = [f"`{name}` ({count} {'page' if count == 1 else 'pages'})" for name, count in pages]
    patch = (
        f"To bring printed copies up to date, print {' or '.join(counts)}"
        if counts
        else "Printed copies are up to date: there is nothing to print"
    )
    return f"{title}{picture}{more if left > 0 else ''}{table}\n\n{patch}.\n"


def count_pages(folder: Path) -> list[tuple[str, int]]:
    """Return the name and the number of pages of each PDF below a folder."""
    found = []
    for path in sorted(folder.rglob("*.pdf")):
        with pikepdf.open(path) as pdf:
            found.append((path.name, len(pdf.pages)))
    return found


def describe_change(change: dict) -> str:
    """Return the row of a changed card."""
    old = change["old"]
    new = change["new"]
    title = escape_cell((new or old)["title"])
    details = [*change["kinds"], *change["sides"]]
    if old and new and old["count"] != new["count"]:
        details.append(f"{old['count']} × → {new['count']} ×")
    if old and new and old["title"] != new["title"]:
        details.append(f"was “{escape_cell(old['title'])}”")
    return f"| {title} (`{change['component']}:{change['id']}`) | {', '.join(details)} |"


def escape_cell(text: str) -> str:
    """Return a text for the cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def find_pairs(found: Sequence[dict], old_pack: Path, pack: Path, folder: Path) -> Iterator[Pair]:
    """Yield the changed sides of cards, with pictures of each."""
    before = draw_faces(
        old_pack, [(each["component"], each["old"]) for each in found], folder / "before"
    )
    after = draw_faces(pack, [(each["component"], each["new"]) for each in found], folder / "after")
    for change in found:
        old, new = (
            design and f"{change['component']}-{design['id']}"
            for design in (change["old"], change["new"])
        )
        # A new or removed card is known by its front; most share their back with the deck.
        for side in change["sides"] if old and new else ("front",):
            title = (change["new"] or change["old"])["title"]
            yield Pair(f"{title}, {side}", before.get(f"{old}-{side}"), after.get(f"{new}-{side}"))


def draw_faces(
    pack: Path, designs: Sequence[tuple[str, dict | None]], folder: Path
) -> dict[str, Path]:
    """Return pictures of designs by component, id and side."""
    names = [f"{component}:{design['id']}" for component, design in designs if design]
    if not names:
        return {}
    pnp("preview", pack, *names, "--what", "faces", "--dpi", DPI, "-o", folder)
    return {path.stem: path for path in folder.glob("*/preview/*.png")}


def draw_pairs(pairs: Sequence[Pair]) -> Image.Image:
    """Return one picture with all pairs in rows of `COLUMNS`, each before on the left."""
    tiles = [draw_pair(pair) for pair in pairs]
    rows = [tiles[at : at + COLUMNS] for at in range(0, len(tiles), COLUMNS)]
    width = max(tile.width for tile in tiles)
    columns = min(COLUMNS, len(tiles))
    heights = [max(tile.height for tile in row) for row in rows]
    whole = Image.new("RGB", (columns * width, sum(heights)), PAPER)
    for at, row in enumerate(rows):
        for column, tile in enumerate(row):
            whole.paste(tile, (column * width, sum(heights[:at])))
    return whole


def draw_pair(pair: Pair) -> Image.Image:
    """Return the picture of one side before and after, under its label."""
    faces = [open_face(path) for path in (pair.before, pair.after)]
    known = [face for face in faces if face]
    width = max(face.width for face in known)
    height = max(face.height for face in known)
    whole = Image.new(
        "RGB", (2 * width + 3 * GAP_PIXELS, height + 2 * GAP_PIXELS + 2 * LABEL_PIXELS), PAPER
    )
    pen = ImageDraw.Draw(whole)
    font = ImageFont.truetype(str(FONT), 20)
    pen.text((GAP_PIXELS, 6), pair.label, fill="black", font=font)
    top = 2 * LABEL_PIXELS + GAP_PIXELS // 2
    for at, (face, caption) in enumerate(zip(faces, ("before", "after"), strict=True)):
        left = GAP_PIXELS + at * (width + GAP_PIXELS)
        text = caption if face else {"before": "new", "after": "removed"}[caption]
        pen.text((left, LABEL_PIXELS + 4), text, fill="#555555", font=font)
        if face:
            whole.paste(face, (left, top), face)
    return whole


def open_face(path: Path | None) -> Image.Image | None:
    """Return the picture of a face, no larger than `MAX_SIDE_PIXELS`."""
    if path is None:
        return None
    with Image.open(path) as file:
        face = file.convert("RGBA")
    face.thumbnail((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS), Image.Resampling.LANCZOS)
    return face


# Comment


def comment(out: Path, number: int) -> None:
    """Publish the comment on a pull request; without the right to do so, as the run's summary.

    Runs for pull requests from forks may neither push nor comment.
    """
    text = (out / "changes" / "comment.md").read_text("utf-8")
    repository = os.environ["GITHUB_REPOSITORY"]
    try:
        if (picture := out / "changes" / "changes.png").is_file():
            place = push_picture(picture, f"{number}")
            text = text.replace("{picture}", place)
        send(text, repository, number)
    except CommandError as error:
        print(f"::warning::The comment could not be written: {str(error).splitlines()[-1]}")
        with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as file:
            file.write(
                text.replace(
                    "![Cards before and after]({picture})", "The artifact has the picture."
                )
            )


def push_picture(picture: Path, name: str) -> str:
    """Push a picture to its branch, and return its address, which never changes."""
    with tempfile.TemporaryDirectory(prefix="pnp-pictures-") as folder:
        tree = Path(folder) / "tree"
        known = run("git", "ls-remote", "--heads", "origin", PICTURES_BRANCH).strip()
        if known:
            run("git", "fetch", "--quiet", "--depth=1", "origin", PICTURES_BRANCH)
            run("git", "worktree", "add", "--quiet", "--detach", tree, "FETCH_HEAD")
        else:
            run("git", "worktree", "add", "--quiet", "--detach", "--no-checkout", tree)
            run("git", "checkout", "--quiet", "--orphan", PICTURES_BRANCH, folder=tree)
            run("git", "read-tree", "--empty", folder=tree)
        try:
            shutil.copy(picture, tree / f"{name}.png")
            run("git", "add", f"{name}.png", folder=tree)
            words = ("commit", "--quiet", "--allow-empty", "-m", f"Add the picture of {name}")
            run("git", *BOT, *words, folder=tree)
            run(
                "git",
                "push",
                "--quiet",
                "origin",
                f"HEAD:refs/heads/{PICTURES_BRANCH}",
                folder=tree,
            )
            commit = run("git", "rev-parse", "HEAD", folder=tree).strip()
        finally:
            run("git", "worktree", "remove", "--force", tree)
    server = os.environ["GITHUB_SERVER_URL"]
    return f"{server}/{os.environ['GITHUB_REPOSITORY']}/raw/{commit}/{name}.png"


def send(text: str, repository: str, number: int) -> None:
    """Write the comment, or replace the one about the same pack."""
    mark = text.splitlines()[0]
    comments = f"repos/{repository}/issues/{number}/comments"
    query = f".[] | select(.body | startswith({json.dumps(mark)})) | .id"
    earlier = run("gh", "api", comments, "--paginate", "--jq", query).split()
    place = f"repos/{repository}/issues/comments/{earlier[0]}" if earlier else comments
    run("gh", "api", place, "-X", "PATCH" if earlier else "POST", "-f", f"body={text}", "--silent")


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("build", "compare", "comment"):
        step = steps.add_parser(name)
        step.add_argument("--out", type=Path, required=True)
        if name != "comment":
            step.add_argument("pack", type=Path)
    steps.choices["build"].add_argument("--options", type=shlex.split, default=[])
    steps.choices["compare"].add_argument("--base", required=True)
    steps.choices["comment"].add_argument("--number", type=int, required=True)
    args = parser.parse_args()
    try:
        if args.step == "build":
            build(args.pack, args.out, args.options)
        elif args.step == "compare":
            compare(args.pack, args.base, args.out)
        else:
            comment(args.out, args.number)
    except CommandError as error:
        raise SystemExit(1) from error


if __name__ == "__main__":
    main()
