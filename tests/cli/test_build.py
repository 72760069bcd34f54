"""Test the files that a build writes."""

import re
from pathlib import Path

import pytest
from PIL import Image

from generator.cli.build import BUILD_OUTPUTS
from generator.export import outputs_of
from tests.tools.read_pdf import read

FACE = r'<svg data-face="([^"]+)" role="img" aria-label="([^"]+)"'
"""A face in a gallery: what it is called, and its caption."""
GAMES = {
    "hoses-and-hydrants": "2",
    "greenways": "2",
    "hydras": "2",
    "urban-insanity-fire-engines": "2",
    "buizen-wir-war": "1",
}


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("game", GAMES)
def test_all_that_belongs_to_a_game(printed, game):
    folder = printed(game)
    stem = f"{game}-{GAMES[game]}"
    sheets = {f"{stem}-sheets-{paper}.pdf" for paper in ("a4", "letter")}
    rules = {
        f"{stem}-rules{tail}"
        for tail in (".pdf", "-booklet-a4.pdf", "-booklet-letter.pdf", ".html")
    }
    found = files(folder)
    pictures = {
        name for name in found if name.startswith(f"{stem}-gallery/") and name.endswith(".png")
    }
    assert found == sheets | rules | pictures | {f"{stem}-gallery/index.html", f"{stem}.pnprelease"}


@pytest.mark.parametrize("game", GAMES)
def test_the_gallery_shows_every_picture_that_is_printed(printed, game):
    folder = printed(game)
    stem = f"{game}-{GAMES[game]}"
    page = (folder / f"{stem}-gallery/index.html").read_text("utf-8")
    shown = re.findall(FACE, page)
    beside = {f"{stem}-gallery/{name}" for name in re.findall(r'<image href="([^":]+)"', page)}
    assert beside == {name for name in files(folder) if name.endswith(".png")}, (
        "each file is on the page"
    )
    assert all(caption.strip() for _, caption in shown)
    printed_once = {
        form.name for page in read(folder / f"{stem}-sheets-a4.pdf") for form in page.forms
    }
    assert len(shown) == len(printed_once)


def captions(folder):
    page = next(folder.glob("*-gallery/index.html")).read_text("utf-8")
    return dict(re.findall(FACE, page))


def test_a_picture_that_many_pieces_share_says_so(printed):
    """The caption names all pieces, not only the first design with the picture."""
    tiles = captions(printed("greenways"))
    assert tiles["tiles-S-back"] == "Tiles, back ×\N{NO-BREAK SPACE}72"
    assert tiles["tiles-S-front"] == "Start, front ×\N{NO-BREAK SPACE}1"
    city = captions(printed("urban-insanity-fire-engines"))
    assert (
        city["stations-station-through-back"]
        == "Fire Station tiles, Fire Hydrant tiles, City tiles, back ×\N{NO-BREAK SPACE}36"
    )


def test_the_pictures_have_the_size_of_the_cut_pieces(printed):
    page = (printed("hydras") / "hydras-2-gallery/index.html").read_text("utf-8")
    sizes = re.findall(
        r'<svg data-face="[^>]* viewBox="([^"]+)" width="(\d+)" height="(\d+)"', page
    )
    assert set(sizes) == {("0 0 63.5 63.5", "300", "300")}, "2.5 in at 120 dpi"
    pictures = list(
        (printed("urban-insanity-fire-engines") / "urban-insanity-fire-engines-2-gallery").glob(
            "*.png"
        )
    )
    assert pictures, "art with texts is shown as pixels"
    for path in pictures:
        with Image.open(path) as picture:
            assert min(picture.size) >= 189, "the smallest is 40 mm high"


def test_the_release_of_a_build_is_what_a_patch_needs(printed, pnp, tmp_path):
    """A player who kept it needs nothing from the pack's own folder of releases."""
    kept = printed("hydras") / "hydras-2.pnprelease"
    result = pnp("patch", "hydras", "--from", kept, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    assert "nothing to print and nothing to take out from 2 to 2" in result.output
    result = pnp("diff", "hydras", "--from", "1", "--to", kept)
    assert result.output.startswith("Hydras 1 → 2\n")
    assert result.output.count("\n  removed") == 3


def test_what_can_be_asked_for_is_what_there_is():
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
def test_only_what_was_asked_for(starter, pnp, args, parts):
    assert pnp("build", starter("cards"), *args).exit_code == 0
    names = files(Path("output/pack"))
    kinds = {
        "sheets": "-sheets-",
        "making": "-making-",
        "gallery": "-gallery/",
        "release": ".pnprelease",
    }
    assert {part for part, mark in kinds.items() if any(mark in name for name in names)} == parts


def test_a_translation_is_no_release(pnp, tmp_path):
    result = pnp("build", "buizen-wir-war", "--lang", "nl", "--what", "release", "-o", tmp_path)
    assert result.exit_code == 2
    assert "a release covers the whole pack: leave out --variant and --lang" in result.stderr
    assert not files(tmp_path)
