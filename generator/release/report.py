"""A difference in words: lines for a terminal, and plain data for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from html import escape

from generator.core.web import BESIDE, policy
from generator.release.compare import ChangeKind, DesignChange, Difference, RulesChange
from generator.release.plan import Patch
from generator.release.record import Release


def lines(difference: Difference) -> Iterator[str]:
    """A row a design that differs, then the rules, then the sum."""
    old = difference.old
    new = difference.new
    yield f"{new.name} {old.version} → {new.version}"
    rows = [row(change) for change in difference.changes]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    for cells in rows:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
    for rules in difference.rules:
        yield f"  rules ({rules.language}): {said_of(rules)}"
    yield summary(difference)


def row(change: DesignChange) -> tuple[str, str, str, str]:
    """What happened, to which design, how it is called, and what exactly."""
    kinds = ", ".join(kind.value for kind in change.kinds)
    return kinds, change.name, change.design.title, "; ".join(_details(change))


def _details(change: DesignChange) -> Iterator[str]:
    old = change.old
    new = change.new
    if old is None or new is None:
        yield f"{change.design.count} ×"
        return
    if change.sides:
        matters = change.look.name.lower()
        yield f"{' and '.join(change.sides)} ({matters})"
    if old.count != new.count:
        yield f"{old.count} × → {new.count} ×"
    if old.id != new.id:
        yield f"was {change.component.id}:{old.id}"
    if old.title != new.title:
        yield f"was “{old.title}”"


def summary(difference: Difference) -> str:
    """`2 of 36 designs differ: 2 changed`."""
    kinds = Counter(kind for change in difference.changes for kind in change.kinds)
    if not kinds:
        return "no design differs" if difference.rules else "nothing differs"
    parts = ", ".join(f"{kinds[kind]} {kind.value}" for kind in ChangeKind if kinds[kind])
    return f"{len(difference.changes)} of {len(difference.pairs)} designs differ: {parts}"


def said_of(rules: RulesChange) -> str:
    """How much of the rules differs."""
    if rules.old is None or rules.new is None:
        return "added" if rules.new else "removed"
    before, after = (each.text.splitlines() for each in (rules.old, rules.new))
    changed = [line for line in unified_diff(before, after, lineterm="", n=0) if line[:1] in {"+", "-"}][2:]
    plus = sum(line.startswith("+") for line in changed)
    return (
        f"lines added: {plus}, removed: {len(changed) - plus}" if changed else "the figures differ, the text does not"
    )


def said(patch: Patch) -> str:
    """`1 → 2: take out 3, add 36; 43 - 3 + 36 = 76 pieces`."""
    old = patch.difference.old
    new = patch.difference.new
    before, out = (sum(getattr(total, what) for total in patch.totals) for what in ("old", "removed"))
    sums = f"{before} − {out} + {patch.printed} = {before - out + patch.printed} pieces"
    return f"{new.name} {old.version} → {new.version}: take out {out}, add {patch.printed}; {sums}"


def not_kept(old: Release, form: str) -> str:
    """What could not be compared."""
    return (
        f"release {old.version} kept nothing of {form}: what changed was told from its pictures in {old.language!r}, "
        "and what changed in that form alone is not known"
    )


def unchanged(patch: Patch) -> str:
    """Why there is no patch."""
    old = patch.difference.old
    new = patch.difference.new
    rules = "; the rules differ" if patch.difference.rules else ""
    return f"{new.name}: nothing to print and nothing to take out from {old.version} to {new.version}{rules}"


def data(difference: Difference) -> dict[str, object]:
    """The same for JSON; counts and titles are none where there is no such design."""
    return {
        "game": difference.new.name,
        "from": difference.old.version,
        "to": difference.new.version,
        "designs": len(difference.pairs),
        "changes": [_plain(change) for change in difference.changes],
        "rules": [{"language": rules.language, "what": said_of(rules)} for rules in difference.rules],
    }


def _plain(change: DesignChange) -> dict[str, object]:
    return {
        "component": change.component.id,
        "id": change.design.id,
        "kinds": [kind.value for kind in change.kinds],
        "severity": change.severity.name.lower(),
        "sides": list(change.sides),
        "old": {"id": change.old.id, "title": change.old.title, "count": change.old.count} if change.old else None,
        "new": {"id": change.new.id, "title": change.new.title, "count": change.new.count} if change.new else None,
    }


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #202428; background: #f6f4ef }}
body {{ font: 1rem/1.5 system-ui, sans-serif }}
section {{ border-top: 1px solid #ccc; padding: 1rem 0 }}
h2 {{ font-size: 1.1rem; margin: 0 }}
p {{ margin: .2rem 0 .8rem; color: #555 }}
.sides {{ display: flex; gap: 1.5rem; flex-wrap: wrap }}
figure {{ margin: 0 }}
img {{ max-width: 100%; height: auto; background: #fff; box-shadow: 0 1px 5px #0003 }}
figcaption {{ color: #555; font-size: .9rem }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
{body}
</html>
"""


@dataclass(frozen=True)
class Plate:
    """A picture for the page: its address (a file beside the page, or data) and its caption."""

    address: str
    caption: str


def page(difference: Difference, plates: Sequence[Sequence[Plate]]) -> str:
    """The page; the pictures belong to the changes in their order."""
    old = difference.old
    new = difference.new
    sections = [_section(change, shown) for change, shown in zip(difference.changes, plates, strict=True)]
    rules = [_rules(rules.language, said_of(rules)) for rules in difference.rules]
    return _PAGE.format(
        policy=policy(pictures=BESIDE),
        title=escape(f"{new.name}: {old.version} → {new.version}"),
        summary=escape(summary(difference)),
        body="\n".join([*sections, *rules]),
    )


def _section(change: DesignChange, plates: Sequence[Plate]) -> str:
    kinds, name, title, details = row(change)
    text = " · ".join(part for part in (kinds, name, details) if part)
    return (
        f'<section id="{escape(name)}"><h2>{escape(title)}</h2><p>{escape(text)}</p>'
        f'<div class="sides">{"".join(_figures(plates))}</div></section>'
    )


def _figures(plates: Sequence[Plate]) -> Iterator[str]:
    for plate in plates:
        caption = escape(plate.caption)
        yield f'<figure><img src="{escape(plate.address)}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'


def _rules(language: str, what: str) -> str:
    return f"<section><h2>Rules ({escape(language)})</h2><p>{escape(what)}</p></section>"
