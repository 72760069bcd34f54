"""Test the limits for art: a picture at a limit passes, and one above it gets a message."""

import base64
import io

import pytest
from PIL import Image

from generator.base.errors import InvalidValueError
from generator.draw.art import gate, read
from generator.draw.art.gate import admit, unescape
from generator.draw.art.tree import HREF, url_targets

SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
ADOBE = '<!DOCTYPE svg [<!ENTITY a "http://ns.adobe.com/a/">]>'


@pytest.mark.parametrize(
    ("bound", "limit", "fits", "beyond", "message"),
    [
        ("MAX_DEPTH", 3, "<g><g/></g>" * 3, "<g><g><g/></g></g>", "nested more than 3 deep"),
        ("MAX_ELEMENTS", 4, "<g/>" * 3, "<g/>" * 4, "more than 4 elements"),
        (
            "MAX_TEXT_CHARS",
            6,
            "<text>ab<tspan>cd</tspan>ef</text>",
            "<text>abcdefg</text>",
            "more than 6 characters",
        ),
        (
            "MAX_TEXT_CHARS",
            6,
            "<text>abc</text><desc>defg</desc>",
            "<text>ab<tspan>cd</tspan>efg</text>",
            "more than 6",
        ),
        (
            "MAX_TEXT_CHARS",
            6,
            "<text>abc</text><text>def</text>",
            "<text>abc</text><text>defg</text>",
            "more than 6",
        ),
        (
            "MAX_TEXT_ELEMENTS",
            3,
            "<text><tspan/><tspan/></text>",
            "<text><tspan/></text>" * 2,
            "more than 3 elements",
        ),
        (
            "MAX_CSS_CHARS",
            5,
            "<style>r{}</style><style>xy</style>",
            "<style>r{}</style><style>xyz</style>",
            "more than 5",
        ),
        (
            "MAX_WORD_CHARS",
            4,
            '<rect id="abcd"/>',
            '<rect id="abcde"/>',
            "id of a <rect> has 5 characters",
        ),
        (
            "MAX_WORD_CHARS",
            4,
            '<rect data-mine="abcdefgh"/>',
            '<g id="abcdefgh"/>',
            "id of a <g> has 8 characters",
        ),
        (
            "MAX_LIST_CHARS",
            4,
            '<text x="1 22"/>',
            '<text x="1 222"/>',
            "x of a <text> has 5 characters",
        ),
        (
            "MAX_PATH_CHARS",
            4,
            '<path d="M0 0"/>',
            '<path d="M0 00"/>',
            "d of a <path> has 5 characters",
        ),
        (
            "MAX_PATH_CHARS",
            4,
            '<polygon points="1 22"/>',
            '<polygon points="1 222"/>',
            "points of a <polygon> has 5",
        ),
    ],
)
def test_picture_at_limit_passes_and_one_above_is_refused(
    monkeypatch, bound, limit, fits, beyond, message
):
    monkeypatch.setattr(gate, bound, limit)
    admit(f"{SVG}{fits}</svg>".encode(), "a.svg")
    with pytest.raises(InvalidValueError, match=rf"^a\.svg.*{message}") as caught:
        admit(f"{SVG}{beyond}</svg>".encode(), "a.svg")
    assert "well-formed" not in caught.value.found


def test_size_limit_counts_bytes_and_not_characters():
    data = f"{SVG}<title>é</title></svg>".encode()
    admit(data, "a.svg", len(data))
    with pytest.raises(InvalidValueError, match="more than 2 MB"):
        admit(data + b" " * 2_000_000, "a.svg", 2_000_000)


def test_few_ampersands_pass_in_art_that_declares_entities(monkeypatch):
    monkeypatch.setattr(gate, "MAX_AMPERSANDS", 3)
    admit(f"{ADOBE}{SVG}<g id='&a;&a;&a;'/></svg>".encode(), "a.svg")
    admit(f"{SVG}<title>&lt;&lt;&lt;&lt;</title></svg>".encode(), "a.svg")
    with pytest.raises(InvalidValueError, match="declares XML entities"):
        admit(f"{ADOBE}{SVG}<g id='&a;&a;&a;&a;'/></svg>".encode(), "a.svg")


def test_gate_reports_the_ids_that_art_refers_to():
    body = """
        <rect id="r" fill="url(#paint)" style="stroke: url( '#line' )"/>
        <use href=" #r "/>
        <style>@font-face { font-family: Hidden; src: url(far.ttf) }</style>
        <g fill="url(#)" stroke="url()"/>
    """
    _, references = admit(f"{SVG}{body}</svg>".encode(), "a.svg")
    assert references == {"paint", "line", "r"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (r"<rect style='fill:\75rl(far.svg)'/>", r"refers to 'far\.svg'"),
        (r"<rect fill='\55 RL(far.svg#a)'/>", r"refers to 'far\.svg#a'"),
        (r"<rect style='fill:\u\r\l(far.svg)'/>", r"refers to 'far\.svg'"),
        ("<style>a{} @font-face{src:url(x)} b{fill:url(far.svg)}</style>", r"refers to 'far\.svg'"),
        ("<rect fill='image-set(x)'/>", "refers to 'image-set"),
        ("<switch><script/></switch>", "<script> is not allowed"),
        ("<g><foreignObject/></g>", "<foreignObject> is not allowed"),
        ("<IFrame/>", "<IFrame> is not allowed"),
        (f"<use href='{'x' * 79}'/>", f"refers to '{'x' * 79}'"),
        (f"<use href='{'x' * 80}'/>", f"refers to '{'x' * 77}…'"),
        ("<filter><feImage href='#none'/></filter>", "refers to '#none'"),
    ],
)
def test_outside_reference_or_script_is_refused_in_any_spelling(body, message):
    with pytest.raises(InvalidValueError, match=message):
        admit(f"{SVG}{body}</svg>".encode(), "a.svg")


@pytest.mark.parametrize(
    "body",
    [
        "<switch><foreignObject/><g/></switch>",
        "<flowRoot> <flowPara/></flowRoot>",
        "<a href='https://example.com/'><g/></a>",
        "<filter><feImage href='#r'/></filter><rect id='r'/>",
        "<image href=''/><use href='#'/><use href=''/>",
        r"<rect style='fill:\110000 '/><rect style='fill:\d800 '/>",
        "<rect style='--my-image(1): 2'/>",
    ],
)
def test_harmless_markup_passes(body):
    admit(f"{SVG}{body}</svg>".encode(), "a.svg")


FILTERED = '<rect id="r" width="9" height="9" filter="url(#f)"/>'
RADIUS = f'<filter id="f"><feMorphology radius="5"/></filter>{FILTERED}'
"""A filter whose radius is a tenth of the picture's diagonal."""


def filtered(step, more="", by=FILTERED):
    return f'<filter id="f" {more}>{step}</filter>{by}'


@pytest.mark.parametrize(
    ("bound", "enough", "too_few", "body", "message"),
    [
        (
            "MAX_ELEMENTS",
            7,
            6,
            '<defs><g id="a"><rect/></g></defs><use href="#a"/>',
            "more than 6 elements",
        ),
        (
            "MAX_DEPTH",
            5,
            4,
            '<g><use href="#a"/></g><g id="a"><rect/></g>',
            "nested more than 4 deep",
        ),
        (
            "MAX_FILTERED_ELEMENTS",
            2,
            1,
            f'<filter id="f"/>{FILTERED}{FILTERED}',
            "2 elements have a filter",
        ),
        (
            "MAX_GRADIENT_STOPS",
            3,
            2,
            f"<linearGradient>{'<stop/>' * 3}</linearGradient>",
            "a gradient has 3 stops",
        ),
        (
            "MAX_GRADIENT_STOPS",
            3,
            2,
            f"<radialGradient>{'<stop/>' * 3}</radialGradient>",
            "a gradient has 3 stops",
        ),
        ("MAX_FILTER_STEPS", 2, 1, filtered("<feOffset/><feFlood/>"), "the filter 'f' has 2 steps"),
        (
            "MAX_OCTAVES",
            4,
            3,
            filtered('<feTurbulence numOctaves="4"/>'),
            "the number of octaves is 4",
        ),
        (
            "MAX_KERNEL_SIDE",
            5,
            4,
            filtered('<feConvolveMatrix order="3 5"/>'),
            "the order of the matrix is 5",
        ),
        ("MAX_MORPHOLOGY_SHARE", 0.1, 0.099, RADIUS, "diagonal, is 0.1"),
        (
            "MAX_MORPHOLOGY_SHARE",
            0.2,
            0.199,
            RADIUS.replace("<rect", '<rect transform="scale(2)"'),
            "diagonal, is 0.2",
        ),
        (
            "MAX_MORPHOLOGY_SHARE",
            0.3,
            0.299,
            f'{RADIUS}<use transform="scale(3)" href="#r"/>',
            "diagonal, is 0.3",
        ),
        (
            "MAX_MORPHOLOGY_SHARE",
            0.1,
            0.099,
            f'{RADIUS}<use transform="scale(0.5)" href="#r"/>',
            "diagonal, is 0.1",
        ),
        (
            "MAX_MORPHOLOGY_SHARE",
            0.4,
            0.399,
            filtered('<feMorphology radius=".4 .1"/>', 'primitiveUnits="objectBoundingBox"'),
            "diagonal, is 0.4",
        ),
        (
            "MAX_REGION_AREAS",
            6,
            5.9,
            filtered("<feOffset/>", 'width="300%" height="2"'),
            "has a very large region",
        ),
        ("MAX_REGION_AREAS", 1.44, 1.43, filtered("<feOffset/>"), "has a very large region"),
    ],
)
def test_art_within_rendering_limit_passes_and_beyond_is_refused(
    monkeypatch, bound, enough, too_few, body, message
):
    data = f'{SVG[:-1]} viewBox="0 0 30 40">{body}</svg>'.encode()
    monkeypatch.setattr(read, bound, enough)
    read.read_art(data, "a.svg")
    monkeypatch.setattr(read, bound, too_few)
    with pytest.raises(InvalidValueError, match=rf"^a\.svg: .*{message}"):
        read.read_art(data, "a.svg")


def test_filter_region_in_user_units_may_be_of_any_size():
    body = filtered("<feOffset/>", 'filterUnits="userSpaceOnUse" width="3000" height="3000"')
    read.read_art(f'{SVG[:-1]} viewBox="0 0 30 40">{body}</svg>'.encode(), "a.svg")


def test_marker_counts_at_every_corner_that_shows_it(monkeypatch):
    marker = '<marker id="m"><path/><path/></marker>'
    for attribute, count in (("marker-start", 1), ("marker-mid", 40), ("marker", 40)):
        corners = " ".join(f"{n} {n}" for n in range(40))
        line = f'<polyline {attribute}="url(#m)" points="{corners}"/>'
        data = f'{SVG[:-1]} viewBox="0 0 9 9">{marker}{line}</svg>'.encode()
        monkeypatch.setattr(read, "MAX_ELEMENTS", 10 + 3 * count)
        read.read_art(data, "a.svg")
        monkeypatch.setattr(read, "MAX_ELEMENTS", 3 * count)
        with pytest.raises(InvalidValueError, match="draws more than"):
            read.read_art(data, "a.svg")


@pytest.mark.parametrize(
    ("root", "size"),
    [
        ('width="20" height="30"', (20, 30)),
        ('width="1in" height="2in"', (96, 192)),
        ('viewBox="1,2 3\n4" width="50%"', (3, 4)),
        ('viewBox="-999999999 0 999999999 1"', (999_999_999, 1)),
    ],
)
def test_size_of_art_is_its_viewbox_or_width_and_height(root, size):
    view = read.read_art(f"{SVG[:-1]} {root}></svg>".encode(), "a.svg").view
    assert (view.w, view.h) == pytest.approx(size)


@pytest.mark.parametrize(
    "root", ['width="20"', 'width="20" height="0"', 'width="20" height="5em5"', 'height="-1"']
)
def test_art_without_size_is_refused(root):
    with pytest.raises(InvalidValueError, match="neither a viewBox nor a width and a height"):
        read.read_art(f"{SVG[:-1]} {root}></svg>".encode(), "a.svg")


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ("0 0 1 0", "is empty"),
        ("0 0 0 1", "is empty"),
        ("0 0 1", "viewBox"),
        ("0 0 1e9 1", "four numbers below 1,000,000,000"),
    ],
)
def test_empty_or_malformed_viewbox_is_refused(box, message):
    with pytest.raises(InvalidValueError) as caught:
        read.read_art(f'{SVG[:-1]} viewBox="{box}"></svg>'.encode(), "a.svg")
    assert message in f"{caught.value.found} {caught.value.expected}"


def test_pictures_nested_deeper_than_limit_are_refused():
    def wrapped(times):
        data = f'{SVG[:-1]} viewBox="0 0 9 9"></svg>'.encode()
        for _ in range(times):
            inner = base64.b64encode(data).decode()
            data = f'{SVG[:-1]} viewBox="0 0 9 9"><image href="data:image/svg+xml;base64,{inner}"/></svg>'.encode()
        return data

    read.read_art(wrapped(read.MAX_PICTURE_DEPTH), "a.svg")
    with pytest.raises(InvalidValueError, match="more than 3 deep"):
        read.read_art(wrapped(read.MAX_PICTURE_DEPTH + 1), "a.svg")


def test_css_escape_stands_for_its_character_or_replacement():
    replacement = "\ufffd"
    last = "\U0010ffff"
    assert (
        unescape(r"\0 \d7ff \d800 \dfff \e000 \10ffff \110000 ")
        == f"{replacement}\ud7ff{replacement}{replacement}\ue000{last}{replacement}"
    )
    assert unescape(r"\41 b\000041c\000041 c\z\:") == "AbAcAcz:"


@pytest.mark.parametrize(
    ("form", "is_valid"),
    [("{}{}", True), ("{}\n %0A{}", True), ("{}*{}", False), ("{}={}", False), ("{}{}=", False)],
)
def test_malformed_base64_is_refused(form, is_valid):
    """Refuse malformed values, which each engine reads in its own way."""
    png = io.BytesIO()
    Image.new("L", (2, 2)).save(png, "PNG")
    code = base64.b64encode(png.getvalue()).decode()
    address = "data:image/png;base64," + form.format(code[:20], code[20:].rstrip("="))
    address += "=" * (-len(code.rstrip("=")) % 4)
    data = f'{SVG[:-1]} viewBox="0 0 9 9"><image width="9" height="9" href="{address}"/></svg>'.encode()
    if is_valid:
        (image,) = read.read_art(data, "a.svg").root.iter("image")
        assert image.get(HREF) == "data:image/png;base64," + code
    else:
        with pytest.raises(
            InvalidValueError, match=r"^a\.svg has an embedded image that cannot be read"
        ):
            read.read_art(data, "a.svg")


def test_reference_before_many_blanks_is_read_fast():
    assert url_targets("url( '#gold' ) url(#red)") == ["gold", "red"]
    assert url_targets("url(#gold" + " " * 1_000_000) == []
    assert url_targets("url(#" * 200_000) == []
