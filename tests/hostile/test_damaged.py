"""Damaged fonts, pictures out of all proportion, panics of engines and closed streams end with a message."""

import base64
import os
import random
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.tools.make_pack import FONTS, make, renamed, svg

ROOT = Path(__file__).parents[2]
TEXT = "- text: Hello\n  box: [2, 2, 36, 30]\n  style: body\n"
RULES = {"rules.md": "# Play\n\nHello\n"}
TABLES = ("head", "maxp", "hhea", "hmtx", "loca", "cmap", "post")


def font_pack(folder, data, family):
    """Make a pack whose text and rules are set in a font of its own."""
    pack = make(
        folder, TEXT, more="rules: {file: rules.md}", files={**RULES, "fonts/own.ttf": data}
    )
    game = pack / "game.yaml"
    game.write_text(
        game.read_text("utf-8").replace("size: 3mm,", f"size: 3mm, font: {family},"), "utf-8"
    )
    return pack


FAMILIES = {
    "Pack Font": renamed(),
    # Footers are set in this font, too.
    "Alegreya Sans": (FONTS / "alegreya-sans" / "AlegreyaSans-Regular.ttf").read_bytes(),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("lack", [*TABLES, 1, 10, 50, 90, 99])
def test_font_without_a_table_or_cut_short_is_named(pnp, tmp_path, family, lack):
    data = FAMILIES[family]
    data = (
        data[: len(data) * lack // 100]
        if isinstance(lack, int)
        else data.replace(lack.encode(), b"zzzz", 1)
    )
    result = pnp(
        "build", font_pack(tmp_path / "pack", data, family), "-o", tmp_path / "out", "--paper", "a4"
    )
    assert result.exit_code == 3, result.output
    assert "fonts/own.ttf: own.ttf is damaged" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(4))
def test_font_with_wrong_bytes_never_crashes_a_build(pnp, tmp_path, family, seed):
    data = bytearray(FAMILIES[family])
    chance = random.Random(seed)  # noqa: S311 - the same bytes each time
    for _ in range(300):
        data[chance.randrange(400, len(data))] = chance.randrange(256)
    result = pnp(
        "build",
        font_pack(tmp_path / "pack", bytes(data), family),
        "-o",
        tmp_path / "out",
        "--paper",
        "a4",
    )
    assert result.exit_code in {0, 3, 4, 5}, result.output


def png(width, height):
    """Return a PNG of two colours."""
    packing = zlib.compressobj()
    row = b"\0" * (1 + (width + 7) // 8)
    data = b"".join(packing.compress(row) for _ in range(height)) + packing.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", b"\xff\0\0\0\xff\0"), (b"IDAT", data), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(item)) + name + item + struct.pack(">I", zlib.crc32(name + item))
        for name, item in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize("size", [(60_000_000, 1), (65_536, 1), (1, 65_536)])
@pytest.mark.parametrize("is_embedded", [False, True])
def test_picture_with_a_side_above_65535_pixels_is_refused(pnp, tmp_path, size, is_embedded):
    files = {"art/x.png": png(*size)}
    layer = "- image: art/x.png\n  box: [0, 0, 40, 40]\n"
    if is_embedded:
        address = f"data:image/png;base64,{base64.b64encode(files['art/x.png']).decode()}"
        files = {
            "art/x.svg": svg(
                f'<image width="10" height="10" preserveAspectRatio="none" href="{address}"/>'
            )
        }
        layer = "- svg: art/x.svg\n  box: [0, 0, 40, 40]\n"
    result = pnp(
        "build",
        make(tmp_path / "pack", layer, files=files),
        "-o",
        tmp_path / "out",
        "--paper",
        "a4",
    )
    assert result.exit_code == 3, result.output
    assert f"{size[0]} × {size[1]} pixels" in result.stderr
    assert "65,535 on a side" in result.stderr


@pytest.mark.parametrize("size", [(65_535, 2), (2, 65_535)])
def test_picture_with_a_side_of_65535_pixels_is_printed(pnp, tmp_path, size):
    pack = make(
        tmp_path / "pack",
        "- image: art/x.png\n  box: [0, 0, 40, 40]\n",
        files={"art/x.png": png(*size)},
    )
    result = pnp("build", pack, "-o", tmp_path / "out", "--paper", "a4", "--what", "sheets")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("length", ["1e30", "9" * 30, "-1e30", "1e-30"])
def test_text_of_any_textlength_is_printed_or_refused(pnp, tmp_path, length):
    art = svg(
        f'<text x="1" y="5" font-family="Alegreya Sans" font-size="2" textLength="{length}">Hello</text>'
    )
    pack = make(
        tmp_path / "pack", "- svg: art/x.svg\n  box: [0, 0, 40, 40]\n", files={"art/x.svg": art}
    )
    result = pnp("build", pack, "-o", tmp_path / "out", "--paper", "a4")
    assert result.exit_code in {0, 3}, result.output


class Panic(BaseException):
    """A panic as pyo3 raises it, which is no Exception."""


@pytest.mark.parametrize(
    ("name", "message"), [("compile", "cannot be printed"), ("query", "the rules cannot be set")]
)
def test_panic_of_typst_is_reported_as_a_message(pnp, tmp_path, monkeypatch, name, message):
    def panic(*_, **__):
        raise Panic("index out of bounds")

    monkeypatch.setattr(f"typst.{name}", panic)
    pack = make(tmp_path / "pack", TEXT, more="rules: {file: rules.md}", files=RULES)
    what = {"compile": "sheets", "query": "rules"}[name]
    result = pnp("build", pack, "-o", tmp_path / "out", "--paper", "a4", "--what", what)
    assert result.exit_code == 3, result.output
    assert f"{message}: typst gave up: index out of bounds" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="shells close streams in another way there")
@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_change_exit_codes_or_files(starter, closed):
    starter("cards")
    pnp = f"{sys.executable} -m generator"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def code(words):
        return subprocess.run(
            ["sh", "-c", f"{pnp} {words} {closed}"], env=environment, check=False
        ).returncode

    assert code("build pack --paper a4 --what sheets") == 0
    assert next(Path("output").rglob("*-sheets-a4.pdf")).stat().st_size > 1000
    assert code("build nowhere") == 2
    assert code("--nonsense") == 2
