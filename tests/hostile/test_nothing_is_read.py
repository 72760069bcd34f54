"""Test that a picture cannot show other files of the machine: the gate and the engines prevent it."""

import io
import re
from base64 import b64encode
from dataclasses import replace

import pytest
from PIL import Image

from generator.base.errors import InvalidValueError, PnpError
from generator.base.fonts import font_set
from generator.base.geometry import Point, Rect, Size
from generator.base.spill import SpillFile
from generator.base.svg_table import reaches_out
from generator.base.worker import WorkError
from generator.draw.art import gate
from generator.draw.art.gate import MAX_BYTES, MAX_LIST_CHARS, MAX_WORD_CHARS, admit
from generator.pdf.faces import compile_faces
from generator.picture.images import read_pixels
from generator.picture.items import Circle, PlacedImage, Shape
from generator.picture.raster import Rasteriser
from generator.release import release_file
from tests.tools.make_face import face_of_svg, svg_of
from tests.tools.make_pack import make, svg
from tests.tools.make_release import design, release, with_stored_face

ADDRESSES = [
    "#x/../private/photo.png",
    "#../private/photo.png",
    "private/photo.png",
    "./private/photo.png",
]
IMAGE = '<image width="9" height="9" {}="{}"/>'
FILTER = '<filter id="f"><feImage width="9" height="9" {}="{}"/></filter><rect width="9" height="9" filter="url(#f)"/>'


@pytest.fixture
def private_photo(tmp_path, monkeypatch):
    """Return a private photo next to the pack, which paths from the current folder reach."""
    (tmp_path / "private").mkdir()
    (tmp_path / "#x").mkdir()
    Image.new("RGB", (9, 9), "red").save(tmp_path / "private" / "photo.png")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "private" / "photo.png"


@pytest.mark.parametrize("shape", [IMAGE, FILTER])
@pytest.mark.parametrize("address", ADDRESSES)
def test_build_refuses_art_that_refers_outside_the_pack(private_photo, pnp, shape, address):
    art = svg('<g id="x"/>' + shape.format("href", address), "0 0 9 9")
    pack = make(
        private_photo.parents[1] / "pack",
        "- svg: a.svg\n  box: [0, 0, 9, 9]\n",
        files={"a.svg": art},
    )
    for command in ("check", "build"):
        result = pnp(command, pack)
        verb, code = ("refers", 3) if address.startswith("#") else ("links", 5)
        assert result.exit_code == code
        assert f"a.svg {verb} to '{address}'" in result.stderr


@pytest.mark.parametrize("shape", [IMAGE, FILTER])
@pytest.mark.parametrize("key", ["href", "xlink:href"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_engines_read_no_file_that_art_refers_to(private_photo, shape, key, address):
    face = face_of_svg(svg(shape.format(key, address), "0 0 9 9"), Size(9, 9))
    with pytest.raises(PnpError, match=r"drawing\.svg: its picture cannot be printed"):
        compile_faces([face], font_set())
    assert Rasteriser(font_set()).face(face, 72).getextrema()[3] == (0, 0), "the face stays empty"
    if not address.startswith("#"):  # resvg takes addresses with # for ids that do not exist
        with pytest.raises(WorkError, match="it refers to something that it does not hold"):
            Rasteriser(font_set()).svg(svg(shape.format(key, address), "0 0 9 9"), 9, 9)


SPELT = ["'{}'", '"&#x2f;{}"', '" {}"', '"file://{}"', '"DATA{}"']


@pytest.mark.parametrize("spelt", SPELT)
def test_resvg_refuses_a_path_in_any_spelling(private_photo, spelt):
    """Write absolute paths in several spellings."""
    body = f'<image width="9" height="9" href ={spelt.format(private_photo)}/>'
    entity = f'<!DOCTYPE svg [<!ENTITY a "<image h&#114;ef={spelt.format(private_photo)}/>">]>'
    with pytest.raises(WorkError, match="it refers to something that it does not hold"):
        Rasteriser(font_set()).svg(svg(body, "0 0 9 9"), 9, 9)
    face = face_of_svg(svg(body, "0 0 9 9"), Size(9, 9))
    assert Rasteriser(font_set()).face(face, 72).getextrema()[3] == (0, 0), (
        "the face with this art stays empty"
    )
    assert reaches_out(entity + svg("&a;"))
    assert not reaches_out(
        svg('<use href="#a"/><image xlink:href="data:image/png;base64,AA"/><text>src: a</text>')
    )
    embedded = f'<image href="data:image/png;base64,{"src" * 999}"/>'
    assert not reaches_out(svg(embedded))
    assert reaches_out(svg(embedded + '<image href="/etc/passwd"/>'))
    assert reaches_out(svg(f'<a id=";base64,{"A" * 2000}" href="x"/>'))


INSIDE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nG"
    "P4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC"
)
FOREIGN_FILE = "/etc/passwd"
EMPTY = ""
SCRIPT = "<script/>"
OUTSIDE = f'<image href="{FOREIGN_FILE}"/>'
LARGE_FILTER = '<filter id="f"><feMorphology radius="20"/></filter><rect filter="url(#f)"/>'


def encode_picture(body):
    """Return a picture encoded for a data address."""
    return b64encode(svg(body).encode()).decode()


def refusal_of(svg):
    """Return the message about a release that has only this face."""
    with pytest.raises(InvalidValueError) as caught:
        release_file.from_bytes(with_stored_face(svg))
    return caught.value.found


@pytest.mark.parametrize("tag", ["image", "filter><feImage"])
@pytest.mark.parametrize("keys", [("href", "xlink:href"), ("xlink:href", "href")])
@pytest.mark.parametrize(
    "addresses", [(INSIDE, FOREIGN_FILE), (FOREIGN_FILE, INSIDE), ("#a", FOREIGN_FILE)]
)
def test_release_with_two_references_in_one_element_is_refused(tag, keys, addresses):
    """Write both href and xlink:href, of which readers use different ones."""
    references = " ".join(
        f'{key}="{address}"' for key, address in zip(keys, addresses, strict=True)
    )
    end = "</filter>" if tag.startswith("filter") else ""
    message = refusal_of(svg(f'<g id="a"/><{tag} width="9" height="9" {references}/>{end}'))
    assert re.search(r"refers to '(/etc/passwd|#a)'", message)


def with_art(address):
    """Return the body of a face that shows art with an address."""
    return (
        '<defs><symbol id="a" viewBox="0 0 9 9" preserveAspectRatio="none">'
        f'<image href="{address}" x="0" y="0" width="9" height="9"/></symbol></defs>'
        '<use href="#a" x="0" y="0" width="9" height="9"/>'
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<image href="data:image/svg+xml,&lt;svg/>"/>', "is not a picture that pnp drew"),
        (
            f'<image href="data:image/png;base64,{encode_picture(EMPTY)}"/>',
            "is not a pixel image",
        ),
        (
            with_art(f"DATA:IMAGE/svg+xml;BASE64,{encode_picture(EMPTY)}"),
            "is not a picture that pnp drew",
        ),
        (
            with_art(f"data:image/svg+xml;charset=utf-8;base64,{encode_picture(EMPTY)}"),
            "is not a picture that pnp drew",
        ),
        (
            with_art(f"data:image/svg+xml;base64,{encode_picture(OUTSIDE)}"),
            "refers to '/etc/passwd'",
        ),
        (
            with_art(f"data:image/svg+xml;base64,{encode_picture(SCRIPT)}"),
            "<script> is not allowed",
        ),
        (
            with_art(f"data:image/svg+xml;base64,{encode_picture(LARGE_FILTER)}"),
            "the radius",
        ),
        ("<style>rect{fill:red}</style>", "is not a picture that pnp drew (<style>)"),
        ("<style>rect{fill:u\\72l(http://a/b)}</style>", "refers to 'http://a/b'"),
        ('<x:image xmlns:x="http://www.w3.org/2000/svg" href="a.png"/>', "refers to 'a.png'"),
        (LARGE_FILTER, "is not a picture that pnp drew (<filter>)"),
        ('<image href="data:image/png;base64,AAAA"/>', "is not a pixel image"),
        ("<script>x()</script>", "<script> is not allowed"),
    ],
)
def test_face_in_a_release_is_checked_like_art(body, message):
    assert message in refusal_of(svg(body))


def test_face_in_a_release_may_be_larger_than_art():
    """Store three faces with one large image, which is checked once."""
    png = io.BytesIO()
    Image.new("RGB", (1800, 1800), "red").save(png, "PNG", compress_level=0)
    image = PlacedImage(read_pixels("a.png", png.getvalue(), SpillFile()), Rect(0, 0, 9, 9))
    assert len(image.image.address) > MAX_BYTES
    designs = [design(f"fox{n}", 1) for n in range(3)]
    designs = [
        replace(
            each, front=replace(each.front, items=(image, Shape(Circle(Point(0, 0), n), "#000000")))
        )
        for n, each in enumerate(designs)
    ]
    back = release_file.from_bytes(release_file.to_bytes(release("1", ("cards", designs))))
    assert [svg_of(entry.front) for _, entry in back.designs] == [
        svg_of(item.front) for item in designs
    ]


def admit_svg(body):
    return admit(svg(body).encode(), "a.svg")


def test_check_of_art_refuses_exactly_beyond_its_limits(monkeypatch):
    """Give words and lists of the greatest length and one more.

    Check rules after @font-face, and leave out elements of editors.
    """
    admit_svg(f'<rect width="{"1" * MAX_WORD_CHARS}" class="{"c" * (MAX_WORD_CHARS + 1)}"/>')
    with pytest.raises(InvalidValueError, match="width of a <rect> has 2001 characters"):
        admit_svg(f'<rect width="{"1" * (MAX_WORD_CHARS + 1)}"/>')
    with pytest.raises(InvalidValueError, match="class of a <rect> has 50001 characters"):
        admit_svg(f'<rect class="{"c" * (MAX_LIST_CHARS + 1)}"/>')
    admit_svg("<style>@font-face{src:url(http://a/b)}rect{fill:red}</style>")
    with pytest.raises(InvalidValueError, match="refers to 'http://a/c'"):
        admit_svg("<style>@font-face{src:url(http://a/b)}rect{fill:url(http://a/c)}</style>")
    admit_svg('<e:script xmlns:e="http://an.editor/"/>')
    monkeypatch.setattr(gate, "MAX_ELEMENTS", 5)
    admit_svg("<g/>" * 4)
    with pytest.raises(InvalidValueError, match="more than 5 elements"):
        admit_svg("<g/>" * 5)
