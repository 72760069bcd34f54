"""Test `pnp check` on art: texts that the pack sets in a drawing, and embedded images."""

import base64
import io

import pytest
from PIL import Image

from tests.check.test_faults import faults_in, png
from tests.tools.make_pack import make, svg

TEMPLATE = {
    "art/card.svg": svg(
        "<text id='name' x='20' y='{y}' font-size='4' text-anchor='middle'>Drawn</text>",
        "0 0 40 40",
    )
}
SET = "- svg: art/card.svg\n  box: {box}\n  {more}\n  set: {{name: Hamburg}}\n"


def filled_art_faults(folder, y=20.0, box="trim", more="fit: contain", view="0 0 40 40"):
    art = svg(
        f"<text id='name' x='20' y='{y}' font-size='4' text-anchor='middle'>Drawn</text>", view
    )
    return faults_in(make(folder, SET.format(box=box, more=more), files={"art/card.svg": art}))


@pytest.mark.parametrize(
    ("y", "faulty"), [(20, False), (35.5, False), (36.5, True), (6.5, False), (5.5, True)]
)
def test_text_set_in_art_must_keep_safe_distance_from_cut(y, faulty, tmp_path):
    """Hamburg in 4 mm stands about 2.9 mm over its line and hangs 0.8 mm under it."""
    faults = filled_art_faults(tmp_path, y)
    assert bool(faults) is faulty, faults
    if faulty:
        assert "cards:one front: text is " in faults[0]
        assert "keep it 3 mm inside" in faults[0]


def test_text_that_art_had_already_may_lie_near_cut(tmp_path):
    art = svg("<text x='20' y='39' font-size='4' text-anchor='middle'>Drawn</text>", "0 0 40 40")
    assert (
        faults_in(make(tmp_path, "- svg: art/card.svg\n  box: trim\n", files={"art/card.svg": art}))
        == []
    )
    assert "text is " in filled_art_faults(tmp_path / "set", 39.0)[0]


@pytest.mark.parametrize(
    ("box", "more", "faulty"),
    [
        ("[0, 0, 40, 40]", "turn: 0", False),
        ("[0, 18, 40, 40]", "turn: 0", True),
        ("[0, 0, 80, 80]", "turn: 0", True),
        ("[10, 10, 20, 20]", "turn: 90", False),
        ("[0, -15, 20, 60]", "fit: stretch", False),
        ("[-10, -15, 20, 60]", "fit: stretch", True),
        ("[0, 0, 40, 10]", "fit: cover", True),
    ],
)
def test_placement_of_art_decides_whether_its_text_is_near_cut(box, more, faulty, tmp_path):
    """Move, scale, turn, stretch or crop a drawing whose text is in its middle."""
    assert bool(filled_art_faults(tmp_path, 20, box, more)) is faulty


def test_placement_of_group_moves_text_set_in_art(tmp_path):
    layout = (
        "- group:\n  - svg: art/card.svg\n    box: trim\n    set: {name: Hamburg}\n  at: [0, 17]\n"
    )
    assert (
        "text is"
        in faults_in(
            make(tmp_path, layout, files={"art/card.svg": TEMPLATE["art/card.svg"].format(y=20)})
        )[0]
    )


def embedded_image(pixels, attributes="", kind="PNG"):
    out = io.BytesIO()
    Image.new("RGB", (pixels, pixels), "red").save(out, kind)
    address = f"data:image/{kind.lower()};base64," + base64.b64encode(out.getvalue()).decode()
    return f"<image {attributes} href='{address}'/>".replace("href", "xlink:href")


def faults_of_art(folder, body, view="0 0 40 40", layer="svg: art/a.svg\n  box: trim"):
    return faults_in(
        make(folder, f"- fill: red\n- {layer}\n", files={"art/a.svg": svg(body, view)})
    )


@pytest.mark.parametrize(("pixels", "faulty"), [(320, False), (314, True), (100, True)])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_image_in_art_of_too_few_pixels_is_reported_with_its_dpi(pixels, faulty, kind, tmp_path):
    """Embed images of 40 mm, which have 315 pixels at 200 dpi."""
    faults = faults_of_art(tmp_path, embedded_image(pixels, "width='40' height='40'", kind))
    assert bool(faults) is faulty
    if faulty:
        assert (
            f"an image in art/a.svg has {pixels / 40 * 25.4:.0f} dpi at its printed size"
            in faults[0]
        )


EMBEDDINGS = {
    "in a group": ("<g transform='scale(2) rotate(30)'>{image}</g>", 10, 127),
    "by a use": ("<defs>{image}</defs><use xlink:href='#i' transform='scale(4)'/>", 10, 63.5),
    "in a symbol": (
        "<symbol id='s' viewBox='0 0 10 10'>{image}</symbol><use xlink:href='#s' width='20' height='20'/>",
        10,
        127,
    ),
    "in a drawing in it": (
        "<svg x='5' width='20' height='20' viewBox='0 0 10 10'>{image}</svg>",
        10,
        127,
    ),
    "as a fill, in shares of its box": (
        (
            "<defs><pattern id='p' patternContentUnits='objectBoundingBox' width='1' height='1'>"
            "<use xlink:href='#i' transform='scale(0.1)'/></pattern>{image}</defs>"
            "<rect width='20' height='20' fill='url(#p)'/>"
        ),
        10,
        127,
    ),
    "as a fill, in the drawing's units": (
        (
            "<defs><pattern id='p' patternUnits='userSpaceOnUse' width='10' height='10'>{image}</pattern></defs>"
            "<g fill='url(#p)'><circle cx='20' cy='20' r='10'/></g>"
        ),
        10,
        254,
    ),
    "and hidden": ("<g display='none'>{image}</g>", 40, None),
    "and never used": ("<defs>{image}</defs>", 40, None),
}


@pytest.mark.parametrize("embedding", EMBEDDINGS)
def test_embedded_image_is_measured_through_transforms_uses_and_patterns(embedding, tmp_path):
    """Embed 100 pixels at 10 mm, which are 254 dpi, and half of that at twice the size."""
    body, size, dpi = EMBEDDINGS[embedding]
    faults = faults_of_art(
        tmp_path, body.format(image=embedded_image(100, f"id='i' width='{size}' height='{size}'"))
    )
    faults = [fault for fault in faults if "dpi" in fault]
    assert [f"has {dpi:.0f} dpi" in fault for fault in faults] == (
        [True] if dpi and dpi < 200 else []
    ), faults


@pytest.mark.parametrize(
    ("box", "dpi"), [("[0, 0, 10, 10]", 254), ("[0, 0, 20, 20]", 127), ("[0, 0, 10, 20]", 254)]
)
def test_dpi_of_embedded_image_counts_size_of_art_on_card(box, dpi, tmp_path):
    faults = faults_of_art(
        tmp_path,
        embedded_image(100, "width='40' height='40'"),
        layer=f"svg: art/a.svg\n  box: {box}",
    )
    assert [f"has {dpi} dpi" in fault for fault in faults] == ([True] if dpi < 200 else [])


def test_picture_set_in_art_is_reported_by_its_file_name(tmp_path):
    layout = "- fill: red\n- svg: art/a.svg\n  box: trim\n  set: {it: {href: art/small.png}}\n"
    art = svg(embedded_image(400, "id='it' width='40' height='40'"), "0 0 40 40")
    faults = faults_in(
        make(tmp_path, layout, files={"art/a.svg": art, "art/small.png": png(100, 100)})
    )
    assert len(faults) == 1
    assert "art/small.png has 64 dpi" in faults[0]


def test_circular_use_in_art_is_skipped(tmp_path):
    body = "<g id='a'><use xlink:href='#b'/></g><g id='b'></g>" + embedded_image(
        100, "width='40' height='40'"
    )
    assert len(faults_of_art(tmp_path, body)) == 1
