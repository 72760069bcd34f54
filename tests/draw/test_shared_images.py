"""Test pixel pictures that many faces show: stored once, and visually unchanged."""

import io
import pickle
from base64 import b64decode

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from generator.base.units import number
from generator.draw.draw import draw_game
from generator.picture.items import images_of
from generator.picture.raster import ImageDownscaler, Rasteriser
from tests.tools.make_face import svg_of
from tests.tools.make_pack import loaded, make


def noise(mode, size=(300, 200), kind="PNG"):
    buffer = io.BytesIO()
    bands = [Image.effect_noise(size, 60 + 20 * n) for n in range(len(mode))]
    Image.merge(mode, bands).save(buffer, kind)
    return buffer.getvalue()


FILES = {
    "art/a.png": noise("RGBA"),
    "art/b.jpg": noise("RGB", kind="JPEG"),
    "art/c.png": noise("RGB", (60, 300)),
}
LAYOUT = "- fill: blue\n- image: art/$pic\n  box: [2, 2, 30, 25]\n  fit: {fit}\n"
TABLE = "id,pic\n" + "".join(
    f"d{n},{file}\n" for n, file in enumerate(("a.png", "b.jpg", "c.png") * 3)
)


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return make(
        tmp_path_factory.mktemp("pictures"), LAYOUT.replace("{fit}", "cover"), TABLE, files=FILES
    )


def reduced_svg(face, fineness):
    """Return the SVG of a face with images reduced to a number of pixels per mm."""
    side = str(round(face.full.w * fineness))
    return ImageDownscaler().svg(face, fineness, face.full, (side, side))


def faces(pack):
    return [design.front for design in draw_game(loaded(pack))[0].designs]


def test_faces_with_the_same_picture_share_one_copy_in_memory(pack):
    fronts = faces(pack)
    for first, *others in (fronts[n::3] for n in range(3)):
        (picture,) = images_of(first)
        assert all(next(images_of(other)) is picture for other in others)
        assert picture.address in svg_of(first)


@pytest.mark.parametrize("fit", ["cover", "contain", "stretch"])
def test_picture_is_stored_once_and_prints_as_previewed(tmp_path, monkeypatch, pnp, fit):
    monkeypatch.chdir(tmp_path)
    pack = make(tmp_path / "pack", LAYOUT.replace("{fit}", fit), TABLE, files=FILES)
    result = pnp("build", "pack", "--what", "sheets", "--paper", "a4", "--marks", "none")
    assert result.exit_code == 0, result.output
    path = next(tmp_path.rglob("*-sheets-a4.pdf"))
    with pikepdf.open(path) as pdf:
        streams = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        sizes = sorted(
            (int(image.Width), int(image.Height)) for image in streams if image.get("/Width") != 8
        )
        jpegs = [
            image.read_raw_bytes() for image in streams if image.get("/Filter") == "/DCTDecode"
        ]
    assert sizes == [(60, 300), (300, 200), (300, 200), (300, 200)], (
        "three pictures, and the mask of one of them"
    )
    assert len(jpegs) == 1
    document = pypdfium2.PdfDocument(path)
    page = document[0].render(scale=150 / 72).to_pil().convert("RGB")
    document.close()
    game = loaded(pack)
    raster = Rasteriser(game.fonts)
    for face in faces(pack)[:3]:
        rendered = raster.face(face, 150).convert("RGB")
        inner = rendered.crop((20, 20, rendered.width - 20, rendered.height - 20))
        assert any_like(page, inner), f"{number(face.size.w)} mm"


def any_like(page, picture):
    """Return True if part of a page looks like a picture, both at a coarse resolution."""
    step = 12
    small = page.resize((page.width // step, page.height // step), Image.BOX)
    part = picture.resize((picture.width // step, picture.height // step), Image.BOX)
    places = [
        (x, y) for x in range(small.width - part.width) for y in range(small.height - part.height)
    ]
    windows = (small.crop((x, y, x + part.width, y + part.height)) for x, y in places)
    best = min(
        sum(ImageChops.difference(window, part).convert("L").histogram()[40:]) for window in windows
    )
    return best < part.width * part.height / 20


@pytest.mark.parametrize("fineness", [3.0, 9.0])
def test_reduced_pictures_look_like_full_ones(pack, fineness):
    raster = Rasteriser(loaded(pack).fonts)
    for face in faces(pack)[:3]:
        side = round(face.full.w * fineness)
        lighter = reduced_svg(face, fineness)
        light = raster.svg(lighter, side, side).convert("RGBa")
        heavy = raster.svg(svg_of(face), side * 3, side * 3).convert("RGBa").reduce(3)
        difference = ImageChops.difference(light, heavy)
        assert max(sum(band.histogram()[60:]) for band in difference.split()) < side * side / 20
        assert len(lighter) <= len(svg_of(face)) + 10


@pytest.mark.parametrize("size", [(95, 400), (97, 97), (191, 300), (900, 770), (3000, 200)])
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
def test_reduced_picture_is_same_in_another_process(tmp_path, size, mode):
    kind = "PNG" if mode == "RGBA" else "JPEG"
    across = Image.linear_gradient("L").resize(size)
    down = Image.linear_gradient("L").rotate(90).resize(size)
    buffer = io.BytesIO()
    Image.merge(mode, [across, down, across, down][: len(mode)]).save(buffer, kind)
    long = Image.new("RGB", (9, 9)).getexif()
    long[0x010E] = "word " * 11000
    buffer.seek(0)
    with_words = io.BytesIO()
    Image.open(buffer).save(with_words, kind, exif=long)
    files = {"art/a.img": with_words.getvalue()}
    pack = make(tmp_path, "- image: art/a.img\n  box: [2, 2, 30, 25]\n", "id\none\n", files=files)
    (face,) = faces(pack)
    again = pickle.loads(pickle.dumps(face))  # noqa: S301 - our own, as it goes to another process
    for fineness in (0.2, 0.5, 1.0, 2.0, 4.0):
        reduced = reduced_svg(face, fineness)
        reduced_again = reduced_svg(again, fineness)
        assert reduced == reduced_again
        small = Image.open(io.BytesIO(b64decode(reduced.partition("base64,")[2].partition('"')[0])))
        assert min(size) <= min(small.size) * 4 or min(small.size) > 25 * fineness
        plain = Image.open(io.BytesIO(files["art/a.img"])).resize(small.size, Image.Resampling.BOX)
        difference = ImageChops.difference(small.convert("RGB"), plain.convert("RGB")).crop(
            (4, 4, 40, 40)
        )
        assert mode == "RGBA" or max(high for _, high in difference.getextrema()) < 25
