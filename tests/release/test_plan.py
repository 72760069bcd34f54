"""Old − removed + printed = new, piece by piece, for any two releases."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.release.compare import ChangeKind, Severity, align, compare
from generator.release.plan import Why, apply_form, check_sums, plan_patch
from generator.release.record import RecordedRules
from generator.release.report import list_changes
from tests.tools.make_face import text_run
from tests.tools.make_release import ByName, design, release


def test_a_difference_in_words():
    old = release(
        "1",
        ("cards", [design("fox", 3), design("oak", 2), design("elm", 1, "red"), design("bee", 2)]),
    )
    named = replace(design("oak", 2), title="Old Oak")
    new = release(
        "2", ("cards", [design("fox", 4), named, design("elm", 1, "blue"), design("ash", 5)])
    )
    old = replace(old, rules=(RecordedRules("nl", "Speel.", "0"),))
    new = replace(new, rules=(RecordedRules("en", "Play.", "1"),))
    assert list(list_changes(compare(old, new, ByName()))) == [
        "Game 1 → 2",
        "  recounted  cards:fox  Fox      3 × → 4 ×",
        "  renamed    cards:oak  Old Oak  was “Oak”",
        "  changed    cards:elm  Elm      front (look)",
        "  added      cards:ash  Ash      5 ×",
        "  removed    cards:bee  Bee      2 ×",
        "  rules (en): added",
        "  rules (nl): removed",
        "5 of 5 designs differ: 1 added, 1 changed, 1 removed, 1 recounted, 1 renamed",
    ]


def test_what_is_taken_out_has_the_title_that_is_on_it_where_it_was_called_otherwise():
    old = release("1", ("cards", [replace(design("fox", 2), title="Old Fox"), design("oak", 2)]))
    new = release("2", ("cards", [design("fox", 1), design("oak", 1)]))
    dutch = release(
        "2", ("cards", [replace(item, title=f"De {item.id}") for _, item in new.designs])
    )
    patch = apply_form(plan_patch(compare(old, new, ByName()), ByName()), dutch)
    assert {lot.design.id: lot.design.title for lot in patch.removes} == {
        "fox": "Old Fox",
        "oak": "De oak",
    }


SEVERITIES = st.sampled_from(list(Severity))


@st.composite
def designs(draw, component):
    ids = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6))
    looks = st.sampled_from(["red", "redrawn red", "blue", "green", "grey"])
    backs = st.sampled_from([None, "dots", "redrawn dots", "lines"])
    counts = st.integers(0, 5)
    made = [design(f"{component}{name}", draw(counts), draw(looks), draw(backs)) for name in ids]
    return component, [replace(item, title=draw(st.sampled_from(["One", "Two"]))) for item in made]


@st.composite
def releases(draw, version):
    names = draw(st.lists(st.sampled_from(["cards", "tiles", "tokens"]), unique=True, max_size=3))
    return release(version, *(draw(designs(name)) for name in names))


def deck(release):
    """Every piece as one could hold it: which design it is, and how it looks."""
    return Counter(
        {
            (component.id, design.id, *(picture_of(face) for face in design.faces)): design.count
            for component, design in release.designs
            if design.count
        }
    )


def picture_of(face):
    return face.label.removeprefix("redrawn ")


def patched(pieces, patch):
    """Return a deck after a player has followed the plan, sorted by looks."""
    pieces = Counter(pieces)
    for lot in patch.removes:
        pieces[key(lot.component, lot.design)] -= lot.count
    for stay in patch.stays:
        pieces[key(stay.component, stay.old)] -= stay.count
        pieces[key(stay.component, stay.new)] += stay.count
    for lot in patch.prints:
        pieces[key(lot.component, lot.design)] += lot.count
    assert min(pieces.values(), default=0) >= 0, "nothing is taken out that is not there"
    return +pieces


def key(component, design):
    return component.id, design.id, *(picture_of(face) for face in design.faces)


@given(releases("1"), releases("2"), SEVERITIES)
@settings(deadline=None)
def test_the_old_deck_becomes_the_new_one(old, new, least):
    patch = plan_patch(compare(old, new, ByName()), ByName(), least)
    assert patched(deck(old), patch) == deck(new)
    for total in patch.totals:
        assert total.new == sum(c.count for c in new.components if c.id == total.component.id)
    for component, total in (
        (c, t) for c in old.components for t in patch.totals if t.component.id == c.id
    ):
        assert total.old == component.count


def looks(deck, component):
    """Return the number of pieces of a component by the pictures on their sides."""
    pieces = Counter()
    for part, made in deck.designs:
        if part.id == component:
            pieces[tuple(picture_of(face) for face in made.faces)] += made.count
    return pieces


@given(releases("1"), releases("2"))
def test_as_few_pieces_as_possible_are_printed(old, new):
    """Count pieces by their pictures: the patch prints those the new deck has more of, and removes the others.

    A design under another name is recognised by its drawing alone: one that was also redrawn may be printed again.
    """
    patch = plan_patch(compare(old, new, ByName()), ByName())
    is_redrawn = any(
        "redrawn" in face.label
        for deck in (old, new)
        for _, made in deck.designs
        for face in made.faces
    )
    for component in {part.id for deck in (old, new) for part in deck.components}:
        before = looks(old, component)
        after = looks(new, component)
        printed = sum(lot.count for lot in patch.prints if lot.component.id == component)
        removed = sum(lot.count for lot in patch.removes if lot.component.id == component)
        least = (after - before).total(), (before - after).total()
        assert (printed, removed) >= least if is_redrawn else (printed, removed) == least


@given(releases("1"), releases("2"))
@settings(deadline=None)
def test_what_stays_looks_as_it_will_be(old, new):
    """An option leaves out pieces that only look different."""
    for stay in plan_patch(compare(old, new, ByName()), ByName()).stays:
        assert [picture_of(face) for face in stay.old.faces] == [
            picture_of(face) for face in stay.new.faces
        ]


@given(releases("1"), releases("2"), st.permutations(["cards", "tiles", "tokens"]))
def test_components_by_other_names(old, new, order):
    """The deck is right for any matching of designs, and a change of names alone needs no patch."""
    called = dict(zip(["cards", "tiles", "tokens"], (f"new-{name}" for name in order), strict=True))
    for now in (old, new):
        then = replace(now, components=tuple(replace(p, id=called[p.id]) for p in now.components))
        before = align(old, then)
        patch = plan_patch(compare(before, then, ByName()), ByName())
        assert patched(deck(before), patch) == deck(then)
    looks = [{design.faces for design in part.designs} for part in old.components]
    if not any(look & other for number, look in enumerate(looks) for other in looks[:number]):
        renamed = replace(
            old, components=tuple(replace(part, id=called[part.id]) for part in old.components)
        )
        assert plan_patch(compare(align(old, renamed), renamed, ByName()), ByName()).empty


@given(releases("1"), SEVERITIES)
@settings(deadline=None)
def test_from_a_release_to_itself_is_nothing(old, least):
    difference = compare(old, replace(old, version="2"), ByName())
    assert not difference.changes
    assert plan_patch(difference, ByName(), least).empty


@given(releases("1"), releases("2"), releases("3"))
@settings(deadline=None)
def test_by_way_of_another_release_the_deck_is_the_same(one, two, three):
    steps = [
        plan_patch(compare(old, new, ByName()), ByName()) for old, new in ((one, two), (two, three))
    ]
    direct = plan_patch(compare(one, three, ByName()), ByName())
    pieces = deck(one)
    for step in steps:
        pieces = patched(pieces, step)
    assert pieces == patched(deck(one), direct) == deck(three)


def one_change(old, new, comparer):
    (change,) = compare(
        release("1", ("cards", [old])), release("2", ("cards", [new])), comparer
    ).pairs
    return change


@pytest.mark.parametrize(
    ("new", "kinds", "severity"),
    [
        (design("fox", 2), (), Severity.ANY),
        (design("fox", 2, "redrawn fox"), (ChangeKind.REDRAWN,), Severity.ANY),
        (replace(design("fox", 2), title="The Fox"), (ChangeKind.RENAMED,), Severity.ANY),
        (design("fox", 3), (ChangeKind.RECOUNTED,), Severity.RULES),
        (design("fox", 2, "wolf"), (ChangeKind.CHANGED,), Severity.LOOK),
        (
            replace(design("fox", 2, "wolf"), links="n-s:road"),
            (ChangeKind.CHANGED,),
            Severity.RULES,
        ),
        (design("fox", 3, "wolf"), (ChangeKind.CHANGED, ChangeKind.RECOUNTED), Severity.RULES),
    ],
)
def test_each_kind_of_change_by_its_name(new, kinds, severity, comparer):
    change = one_change(design("fox", 2), new, comparer)
    assert (change.kinds, change.severity) == (kinds, severity)


def test_other_words_matter_and_the_same_in_another_place_do_not(comparer):
    def worded(text, x):
        front = design("fox").front
        return replace(front, items=(text_run(text, x, 10),), label=f"{text} {x}")

    fox = replace(design("fox"), front=worded("Draw a card, then play.", 3))
    moved = replace(design("fox"), front=worded("Draw a card, then play.", 4))
    edited = replace(design("fox"), front=worded("Draw a card then play.", 3))
    assert one_change(fox, moved, comparer).severity is Severity.LOOK
    assert one_change(fox, edited, comparer).severity is Severity.RULES


def lots(patch):
    said = [(lot.design.id, lot.count, lot.why) for lot in patch.prints]
    return said, [(lot.design.id, lot.count, lot.why) for lot in patch.removes]


def patch_of(old, new, comparer, least=Severity.LOOK):
    return plan_patch(
        compare(release("1", ("cards", old)), release("2", ("cards", new)), comparer),
        comparer,
        least,
    )


def test_counts_that_grow_print_only_the_extra_copies(comparer):
    patch = patch_of([design("fox", 2)], [design("fox", 5)], comparer)
    assert lots(patch) == ([("fox", 3, Why.MORE)], [])


def test_counts_that_shrink_take_out_the_rest(comparer):
    patch = patch_of([design("fox", 5)], [design("fox", 2)], comparer)
    assert lots(patch) == ([], [("fox", 3, Why.FEWER)])


def test_a_changed_back_prints_its_pieces_again_and_says_so(comparer):
    patch = patch_of([design("fox", 2, back="dots")], [design("fox", 2, back="lines")], comparer)
    assert lots(patch) == ([("fox", 2, Why.BACK)], [("fox", 2, Why.REPLACED)])


def test_a_design_under_another_id_is_the_same_piece(comparer):
    patch = patch_of([design("fox", 2, "red")], [design("vixen", 2, "red")], comparer)
    assert patch.empty
    assert patch.difference.changes[0].kinds == (ChangeKind.RENAMED,)


def test_pieces_that_are_alike_change_places_without_print(comparer):
    """One copy less of one design, one more of another with the same picture."""
    old = [design("fox", 3, "red"), design("wolf", 1, "red")]
    new = [design("fox", 2, "red"), design("wolf", 2, "red")]
    assert patch_of(old, new, comparer).empty


def test_what_only_looks_different_can_be_passed_over(comparer):
    patch = patch_of(
        [design("fox", 2, "red")], [design("fox", 3, "blue")], comparer, Severity.RULES
    )
    assert lots(patch) == ([("fox", 1, Why.MORE)], [])


def test_what_was_only_drawn_anew_is_printed_when_asked_for(comparer):
    old = [design("fox", 2, "red")]
    new = [design("fox", 2, "redrawn red")]
    assert patch_of(old, new, comparer).empty
    assert lots(patch_of(old, new, comparer, Severity.ANY))[0] == [("fox", 2, Why.CHANGED)]


def test_old_and_new_backs_in_one_deck_are_told(comparer):
    old = [design("fox", 2, back="dots")]
    new = [design("fox", 2, back="lines"), design("wolf", 1, back="lines")]
    assert [part.id for part in patch_of(old, new, comparer, Severity.RULES).mixed] == ["cards"]
    assert not patch_of(old, new, comparer).mixed


def test_another_size_is_another_piece(comparer):
    patch = patch_of([design("fox", 1, size=20)], [design("fox", 1, size=21)], comparer)
    assert lots(patch)[0] == [("fox", 1, Why.CHANGED)]


def test_a_patch_that_does_not_add_up_stops(comparer):
    patch = patch_of([design("fox", 2)], [design("fox", 3)], comparer)
    with pytest.raises(ArithmeticError, match="does not add up"):
        check_sums(replace(patch, prints=()))


def test_a_patch_that_adds_up_in_numbers_alone_stops_too(comparer):
    """Print another design, take out another one, or change the sum of a component."""
    patch = patch_of([design("fox", 2), design("owl", 1)], [design("fox", 3)], comparer)
    check_sums(patch)
    wolf = [replace(lot, design=design("wolf", 1)) for lot in (*patch.prints, *patch.removes)]
    with pytest.raises(ArithmeticError, match="does not add up to Game 2"):
        check_sums(replace(patch, prints=(wolf[0],)))
    with pytest.raises(ArithmeticError, match="does not add up to Game 1"):
        check_sums(replace(patch, removes=(wolf[1],)))
    (total,) = patch.totals
    assert (total.old, total.removed, total.printed, total.new) == (3, 1, 1, 3)
    for wrong in (replace(total, printed=2), replace(total, removed=2)):
        with pytest.raises(ArithmeticError, match="does not add up for Cards"):
            check_sums(replace(patch, totals=(wrong,)))
