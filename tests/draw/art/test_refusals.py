"""Test the elements that are forbidden in art, and the messages for designers."""

import base64
import io

import pytest
from PIL import Image

from generator.base.errors import InvalidValueError
from generator.draw.art.read import read_art
from tests.tools.make_face import art_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 63 88">'
FILTERED = '<rect width="9" height="9" filter="url(#f)"/>'


def read(body: str, head: str = HEAD) -> None:
    read_art(f"{head}{body}</svg>".encode(), "a.svg")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<image href="photo.png"/>', "refers to 'photo.png'"),
        ('<image href="https://example.com/x.png"/>', "refers to 'https"),
        ('<use xlink:href="other.svg#a"/>', "refers to 'other.svg#a'"),
        ('<rect fill="url(other.svg#a)"/>', "refers to 'other.svg#a'"),
        ('<g id="x"/><image href="#x/../private/photo.png"/>', "refers to '#x/../private"),
        ('<image id="x/../photo.png" href="#x/../photo.png"/>', "refers to '#x/../photo.png'"),
        ('<image id="photo.png" href="#photo.png"/>', "refers to '#photo.png'"),
        (
            '<filter id="f"><feImage href="#x/../photo.png"/></filter>',
            "refers to '#x/../photo.png'",
        ),
        ('<filter id="f"><feImage href="#photo.png"/></filter>', "refers to '#photo.png'"),
        ('<image href=" #"/>', "refers to '#'"),
        ("<style>@import 'x.css';</style>", "refers to '@import"),
        ("<style>rect{fill:url(http://x/y)}</style>", "refers to 'http://x/y'"),
        ("<script>x()</script>", "<script> is not allowed"),
        ("<foreignObject/>", "<foreignObject> is not allowed"),
        ("<flowRoot><flowPara>x</flowPara></flowRoot>", "flowed text"),
        ('<image href="data:image/png;base64,AAAA"/>', "embedded image that cannot be read"),
        ('<image href="data:image/png;base64,*"/>', "embedded image that cannot be read"),
        ('<image href="DATA:image/png;base64,AAAA"/>', "embedded image that cannot be read"),
        (
            '<image href="Data:IMAGE/svg+xml;BASE64,PHN2Zz48c2NyaXB0Lz48L3N2Zz4="/>',
            "<script> is not allowed",
        ),
        ('<image href="data:text/html,x"/>', "refers to 'data:text/html,x'"),
        ('<pattern id="p"><rect fill="url(#p)"/></pattern>', "'p' is drawn within itself"),
        ('<g id="a"><use href="#a"/></g>', "'a' is drawn within itself"),
        ('<filter id="f"><feMorphology radius="20"/></filter>' + FILTERED, "the radius"),
        ('<filter id="f"><feMorphology radius="nan 1e9"/></filter>' + FILTERED, "the radius"),
        (
            '<filter id="f"><feTurbulence numOctaves="1000"/></filter>' + FILTERED,
            "the number of octaves is 1e+03",
        ),
        (
            '<filter id="f"><feConvolveMatrix order="25"/></filter>' + FILTERED,
            "the order of the matrix is 25",
        ),
        ('<filter id="f" width="3000%" height="500%"/>' + FILTERED, "has a very large region"),
        ('<filter id="f">' + "<feOffset/>" * 61 + "</filter>" + FILTERED, "61 steps"),
        ('<filter id="f"/>' + FILTERED * 301, "301 elements have a filter"),
        ("<g>" * 250 + "</g>" * 250, "nested more than 200 deep"),
        ("<rect", "not well-formed"),
    ],
)
def test_forbidden_markup_is_refused_with_expectation(body, message):
    with pytest.raises(InvalidValueError) as caught:
        read(body)
    assert message in caught.value.found
    assert caught.value.expected


def test_switch_renders_its_alternative_to_html():
    body = '<switch><foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject><rect/></switch>'
    art = read_art(f"{HEAD}{body}</svg>".encode(), "a.svg")
    assert [element.tag for element in art.root.iter()] == ["svg", "g", "rect"]


def test_scale_of_a_group_counts_for_filter_limits():
    small = '<filter id="f"><feMorphology radius="1"/></filter>'
    read(small + FILTERED)
    with pytest.raises(InvalidValueError, match="the radius"):
        read(f'{small}<g transform="scale(20)">{FILTERED}</g>')


def test_nested_uses_count_towards_element_limit():
    body = '<g id="g0"><rect/></g>'
    body += "".join(f'<g id="g{n + 1}">{f"""<use href="#g{n}"/>""" * 10}</g>' for n in range(6))
    with pytest.raises(InvalidValueError, match="more than 200000 elements"):
        read(f"<defs>{body}</defs>")


def test_entities_are_refused_except_adobe_names():
    plain = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    read(
        "<g/>",
        f'<!DOCTYPE svg [<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">]>{plain}',
    )
    for declared in (
        '<!ENTITY a "aaaa">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY a "&b;">',
    ):
        with pytest.raises(InvalidValueError, match="declares XML entities"):
            read("<g/>", f"<!DOCTYPE svg [{declared}]>{plain}")
    with pytest.raises(InvalidValueError, match="declares XML entities"):
        read("&a;" * 3000, f'<!DOCTYPE svg [<!ENTITY a "http://{"a" * 90}">]>{plain}')


def test_embedded_image_of_too_many_pixels_is_refused(monkeypatch):
    monkeypatch.setattr("generator.picture.images.MAX_PIXELS", 99)
    buffer = io.BytesIO()
    Image.new("L", (10, 10)).save(buffer, "PNG")
    with pytest.raises(InvalidValueError, match="10 × 10 pixels"):
        read(
            f'<image href="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"/>'
        )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x1f\x8b\x08", "compressed"),
        (b"<html/>", "not an SVG picture"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "neither a viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 5"/>', "is empty"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e300 5"/>', "viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 nan 5"/>', "viewBox"),
        (b'<?xml version="1.0" encoding="nonsense"?><svg/>', "not well-formed"),
        (b"", "not well-formed"),
    ],
)
def test_invalid_svg_file_is_refused(data, message):
    with pytest.raises(InvalidValueError, match=message):
        read_art(data, "a.svg")


@pytest.mark.parametrize(
    ("font", "message"),
    [
        ('font-family="Comic Sans MS"', "sets text in 'Comic Sans MS'"),
        ('font-family="Bungee" font-weight="bold"', "the font 'Bungee' has no bold"),
        ('font-family="Alegreya SC" font-style="italic"', "has no regular italic"),
        ('style="font: 600 12px Alegreya"', "has no semibold"),
    ],
)
def test_art_with_a_missing_font_or_weight_is_refused(font, message, face_of, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(f"{HEAD}<text {font}>Hello</text></svg>")
    with pytest.raises(InvalidValueError) as caught:
        face_of(path)
    assert message in caught.value.found


def test_character_that_a_font_lacks_is_named(face_of, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(f'{HEAD}<text font-family="Bungee">\u6f22</text></svg>', "utf-8")
    with pytest.raises(
        InvalidValueError, match=r"a\.svg: the font 'Bungee' \(regular\) has no '漢'"
    ):
        face_of(path)


def test_missing_font_without_visible_text_does_not_matter(face_of, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(
        f'{HEAD}<g font-family="Papyrus"><text> </text><text font-family="Alegreya">x</text></g></svg>'
    )
    assert "Alegreya" in art_svg(face_of(path))
