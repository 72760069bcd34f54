"""Test that a pack gives the same files from every folder and under every folder name."""

import io
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.tools.make_pack import make, renamed, svg

NAME = "Möwen und Füchse"
LAYOUT = """\
- svg: Bilder/weicher Schatten für Füchse.svg
  box: [2, 2, 16, 16]
- image: Bilder/$photo
  box: [20, 2, 18, 18]
- text: Füchse
  box: [3, 24, 34, 12]
  style: mine
"""
SHADOW = svg(
    '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><circle cx="5" cy="5" r="3" filter="url(#f)"/>'
)
TABLE = "id,photo\nmöwe,Möwe am Meer.jpg\nfuchs,Füchse im Schnee.jpg\n"
RULES = "# Regeln für Füchse\n\nZiehe eine Karte.\n"


def photograph(colour: str) -> bytes:
    """Return a JPEG of 400 × 400 pixels; another colour gives other bytes."""
    picture = Image.new("RGB", (400, 400), colour)
    draw = ImageDraw.Draw(picture)
    for at in range(0, 400, 7):
        draw.line((at, 0, 400 - at, 400), "white", 2)
    out = io.BytesIO()
    picture.save(out, "JPEG")
    return out.getvalue()


@pytest.fixture(scope="module")
def pack(tmp_path_factory) -> Path:
    """Return a pack with a font, a filter and photographs, with blanks and umlauts in all names."""
    files = {
        "fonts/Schöne Schrift/Füchse fett.ttf": renamed(),
        "Bilder/weicher Schatten für Füchse.svg": SHADOW,
        "Bilder/Möwe am Meer.jpg": photograph("navy"),
        "Bilder/Füchse im Schnee.jpg": photograph("brown"),
        "Regeln für alle.md": RULES,
    }
    more = "  mine: {font: Pack Font, size: 6mm}\nrules: {file: Regeln für alle.md}"
    return make(
        tmp_path_factory.mktemp("Spiele für Gäste") / NAME, LAYOUT, TABLE, more, files=files
    )


def build(pnp, pack: object, out: Path) -> dict[str, bytes]:
    """Return the contents of every file of a build, by its name below the output folder."""
    result = pnp("build", pack, "--no-cache", "--paper", "a4", "-o", out)
    assert result.exit_code == 0, result.output
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def link_to(pack: Path, tmp_path: Path) -> str:
    """Link to the pack from another folder and return the name of the link."""
    (tmp_path / "Verknüpfung zum Spiel").symlink_to(pack, target_is_directory=True)
    return "Verknüpfung zum Spiel"


def test_pack_gives_same_bytes_from_every_folder(pack, pnp, tmp_path, monkeypatch):
    expected = build(pnp, pack, tmp_path / "full")
    assert {Path(name).suffix for name in expected} >= {".pdf", ".html", ".pnprelease"}
    for number, (folder, name) in enumerate(
        [
            (pack.parent, pack.name),
            (pack.parent, f"./{pack.name}/game.yaml"),
            (pack, "."),
            (pack / "Bilder", ".."),
            (tmp_path, link_to(pack, tmp_path)),
        ]
    ):
        monkeypatch.chdir(folder)
        files = build(pnp, name, tmp_path / str(number))
        assert files.keys() == expected.keys(), name
        assert [key for key in expected if files[key] != expected[key]] == [], name


def test_output_files_never_contain_folder_of_pack(pack, pnp, tmp_path):
    place = pack.parent.name.encode()
    files = build(pnp, pack, tmp_path)
    assert all(place not in data for data in files.values())
    assert any(pack.name in name for name in files)
    assert any("Füchse im Schnee.jpg".encode() in data for data in files.values())


@pytest.mark.parametrize("command", ["check", "preview"])
def test_check_and_preview_accept_relative_path_of_pack(command, pack, pnp, tmp_path, monkeypatch):
    monkeypatch.chdir(pack.parent)
    more = ["-o", tmp_path / "faces"] if command == "preview" else []
    result = pnp(command, NAME, "--no-cache", *more)
    assert result.exit_code == 0, result.output


def test_font_that_is_a_link_within_pack_is_used(pnp, tmp_path, monkeypatch):
    files = {"Schriften/Füchse fett.ttf": renamed(), "a.svg": SHADOW}
    layout = "- svg: a.svg\n  box: [2, 2, 16, 16]\n- text: Füchse\n  box: [3, 24, 34, 12]\n  style: mine\n"
    pack = make(tmp_path / "pack", layout, more="  mine: {font: Pack Font, size: 6mm}", files=files)
    (pack / "fonts").mkdir()
    (pack / "fonts" / "verknüpft.ttf").symlink_to("../Schriften/Füchse fett.ttf")
    monkeypatch.chdir(tmp_path)
    build(pnp, "pack", tmp_path / "out")


def test_messages_show_path_as_typed(pnp, tmp_path, monkeypatch):
    copy = make(tmp_path / "Spiel für zwei", "- image: Bilder/fehlt.jpg\n  box: [0, 0, 9, 9]\n")
    monkeypatch.chdir(tmp_path)
    result = pnp("check", copy.name)
    assert result.exit_code == 5
    assert result.output.startswith("Spiel für zwei/layouts/front.yaml:1:")
    assert str(tmp_path) not in result.output
