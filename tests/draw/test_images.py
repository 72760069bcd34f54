"""Test pixel pictures: their colours, their place in a box, and their extension into the bleed."""

import base64
import io

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageColor

from generator.base.worker import Worker
from generator.picture.images import uncompressed_address
from generator.picture.resvg import render_png
from tests.tools.make_pack import make, problems, render_design, svg
from tests.tools.read_pdf import render

RED = (255, 0, 0)
BLUE = (0, 0, 255)
GREEN = (0, 160, 0)


def picture(width=40, height=40, mode="RGB", **parts):
    """Return a red picture with a blue left half and perhaps another band at the top."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(parts.get("left", BLUE), (0, 0, width // 2, height))
    if "top" in parts:
        image.paste(parts["top"], (0, 0, width, height // 4))
    return image.convert(mode)


def data(image, kind="PNG", **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def is_colour_at(colour, picture, x, y):
    """Return True if a pixel has nearly a colour; JPEG is never exact."""
    pixel = picture.at(x, y)
    return bool(pixel) and all(
        abs(int(pixel[i : i + 2], 16) - c) < 40 for i, c in zip((1, 3, 5), colour, strict=True)
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
def test_picture_of_every_file_format_is_rendered(form, tmp_path):
    rendered = render_design(
        make(
            tmp_path,
            "- image: art/a.png\n  box: [10, 10, 20, 20]\n",
            files={"art/a.png": FORMS[form]},
        )
    )
    assert rendered.box() == (10, 10, 30, 30)
    assert is_colour_at(BLUE, rendered, 12, 20)
    assert is_colour_at(RED, rendered, 28, 20)


@pytest.mark.parametrize("mode", ["L", "LA", "1", "I;16", "P", "RGBA"])
@pytest.mark.parametrize("extend", ["none", "mirror", "edge"])
def test_picture_of_every_colour_mode_fills_the_bleed(mode, extend, tmp_path):
    image = Image.new(mode, (40, 40)) if mode == "I;16" else picture(mode=mode)
    pack = make(
        tmp_path, f"- image: art/a.png\n  extend: {extend}\n", files={"art/a.png": data(image)}
    )
    assert render_design(pack).box() == (-3, -3, 43, 43)


@pytest.mark.parametrize("side", [100, 4000], ids=["coarser", "finer"])
def test_cmyk_jpeg_keeps_its_colours_in_card_and_bleed(side, tmp_path):
    """Render a CMYK JPEG, cyan at the left and red at the right, extended into the bleed."""
    image = Image.new("CMYK", (side, side), (255, 0, 0, 0))
    image.paste((0, 255, 255, 0), (side // 2, 0, side, side))
    files = {"art/a.jpg": data(image, "JPEG", quality=95)}
    rendered = render_design(make(tmp_path, "- image: art/a.jpg\n  extend: mirror\n", files=files))
    for x, colour in (
        (-2, (0, 255, 255)),
        (10, (0, 255, 255)),
        (30, (255, 0, 0)),
        (42, (255, 0, 0)),
    ):
        assert ImageColor.getrgb(rendered.at(x, 20)) == pytest.approx(colour, abs=40)


def test_cmyk_jpeg_inside_svg_keeps_its_colour(tmp_path):
    encoded = base64.b64encode(
        data(Image.new("CMYK", (60, 60), (255, 0, 0, 0)), "JPEG", quality=95)
    ).decode()
    art = svg(f'<image width="10" height="10" href="data:image/jpeg;base64,{encoded}"/>')
    rendered = render_design(
        make(tmp_path, "- svg: a.svg\n  box: [0, 0, 40, 40]\n", files={"a.svg": art})
    )
    assert all(
        ImageColor.getrgb(rendered.at(x, 20)) == pytest.approx((0, 255, 255), abs=9)
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
def test_picture_fits_its_box_by_fit_and_position(fit, position, tmp_path):
    """Fit a picture twice as wide as high, blue at the left, into a square box."""
    layout = f"- image: art/a.png\n  box: [10, 10, 20, 20]\n  fit: {fit}\n  position: {position}\n"
    rendered = render_design(make(tmp_path, layout, files={"art/a.png": data(picture(80, 40))}))
    box, left = FITS[fit, position]
    assert rendered.box() == box
    middle = (box[1] + box[3]) / 2
    assert is_colour_at(left, rendered, 12, middle)
    assert is_colour_at(RED, rendered, 28, middle) is (position != "left")


def test_picture_without_box_covers_the_bleed(tmp_path):
    assert render_design(
        make(tmp_path, "- image: art/a.png\n", files={"art/a.png": data(picture())})
    ).box() == (-3, -3, 43, 43)


def striped(width, height):
    """Return a picture in which every pixel has a colour of its own."""
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
def test_mirrored_bleed_reflects_picture_at_the_trim(width, height, position, tmp_path):
    """Compare colours at the same distance outside and inside the trim."""
    layout = f"- image: art/a.png\n  extend: mirror\n  position: {position}\n"
    rendered = render_design(
        make(tmp_path, layout, files={"art/a.png": data(striped(width, height))})
    )
    for distance in (0.3, 1, 2.5):
        pairs = [((-distance, 20), (distance, 20)), ((40 + distance, 20), (40 - distance, 20))]
        pairs += [((20, -distance), (20, distance)), ((20, 40 + distance), (20, 40 - distance))]
        pairs += [((-distance, -distance), (distance, distance))]
        for outside, inside in pairs:
            a, b = (
                np.array([int(rendered.at(*p)[i : i + 2], 16) for i in (1, 3, 5)])
                for p in (outside, inside)
            )
            assert abs(a - b).max() <= 6, (outside, inside)


@pytest.mark.parametrize("position", ["center", "right"])
def test_edge_bleed_continues_colours_at_the_trim(position, tmp_path):
    layout = f"- image: art/a.png\n  extend: edge\n  position: {position}\n"
    rendered = render_design(make(tmp_path, layout, files={"art/a.png": data(striped(800, 400))}))
    for outside, inside in [
        ((-2.5, 20), (0.1, 20)),
        ((42.5, 20), (39.9, 20)),
        ((20, -2.5), (20, 0.1)),
        ((-2, -2), (0.1, 0.1)),
    ]:
        a, b = (
            np.array([int(rendered.at(*p)[i : i + 2], 16) for i in (1, 3, 5)])
            for p in (outside, inside)
        )
        assert abs(a - b).max() <= 6, (outside, inside)


def test_extend_is_refused_for_picture_that_may_not_fill_its_box(tmp_path):
    pack = make(
        tmp_path,
        "- image: art/a.png\n  fit: contain\n  extend: edge\n",
        files={"art/a.png": data(picture())},
    )
    assert "`extend` needs a picture that fills its box" in problems(pack)


@pytest.mark.parametrize("turn", range(2, 9))
def test_photograph_with_exif_orientation_stands_upright(turn, tmp_path):
    upright = picture(80, 40, left=BLUE, top=GREEN)
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[turn]
    exif = Image.Exif()
    exif[0x0112] = turn
    photo = data(upright.transpose(back), "JPEG", quality=95, exif=exif)
    rendered = render_design(
        make(tmp_path, "- image: art/a.jpg\n  box: [0, 10, 40, 20]\n", files={"art/a.jpg": photo})
    )
    assert is_colour_at(GREEN, rendered, 20, 12)
    assert is_colour_at(BLUE, rendered, 5, 25)
    assert is_colour_at(RED, rendered, 35, 25)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a pixel image"),
        (b"<svg/>", "is not a pixel image"),
        (data(picture(), "GIF"), "has the format GIF"),
        (data(striped(200, 200))[:300], "is not a picture that can be read"),
        (data(striped(200, 200), "JPEG")[:2000], "is not a picture that can be read"),
    ],
    ids=["empty", "svg", "gif", "half a png", "half a jpeg"],
)
def test_unreadable_picture_is_refused(content, message, tmp_path):
    assert message in problems(make(tmp_path, "- image: art/a.png\n", files={"art/a.png": content}))


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((20_000, 4_000), "has 20000 × 4000 pixels\n  expected at most 60 million pixels"),
        ((10_000, 10_000), "has 10000 × 10000 pixels\n  expected at most 60 million pixels"),
        ((20_000, 10_000), "has far too many pixels\n  expected at most 60 million pixels"),
    ],
)
@pytest.mark.parametrize("place", ["image", "in an SVG"])
def test_picture_of_too_many_pixels_is_refused(size, message, place, tmp_path):
    """Expect the refusal before Pillow's own warning, which would fail the test."""
    bomb = data(Image.new("1", size))
    if place == "image":
        pack = make(tmp_path, "- image: art/a.png\n", files={"art/a.png": bomb})
    else:
        address = f"data:image/png;base64,{base64.b64encode(bomb).decode()}"
        body = f'<image width="9" height="9" href="{address}"/>'
        pack = make(tmp_path, "- svg: art/a.svg\n", files={"art/a.svg": svg(body)})
    assert message in problems(pack)


@pytest.mark.parametrize("place", ["image", "in an SVG"])
def test_png_without_its_end_is_refused_at_its_line(place, tmp_path):
    cut = data(Image.new("1", (100, 100)))[:-16]
    if place == "image":
        messages = problems(make(tmp_path, "- image: art/a.png\n", files={"art/a.png": cut}))
    else:
        address = f"data:image/png;base64,{base64.b64encode(cut).decode()}"
        body = f'<image width="9" height="9" href="{address}"/>'
        messages = problems(make(tmp_path, "- svg: art/a.svg\n", files={"art/a.svg": svg(body)}))
    assert messages.startswith("layouts/front.yaml:1: ")
    assert "is incomplete: its end is missing" in messages


def test_jpeg_is_stored_in_pdf_byte_for_byte(tmp_path, monkeypatch, pnp):
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


def test_photograph_of_a_camera_is_rendered_within_the_limits_of_a_worker():
    """Render 2,000 × 3,000 pixels as a comparison of releases does, uncompressed: 24 MB of address."""
    address = uncompressed_address(Image.effect_noise((2000, 3000), 60).convert("RGB"))
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60" viewBox="0 0 40 60">'
        f'<image width="40" height="60" href="{address}"/></svg>'
    )
    with Worker() as worker:
        png = worker.run(render_png, drawing, ())
    assert Image.open(io.BytesIO(png)).size == (40, 60)
