"""Damage bytes like typing errors, broken downloads and attacks do."""

import random
import re

WORDS = [
    *(
        "0",
        "-1",
        "1e999",
        "nan",
        "999999999",
        "1²",
        "٣",
        "\x00",
        "\x1b[2J",
        "\u202e",
        "\udcff",
        "🚒",
        "狐",
        "~",
        "null",
    ),
    *(
        "../../evil",
        "/etc/passwd",
        "[a4, a4]",
        "{}",
        "[]",
        "''",
        '"',
        "- ",
        ": ",
        "\n",
        "\r",
        "\t",
        "  ",
        "#",
        "$id",
    ),
    *(
        "${",
        "}",
        "&a",
        "*a",
        "!!python/object",
        "<",
        ">",
        "</svg>",
        "<![CDATA[",
        "-->",
        "url(",
        "url(#a)",
        "%",
        "e9",
    ),
    *(
        "inherit",
        "none",
        "9999999mm",
        "0mm",
        "-3mm",
        "1/0",
        "true",
        "yes",
        "a" * 3000,
        "(" * 200,
        "[" * 70,
        ",",
        ";",
    ),
    *(
        "<use href='#a'/>",
        "<filter id='a'/>",
        "<style>",
        "<text>x</text>",
        "matrix(0 0 0 0 0 0)",
        "scale(1e300)",
    ),
    *(
        "rotate(nan)",
        "1 2 3",
        "M0 0",
        "data:image/png;base64,AAAA",
        "href='x.png'",
        "::: ",
        "|",
        "`",
        "**",
        "[a](b)",
    ),
    *(
        "${id}",
        "${a + 1}",
        "${order.name}",
        "include: a",
        "when: ",
        "repeat: 9",
        "\\",
        "\\\\",
        "..",
        "C:\\a",
        "a:b",
    ),
]
NUMBERS = [
    "0",
    "-0",
    "-1",
    "1",
    "3",
    "0.5",
    "1e9",
    "9" * 20,
    "1e400",
    "-1e400",
    "NaN",
    "1_0",
    "0x10",
    "٣",
]

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w-]*")


def mutated(data: bytes, choose: random.Random, others: list[bytes]) -> bytes:
    """Return the bytes with a few random changes."""
    damaged = bytearray(data)
    for _ in range(choose.choice((1, 1, 1, 2, 4, 12))):
        at = choose.randrange(len(damaged) + 1)
        end = min(len(damaged), at + choose.choice((1, 1, 2, 8, 40, 400)))
        kind = choose.randrange(9)
        if kind == 0:
            del damaged[at:end]
        elif kind == 1:
            damaged[at:at] = _word(choose)
        elif kind == 2:
            damaged[at:end] = _word(choose)
        elif kind == 3:
            damaged[at:at] = damaged[at:end] * choose.choice((1, 2, 50))
        elif kind == 4 and at < len(damaged):
            damaged[at] ^= 1 << choose.randrange(8)
        elif kind == 5:
            other = choose.choice(others)
            start = choose.randrange(len(other) + 1)
            damaged[at:end] = other[start : start + choose.choice((4, 40, 400))]
        elif kind == 6:
            damaged = _shuffled(damaged, choose)
        elif kind == 7:
            damaged = _swapped(damaged, choose, _NUMBER, choose.choice(NUMBERS).encode())
        else:
            words = _WORD.findall(bytes(damaged[:20_000]))
            damaged = _swapped(
                damaged, choose, _WORD, choose.choice(words) if words else _word(choose)
            )
    return bytes(damaged[:400_000])


def _word(choose: random.Random) -> bytes:
    return choose.choice(WORDS).encode(errors="surrogatepass")


def _shuffled(data: bytearray, choose: random.Random) -> bytearray:
    """Return the bytes with some lines in another order."""
    lines = bytes(data).split(b"\n")
    at = choose.randrange(len(lines))
    some = lines[at : at + choose.choice((2, 5, 30))]
    choose.shuffle(some)
    return bytearray(b"\n".join([*lines[:at], *some, *lines[at + len(some) :]]))


def _swapped(
    data: bytearray, choose: random.Random, pattern: re.Pattern[bytes], word: bytes
) -> bytearray:
    """Return the bytes with one match of the pattern replaced by a word."""
    spans = [match.span() for match in pattern.finditer(bytes(data[:20_000]))]
    if spans:
        start, end = choose.choice(spans)
        data[start:end] = word
    return data
