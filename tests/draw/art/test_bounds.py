"""The bounds of the gate for pictures: what just keeps one passes, and one more is refused in words."""

import pytest

from generator.core.problems import Wrong
from generator.draw.art import gate
from generator.draw.art.gate import admit

SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
ADOBE = '<!DOCTYPE svg [<!ENTITY a "http://ns.adobe.com/a/">]>'


@pytest.mark.parametrize(
    ("bound", "most", "fits", "beyond", "said"),
    [
        ("MAX_DEPTH", 3, "<g><g/></g>" * 3, "<g><g><g/></g></g>", "nested more than 3 deep"),
        ("MAX_ELEMENTS", 4, "<g/>" * 3, "<g/>" * 4, "more than 4 elements"),
        ("MAX_TEXT", 6, "<text>ab<tspan>cd</tspan>ef</text>", "<text>abcdefg</text>", "more than 6 characters"),
        ("MAX_TEXT", 6, "<text>abc</text><desc>defg</desc>", "<text>ab<tspan>cd</tspan>efg</text>", "more than 6"),
        ("MAX_TEXT", 6, "<text>abc</text><text>def</text>", "<text>abc</text><text>defg</text>", "more than 6"),
        ("MAX_PARTS", 3, "<text><tspan/><tspan/></text>", "<text><tspan/></text>" * 2, "more than 3 elements"),
        ("MAX_CSS", 5, "<style>r{}</style><style>xy</style>", "<style>r{}</style><style>xyz</style>", "more than 5"),
        ("MAX_WORD", 4, '<rect id="abcd"/>', '<rect id="abcde"/>', "id of a <rect> has 5 characters"),
        ("MAX_WORD", 4, '<rect data-mine="abcdefgh"/>', '<g id="abcdefgh"/>', "id of a <g> has 8 characters"),
        ("MAX_LIST", 4, '<text x="1 22"/>', '<text x="1 222"/>', "x of a <text> has 5 characters"),
        ("MAX_VALUE", 4, '<path d="M0 0"/>', '<path d="M0 00"/>', "d of a <path> has 5 characters"),
        ("MAX_VALUE", 4, '<polygon points="1 22"/>', '<polygon points="1 222"/>', "points of a <polygon> has 5"),
    ],
)
def test_the_most_passes_and_one_more_does_not(monkeypatch, bound, most, fits, beyond, said):
    monkeypatch.setattr(gate, bound, most)
    admit(f"{SVG}{fits}</svg>".encode(), "a.svg")
    with pytest.raises(Wrong, match=rf"^a\.svg.*{said}"):
        admit(f"{SVG}{beyond}</svg>".encode(), "a.svg")


def test_bytes_are_counted_as_they_lie():
    data = f"{SVG}<title>é</title></svg>".encode()
    admit(data, "a.svg", len(data))
    with pytest.raises(Wrong, match="more than 2 MB"):
        admit(data + b" " * 2_000_000, "a.svg", 2_000_000)


def test_ampersands_are_few_where_entities_are_declared(monkeypatch):
    monkeypatch.setattr(gate, "MAX_ENTITIES", 3)
    admit(f"{ADOBE}{SVG}<g id='&a;&a;&a;'/></svg>".encode(), "a.svg")
    admit(f"{SVG}<title>&lt;&lt;&lt;&lt;</title></svg>".encode(), "a.svg")
    with pytest.raises(Wrong, match="declares XML entities"):
        admit(f"{ADOBE}{SVG}<g id='&a;&a;&a;&a;'/></svg>".encode(), "a.svg")


def test_what_a_picture_names_is_told_and_no_more():
    body = """
        <rect id="r" fill="url(#paint)" style="font-family: 'One Two', Three; stroke: url( '#line' )"/>
        <text font-family=" 'Four' ,,Five">x</text><use href=" #r "/>
        <style>@font-face { font-family: Hidden; src: url(far.ttf) } text { font-family: "Six" }</style>
        <g fill="url(#)" stroke="url()"/>
    """
    passed = admit(f"{SVG}{body}</svg>".encode(), "a.svg")
    assert passed.families == {"One Two", "Three", "Four", "Five", "Six"}
    assert passed.references == {"paint", "line", "r"}


@pytest.mark.parametrize(
    ("body", "said"),
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
def test_nothing_is_reached_however_it_is_spelt(body, said):
    with pytest.raises(Wrong, match=said):
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
def test_what_harms_nobody_passes(body):
    admit(f"{SVG}{body}</svg>".encode(), "a.svg")
