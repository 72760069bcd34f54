"""Make hostile art: `python -m tests.tools.hostile_files FOLDER` writes it as files; tests use it by name.

Each SVG once hung a build, exhausted the memory, or read a file outside the pack.
"""

import sys
from collections.abc import Callable
from pathlib import Path

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 63 88">'
RECT = '<rect width="9" height="9"/>'
DEEP = " ".join("g" * 12)


def svg(body: str) -> bytes:
    return f"{HEAD}{body}</svg>".encode()


def css(rules: str, body: str = RECT) -> bytes:
    return svg(f"<style>{rules}</style>{body}")


def with_filter(steps: str, more: str = "", count: int = 1) -> bytes:
    shape = '<rect width="63" height="88" filter="url(#f)"/>'
    return svg(f'<filter id="f" {more}>{steps}</filter>{shape * count}')


def nested_markers() -> bytes:
    """Return nested markers: each vertex draws the whole path of the level below."""
    line = "M" + " L".join(f"{n % 7} {n % 5}" for n in range(60))
    parts = ['<marker id="m0"><path d="M0 0h1"/></marker>']
    parts += [
        f'<marker id="m{n}"><path d="{line}" marker-mid="url(#m{n - 1})" stroke="red"/></marker>'
        for n in range(1, 6)
    ]
    return svg("".join(parts) + f'<path d="{line}" marker-mid="url(#m5)" stroke="red"/>')


def nested_patterns() -> bytes:
    parts = [
        '<pattern id="p0" width="1" height="1" patternUnits="userSpaceOnUse"><path d="M0 0h1"/></pattern>'
    ]
    parts += [
        f'<pattern id="p{n}" width=".01" height=".01" patternUnits="userSpaceOnUse">'
        f'<rect width="9" height="9" fill="url(#p{n - 1})"/></pattern>'
        for n in range(1, 8)
    ]
    return svg("".join(parts) + '<rect width="63" height="88" fill="url(#p7)"/>')


ART: dict[str, Callable[[], bytes]] = {
    "long-text": lambda: svg(
        f'<text font-family="Alegreya" font-size="3" y="9">{"word " * 60_000}</text>'
    ),
    "one-word": lambda: svg(
        f'<text font-family="Alegreya" font-size="3" y="9">{"w" * 300_000}</text>'
    ),
    "many-tspans": lambda: svg(
        f'<text font-family="Alegreya" font-size="3" y="9">{"<tspan>a</tspan>" * 30_000}</text>'
    ),
    "many-texts": lambda: svg('<text font-family="Alegreya" font-size="3" y="9">a</text>' * 30_000),
    "css-rules-times-elements": lambda: css(
        "".join(f".a{n}{{fill:red}}g{{x:{n}}}" for n in range(8000)), "<g/>" * 20_000
    ),
    "css-nested-media": lambda: css("@media print{" * 50_000),
    "css-nth": lambda: css(":nth-child(2n+1){fill:red}" * 50, "<g/>" * 20_000),
    "css-siblings": lambda: css("g~g~g~g~g~h{fill:red}", "<g/>" * 3000),
    "css-font-faces": lambda: css("@font-face{" * 25_000),
    "css-descendants": lambda: css(
        f"{DEEP} x{{fill:red}}", "<g>" * 30 + "<y/>" * 200 + "</g>" * 30
    ),
    "css-comments": lambda: css("/*" * 140_000),
    "css-brackets": lambda: css("a" + "[" * 140_000),
    "css-escapes": lambda: css("\\110000{fill:red}\\ffffff{a:b}"),
    "css-commas": lambda: css(",(" * 100_000 + "{fill:red}"),
    "css-huge-nth": lambda: css(f":nth-child({'9' * 5000}n+{'9' * 5000}){{fill:red}}"),
    "css-variables": lambda: css(
        "g{"
        + "".join(f"--v{n}:var(--v{n - 1}) var(--v{n - 1});" for n in range(1, 40))
        + "--v0:a;fill:var(--v39)}",
        "<g/>",
    ),
    "style-attribute": lambda: svg(f'<g style="fill:{"(" * 300_000}"/>'),
    "style-quotes": lambda: svg(f'<g style="fill:{chr(39) * 300_001}"/>'),
    "style-colons": lambda: svg(f'<g style="{"a:b;" * 100_000}"/>' * 5),
    "long-width": lambda: svg(f'<svg width="{"1" * 400_000}"/>'),
    "long-length": lambda: svg(f'<rect width="{" " * 300_000}x" height="{"1" * 300_000}x"/>'),
    "long-percent": lambda: svg(f'<rect width="{"1" * 300_000}.{"1" * 300_000}x%"/>'),
    "long-viewbox": lambda: svg("").replace(b"0 0 63", b" " * 400_000 + b"0 0 63"),
    "long-size": lambda: svg("").replace(b"viewBox", b"width='" + b"1" * 400_000 + b"x' a"),
    "long-transform": lambda: svg(f'<g transform="{"translate" * 40_000}">{RECT}</g>'),
    "many-transforms": lambda: svg(f'<g transform="{"scale(1.1)" * 40_000}">{RECT}</g>'),
    "many-spaces-in-a-transform": lambda: svg(f'<g transform="rotate{" " * 300_000}">{RECT}</g>'),
    "long-dashes": lambda: svg(
        f'<path d="M0 0h9" stroke="red" stroke-dasharray="{"1 " * 200_000}"/>'
    ),
    "tiny-dashes": lambda: svg('<path d="M0 0h9e5" stroke="red" stroke-dasharray="1e-6 1e-6"/>'),
    "long-path": lambda: svg(f'<path d="M0 0{"l1 1" * 900_000}"/>'),
    "long-points": lambda: svg(f'<polygon points="{"1 1 " * 900_000}"/>'),
    "fat-path": lambda: svg(
        f'<path fill="none" stroke="red" stroke-width="9" d="M0 0{"q1 5 9 1t-9 1" * 100_000}"/>'
    ),
    "turbulence": lambda: with_filter(
        '<feTurbulence baseFrequency=".5" numOctaves="10"/>', count=200
    ),
    "turbulence-chain": lambda: with_filter(
        '<feTurbulence baseFrequency=".5" numOctaves="10"/>' * 60, count=40
    ),
    "blurs": lambda: with_filter('<feGaussianBlur stdDeviation="200"/>' * 60, count=300),
    "lights": lambda: with_filter(
        '<feDiffuseLighting surfaceScale="9"><fePointLight x="1" y="1" z="1"/></feDiffuseLighting>'
        * 60,
        count=100,
    ),
    "convolved-tiles": lambda: with_filter(
        '<feFlood x="0" y="0" width=".1" height=".1"/><feTile/>'
        + f'<feConvolveMatrix order="15" kernelMatrix="{"1 " * 225}"/>' * 20,
        count=100,
    ),
    "morphology": lambda: with_filter('<feMorphology radius="2.9"/>' * 60, count=100),
    "displacement": lambda: with_filter(
        '<feTurbulence numOctaves="9"/><feDisplacementMap in2="SourceGraphic" scale="99"/>' * 30,
        count=100,
    ),
    "region": lambda: with_filter("<feFlood/>", 'x="-9" y="-9" width="9999" height="9999"', 100),
    "region-in-units": lambda: with_filter(
        "<feFlood/>", 'filterUnits="userSpaceOnUse" width="1e6" height="1e6"', 100
    ),
    "markers": nested_markers,
    "patterns": nested_patterns,
    "masks": lambda: svg(
        "".join(
            f'<mask id="m{n}"><rect width="63" height="88" mask="url(#m{n - 1})" fill="#fff"/></mask>'
            for n in range(100)
        )
        + '<rect width="63" height="88" mask="url(#m99)"/>' * 200
    ),
    "clips": lambda: svg(
        "".join(
            f'<clipPath id="c{n}" clip-path="url(#c{n - 1})">{RECT * 20}</clipPath>'
            for n in range(100)
        )
        + '<rect width="63" height="88" clip-path="url(#c99)"/>' * 500
    ),
    "groups-with-opacity": lambda: svg(('<g opacity=".9">' * 150 + RECT + "</g>" * 150) * 60),
    "blends": lambda: svg(
        ('<g style="mix-blend-mode:multiply;isolation:isolate">' * 100 + RECT + "</g>" * 100) * 60
    ),
    "gradients": lambda: svg(
        '<linearGradient id="g">'
        + '<stop offset="0.5" stop-color="red"/>' * 90_000
        + "</linearGradient>"
        '<rect width="9" height="9" fill="url(#g)"/>'
    ),
    "uses": lambda: svg(
        '<g id="g0">'
        + RECT * 10
        + "</g>"
        + "".join(f'<g id="g{n}">{f"""<use href="#g{n - 1}"/>""" * 8}</g>' for n in range(1, 5))
    ),
    "attributes": lambda: svg("<g " + " ".join(f'a{n}="{n}"' for n in range(60_000)) + "/>"),
    "elements": lambda: svg("<g/>" * 900_000),
    "ids": lambda: svg("".join(f'<g id="i{n}"/>' for n in range(90_000))),
    "png-text-bomb": lambda: svg(f'<image href="data:image/png;base64,{text_bomb()}"/>'),
    "rgb-junk": lambda: svg(
        f'<rect fill="rgb({" 1" * 100_000} / 3)" style="fill:rgb(1 2 3 / 1.1.1)"/>'
    ),
    "font-weight": lambda: svg(f'<text font-weight="{"9" * 5000}" font-family="Alegreya">a</text>'),
    "font-shorthand": lambda: svg(f'<text style="font:{"bold " * 60_000}x">a</text>'),
    "language": lambda: svg(
        '<text systemLanguage="../evil" font-family="Alegreya">a</text>' + RECT
    ),
}


def text_bomb() -> str:
    """Return a PNG, as base64, with a text chunk of 30 MB compressed to a small size."""
    import base64
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    text = b"a\0\0" + zlib.compress(b"x" * 30_000_000)
    body = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + chunk(b"zTXt", text)
    body += chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


DRAWN = [
    '<mete http-equiv="refresh" content="0;http://evil/"/>',
    '<rect ONBEGIN="alert(1)" onclick="alert(1)" width="9" height="9"/>',
    '<img src="x" onerror="alert(1)"/>',
    '<switch><foreignObject><body onload="alert(1)"/></foreignObject><rect width="9" height="9"/></switch>',
    "<title>&lt;/title>&lt;script>alert(1)&lt;/script></title>",
    "<desc>&lt;img src=x onerror=alert(1)></desc>",
    '<a href="javascript:alert(1)" xmlns:xlink="http://www.w3.org/1999/xlink"><rect width="9" height="9"/></a>',
    '<g id="g"><animate attributeName="href" to="javascript:a()"/><set attributeName="onclick" to="a()"/></g>',
    '<rect id="&quot;>&lt;script>alert(1)&lt;/script>" width="9" height="9"/>',
    '<rect style="--a:&quot;&lt;/style>&lt;script>alert(1)&lt;/script>&quot;" width="9" height="9"/>',
    '<rect width="9" height="9" poster="http://evil/" src="http://evil/" data="http://evil/" background="http://evil/"/>',
    '<rect width="9" height="9" style="background:red;behavior:x;-moz-binding:y;cursor:auto"/>',
    '<text font-family="&lt;/style>&lt;script>alert(1)&lt;/script>, Alegreya" x="1" y="5" font-size="3">a</text>',
]
"""Art with scripts, which may be drawn if they never run."""

FETCHING = [
    '<rect width="9" height="9" fill="URL(http://evil/)"/>',
    '<rect width="9" height="9" fill="u\\72l(http://evil/)"/>',
    '<rect width="9" height="9" style="mask:\\55 RL( \'http://evil/\' )"/>',
    '<rect width="9" height="9" style="cursor:image-set(\'http://evil/\' 1x)"/>',
    '<rect width="9" height="9" style="cursor:-webkit-image-set(\'http://evil/\' 1x)"/>',
    '<STYLE>@import "http://evil/"</STYLE><style>@IMPORT "http://evil/";</style>',
    "<style>@\\69mport url(http://evil/);</style>",
    "<style>rect{fill:src('http://evil/')}</style>",
    '<use HREF="http://evil/" href="http://evil/"/>',
    "<SCRIPT>alert(1)</SCRIPT>",
    "<Script>alert(1)</Script>",
    '<EMBED SRC="http://evil/"/>',
    "<meta/>",
    "<LINK/>",
    "<iframe/>",
]
"""Art that requests another address, which must be refused."""


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, make_art in ART.items():
        (folder / f"{name}.svg").write_bytes(make_art())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
