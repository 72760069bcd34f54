"""Report a difference as lines for a terminal, as plain data for programs, and as a web page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from generator.base.html import Html, html, join_html
from generator.base.units import format_count
from generator.picture.web_parts import EMBEDDED_OR_BESIDE, compose_page
from generator.release.compare_releases import ChangeKind, DesignChange, Difference, RulesChange
from generator.release.plan import Patch
from generator.release.record import Release


def list_changes(difference: Difference) -> Iterator[str]:
    """Yield a line for each design that changed, then the rules, then a summary."""
    old = difference.old
    new = difference.new
    yield f"{new.name} {old.version} → {new.version}"
    rows = [describe_change(change) for change in difference.changes]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    for cells in rows:
        yield (
            "  "
            + "  ".join(
                f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)
            ).rstrip()
        )
    for rules in difference.rules:
        yield f"  rules ({rules.language}): {summarise_rules(rules)}"
    yield summarise(difference)


def describe_change(change: DesignChange) -> tuple[str, str, str, str]:
    """Return the kinds of change, the design's name, its title, and details."""
    kinds = ", ".join(kind.value for kind in change.kinds)
    return kinds, change.name, change.design.title, "; ".join(_details(change))


def _details(change: DesignChange) -> Iterator[str]:
    """Yield phrases on a change: its sides, counts, and old names."""
    old = change.old
    new = change.new
    if old is None or new is None:
        yield f"{change.design.count} ×"
        return
    if change.sides:
        severity = change.look.name.lower()
        yield f"{' and '.join(change.sides)} ({severity})"
    if old.count != new.count:
        yield f"{old.count} × → {new.count} ×"
    if old.id != new.id:
        yield f"was {change.component.id}:{old.id}"
    if old.title != new.title:
        yield f"was “{old.title}”"


def summarise(difference: Difference) -> str:
    """Return the numbers of changes, such as `2 of 36 designs differ: 2 changed`."""
    kinds = Counter(kind for change in difference.changes for kind in change.kinds)
    if not kinds:
        return "no design differs" if difference.rules else "nothing differs"
    parts = ", ".join(f"{kinds[kind]} {kind.value}" for kind in ChangeKind if kinds[kind])
    return f"{len(difference.changes)} of {len(difference.pairs)} designs differ: {parts}"


def summarise_rules(rules: RulesChange) -> str:
    """Return the numbers of changed lines of the rules, as a phrase."""
    if rules.old is None or rules.new is None:
        return "added" if rules.new else "removed"
    before = rules.old.text.splitlines()
    after = rules.new.text.splitlines()
    changed = [
        line for line in unified_diff(before, after, lineterm="", n=0) if line[:1] in {"+", "-"}
    ][2:]
    plus = sum(line.startswith("+") for line in changed)
    return (
        f"lines added: {plus}, removed: {len(changed) - plus}"
        if changed
        else "the figures differ, the text does not"
    )


def describe_patch(patch: Patch) -> str:
    """Return a summary of a patch, such as `1 → 2: take out 3, add 36; 43 − 3 + 36 = 76 pieces`."""
    old = patch.difference.old
    new = patch.difference.new
    before, out = (
        sum(getattr(total, field) for total in patch.totals) for field in ("old", "removed")
    )
    pieces = format_count(before - out + patch.printed, "piece")
    sums = f"{before} − {out} + {patch.printed} = {pieces}"
    return f"{new.name} {old.version} → {new.version}: take out {out}, add {patch.printed}; {sums}"


def note_missing_form(old: Release, form: str) -> str:
    """Return the note that the old release lacks a variant or language."""
    return (
        f"release {old.version} does not include {form}: changes were found by comparing its pictures in "
        f"{old.language!r}; changes in {form} alone are not listed"
    )


def describe_empty_patch(patch: Patch) -> str:
    """Return the message for an empty patch."""
    old = patch.difference.old
    new = patch.difference.new
    rules = "; the rules differ" if patch.difference.rules else ""
    return f"{new.name}: nothing to print and nothing to take out from {old.version} to {new.version}{rules}"


def to_json_values(difference: Difference) -> dict[str, object]:
    """Return the difference as values for JSON; counts and titles are null for a missing design."""
    return {
        "game": difference.new.name,
        "from": difference.old.version,
        "to": difference.new.version,
        "designs": len(difference.pairs),
        "changes": [_change_data(change) for change in difference.changes],
        "rules": [
            {"language": rules.language, "what": summarise_rules(rules)}
            for rules in difference.rules
        ],
    }


def _change_data(change: DesignChange) -> dict[str, object]:
    return {
        "component": change.component.id,
        "id": change.design.id,
        "kinds": [kind.value for kind in change.kinds],
        "severity": change.severity.name.lower(),
        "sides": list(change.sides),
        "old": {"id": change.old.id, "title": change.old.title, "count": change.old.count}
        if change.old
        else None,
        "new": {"id": change.new.id, "title": change.new.title, "count": change.new.count}
        if change.new
        else None,
    }


_STYLE = """section { border-top: 1px solid var(--line); padding: 1rem 0 }
h2 { font-size: 1.1rem; margin: 0 }
p { margin: .2rem 0 .8rem; color: var(--soft) }
.sides { display: flex; gap: 1.5rem; flex-wrap: wrap }
img { max-width: 100%; height: auto; background: #fff; box-shadow: var(--shadow) }"""


Plate = tuple[str, str]
"""A picture on the page: its address (a file next to the page, or data), and its caption."""


def compose_changes_page(difference: Difference, plates: Sequence[Sequence[Plate]]) -> Html:
    """Return the HTML page; `plates` holds the pictures of each change, in order."""
    title = f"{difference.new.name}: {difference.old.version} → {difference.new.version}"
    sections = [
        _section(change, pictures)
        for change, pictures in zip(difference.changes, plates, strict=True)
    ]
    body = html(
        '<main class="sheet"><h1>$title</h1>\n<p>$summary</p>\n$sections</main>',
        title=title,
        summary=summarise(difference),
        sections=join_html([*sections, *map(_rules, difference.rules)], "\n"),
    )
    return compose_page(title, "en", _STYLE, body, EMBEDDED_OR_BESIDE)


def _section(change: DesignChange, plates: Sequence[Plate]) -> Html:
    kinds, name, title, details = describe_change(change)
    return html(
        '<section id="$name"><h2>$title</h2><p>$text</p><div class="sides">$plates</div></section>',
        name=name,
        title=title,
        text=" · ".join(part for part in (kinds, name, details) if part),
        plates=join_html(map(_figure, plates)),
    )


def _figure(plate: Plate) -> Html:
    address, caption = plate
    return html(
        '<figure><img src="$address" alt="$caption"><figcaption>$caption</figcaption></figure>',
        address=address,
        caption=caption,
    )


def _rules(rules: RulesChange) -> Html:
    template = "<section><h2>Rules ($language)</h2><p>$changes</p></section>"
    return html(template, language=rules.language, changes=summarise_rules(rules))
