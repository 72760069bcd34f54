"""Test the files that a build writes."""

import re
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from generator.cli.build import BUILD_OUTPUTS
from generator.export import outputs_of
from tests.tools.read_pdf import read

FACE = r'<symbol id="face-([^"]+)" viewBox="([^"]+)"><path class="paper"'
"""A face in a gallery: its name and its size."""
GAMES = {
    "hoses-and-hydrants": "2",
    "greenways": "2",
    "hydras": "2",
    "urban-insanity-fire-engines": "2",
    "buizen-wir-war": "1",
}


def file_names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("game", GAMES)
def test_build_writes_sheets_rules_gallery_and_release(printed, game):
    folder = printed(game)
    stem = f"{game}-{GAMES[game]}"
    sheets = {f"{stem}-sheets-{paper}.pdf" for paper in ("a4", "letter")}
    rules = {
        f"{stem}-rules{tail}"
        for tail in (".pdf", "-booklet-a4.pdf", "-booklet-letter.pdf", ".html")
    }
    names = file_names(folder)
    pictures = {
        name for name in names if name.startswith(f"{stem}-gallery/") and name.endswith(".png")
    }
    assert names == sheets | rules | pictures | {f"{stem}-gallery/index.html", f"{stem}.pnprelease"}


@pytest.mark.parametrize("game", GAMES)
def test_gallery_shows_every_printed_picture_once(printed, game):
    folder = printed(game)
    stem = f"{game}-{GAMES[game]}"
    page = (folder / f"{stem}-gallery/index.html").read_text("utf-8")
    faces = re.findall(FACE, page)
    linked_pictures = {
        f"{stem}-gallery/{name}" for name in re.findall(r'<image href="([^":]+)"', page)
    }
    assert linked_pictures == {name for name in file_names(folder) if name.endswith(".png")}, (
        "each file is on the page"
    )
    printed_faces = {
        form.name for page in read(folder / f"{stem}-sheets-a4.pdf") for form in page.forms
    }
    assert len(faces) == len(printed_faces)


def test_gallery_shows_the_shared_back_of_a_component_once(printed):
    page = (printed("urban-insanity-fire-engines")).glob("*-gallery/index.html")
    text = next(page).read_text("utf-8")
    backs = re.findall(
        r'<span class="name">Back of all</span> <span class="number">×(\d+)</span>', text
    )
    assert backs == ["6", "6", "9", "24"], "stations, hydrants, action cards, city tiles"


def test_gallery_pictures_have_size_of_cut_pieces(printed):
    page = (printed("hydras") / "hydras-2-gallery/index.html").read_text("utf-8")
    assert {size for _, size in re.findall(FACE, page)} == {"0 0 63.5 63.5"}, "2.5 in"
    pictures = list(
        (printed("urban-insanity-fire-engines") / "urban-insanity-fire-engines-2-gallery").glob(
            "*.png"
        )
    )
    assert pictures, "art with texts is shown as pixels"
    for path in pictures:
        with Image.open(path) as picture:
            assert min(picture.size) >= 189, "40 mm at 120 dpi, the height of the smallest piece"


def test_release_of_build_serves_patch_and_diff(starter, pnp, tmp_path):
    """Use the release file of a build without the pack's own folder of releases."""
    pack = starter("cards")
    assert pnp("release", pack).exit_code == 0
    game = pack / "game.yaml"
    game.write_text(game.read_text("utf-8").replace('version: "1"', 'version: "2"'), "utf-8")
    head, *designs = (pack / "cards.csv").read_text("utf-8").splitlines()
    (pack / "cards.csv").write_text("\n".join([head, *designs[1:]]), "utf-8")
    assert pnp("build", pack, "--what", "release").exit_code == 0
    release = tmp_path / "output" / "pack" / "pack-2.pnprelease"
    result = pnp("patch", pack, "--from", release, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    assert "nothing to print and nothing to take out from 2 to 2" in result.output
    result = pnp("diff", pack, "--from", "1", "--to", release)
    assert result.output.startswith("My Card Game 1 → 2\n")
    assert result.output.count("\n  removed") == 1


@pytest.mark.parametrize(
    ("authors", "author"), [("authors: [Ann Lee, Bo Ray]\n", "Ann Lee, Bo Ray"), ("", None)]
)
def test_author_of_a_pdf_is_the_names_of_authors_alone(authors, author, starter, pnp):
    pack = starter("cards")
    (pack / "rules.md").write_text("# Rules\n\nPlay.\n\n::: credits :::\n", "utf-8")
    game = pack / "game.yaml"
    more = (
        f"{authors}credits: A game by Ann and Bo. All rights reserved.\nrules: {{file: rules.md}}\n"
    )
    game.write_text(game.read_text("utf-8") + more, "utf-8")
    assert pnp("build", pack, "--what", "sheets", "--what", "booklet").exit_code == 0
    paths = list(Path("output").rglob("*.pdf"))
    assert len(paths) >= 3
    for path in paths:
        with pikepdf.open(path) as pdf:
            assert pdf.docinfo.get("/Author") == author


def test_outputs_of_build_match_those_offered_by_what():
    assert tuple(outputs_of("build")) == BUILD_OUTPUTS


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("--what", "sheets"), {"sheets"}),
        (("--what", "gallery", "--what", "release"), {"gallery", "release"}),
        (("--what", "rules"), set()),
        (("--only", "cards"), {"sheets"}),
        (("--only", "cards", "--what", "sheets", "--what", "release"), {"sheets", "release"}),
        (("--skip", "1"), {"sheets"}),
        (("--what", "making"), {"making"}),
        ((), {"sheets", "gallery", "release"}),
    ],
)
def test_build_writes_only_parts_named_by_options(starter, pnp, args, parts):
    assert pnp("build", starter("cards"), *args).exit_code == 0
    names = file_names(Path("output/pack"))
    kinds = {
        "sheets": "-sheets-",
        "making": "-making-",
        "gallery": "-gallery/",
        "release": ".pnprelease",
    }
    assert {part for part, mark in kinds.items() if any(mark in name for name in names)} == parts


def test_build_refuses_release_of_a_translation(pnp, tmp_path):
    result = pnp("build", "buizen-wir-war", "--lang", "nl", "--what", "release", "-o", tmp_path)
    assert result.exit_code == 2
    assert "a release covers the whole pack: leave out --variant and --lang" in result.stderr
    assert not file_names(tmp_path)
