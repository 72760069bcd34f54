"""Damage: the same bytes with a few things wrong, as a slip, a broken download or an enemy would have them."""

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
    made = bytearray(data)
    for _ in range(choose.choice((1, 1, 1, 2, 4, 12))):
        at = choose.randrange(len(made) + 1)
        end = min(len(made), at + choose.choice((1, 1, 2, 8, 40, 400)))
        way = choose.randrange(9)
        if way == 0:
            del made[at:end]
        elif way == 1:
            made[at:at] = _word(choose)
        elif way == 2:
            made[at:end] = _word(choose)
        elif way == 3:
            made[at:at] = made[at:end] * choose.choice((1, 2, 50))
        elif way == 4 and at < len(made):
            made[at] ^= 1 << choose.randrange(8)
        elif way == 5:
            other = choose.choice(others)
            start = choose.randrange(len(other) + 1)
            made[at:end] = other[start : start + choose.choice((4, 40, 400))]
        elif way == 6:
            made = _shuffled(made, choose)
        elif way == 7:
            made = _swapped(made, choose, _NUMBER, choose.choice(NUMBERS).encode())
        else:
            words = _WORD.findall(bytes(made[:20_000]))
            made = _swapped(made, choose, _WORD, choose.choice(words) if words else _word(choose))
    return bytes(made[:400_000])


def _word(choose: random.Random) -> bytes:
    return choose.choice(WORDS).encode(errors="surrogatepass")


def _shuffled(made: bytearray, choose: random.Random) -> bytearray:
    """Some lines in another order."""
    lines = bytes(made).split(b"\n")
    at = choose.randrange(len(lines))
    some = lines[at : at + choose.choice((2, 5, 30))]
    choose.shuffle(some)
    return bytearray(b"\n".join([*lines[:at], *some, *lines[at + len(some) :]]))


def _swapped(
    made: bytearray, choose: random.Random, what: re.Pattern[bytes], word: bytes
) -> bytearray:
    """Another word, or another number, in the place of one that stands there."""
    found = [match.span() for match in what.finditer(bytes(made[:20_000]))]
    if found:
        start, end = choose.choice(found)
        made[start:end] = word
    return made
