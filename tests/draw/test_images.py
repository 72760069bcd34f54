"""Pictures of pixels: as they are, where they belong, grown through the bleed."""

import base64
import io

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageColor

from tests.tools.make_pack import drawn, make, problems, svg
from tests.tools.read_pdf import render

RED = (255, 0, 0)
BLUE = (0, 0, 255)
GREEN = (0, 160, 0)


def picture(width=40, height=40, mode="RGB", **parts):
    """Red, with a blue left half and a green band at the top, unless said otherwise."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(parts.get("left", BLUE), (0, 0, width // 2, height))
    if "top" in parts:
        image.paste(parts["top"], (0, 0, width, height // 4))
    return image.convert(mode)


def data(image, kind="PNG", **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def name(colour, picture, x, y):
    """Return True if a pixel has nearly that colour; JPEG is never exact."""
    seen = picture.at(x, y)
    return bool(seen) and all(
        abs(int(seen[i : i + 2], 16) - c) < 40 for i, c in zip((1, 3, 5), colour, strict=True)
    )


FORMS = {
    "png": data(picture()),
    "png with a palette": data(picture().quantize(4)),
    "png with alpha": data(picture(mode="RGBA")),
    "interlaced by its bits": data(picture(), optimize=True),
    "jpeg": data(picture(), "JPEG", quality=95, subsampling=0),
    "progressive jpeg": data(picture(), "JPEG", quality=95, progressive=True),
    "phone": data(picture(), "MPO", save_all=True, append_images=[picture()], quality=95),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_drawn(form, tmp_path):
    seen = drawn(
        make(
            tmp_path,
            "- image: art/a.png\n  box: [10, 10, 20, 20]\n",
            files={"art/a.png": FORMS[form]},
        )
    )
    assert seen.box() == (10, 10, 30, 30)
    assert name(BLUE, seen, 12, 20)
    assert name(RED, seen, 28, 20)


@pytest.mark.parametrize("mode", ["L", "LA", "1", "I;16", "P", "RGBA"])
@pytest.mark.parametrize("extend", ["none", "mirror", "edge"])
def test_every_kind_of_colour_is_taken(mode, extend, tmp_path):
    image = Image.new(mode, (40, 40)) if mode == "I;16" else picture(mode=mode)
    pack = make(
        tmp_path, f"- image: art/a.png\n  extend: {extend}\n", files={"art/a.png": data(image)}
    )
    assert drawn(pack).box() == (-3, -3, 43, 43)


@pytest.mark.parametrize("side", [100, 4000], ids=["coarser", "finer"])
def test_the_colours_of_a_print_shop(side, tmp_path):
    """A CMYK JPEG, cyan at the left and red at the right, is drawn and grown through the bleed in the same colours."""
    image = Image.new("CMYK", (side, side), (255, 0, 0, 0))
    image.paste((0, 255, 255, 0), (side // 2, 0, side, side))
    files = {"art/a.jpg": data(image, "JPEG", quality=95)}
    seen = drawn(make(tmp_path, "- image: art/a.jpg\n  extend: mirror\n", files=files))
    for x, colour in (
        (-2, (0, 255, 255)),
        (10, (0, 255, 255)),
        (30, (255, 0, 0)),
        (42, (255, 0, 0)),
    ):
        assert ImageColor.getrgb(seen.at(x, 20)) == pytest.approx(colour, abs=40)


def test_a_picture_in_inks_is_drawn_within_art(tmp_path):
    held = base64.b64encode(
        data(Image.new("CMYK", (60, 60), (255, 0, 0, 0)), "JPEG", quality=95)
    ).decode()
    art = svg(f'<image width="10" height="10" href="data:image/jpeg;base64,{held}"/>')
    seen = drawn(make(tmp_path, "- svg: a.svg\n  box: [0, 0, 40, 40]\n", files={"a.svg": art}))
    assert all(
        ImageColor.getrgb(seen.at(x, 20)) == pytest.approx((0, 255, 255), abs=9)
        for x in (2, 13, 24, 35)
    )


FITS = {
    ("contain", "center"): ((10, 15, 30, 25), BLUE),
    ("contain", "top"): ((10, 10, 30, 20), BLUE),
    ("contain", "bottom"): ((10, 20, 30, 30), BLUE),
    ("cover", "center"): ((10, 10, 30, 30), BLUE),
    ("cover", "left"): ((10, 10, 30, 30), BLUE),
    ("cover", "right"): ((10, 10, 30, 30), RED),
    ("stretch", "center"): ((10, 10, 30, 30), BLUE),
}


@pytest.mark.parametrize(("fit", "position"), FITS)
def test_how_it_fits_its_box(fit, position, tmp_path):
    """Twice as wide as high, blue at the left, in a square box."""
    layout = f"- image: art/a.png\n  box: [10, 10, 20, 20]\n  fit: {fit}\n  position: {position}\n"
    seen = drawn(make(tmp_path, layout, files={"art/a.png": data(picture(80, 40))}))
    box, left = FITS[fit, position]
    assert seen.box() == box
    middle = (box[1] + box[3]) / 2
    assert name(left, seen, 12, middle)
    assert name(RED, seen, 28, middle) is (position != "left")


def test_without_a_box_it_covers_the_bleed(tmp_path):
    assert drawn(
        make(tmp_path, "- image: art/a.png\n", files={"art/a.png": data(picture())})
    ).box() == (-3, -3, 43, 43)


def striped(width, height):
    """Columns, each of its own colour, so that one sees which is where."""
    image = Image.new("RGB", (width, height))
    image.putdata(
        [
            (x * 255 // (width - 1), 0, 255 * y // (height - 1))
            for y in range(height)
            for x in range(width)
        ]
    )
    return image


@pytest.mark.parametrize(("width", "height"), [(400, 400), (800, 400), (400, 800)])
@pytest.mark.parametrize("position", ["center", "left", "bottom"])
def test_the_mirror_image_meets_the_picture(width, height, position, tmp_path):
    """The bleed mirrors the picture at the trim."""
    layout = f"- image: art/a.png\n  extend: mirror\n  position: {position}\n"
    seen = drawn(make(tmp_path, layout, files={"art/a.png": data(striped(width, height))}))
    for distance in (0.3, 1, 2.5):
        pairs = [((-distance, 20), (distance, 20)), ((40 + distance, 20), (40 - distance, 20))]
        pairs += [((20, -distance), (20, distance)), ((20, 40 + distance), (20, 40 - distance))]
        pairs += [((-distance, -distance), (distance, distance))]
        for outside, inside in pairs:
            a, b = (
                np.array([int(seen.at(*p)[i : i + 2], 16) for i in (1, 3, 5)])
                for p in (outside, inside)
            )
            assert abs(a - b).max() <= 6, (outside, inside)


@pytest.mark.parametrize("position", ["center", "right"])
def test_the_edge_goes_on(position, tmp_path):
    layout = f"- image: art/a.png\n  extend: edge\n  position: {position}\n"
    seen = drawn(make(tmp_path, layout, files={"art/a.png": data(striped(800, 400))}))
    for outside, inside in [
        ((-2.5, 20), (0.1, 20)),
        ((42.5, 20), (39.9, 20)),
        ((20, -2.5), (20, 0.1)),
        ((-2, -2), (0.1, 0.1)),
    ]:
        a, b = (
            np.array([int(seen.at(*p)[i : i + 2], 16) for i in (1, 3, 5)])
            for p in (outside, inside)
        )
        assert abs(a - b).max() <= 6, (outside, inside)


def test_what_need_not_fill_its_box_cannot_be_grown(tmp_path):
    pack = make(
        tmp_path,
        "- image: art/a.png\n  fit: contain\n  extend: edge\n",
        files={"art/a.png": data(picture())},
    )
    assert "`extend` needs a picture that fills its box" in problems(pack)


@pytest.mark.parametrize("turn", range(2, 9))
def test_a_photo_that_the_camera_marked_as_turned_stands_upright(turn, tmp_path):
    upright = picture(80, 40, left=BLUE, top=GREEN)
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[turn]
    exif = Image.Exif()
    exif[0x0112] = turn
    photo = data(upright.transpose(back), "JPEG", quality=95, exif=exif)
    seen = drawn(
        make(tmp_path, "- image: art/a.jpg\n  box: [0, 10, 40, 20]\n", files={"art/a.jpg": photo})
    )
    assert name(GREEN, seen, 20, 12)
    assert name(BLUE, seen, 5, 25)
    assert name(RED, seen, 35, 25)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a pixel image"),
        (b"<svg/>", "is not a pixel image"),
        (data(picture(), "GIF"), "is a GIF picture"),
        (data(striped(200, 200))[:300], "is not a picture that can be read"),
        (data(striped(200, 200), "JPEG")[:2000], "is not a picture that can be read"),
    ],
    ids=["empty", "svg", "gif", "half a png", "half a jpeg"],
)
def test_what_is_no_picture(content, said, tmp_path):
    assert said in problems(make(tmp_path, "- image: art/a.png\n", files={"art/a.png": content}))


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((20_000, 4_000), "has 20000 × 4000 pixels\n  expected at most 60 million pixels"),
        ((10_000, 10_000), "has 10000 × 10000 pixels\n  expected at most 60 million pixels"),
        ((20_000, 10_000), "has far too many pixels\n  expected at most 60 million pixels"),
    ],
)
@pytest.mark.parametrize("way", ["image", "in an SVG"])
def test_a_picture_of_too_many_pixels(size, said, way, tmp_path):
    """Pillow warns of some by itself, and refuses others; a warning would fail this test."""
    bomb = data(Image.new("1", size))
    if way == "image":
        pack = make(tmp_path, "- image: art/a.png\n", files={"art/a.png": bomb})
    else:
        address = f"data:image/png;base64,{base64.b64encode(bomb).decode()}"
        body = f'<image width="9" height="9" href="{address}"/>'
        pack = make(tmp_path, "- svg: art/a.svg\n", files={"art/a.svg": svg(body)})
    assert said in problems(pack)


@pytest.mark.parametrize("way", ["image", "in an SVG"])
def test_a_png_without_its_end_is_refused_where_it_is_named(way, tmp_path):
    cut = data(Image.new("1", (100, 100)))[:-16]
    if way == "image":
        said = problems(make(tmp_path, "- image: art/a.png\n", files={"art/a.png": cut}))
    else:
        address = f"data:image/png;base64,{base64.b64encode(cut).decode()}"
        body = f'<image width="9" height="9" href="{address}"/>'
        said = problems(make(tmp_path, "- svg: art/a.svg\n", files={"art/a.svg": svg(body)}))
    assert said.startswith("layouts/front.yaml:1: ")
    assert "is incomplete: its end is missing" in said


def test_a_jpegs_bytes_are_in_the_print_as_they_were(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    photo = data(striped(300, 300), "JPEG", quality=80)
    make(tmp_path / "pack", "- image: art/a.jpg\n", files={"art/a.jpg": photo})
    assert pnp("build", "pack", "--paper", "a4").exit_code == 0
    file = tmp_path / "output/pack/pack-1-sheets-a4.pdf"
    with pikepdf.open(file) as pdf:
        streams = [
            o.read_raw_bytes()
            for o in pdf.objects
            if isinstance(o, pikepdf.Stream) and o.get("/Filter") == "/DCTDecode"
        ]
    assert streams == [photo]
    assert render(file, 0, 50).std() > 10
