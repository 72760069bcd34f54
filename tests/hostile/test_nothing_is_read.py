"""Test that a picture cannot show other files of the machine: the gate and the engines prevent it."""

import io
import re
from base64 import b64encode
from dataclasses import replace

import pytest
from PIL import Image

from generator.base.errors import InvalidValueError, PackError
from generator.base.fonts import font_set
from generator.base.geometry import Point, Rect, Size
from generator.base.spill import SpillFile
from generator.base.worker import WorkError
from generator.draw.art import gate
from generator.draw.art.gate import MAX_BYTES, MAX_LIST_CHARS, MAX_WORD_CHARS, admit
from generator.pdf.faces import compile_faces
from generator.picture.images import read_pixels
from generator.picture.items import Circle, PlacedImage, Shape
from generator.picture.raster import Rasteriser
from generator.picture.svg_table import reaches_out
from generator.release import file
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
def private(tmp_path, monkeypatch):
    """A folder in which a build is started, with a photo that is nobody else's business, and a way that leads to it."""
    (tmp_path / "private").mkdir()
    (tmp_path / "#x").mkdir()
    Image.new("RGB", (9, 9), "red").save(tmp_path / "private" / "photo.png")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "private" / "photo.png"


@pytest.mark.parametrize("shape", [IMAGE, FILTER])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_build_refuses_it(private, pnp, shape, address):
    art = svg('<g id="x"/>' + shape.format("href", address), "0 0 9 9")
    pack = make(
        private.parents[1] / "pack", "- svg: a.svg\n  box: [0, 0, 9, 9]\n", files={"a.svg": art}
    )
    for command in ("check", "build"):
        result = pnp(command, pack)
        verb, code = ("refers", 3) if address.startswith("#") else ("links", 5)
        assert result.exit_code == code
        assert f"a.svg {verb} to '{address}'" in result.stderr


@pytest.mark.parametrize("shape", [IMAGE, FILTER])
@pytest.mark.parametrize("key", ["href", "xlink:href"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_the_engines_find_nothing(private, shape, key, address):
    face = face_of_svg(svg(shape.format(key, address), "0 0 9 9"), Size(9, 9))
    with pytest.raises(PackError, match=r"drawing\.svg: its picture cannot be printed"):
        compile_faces([face], font_set())
    assert Rasteriser(font_set()).face(face, 72).getextrema()[3] == (0, 0), (
        "nothing is shown in its place"
    )
    if not address.startswith("#"):  # resvg takes that for a name of something that is not there
        with pytest.raises(WorkError, match="it refers to something that it does not hold"):
            Rasteriser(font_set()).svg(svg(shape.format(key, address), "0 0 9 9"), 9, 9)


SPELT = ["'{}'", '"&#x2f;{}"', '" {}"', '"file://{}"', '"DATA{}"']


@pytest.mark.parametrize("spelt", SPELT)
def test_resvg_is_not_shown_a_path_however_it_is_spelt(private, spelt):
    """An absolute path would read a file outside every folder."""
    body = f'<image width="9" height="9" href ={spelt.format(private)}/>'
    entity = f'<!DOCTYPE svg [<!ENTITY a "<image h&#114;ef={spelt.format(private)}/>">]>'
    with pytest.raises(WorkError, match="it refers to something that it does not hold"):
        Rasteriser(font_set()).svg(svg(body, "0 0 9 9"), 9, 9)
    face = face_of_svg(svg(body, "0 0 9 9"), Size(9, 9))
    assert Rasteriser(font_set()).face(face, 72).getextrema()[3] == (0, 0), (
        "as art it shows nothing either"
    )
    assert reaches_out(entity + svg("&a;"))
    assert not reaches_out(
        svg('<use href="#a"/><image xlink:href="data:image/png;base64,AA"/><text>src: a</text>')
    )
    shown = f'<image href="data:image/png;base64,{"src" * 999}"/>'
    assert not reaches_out(svg(shown))
    assert reaches_out(svg(shown + '<image href="/etc/passwd"/>'))
    assert reaches_out(svg(f'<a id=";base64,{"A" * 2000}" href="x"/>'))


INSIDE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nG"
    "P4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC"
)
FOREIGN_FILE = "/etc/passwd"
EMPTY = ""
SCRIPT = "<script/>"
OUTSIDE = f'<image href="{FOREIGN_FILE}"/>'


def encode_picture(body):
    """A picture as an address holds it."""
    return b64encode(svg(body).encode()).decode()


def refused(svg):
    """Return the message about a release that has only this face."""
    with pytest.raises(InvalidValueError) as caught:
        file.from_bytes(with_stored_face(svg))
    return caught.value.found


@pytest.mark.parametrize("tag", ["image", "filter><feImage"])
@pytest.mark.parametrize("keys", [("href", "xlink:href"), ("xlink:href", "href")])
@pytest.mark.parametrize(
    "addresses", [(INSIDE, FOREIGN_FILE), (FOREIGN_FILE, INSIDE), ("#a", FOREIGN_FILE)]
)
def test_a_release_with_two_references_in_one_place(tag, keys, addresses):
    """Each reader takes another one of the two."""
    both = " ".join(f'{key}="{address}"' for key, address in zip(keys, addresses, strict=True))
    end = "</filter>" if tag.startswith("filter") else ""
    found = refused(svg(f'<g id="a"/><{tag} width="9" height="9" {both}/>{end}'))
    assert re.search(r"refers to '(/etc/passwd|#a)'", found)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<image href="data:image/svg+xml,&lt;svg/>"/>', "an SVG image that pnp did not place"),
        (
            f'<image href="data:image/svg+xml;charset=utf-8;base64,{encode_picture(EMPTY)}"/>',
            "an SVG image that pnp did not place",
        ),
        (
            f'<image href="data:image/png;base64,{encode_picture(EMPTY)}"/>',
            "an SVG image that pnp did not place",
        ),
        (
            f'<image href="DATA:IMAGE/svg+xml;BASE64,{encode_picture(EMPTY)}"/>',
            "an SVG image that pnp did not place",
        ),
        (
            f'<image href="data:image/svg+xml;base64,{encode_picture(OUTSIDE)}"/>',
            "refers to '/etc/passwd'",
        ),
        (
            f'<image href="data:image/svg+xml;base64,{encode_picture(SCRIPT)}"/>',
            "<script> is not allowed",
        ),
        ("<style>rect{fill:red}</style>", "a style sheet"),
        ("<style>rect{fill:u\\72l(http://a/b)}</style>", "refers to 'http://a/b'"),
        ('<x:image xmlns:x="http://www.w3.org/2000/svg" href="a.png"/>', "refers to 'a.png'"),
        (
            '<filter id="f"><feMorphology radius="20"/></filter><rect filter="url(#f)"/>',
            "the radius",
        ),
        ('<image href="data:image/png;base64,AAAA"/>', "an embedded image that cannot be read"),
        ("<script>x()</script>", "<script> is not allowed"),
    ],
)
def test_a_release_goes_through_the_gate_of_art(body, said):
    assert said in refused(svg(body))


@pytest.mark.parametrize("junk", ["x", "<!-- -->", "<!DOCTYPE svg>", "\n", "\ufeff"])
def test_a_release_whose_faces_do_not_begin_as_ours_do(junk):
    assert "is no" in refused(junk + svg("")) or "not well-formed" in refused(junk + svg(""))


def test_a_release_whose_faces_have_a_prefix():
    assert "is not a picture that pnp drew" in refused(
        '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    )


def test_a_face_may_be_larger_than_any_art():
    """A face contains its images; each is checked once, however many faces show it."""
    png = io.BytesIO()
    Image.new("RGB", (1800, 1800), "red").save(png, "PNG", compress_level=0)
    image = PlacedImage(read_pixels("a.png", png.getvalue(), SpillFile()), Rect(0, 0, 9, 9))
    assert len(image.image.address) > MAX_BYTES
    made = [design(f"fox{n}", 1) for n in range(3)]
    made = [
        replace(
            each, front=replace(each.front, items=(image, Shape(Circle(Point(0, 0), n), "#000000")))
        )
        for n, each in enumerate(made)
    ]
    back = file.from_bytes(file.to_bytes(release("1", ("cards", made))))
    assert [svg_of(entry.front) for _, entry in back.designs] == [
        svg_of(item.front) for item in made
    ]


def admitted(body):
    return admit(svg(body).encode(), "a.svg")


def test_the_gate_ends_exactly_where_it_says(monkeypatch):
    """A word and a list are of other lengths.

    What follows a face's block is looked at; editors' elements are not.
    """
    admitted(f'<rect width="{"1" * MAX_WORD_CHARS}" class="{"c" * (MAX_WORD_CHARS + 1)}"/>')
    with pytest.raises(InvalidValueError, match="width of a <rect> has 2001 characters"):
        admitted(f'<rect width="{"1" * (MAX_WORD_CHARS + 1)}"/>')
    with pytest.raises(InvalidValueError, match="class of a <rect> has 50001 characters"):
        admitted(f'<rect class="{"c" * (MAX_LIST_CHARS + 1)}"/>')
    admitted("<style>@font-face{src:url(http://a/b)}rect{fill:red}</style>")
    with pytest.raises(InvalidValueError, match="refers to 'http://a/c'"):
        admitted("<style>@font-face{src:url(http://a/b)}rect{fill:url(http://a/c)}</style>")
    admitted('<e:script xmlns:e="http://an.editor/"/>')
    monkeypatch.setattr(gate, "MAX_ELEMENTS", 5)
    admitted("<g/>" * 4)
    with pytest.raises(InvalidValueError, match="more than 5 elements"):
        admitted("<g/>" * 5)
