"""The order of the characters in a line: Unicode's bidirectional algorithm (UAX #9).

All rules are here but two: marks after their letter (L3) and mirrored brackets (L4) are
HarfBuzz's, which shapes each run in its own direction.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from typing import NamedTuple

LTR = "ltr"
RTL = "rtl"

# Codes of embeddings, overrides and isolates; they are invisible.
CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_MARK = "\u200f"  # right-to-left mark: invisible, and as strong as a Hebrew letter
_OVERRIDES = {LTR: "\u202d", RTL: "\u202e"}
_POP = "\u202c"
_WITHOUT_CONTROLS = str.maketrans("", "", CONTROLS)
_ADDED = str.maketrans("", "", CONTROLS + _MARK)

# Blocks for letters that run to the left: DerivedBidiClass.txt gives them class R or AL even
# where no character is assigned yet.
_RTL_BLOCKS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_IN_RTL_BLOCK = re.compile(f"[{_RTL_BLOCKS}]")
_NEEDS_RULES = re.compile(f"[{_RTL_BLOCKS}{_MARK}{CONTROLS}]")

# One letter for each class of characters, so that rules can be regular expressions over a text.
_CLASSES = "L R AL EN AN ES ET CS NSM BN B S WS ON LRE RLE LRO RLO PDF LRI RLI FSI PDI"
_LETTERS = dict(zip(_CLASSES.split(), "LRA12+%,M-BS NeEoOpiIfd", strict=True))
_ISOLATES = "iIf"
_REMOVED = "eEoOp-"  # by rule X9
_TRAILING = " iIfd" + _REMOVED  # what rule L1 sets back at the end of a line
_OPENS_RTL = {"e": False, "o": False, "i": False, "E": True, "O": True, "I": True}
_OVERRIDE_TO = {"o": "L", "O": "R"}

_MAX_DEPTH = 125  # BD2
_MAX_OPEN_BRACKETS = 63  # BD16


def direction(level: int) -> str:
    """Return the direction in which the characters of a level run."""
    return RTL if level % 2 else LTR


def base_level(text: str) -> int:
    """Return 1 for a paragraph whose first letter runs to the left, else 0 (rules P2 and P3)."""
    return 0 if text.isascii() else _first_strong_level(_classes(text))


def has_rtl(text: str) -> bool:
    """Return True if any part of a text that reads from left to right runs to the left."""
    return any(level % 2 for level in levels(text, 0))


def has_strong(text: str) -> bool:
    """Return True if any character has a direction of its own, as letters have."""
    return any(kind in "LRA" for kind in _classes(text))


_RTL_LANGUAGES = frozenset(
    (
        "ar",
        "arc",
        "arz",
        "ckb",
        "dv",
        "fa",
        "he",
        "iw",
        "ks",
        "nqo",
        "pnb",
        "prs",
        "ps",
        "sd",
        "syr",
        "ug",
        "ur",
        "yi",
    )
)
_RTL_SCRIPTS = frozenset(
    ("adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa")
)


def is_rtl_language(tag: str) -> bool:
    """Return True if a language is written from right to left, by its BCP 47 tag.

    A script in the tag decides (`az-Arab`, `ks-Deva`), or else the default script of CLDR's likely
    subtags.
    """
    language, *subtags = tag.replace("_", "-").lower().split("-")
    script = next((part for part in subtags if len(part) == 4 and part.isalpha()), "")
    return script in _RTL_SCRIPTS if script else language in _RTL_LANGUAGES


def levels(text: str, base: int) -> tuple[int, ...]:
    """Return the embedding level of every character of a paragraph; even ones run to the right.

    Blanks at the end have the level of the paragraph, `base`, as at the end of a line (rule L1).
    """
    if not base and not _NEEDS_RULES.search(text):
        return (0,) * len(text)
    classes = _classes(text)
    isolate_ends = _matching_isolates(classes)
    explicit_kinds, explicit = _explicit_levels(classes, base, isolate_ends)
    resolved = [base] * len(text)
    for sequence in _isolating_sequences(classes, explicit, base, isolate_ends):
        written = "".join(explicit_kinds[place] for place in sequence.places)
        kinds = _weak(sequence.start + written)[1:]
        if pairs := _bracket_pairs("".join(text[place] for place in sequence.places), kinds):
            kinds = _resolve_brackets(pairs, written, kinds, sequence)
        kinds = _neutral(kinds, sequence.start, sequence.end, _side(sequence.level))
        above = _LEVEL_ABOVE[sequence.level % 2]
        for place, kind in zip(sequence.places, kinds, strict=True):
            resolved[place] = sequence.level + above[kind]
    return _with_edges(classes, resolved, base)


# Levels that a character adds to an even and an odd embedding (rules I1 and I2).
_LEVEL_ABOVE = ({"L": 0, "R": 1, "1": 2, "2": 2}, {"L": 1, "R": 0, "1": 1, "2": 1})


def visual(line_levels: Sequence[int]) -> list[int]:
    """Return the indexes of a line's items from left to right (rule L2)."""
    order = list(range(len(line_levels)))
    for level in range(max(line_levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and line_levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = end + 1
    return order


def add_direction_codes(text: str, level: int) -> str:
    """Return a run's text such that any engine sets it in the direction of its level.

    Marks stand where the ends of a run to the left are no letters; a run whose letters go against
    it, as an author's override makes it, is overridden again. The author's own codes are left out.
    """
    if level % 2 == 0 and not _NEEDS_RULES.search(text):
        return text
    text = text.translate(_WITHOUT_CONTROLS)
    classes = _classes(text)
    against = "L12" if level % 2 else "RA"
    if any(kind in against for kind in classes):
        return _OVERRIDES[direction(level)] + text + _POP
    if not text or not level % 2:
        return text
    ends = classes.rstrip("M-")
    before = "" if classes[:1] in ("R", "A") else _MARK
    after = "" if ends[-1:] in ("R", "A") else _MARK
    return before + text + after


def strip_direction_codes(text: str) -> str:
    """Return a text without the invisible codes of direction."""
    return text.translate(_ADDED)


@cache
def _class(character: str) -> str:
    name = unicodedata.bidirectional(character)
    if not name:  # not assigned in this Python's version of Unicode
        name = "R" if _IN_RTL_BLOCK.match(character) else "L"
    return _LETTERS[name]


def _classes(text: str) -> str:
    """Return the letter of each character's class."""
    return "".join(map(_class, text))


def _first_strong_level(classes: str) -> int:
    """Return the level after the first strong character outside isolates; 0 without one."""
    depth = 0
    for kind in classes:
        if kind in _ISOLATES:
            depth += 1
        elif kind == "d":
            depth = max(depth - 1, 0)
        elif not depth and kind in "LRA":
            return int(kind != "L")
    return 0


def _matching_isolates(classes: str) -> dict[int, int]:
    """Return where the end of each isolate is, by where it begins (BD9)."""
    matches: dict[int, int] = {}
    opened: list[int] = []
    for place, kind in enumerate(classes):
        if kind in _ISOLATES:
            opened.append(place)
        elif kind == "d" and opened:
            matches[opened.pop()] = place
    return matches


class _Status(NamedTuple):
    """An embedding, override or isolate that is open."""

    level: int
    override: str = ""
    is_isolate: bool = False


class _OpenCodes:
    """The stack of open codes at a place of a paragraph, the innermost last.

    Codes beyond the greatest depth have no effect, but are counted, so that their ends have no
    effect either.
    """

    def __init__(self, base: int) -> None:
        self._open = [_Status(base)]
        self._lost_embeddings = 0
        self._lost_isolates = 0

    @property
    def top(self) -> _Status:
        return self._open[-1]

    def open(self, kind: str, *, is_rtl: bool) -> None:
        """Apply the code that opens an embedding, an override or an isolate (rules X2 to X5c)."""
        is_isolate = kind in _ISOLATES
        below = self.top.level
        level = below + (1 if is_rtl != bool(below % 2) else 2)  # the next odd or even one
        if level <= _MAX_DEPTH and not self._lost_isolates and not self._lost_embeddings:
            self._open.append(_Status(level, _OVERRIDE_TO.get(kind, ""), is_isolate))
        elif is_isolate:
            self._lost_isolates += 1
        elif not self._lost_isolates:
            self._lost_embeddings += 1

    def close_isolate(self) -> None:
        """Apply U+2069, which also closes all that was opened within the isolate (rule X6a)."""
        if self._lost_isolates:
            self._lost_isolates -= 1
        elif any(status.is_isolate for status in self._open):
            self._lost_embeddings = 0
            while not self._open.pop().is_isolate:
                pass

    def close_embedding(self) -> None:
        """Apply U+202C, which closes nothing outside its isolate (rule X7)."""
        if self._lost_isolates:
            return
        if self._lost_embeddings:
            self._lost_embeddings -= 1
        elif not self.top.is_isolate and len(self._open) > 1:
            self._open.pop()


def _explicit_levels(
    classes: str, base: int, isolate_ends: Mapping[int, int]
) -> tuple[list[str], list[int]]:
    """Apply embeddings, overrides and isolates (rules X1 to X8).

    Return the kind of each character after overrides, and its level before the other rules.
    """
    kinds: list[str] = []
    levels: list[int] = []
    stack = _OpenCodes(base)
    for place, kind in enumerate(classes):
        if kind == "d":
            stack.close_isolate()
        status = stack.top
        is_end = kind == "B"
        kinds.append(kind if is_end or kind in _REMOVED else status.override or kind)
        levels.append(base if is_end else status.level)
        if kind == "p":
            stack.close_embedding()
        elif kind == "f":
            inside = classes[place + 1 : isolate_ends.get(place)]
            stack.open(kind, is_rtl=_first_strong_level(inside) == 1)
        elif kind in _OPENS_RTL:
            stack.open(kind, is_rtl=_OPENS_RTL[kind])
    return kinds, levels


class _Sequence(NamedTuple):
    """An isolating run sequence (BD13): characters that affect each other although isolates may separate them."""

    places: list[int]
    level: int
    start: str
    """The direction before the sequence, `L` or `R`."""
    end: str
    """The direction after the sequence."""


def _isolating_sequences(
    classes: str, explicit: Sequence[int], base: int, isolate_ends: Mapping[int, int]
) -> Iterator[_Sequence]:
    """Yield the isolating run sequences of a paragraph (rule X10), without the characters that rule X9 removes."""
    positions = [place for place, kind in enumerate(classes) if kind not in _REMOVED]
    after = dict(pairwise(positions))
    before = {place: earlier for earlier, place in after.items()}

    def level_of(place: int | None) -> int:
        return base if place is None else explicit[place]

    for places in _join_runs(positions, explicit, isolate_ends):
        level = explicit[places[0]]
        next_place = None if classes[places[-1]] in _ISOLATES else after.get(places[-1])
        yield _Sequence(
            places,
            level,
            _side(max(level, level_of(before.get(places[0])))),
            _side(max(level, level_of(next_place))),
        )


def _join_runs(
    positions: Sequence[int], levels: Sequence[int], isolate_ends: Mapping[int, int]
) -> list[list[int]]:
    """Return the runs of one level, each that an isolate ends joined with the run after that isolate (BD13)."""
    joined: list[list[int]] = []
    waiting: dict[int, list[int]] = {}
    for _, run in groupby(positions, levels.__getitem__):
        places = list(run)
        sequence = waiting.pop(places[0], None)
        if sequence is None:
            sequence = []
            joined.append(sequence)
        sequence += places
        if places[-1] in isolate_ends:
            waiting[isolate_ends[places[-1]]] = sequence
    return joined


_ISOLATE_CODES = re.compile(f"[{_ISOLATES}d]")
_MARKS = re.compile("(.)(M+)")
_AFTER_ARABIC = re.compile("A[^LR]*")
_IN_NUMBER = re.compile("(?<=1)[+,](?=1)")
_IN_ARABIC_NUMBER = re.compile("(?<=2),(?=2)")
_TERMINATORS = re.compile("%+")
_NEUTRAL_CLASSES = re.compile("[+%, BS]")
_AFTER_LATIN = re.compile("L[^R]*")
_NEUTRALS = re.compile("N+")


def _weak(kinds: str) -> str:
    """Resolve marks, numbers and their separators (rules W1 to W7).

    The first of the kinds is the direction before the sequence. All neutral kinds become `N`.
    """
    kinds = _ISOLATE_CODES.sub("N", kinds)
    kinds = _MARKS.sub(lambda m: m[1] * len(m[0]), kinds)  # W1
    kinds = _AFTER_ARABIC.sub(lambda m: m[0].replace("1", "2"), kinds)  # W2
    kinds = kinds.replace("A", "R")  # W3
    kinds = _IN_NUMBER.sub("1", kinds)  # W4
    kinds = _IN_ARABIC_NUMBER.sub("2", kinds)
    kinds = _TERMINATORS.sub(_with_number, kinds)  # W5
    kinds = _NEUTRAL_CLASSES.sub("N", kinds)  # W6
    return _AFTER_LATIN.sub(lambda m: m[0].replace("1", "L"), kinds)  # W7


def _with_number(match: re.Match[str]) -> str:
    """Let signs of currency, percent and the like go with a number beside them."""
    around = match.string[match.start() - 1], match.string[match.end() : match.end() + 1]
    return "1" * len(match[0]) if "1" in around else match[0]


def _side(level: int) -> str:
    """Return the class of letters that run as a level does."""
    return "R" if level % 2 else "L"


def _strong(kind: str) -> str:
    """Return the direction in which a resolved kind counts as a neighbour; numbers count as `R`."""
    return "L" if kind == "L" else "R"


def _resolve_brackets(
    pairs: Sequence[tuple[int, int]], written: str, kinds: str, sequence: _Sequence
) -> str:
    """Set both brackets of each pair in one direction (rule N0)."""
    resolved = list(kinds)
    for opening, closing in pairs:
        inside = {_strong(kind) for kind in resolved[opening + 1 : closing] if kind != "N"}
        if not inside:
            continue
        side = _side(sequence.level)
        if side not in inside:
            before = (_strong(kind) for kind in reversed(resolved[:opening]) if kind != "N")
            side = next(before, sequence.start)
        for bracket in (opening, closing):
            resolved[bracket] = side
            # Marks on a bracket go with it, though rule W1 made them neutral.
            after = bracket + 1
            while after < len(written) and written[after] == "M":
                resolved[after] = side
                after += 1
    return "".join(resolved)


def _bracket_pairs(text: str, kinds: str) -> list[tuple[int, int]]:
    """Return the places of paired brackets, by where they open (BD16)."""
    closing_of, closings = _brackets()
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for place, (character, kind) in enumerate(zip(text, kinds, strict=True)):
        if kind != "N":
            continue
        if character in closing_of:
            if len(opened) == _MAX_OPEN_BRACKETS:
                return []
            opened.append((closing_of[character], place))
        elif character in closings:
            expected = closings[character]
            for depth in range(len(opened) - 1, -1, -1):
                if opened[depth][0] == expected:
                    pairs.append((opened[depth][1], place))
                    del opened[depth:]
                    break
    return sorted(pairs)


@cache
def _brackets() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the closing bracket of each opening one, and each closing bracket as it stands there.

    Canonically equal brackets count as the same. The pairs are those of Unicode's BidiBrackets.txt
    (version 15.0; UNICODE-LICENSE.txt is its licence).
    """
    closing_of: dict[str, str] = {}
    closings: dict[str, str] = {}
    for line in (
        files("generator.text").joinpath("BidiBrackets.txt").read_text("utf-8").splitlines()
    ):
        fields = line.partition("#")[0].split(";")
        if len(fields) == 3:  # code point; that of its partner; o or c
            bracket, other = (chr(int(code, 16)) for code in fields[:2])
            if fields[2].strip() == "o":
                closing_of[bracket] = unicodedata.normalize("NFD", other)
            else:
                closings[bracket] = unicodedata.normalize("NFD", bracket)
    return closing_of, closings


def _neutral(kinds: str, start: str, end: str, side: str) -> str:
    """Let neutral characters go with both neighbours, or else with the embedding (rules N1 and N2)."""
    around = start + kinds + end

    def settle(match: re.Match[str]) -> str:
        before = _strong(around[match.start() - 1])
        after = _strong(around[match.end()])
        return (before if before == after else side) * len(match[0])

    return _NEUTRALS.sub(settle, around)[1:-1]


def _with_edges(classes: str, resolved: list[int], base: int) -> tuple[int, ...]:
    """Give separators and trailing blanks the base level (rule L1), and removed codes the level before them."""
    before = base
    for place, kind in enumerate(classes):
        if kind in _REMOVED:
            resolved[place] = before
        before = resolved[place]
    is_trailing = True
    for place in range(len(classes) - 1, -1, -1):
        is_separator = classes[place] in "BS"
        is_trailing = is_separator or (is_trailing and classes[place] in _TRAILING)
        if is_trailing:
            resolved[place] = base
    return tuple(resolved)
