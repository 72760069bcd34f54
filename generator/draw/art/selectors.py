"""CSS selectors: read, and matched against a picture's elements."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from generator.core.problems import Wrong
from generator.draw.art.gate import unescaped

Parents = Mapping[ET.Element, ET.Element]

_IDENT = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\.)+"
_SIMPLE = re.compile(
    rf"(?P<tag>\*|{_IDENT})|\#(?P<id>{_IDENT})|\.(?P<cls>{_IDENT})"
    rf"|\[\s*(?P<attr>[\w:-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?P<val>\"[^\"]*\"|'[^']*'|{_IDENT})\s*)?\]"
    rf"|:(?P<pseudo>:?[\w-]+)(?:\(\s*(?P<arg>[^)]*?)\s*\))?"
)
_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")
_NTH = re.compile(r"(?:([+-]?\d{0,9})n\s*(?:([+-])\s*)?)?(\d{1,9})?", re.ASCII)

NEVER = {"hover", "focus", "active", "visited", "focus-visible", "focus-within", "target"}
"""States that nothing on paper is in; nor has it any `::selection`."""
PLACES = {"first-child", "last-child", "only-child", "nth-child", "first-of-type", "last-of-type", "root", "link"}


@dataclass(frozen=True)
class Simple:
    """One condition: a tag, an id, a class, an attribute or a place among siblings."""

    kind: str
    name: str
    operator: str = ""
    value: str = ""


@dataclass(frozen=True)
class Selector:
    """Compounds of conditions from the right; each with how it stands to the one on its right."""

    parts: tuple[tuple[str, tuple[Simple, ...]], ...]

    @property
    def specificity(self) -> tuple[int, int, int]:
        """How many ids, classes and tags; more of them win."""
        kinds = [simple.kind for _, compound in self.parts for simple in compound if simple.name != "*"]
        return kinds.count("id"), len(kinds) - kinds.count("id") - kinds.count("tag"), kinds.count("tag")

    @property
    def key(self) -> tuple[str, str]:
        """What an element must have at least, so that most rules need not be tried."""
        conditions = self.parts[0][1]
        for kind in ("id", "cls", "tag"):
            for simple in conditions:
                if simple.kind == kind and simple.name != "*":
                    return kind, simple.name
        return "", ""

    def effort(self, widest: int, deepest: int) -> int:
        """About how many steps it takes to try it on one element, where so many stand beside and round each other."""
        places = sum(simple.kind == "pseudo" for _, compound in self.parts for simple in compound)
        rounds = 1
        for link, _ in self.parts:
            rounds *= {" ": deepest, "~": widest, "+": 1}.get(link, 1)
        return rounds + places * widest

    def matches(self, element: ET.Element, parents: Parents) -> bool:
        """Whether the element is one of those that are meant."""
        return _matches(self.parts, element, parents)


def parse_selector(text: str) -> Selector:
    """Read one selector without commas; raises `Wrong` for what is not known."""
    parts: list[tuple[str, tuple[Simple, ...]]] = []
    at, compound, link = 0, list[Simple](), ""
    while at < len(text):
        if simple := _SIMPLE.match(text, at):
            compound.append(_simple(simple, text))
            at = simple.end()
        elif (between := _COMBINATOR.match(text, at)) and compound:
            parts.append((link, tuple(compound)))
            link, compound, at = between[1] or " ", [], between.end()
        else:
            raise _unread(text)
    if not compound:
        raise _unread(text)
    steps = [*parts, (link, tuple(compound))]
    links = [*(step[0] for step in steps[1:]), ""]
    return Selector(tuple(reversed([(to_right, step[1]) for to_right, step in zip(links, steps, strict=True)])))


def _unread(text: str) -> Wrong:
    return Wrong(
        f"its style sheet has the selector {text[:60]!r}, which is not understood",
        "selectors of tags, classes, ids, attributes and places",
        "export with presentation attributes or inline styles instead",
    )


def _simple(match: re.Match[str], text: str) -> Simple:
    kind = match.lastgroup if match.lastgroup in {"tag", "id", "cls"} else "attr" if match["attr"] else "pseudo"
    if kind == "attr":
        value = (match["val"] or "").strip("\"'")
        return Simple("attr", match["attr"], match["op"] or "", value)
    name = unescaped(match[kind])
    if kind == "pseudo" and name not in NEVER | PLACES and not name.startswith(":"):
        raise _unread(text)
    if name == "nth-child" and not _nth(match["arg"] or ""):
        raise _unread(text)
    return Simple(kind, name, "", match["arg"] or "")


def _matches(parts: tuple[tuple[str, tuple[Simple, ...]], ...], element: ET.Element, parents: Parents) -> bool:
    if not all(_holds(simple, element, parents) for simple in parts[0][1]):
        return False
    rest = parts[1:]
    if not rest:
        return True
    return any(_matches(rest, other, parents) for other in _candidates(rest[0][0], element, parents))


def _candidates(link: str, element: ET.Element, parents: Parents) -> Iterator[ET.Element]:
    parent = parents.get(element)
    if parent is None:
        return
    if link in {">", " "}:
        yield parent
        while link == " " and (parent := parents.get(parent)) is not None:
            yield parent
        return
    before = list(parent)[: list(parent).index(element)]
    yield from before[-1:] if link == "+" else before


def _holds(simple: Simple, element: ET.Element, parents: Parents) -> bool:
    if simple.kind == "tag":
        return simple.name in {"*", element.tag}
    if simple.kind == "id":
        return element.get("id") == simple.name
    if simple.kind == "cls":
        return simple.name in element.get("class", "").split()
    if simple.kind == "attr":
        return _attribute_holds(simple, element.get(simple.name))
    return _place_holds(simple, element, parents)


def _attribute_holds(simple: Simple, value: str | None) -> bool:
    if value is None or not simple.operator:
        return value is not None
    wanted = simple.value
    return {
        "=": value == wanted,
        "~=": wanted in value.split(),
        "|=": value == wanted or value.startswith(f"{wanted}-"),
        "^=": bool(wanted) and value.startswith(wanted),
        "$=": bool(wanted) and value.endswith(wanted),
        "*=": bool(wanted) and wanted in value,
    }[simple.operator]


def _place_holds(simple: Simple, element: ET.Element, parents: Parents) -> bool:
    parent = parents.get(element)
    if simple.name == "root" or parent is None:
        return simple.name == "root" and parent is None
    siblings = [child for child in parent if not simple.name.endswith("type") or child.tag == element.tag]
    place = siblings.index(element) + 1
    first, last = place == 1, place == len(siblings)
    if simple.name == "nth-child":
        step, offset = _nth(simple.value) or (0, 0)
        return place == offset if step == 0 else (place - offset) % step == 0 and (place - offset) / step >= 0
    places = {"first-child": first, "first-of-type": first, "last-child": last, "last-of-type": last}
    return {**places, "only-child": first and last}.get(simple.name, False)


def _nth(text: str) -> tuple[int, int] | None:
    """Step and offset of `2n+1`, `odd`, `3`."""
    plain = {"odd": "2n+1", "even": "2n"}.get(text.strip().lower(), text.strip().lower())
    match = _NTH.fullmatch(plain)
    if not match or not plain:
        return None
    step = 0 if match[1] is None else int(match[1] + "1" if match[1] in {"", "+", "-"} else match[1])
    return step, int(match[3] or 0) * (-1 if match[2] == "-" else 1)
