"""Test art that links to pictures of its pack, which are rendered as if they were embedded.

Nothing outside the pack is read.
"""

import io
from base64 import b64encode
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from generator.base.cache import Cache
from generator.draw.draw import draw_game
from generator.draw.findings import component_findings
from generator.pdf.faces import compile_faces
from tests.tools.make_pack import loaded, make, problems, render_design, svg

IMAGE = '<image x="2" y="2" width="6" height="6" {href}/>'
LAYOUT = "- svg: art/a.svg\n  box: trim\n"


def png(colour: str, size: int = 600) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(buffer, "PNG")
    return buffer.getvalue()


BLUE = "#0000ff"
LINKS = {
    "beside it": ("b.png", "art/b.png"),
    "in a folder below": ("./sub/b.png", "art/sub/b.png"),
    "in a folder of the pack": ("../photos/b.png", "photos/b.png"),
    "with a blank": ("my%20b.png", "art/my b.png"),
    "as Inkscape writes it": ('xlink:href="b.png" href="b.png"', "art/b.png"),
}


@pytest.mark.parametrize("link", LINKS)
def test_linked_picture_of_the_pack_is_rendered(link, tmp_path, printed_pdf):
    href, name = LINKS[link]
    folder = make(
        tmp_path,
        LAYOUT,
        files={
            "art/a.svg": svg(IMAGE.format(href=href if "=" in href else f'href="{href}"')),
            name: png("blue"),
        },
    )
    picture = render_design(folder)
    assert picture.box() == (8, 8, 32, 32)
    assert picture.at(20, 20) == BLUE

    face = draw_game(loaded(folder))[0].designs[0].front
    page = pypdfium2.PdfDocument(printed_pdf([face], compile_faces([face], loaded(folder).fonts)))[
        0
    ]
    printed_pixels = np.asarray(page.render(scale=10 * 25.4 / 72).to_pil().convert("RGB")).astype(
        int
    )
    blue = np.argwhere(np.abs(printed_pixels - [0, 0, 255]).max(axis=2) < 9)
    # Ten pixels a millimetre; the page shows the 40 mm at the lower left of the face with its 3 mm
    # of bleed.
    assert blue.min(axis=0) == pytest.approx([50, 110], abs=1)
    assert blue.max(axis=0) == pytest.approx([290, 350], abs=1)


def test_linked_svg_links_relative_to_its_own_folder(tmp_path):
    files = {"art/a.svg": svg(IMAGE.format(href='href="sub/b.svg"')), "art/sub/c.png": png("blue")}
    files["art/sub/b.svg"] = svg(
        '<image width="10" height="5" preserveAspectRatio="none" href="c.png"/>'
    )
    picture = render_design(make(tmp_path, LAYOUT, files=files))
    assert picture.box() == (8, 8, 32, 20)
    assert picture.at(20, 10) == BLUE


@pytest.mark.parametrize("mode", ["RGB", "CMYK"])
@pytest.mark.parametrize("embedded", [True, False], ids=["embedded", "linked"])
def test_photograph_is_turned_by_its_exif_orientation(embedded, mode, tmp_path):
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by a quarter, clockwise
    picture = Image.new("RGB", (600, 300), "red")
    picture.paste("blue", (0, 0, 300, 300))
    picture.convert(mode).save(buffer, "JPEG", exif=exif, quality=95)
    photograph = buffer.getvalue()
    address = f"data:image/jpeg;base64,{b64encode(photograph).decode()}" if embedded else "b.jpg"
    files = {
        "art/a.svg": svg(f'<image width="10" height="10" href="{address}"/>'),
        "art/b.jpg": photograph,
    }
    rendered = render_design(make(tmp_path, LAYOUT, files=files))
    assert rendered.box() == (10, 0, 30, 40)
    assert rendered.at(20, 5).endswith(("fd", "fe", "ff"))
    assert rendered.at(20, 35).startswith(("#fd", "#fe", "#ff"))


def noise(kind: str, **options) -> bytes:
    """Return a picture of noise, which compresses badly: half of its file holds half of its pixels."""
    buffer = io.BytesIO()
    picture = Image.effect_noise((600, 300), 99)
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def make_pack_with_image(tmp_path: Path, data: bytes) -> Path:
    """Make a pack whose art embeds an image."""
    address = f"data:image/png;base64,{b64encode(data).decode()}"
    files = {"art/a.svg": svg(f'<image width="10" height="10" href="{address}"/>')}
    return make(tmp_path, LAYOUT, files=files)


@pytest.mark.parametrize(
    "data",
    [
        noise("JPEG")[:20_000],
        noise("WEBP")[:20_000],
        noise("PNG")[:20_000] + b"damage" + noise("PNG")[20_006:],
    ],
    ids=["JPEG", "WebP", "PNG"],
)
def test_embedded_image_that_is_cut_short_or_damaged_is_refused(data, tmp_path):
    assert "a.svg has an embedded image that cannot be read" in problems(
        make_pack_with_image(tmp_path, data)
    )


def test_embedded_photograph_of_a_phone_is_a_jpeg(tmp_path):
    """Phones write a second picture into the file, which Pillow then calls MPO."""
    second = Image.new("RGB", (60, 30), "red")
    photograph = noise("MPO", save_all=True, append_images=[second])
    assert problems(make_pack_with_image(tmp_path, photograph)) == ""


@pytest.mark.parametrize(
    ("href", "message"),
    [
        (
            "../../secret.png",
            "art/a.svg links to '../../secret.png': '../secret.png' is not a file of the pack",
        ),
        ("%2e%2e/../secret.png", "is not a file of the pack"),
        ("out.png", "'art/out.png' leads out of the pack's folder"),
        ("nowhere.png", "art/a.svg links to 'nowhere.png': no file 'art/nowhere.png'"),
        ("b.txt", "is not a pixel image"),
        ("/etc/hostname", "refers to '/etc/hostname'"),
        ("file:///etc/hostname", "refers to 'file:///etc/hostname'"),
        ("https://example.com/b.png", "refers to 'https://example.com/b.png'"),
        ("//example.com/b.png", "refers to '//example.com/b.png'"),
        ("C:\\b.png", "refers to"),
        ("a.svg", "pictures are nested more than 3 deep"),
    ],
)
def test_link_out_of_the_pack_is_refused(href, message, tmp_path):
    (tmp_path / "secret.png").write_bytes(png("blue"))
    folder = tmp_path / "pack"
    make(
        folder,
        LAYOUT,
        files={"art/a.svg": svg(IMAGE.format(href=f'href="{href}"')), "art/b.txt": "b"},
    )
    (folder / "art" / "out.png").symlink_to(tmp_path / "secret.png")
    assert message in problems(folder)


def test_linked_pictures_beyond_size_limit_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("generator.draw.art.read.MAX_LINKED_BYTES", 1000)
    files = {"art/a.svg": svg(IMAGE.format(href='href="b.png"')), "art/b.png": png("blue")}
    assert "links to pictures of" in problems(make(tmp_path, LAYOUT, files=files))


def test_linked_picture_of_too_few_pixels_is_reported_by_its_name(tmp_path):
    files = {"art/a.svg": svg(IMAGE.format(href='href="b.png"')), "art/b.png": png("blue", 60)}
    (component,) = draw_game(loaded(make(tmp_path, LAYOUT, files=files)))
    assert [fault.text for fault in component_findings(component)] == [
        "art/b.png has 64 dpi at its printed size"
    ]


def test_face_is_rendered_again_if_a_linked_picture_changes(tmp_path):
    files = {
        "art/a.svg": svg(IMAGE.format(href='href="b.svg"')),
        "art/b.svg": svg('<image width="10" height="10" href="c.png"/>'),
        "art/c.png": png("blue"),
    }
    folder = make(tmp_path / "pack", LAYOUT, files=files)
    with Cache(tmp_path / "cache") as cache:
        before = draw_game(loaded(folder), cache=cache)[0].designs[0].front
        (folder / "art" / "c.png").write_bytes(png("red"))
        after = draw_game(loaded(folder), cache=cache)[0].designs[0].front
    assert before.source_key != after.source_key
    assert before.name != after.name
