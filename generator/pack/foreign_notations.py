"""Hints for users of other programs: foreign names, signs and keys with their equivalents here.

`nearest` in `base/errors.py` covers misspellings; these tables cover words that are not near any
known name.
"""

from collections.abc import Iterable, Mapping

from generator.base.errors import nearest

KEYS: Mapping[str, str] = {
    "bold": "`weight: bold`",
    "italic": "*italic* in the text, or a style with `italic: true`",
    "if": "`when: cost > 2`",
    "condition": "`when: cost > 2`",
    "visible": "`when: cost > 2`",
    "hidden": "`when: not sold`",
    "for": "`each: kind in types`, with a group",
    "foreach": "`each: kind in types`, with a group",
    "rotate": "`turn: 90`, in degrees clockwise",
    "rotation": "`turn: 90`, in degrees clockwise",
    "angle": "`turn: 90`, in degrees clockwise",
    "alpha": "`opacity: 40%`",
    "rgb": '`colour: "#rrggbb"`',
    "border": "`stroke: 0.4mm $ink`",
    "line": "`stroke: 0.4mm $ink`",
    "background": "`- fill: $paper`, as a separate layer below it",
    "font-family": "`font: Alegreya`",
    "family": "`font: Alegreya`",
    "font-weight": "`weight: bold`",
    **dict.fromkeys(
        ("stretch", "font-stretch", "font-width", "font-variation-settings", "wdth", "opsz"),
        "`axes: {wdth: 80}` of a variable font",
    ),
    "line-height": "`leading: 1.2` of the style",
    "text-align": "`align: center`",
    "qty": "a column `count` of the table",
    "count": "a column `count` of the table",
    "csv": "`data: cards.csv`",
    "layout": "`front: layouts/front.yaml`",
    "orientation": "a size with its width first: `size: 88 x 63 mm`",
    **dict.fromkeys(
        ("x", "y", "width", "height", "position", "pos"),
        "`box: [x, y, width, height]`, or `at: [x, y]`",
    ),
}
"""Keys of a layer, a style or a component."""

LAYERS: Mapping[str, str] = {
    "rectangle": "`- shape: {rect: [5, 5, 20, 10], fill: $ink}`",
    "rect": "`- shape: {rect: [5, 5, 20, 10], fill: $ink}`",
    "box": "`- shape: {rect: [5, 5, 20, 10], fill: $ink}`",
    "circle": "`- shape: {circle: [10, 10], r: 5mm, fill: $ink}`",
    "ellipse": "`- shape: {path: …, fill: $ink}`",
    "polygon": "`- shape: {polygon: [[0, 0], [9, 0], [5, 9]], fill: $ink}`",
    "path": "`- shape: {path: M0 0 L9 9, stroke: 0.4mm $ink}`",
    "line": "`- shape: {path: M0 0 L9 9, stroke: 0.4mm $ink}`",
    "png": "`- image: art/tree.png`",
    "picture": "`- image: art/tree.png`, or `- svg: art/tree.svg`",
    "img": "`- image: art/tree.png`",
    "background": "`- fill: $paper`, or `- image: art/paper.png` with `box: bleed`",
    "color": "`- fill: $paper`",
    "colour": "`- fill: $paper`",
    "border": "`- frame: {inset: 3mm, stroke: 0.4mm $ink}`",
    "label": "`- text: $title`",
    "for": "`- each: kind in types`, with a group",
    "if": "`when:` of a layer, or of a `- group: […]`",
}
"""Kinds of layers."""

FUNCTIONS: Mapping[str, str] = {
    **dict.fromkeys(("concat", "concatenate", "str", "text"), "`a & b` joins two texts"),
    **dict.fromkeys(("len", "strlen"), "did you mean 'length'?"),
    **dict.fromkeys(("ucase", "uppercase"), "did you mean 'upper'?"),
    **dict.fromkeys(("lcase", "lowercase"), "did you mean 'lower'?"),
    **dict.fromkeys(
        ("iif", "iff", "ifs", "switch", "choose", "case"),
        "`if(cost > 2, 'dear', 'cheap')`, or `lookups:`",
    ),
    **dict.fromkeys(
        ("vlookup", "lookup", "index", "match"), "`lookups:` in game.yaml, and `kind.colour`"
    ),
    **dict.fromkeys(("substitute", "regexreplace"), "did you mean 'replace'?"),
    "rept": "did you mean 'repeat'?",
    **dict.fromkeys(("average", "avg", "mean"), "`sum(prices) / count(prices)`"),
    **dict.fromkeys(("mod", "modulo"), "`n % 2` is the remainder of n divided by 2"),
    **dict.fromkeys(("int", "trunc", "rounddown"), "did you mean 'floor'?"),
    **dict.fromkeys(("roundup", "ceiling"), "did you mean 'ceil'?"),
    **dict.fromkeys(("isblank", "isempty"), "`cost is empty`"),
    "range": "`each: n in 1 to 6`",
    **dict.fromkeys(("rand", "randbetween", "randint", "dice"), "did you mean 'random'?"),
    **dict.fromkeys(("shuffle", "sample", "choice"), "`pick(types)` takes one item of a list"),
    **dict.fromkeys(("today", "now"), "there are no dates: every build of a pack is the same"),
}
"""Functions of spreadsheets and of programs."""

VALUES: Mapping[str, str] = {
    "middle": "horizontally, that is `center`",
    "centre": "did you mean 'center'?",
    "justified": "did you mean 'justify'?",
    "heavy": "did you mean 'black'?",
    "normal": "did you mean 'regular'?",
}
"""Words for one of several."""

SIGNS: Mapping[str, str] = {
    **dict.fromkeys("\"'", "close the quotes"),
    "?": "to choose: `if(cost > 2, 'dear', 'cheap')`",
    ";": "put commas between values in brackets",
    "!": "`not sold`, `kind != fire`, or a text in quotes",
    ".": "a range is `1 to 3`",
    "^": "`n * n`: there are no powers",
    "[": "round brackets: `kind in (fire, ice)`; `item(split(types), 1)` is the first of a list",
    "{": "write names without braces: `kind = fire`",
    "“": "use straight quotes: 'a text'",
    "”": "use straight quotes: 'a text'",
    "‘": "use straight quotes: 'a text'",
    "’": "use straight quotes: 'a text'",
    "≥": "`cost >= 3`",
    "≤": "`cost <= 3`",
    "≠": "`kind != fire`",
    "×": "`cost * 2`",
    "÷": "`cost / 2`",
    "−": "`cost - 2`, with the sign of the keyboard",
}
"""Signs of other languages in expressions."""

WORDS: Mapping[str, str] = {
    "has": "`text contains star`",
    "includes": "`text contains star`",
    "like": "`text contains star`",
    "between": "`cost >= 1 and cost <= 3`",
    "equals": "`kind = fire`",
    "eq": "`kind = fire`",
    "mod": "`n % 2`",
    "xor": "`(a or b) and not (a and b)`",
    "then": "`if(cost > 2, 'dear', 'cheap')`",
}
"""Words between two values."""


def nearest_or(name: str, known_names: Iterable[str], other_names: Mapping[str, str]) -> str:
    """Return the hint for a name of another program, or else the nearest known name."""
    names = list(known_names)
    if name.lower() in map(str.lower, names):
        return nearest(name, names)
    return other_names.get(name.lower()) or nearest(name, names)


def hint_of(text: str, part: str, start: int) -> str:
    """Return a hint for `part`, which cannot stand at `start` in the expression `text`.

    May be empty.
    """
    if not part and text.count("(") > text.count(")"):
        return "put the whole value in quotes: between braces a comma separates values"
    if start == 0 and part.startswith("="):
        return "remove the = before it, which only spreadsheets need"
    if part == ",":
        return "put several values in brackets: `kind in (fire, ice)`"
    several = (
        "put a text of several words in quotes"
        if part[:1].isalnum() or part[:1] in {"'", '"', "_"}
        else ""
    )
    return WORDS.get(part.lower(), several) if part else ""
