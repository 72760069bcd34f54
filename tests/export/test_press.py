"""Test press files: the rules of PDF/X, their rendered plates, and their colours."""

import io
import re
import subprocess
from functools import cache
from itertools import product

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageCms

from generator.pdf.press.profile import PressInks, load_profile
from tests.tools.check_pdfx import faults, plates
from tests.tools.make_deck import deck
from tests.tools.make_pack import make, svg
from tests.tools.read_pdf import fonts, read, render

GRADIENT = svg(
    '<linearGradient id="g"><stop stop-color="#c00"/><stop offset="0.5" stop-color="#fff"/>'
    '<stop offset="1" stop-color="#00f"/>'
    '</linearGradient><rect width="10" height="10" fill="url(#g)"/>'
)
LAYOUT = """\
- fill: "#5d7f4e"
- svg: art/g.svg
  box: [10, 40, 40, 20]
- image: art/p.png
  box: [10, 62, 20, 20]
- shape: {rect: [40, 65, 10, 10], fill: black}
- text: Black words on it
  box: [5, 8, 50, 10]
  style: words
"""
WORDS = "  words: {size: 5mm, colour: '#000000'}"
CLEAR = "- shape: {circle: [31, 50], r: 8mm, fill: red}\n- svg: art/c.svg\n  box: [5, 20, 20, 20]\n"


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    noise = np.random.default_rng(7).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, "PNG")
    files = {
        "art/g.svg": GRADIENT,
        "art/c.svg": svg('<rect width="10" height="10" fill="#00f" opacity="0.5"/>'),
        "art/p.png": buffer.getvalue(),
        "layouts/back.yaml": "- fill: red\n" + CLEAR,
    }
    component = "back: layouts/back.yaml"
    return make(
        tmp_path_factory.mktemp("press") / "pack",
        LAYOUT,
        "id,count\na,2\n",
        WORDS,
        component,
        "poker",
        files,
    )


@pytest.fixture(scope="module")
def exported(pack, pnp, tmp_path_factory):
    """Return a function that gives the file of the pack for a target, and the result of its export."""
    return cache(lambda target: export_pack(pnp, target, pack, tmp_path_factory.mktemp(target)))


def export_pack(pnp, target, pack, out, *more):
    result = pnp("export", target, pack, "-o", out, *more)
    assert result.exit_code == 0, result.output
    (path,) = (out / pack.name / target).glob("*.pdf")
    return path, result


@pytest.mark.parametrize(("target", "standard"), [("drive-thru-cards", "x-1a"), ("press", "x-4")])
def test_press_file_keeps_rules_of_its_pdf_x_standard(target, standard, exported):
    path, _ = exported(target)
    assert faults(path.read_bytes(), standard) == []
    assert all(fonts(path).values())
    with pikepdf.open(path) as pdf:
        assert not pdf.check_pdf_syntax()


def test_pdf_x_checker_reports_faults_of_ordinary_sheets(pack, tmp_path, pnp):
    assert pnp("build", pack, "-o", tmp_path, "--paper", "a4", "--what", "sheets").exit_code == 0
    (path,) = tmp_path.rglob("*.pdf")
    report = "\n".join(faults(path.read_bytes(), "x-1a"))
    for subject in (
        "file header",
        "output intents",
        "identification",
        "colour",
        "transparency",
        "page boxes",
        "trapping",
    ):
        assert subject in report


def test_backs_precede_fronts_at_page_size_of_the_shop(exported):
    path, result = exported("drive-thru-cards")
    with pikepdf.open(path) as pdf:
        boxes = [
            [float(edge) / 72 for edge in page.obj[key]]
            for page in pdf.pages
            for key in ("/MediaBox", "/TrimBox")
        ]
    assert len(boxes) == 8, "two boxes for each of two backs and two fronts"
    assert boxes[0] == pytest.approx([0, 0, 2.75, 3.75], abs=0.001)
    assert boxes[1] == pytest.approx([0.125, 0.125, 2.625, 3.625], abs=0.001)
    colours = [render(path, page, 30)[55, 6].tolist() for page in range(4)]
    assert colours[0] == colours[2]
    assert colours[0][0] > colours[0][1] + 90, "a red back"
    assert colours[1][1] > colours[1][0], "a green face"
    assert "PDF/X-1a:2003 allows no transparency, so these are pixels: " in result.stderr


def test_transparency_becomes_pixels_at_600_dpi_and_the_rest_stays_vector(exported):
    path, _ = exported("drive-thru-cards")
    with pikepdf.open(path) as pdf:
        image_sizes = []
        for page in list(pdf.pages)[:2]:
            (form,) = page.obj.Resources.XObject.values()
            images = form.Resources.get("/XObject", {}).values()
            image_sizes.append([(int(i.Width), int(i.Height)) for i in images if "/Width" in i])
    assert image_sizes[0] == [(1650, 2250)]
    assert (1650, 2250) not in image_sizes[1]


@pytest.mark.parametrize("target", ["drive-thru-cards", "press"])
def test_ink_on_plates_stays_within_limit(target, exported):
    path, result = exported(target)
    data = path.read_bytes()
    heaviest = max(plates(data, page, 100).sum(-1).max() for page in range(2))
    assert 1.5 < heaviest <= 2.43, "the limit is 240 %, and each plate may be off by 1 %"
    assert "% ink in one place" in result.stderr


@pytest.mark.parametrize(
    ("inks", "is_changed"), [((255, 255, 255, 255), True), ((200, 100, 0, 90), False)]
)
def test_cmyk_picture_is_changed_only_if_it_has_too_much_ink(inks, is_changed, tmp_path, pnp):
    buffer = io.BytesIO()
    Image.new("CMYK", (400, 400), inks).save(buffer, "JPEG", quality=100)
    layout = "- image: art/p.jpg\n  box: [10, 10, 40, 40]\n"
    pack = make(tmp_path / "pack", layout, size="poker", files={"art/p.jpg": buffer.getvalue()})
    path, result = export_pack(pnp, "press", pack, tmp_path)
    expected = 2.4 if is_changed else sum(inks) / 255
    assert f"at most {expected * 100:.0f} % ink in one place" in result.stderr
    data = path.read_bytes()
    if is_changed:
        assert plates(data, 0, 100).sum(-1).max() == pytest.approx(expected, abs=0.03)
    else:
        assert b"/DCTDecode" in data, "the JPEG is stored unchanged"


def test_black_text_is_pure_black_and_overprints(exported):
    data = exported("press")[0].read_bytes()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (face,) = pdf.pages[0].obj.Resources.XObject.values()
        content = pikepdf.parse_content_stream(face)
        steps = [(str(item.operator), [str(part) for part in item.operands]) for item in content]
    begin = next(n for n, (name, _) in enumerate(steps) if name == "BT")
    assert steps[begin - 2 : begin] == [("k", ["0", "0", "0", "1"]), ("gs", ["/PnpOver"])]
    assert face.Resources.ExtGState.PnpOver.op
    assert int(face.Resources.ExtGState.PnpOver.OPM) == 1
    inks = plates(data, 0, 150)
    words = inks[
        int(11 / 25.4 * 150) : int(21 / 25.4 * 150), int(8 / 25.4 * 150) : int(50 / 25.4 * 150)
    ]
    assert words[..., 3].max() > 0.98


def test_black_areas_are_rich_black_only_if_asked_for(pack, tmp_path, pnp, exported):
    data = export_pack(pnp, "press", pack, tmp_path, "--black", "rich")[0].read_bytes()
    at = tuple(int((place + 3) / 25.4 * 100) for place in (70, 45))
    assert plates(data, 0, 100)[at].tolist() == pytest.approx([0.6, 0.4, 0.4, 1], abs=0.01)
    plain = exported("press")[0].read_bytes()
    assert plates(plain, 0, 100)[at].tolist() == pytest.approx([0, 0, 0, 1], abs=0.01)


@pytest.mark.parametrize("count", [1, 69, 70, 71, 700])
def test_shop_file_has_a_page_for_every_side_of_every_copy(count, tmp_path, pnp):
    path, _ = export_pack(
        pnp, "drive-thru-cards", deck(tmp_path / "pack", 1, copies=count), tmp_path
    )
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == 2 * count


def test_own_press_profile_must_be_for_cmyk(pack, tmp_path, pnp):
    other = tmp_path / "screen.icc"
    other.write_bytes(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    result = pnp("export", "press", pack, "-o", tmp_path / "out", "--profile", other)
    assert result.exit_code == 3
    assert "screen.icc is for RGB colours" in result.stderr
    other.write_bytes(b"no profile")
    result = pnp("export", "press", pack, "-o", tmp_path / "out", "--profile", other)
    assert "screen.icc cannot be read" in result.stderr
    mine = tmp_path / "mine.icc"
    mine.write_bytes(load_profile())
    export_pack(pnp, "press", pack, tmp_path, "--profile", mine)


def test_same_game_gives_same_press_file(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 2)
    assert (
        len(
            {
                export_pack(pnp, "press", pack, tmp_path / out)[0].read_bytes()
                for out in ("one", "two")
            }
        )
        == 1
    )


def lab(pixels, source):
    """Return the CIELAB values of colours through a profile."""
    to = ImageCms.createProfile("LAB")
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
    mode = "CMYK" if pixels.shape[1] == 4 else "RGB"
    image = Image.frombytes(mode, (len(pixels), 1), pixels.astype(np.uint8).tobytes())
    change = ImageCms.buildTransform(
        source, to, mode, "LAB", ImageCms.Intent.RELATIVE_COLORIMETRIC, flags
    )
    raw = (
        np.frombuffer(ImageCms.applyTransform(image, change).tobytes(), np.uint8)
        .reshape(-1, 3)
        .astype(float)
    )
    signed = np.where(raw[:, 1:] > 127, raw[:, 1:] - 256, raw[:, 1:])
    return np.concatenate([raw[:, :1] / 2.55, signed], 1)


def colour_difference(one, two):
    """Return the CIEDE2000 difference of colours, after the paper of its authors."""
    l1, a1, b1 = one.T
    l2, a2, b2 = two.T
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    a1 = a1 * (1 + g)
    a2 = a2 * (1 + g)
    c1 = np.hypot(a1, b1)
    c2 = np.hypot(a2, b2)
    h1 = np.degrees(np.arctan2(b1, a1)) % 360
    h2 = np.degrees(np.arctan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    dl = l2 - l1
    dc = c2 - c1
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    lm = (l1 + l2) / 2
    cm = (c1 + c2) / 2
    hm = (h1 + turn / 2) % 360
    cos = [np.cos(np.radians(n * hm + off)) for n, off in ((1, -30), (2, 0), (3, 6), (4, -63))]
    t = 1 - 0.17 * cos[0] + 0.24 * cos[1] + 0.32 * cos[2] - 0.2 * cos[3]
    sl = 1 + 0.015 * (lm - 50) ** 2 / np.sqrt(20 + (lm - 50) ** 2)
    sc = 1 + 0.045 * cm
    sh = 1 + 0.015 * cm * t
    bend = (
        -np.sin(np.radians(60 * np.exp(-(((hm - 275) / 25) ** 2))))
        * 2
        * np.sqrt(cm**7 / (cm**7 + 25.0**7))
    )
    return np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + bend * dc / sc * dh / sh)


def test_colour_difference_matches_published_examples():
    one = np.array([[50, 2.6772, -79.7751], [50, 0, 0], [2.0776, 0.0795, -1.135]])
    two = np.array([[50, 0, -82.7485], [50, -1, 2], [0.9033, -0.0636, -0.5514]])
    assert colour_difference(one, two) == pytest.approx([2.0425, 2.3669, 0.9082], abs=1e-4)


def test_printable_colours_stay_close_in_cmyk():
    """Measure the figures of docs/exports.md on a chart of 343 colours."""
    inks = PressInks()
    chart = np.array(list(product(range(0, 256, 42), repeat=3)), float)
    printed = np.array(
        [[round(255 * part) for part in inks.convert(colour / 255)] for colour in chart]
    )
    press = ImageCms.ImageCmsProfile(io.BytesIO(load_profile()))
    off = colour_difference(lab(chart, ImageCms.createProfile("sRGB")), lab(printed, press))
    soft = off[(chart.max(1) - chart.min(1)) <= 84]
    assert off.mean() < 6.5
    assert soft.mean() < 2.5
    assert np.median(off) < 4.5


def test_cmyk_sheets_have_same_layout_as_rgb_sheets(pack, tmp_path, pnp):
    for colour in ("rgb", "cmyk"):
        result = pnp(
            "build",
            pack,
            "-o",
            tmp_path / colour,
            "--paper",
            "a4",
            "--what",
            "sheets",
            "--colour",
            colour,
        )
        assert result.exit_code == 0, result.output
    plain, inked = (next((tmp_path / colour).rglob("*.pdf")) for colour in ("rgb", "cmyk"))
    assert "sheets in inks by pnp coated" in result.stderr
    assert [
        fault
        for fault in faults(inked.read_bytes(), "x-4")
        if fault.startswith(("colour", "output", "fonts"))
    ] == []
    for item, two in zip(read(plain), read(inked), strict=True):
        assert [(form.x, form.y, form.w, form.h, form.turn) for form in item.forms] == [
            (form.x, form.y, form.w, form.h, form.turn) for form in two.forms
        ]
        assert item.strokes == two.strokes
        assert item.text == two.text
    assert np.abs(render(plain, 0, 40) - render(inked, 0, 40)).mean() < 8


GOLD = """\
- fill: white
- shape: {rect: [10, 10, 20, 20], fill: $gold}
- shape: {rect: [35, 10, 20, 20], fill: "#b08d58"}
"""


@pytest.fixture(scope="module")
def pack_with_gold(tmp_path_factory):
    more = "press:\n  spots: {gold: 'PANTONE 871 C'}\n  profile: press/own.icc\n"
    folder = make(
        tmp_path_factory.mktemp("spots") / "pack",
        GOLD,
        "id\na\n",
        more,
        size="poker",
        files={"press/own.icc": load_profile("pnp-uncoated")},
    )
    text = (folder / "game.yaml").read_text().replace('blue: "#0000ff"', 'gold: "#b08d57"')
    (folder / "game.yaml").write_text(text)
    return folder


def test_spot_colour_of_palette_is_an_ink_of_its_own(pack_with_gold, tmp_path, pnp):
    path, result = export_pack(pnp, "press", pack_with_gold, tmp_path)
    assert "inks of their own: PANTONE 871 C" in result.stderr
    assert faults(path.read_bytes(), "x-4") == []
    with pikepdf.open(path) as pdf:
        spaces = [
            form.Resources.ColorSpace
            for form in forms(pdf)
            if "/ColorSpace" in form.get("/Resources", {})
        ]
        names = {str(space[1]) for item in spaces for space in item.values()}
    assert names == {"/PANTONE 871 C"}
    pixels = render(path, 0, 100)
    at = [int((place + 3) / 25.4 * 100) for place in (20, 20, 45)]
    assert np.abs(pixels[at[0], at[1]] - pixels[at[0], at[2]].astype(int)).max() < 12, (
        "the spot ink looks nearly like the mixed colour beside it"
    )


def forms(pdf):
    return [
        thing
        for thing in pdf.objects
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
    ]


def test_press_profile_of_pack_is_used_unless_an_option_names_another(
    pack_with_gold, tmp_path, pnp
):
    for target, more in (("press", ()), ("drive-thru-cards", ())):
        path, _ = export_pack(pnp, target, pack_with_gold, tmp_path, *more)
        with pikepdf.open(path) as pdf:
            assert "uncoated" in str(pdf.Root.OutputIntents[0].Info)
    path, _ = export_pack(
        pnp, "press", pack_with_gold, tmp_path / "option", "--profile", "pnp-coated"
    )
    with pikepdf.open(path) as pdf:
        assert "pnp coated" in str(pdf.Root.OutputIntents[0].Info)
    result = pnp("export", "press", pack_with_gold, "-o", tmp_path, "--profile", "pnp-cotaed")
    assert result.exit_code == 2
    assert "unknown profile 'pnp-cotaed'" in result.output
    assert "did you mean 'pnp-coated'?" in result.output


@pytest.mark.parametrize(
    ("press", "message"),
    [
        ("{spots: {golf: Gold}}", "unknown colour of the palette 'golf'"),
        ("{profile: press/none.icc}", "no file 'press/none.icc'"),
        ("{profile: ../secret.icc}", "'../secret.icc' is not a file of the pack"),
    ],
)
def test_invalid_press_settings_are_refused(press, message, tmp_path, pnp):
    pack = make(tmp_path / "pack", more=f"press: {press}")
    result = pnp("check", pack)
    assert result.exit_code in {3, 5}
    assert message in result.output
    assert "game.yaml:" in result.output


MASKED = svg(
    '<mask id="m"><rect width="10" height="10" fill="#808080"/></mask>'
    '<rect width="10" height="5" fill="#000" mask="url(#m)"/><rect width="10" height="4" y="6" fill="#000"/>'
)


def test_mask_keeps_its_lightness_in_press_file(tmp_path, pnp):
    """Compare a half transparent black area with an opaque one."""
    layout = "- fill: white\n- svg: art/m.svg\n  box: [10, 10, 30, 30]\n"
    pack = make(tmp_path / "pack", layout, size="poker", files={"art/m.svg": MASKED})
    path, _ = export_pack(pnp, "press", pack, tmp_path)
    assert faults(path.read_bytes(), "x-4") == []
    with pikepdf.open(path) as pdf:
        states = [
            state.SMask.G
            for form in forms(pdf)
            for state in form.get("/Resources", {}).get("/ExtGState", {}).values()
            if "/SMask" in state and state.SMask != "/None"
        ]
        for group in states:
            names = {str(item.operator) for item in pikepdf.parse_content_stream(group)}
            assert not names & {"k", "K", "rg", "RG"}
    pixels = render(path, 0, 100)
    half, full = (
        pixels[int((down + 3) / 25.4 * 100), int((25 + 3) / 25.4 * 100)].mean() for down in (17, 34)
    )
    assert 255 - half == pytest.approx((255 - full) * 128 / 255, abs=4)


@pytest.mark.parametrize(("target", "front"), [("drive-thru-cards", 1), ("press", 0)])
def test_16_bit_picture_has_the_inks_of_the_same_8_bit_picture(target, front, tmp_path, pnp):
    levels = np.tile(np.arange(0, 256, 4, dtype=np.uint16), (64, 1))
    pages = []
    for name, array in [("deep", levels * 257), ("flat", levels.astype(np.uint8))]:
        buffer = io.BytesIO()
        Image.fromarray(array).save(buffer, "PNG")
        layout = "- image: art/p.png\n  box: [10, 10, 40, 40]\n"
        files = {"art/p.png": buffer.getvalue()}
        path, _ = export_pack(
            pnp, target, make(tmp_path / name, layout, size="poker", files=files), tmp_path
        )
        pages.append(render(path, front, 100).astype(int))
    assert np.ptp(pages[1]) > 150
    assert np.abs(pages[0] - pages[1]).max() <= 1


def test_file_of_one_page_is_reported_in_the_singular(tmp_path, pnp):
    pack = make(tmp_path / "pack", "- fill: red\n", "id\na\n", size="poker")
    _, result = export_pack(pnp, "press", pack, tmp_path)
    assert ": 1 page, PDF/X-4" in result.output


SEPARATED = ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=tiffsep", "-r72"]


@pytest.mark.press
@pytest.mark.parametrize(("target", "standard"), [("drive-thru-cards", "x-1a"), ("press", "x-4")])
def test_qpdf_and_ghostscript_accept_press_file(target, standard, pack, tmp_path, pnp):
    """Check the structure with qpdf and separate the plates with Ghostscript."""
    path, result = export_pack(pnp, target, pack, tmp_path)
    checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    command = [*SEPARATED, f"-sOutputFile={tmp_path}/plate-%d.tif"]
    separation = subprocess.run([*command, path], capture_output=True, text=True, check=False)
    assert separation.returncode == 0
    assert separation.stdout + separation.stderr == ""
    plates_of_first = sorted(entry.name for entry in tmp_path.glob("plate-1(*).tif"))
    assert [name[8:-5] for name in plates_of_first] == ["Black", "Cyan", "Magenta", "Yellow"], (
        "four inks, no other"
    )
    ink = (
        sum(255.0 - np.asarray(Image.open(item), float) for item in tmp_path.glob("plate-1(*).tif"))
        / 255
    )
    ink_limits = [float(number) / 100 for number in re.findall(r"(\d+) %", result.stderr)]
    assert 1.0 < ink.max() <= max(ink_limits) + 0.03
    assert ink_limits[0] <= 2.4
    assert len(ink_limits) == (2 if standard == "x-4" else 1), (
        "overprinted text adds to the ink below it"
    )


@pytest.mark.press
def test_spot_colour_is_separated_onto_its_own_plate(pack_with_gold, tmp_path, pnp):
    path, _ = export_pack(pnp, "press", pack_with_gold, tmp_path)
    command = [*SEPARATED, f"-sOutputFile={tmp_path}/p.tif"]
    subprocess.run([*command, path], check=True, capture_output=True)
    (plate,) = tmp_path.glob("p*(PANTONE 871 C).tif")
    with Image.open(plate) as image:
        pixels = np.asarray(image)
    at = int(23 / 25.4 * 72)
    assert (pixels[at, at], pixels[at, int(48 / 25.4 * 72)]) == (0, 255), (
        "full ink in the spot colour, none in the colour beside it"
    )


def test_black_text_in_a_spot_ink_is_printed_with_that_ink(tmp_path, pnp):
    pack = make(
        tmp_path / "pack",
        "- text: Words\n  box: [10, 10, 40, 10]\n  style: body\n",
        "id\na\n",
        "press:\n  spots: {ink: 'PANTONE Black 7 C'}\n",
        size="poker",
    )
    manifest = pack / "game.yaml"
    manifest.write_text(manifest.read_text().replace('ink: "#20302a"', 'ink: "#000000"'))
    path, _ = export_pack(pnp, "press", pack, tmp_path)
    assert inks_of_text(path) == {"/PANTONE Black 7 C"}


def inks_of_text(path):
    """Return the spot inks in which text is set, and `k` for the four process inks."""
    inks = set()
    with pikepdf.open(path) as pdf:
        for form in forms(pdf):
            ink = None
            for operands, operator in pikepdf.parse_content_stream(form):
                if str(operator) == "cs":
                    ink = str(form.Resources.ColorSpace[str(operands[0])][1])
                elif str(operator) == "k":
                    ink = "k"
                elif str(operator) in {"Tj", "TJ"}:
                    inks.add(ink)
    return inks
