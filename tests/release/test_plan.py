"""Test that old − removed + printed = new, piece by piece, for any two releases."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.release.compare_releases import ChangeKind, Severity, align, compare
from generator.release.plan import Why, apply_form, check_sums, plan_patch
from generator.release.record import RecordedRules
from generator.release.report import list_changes
from tests.tools.make_face import text_run
from tests.tools.make_release import ByName, design, release


def test_list_of_changes_has_a_line_for_each_design_and_a_summary():
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


def test_removed_piece_is_listed_by_the_title_printed_on_it():
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
    pictures = st.sampled_from(["red", "redrawn red", "blue", "green", "grey"])
    backs = st.sampled_from([None, "dots", "redrawn dots", "lines"])
    counts = st.integers(0, 5)
    drawn_designs = [
        design(f"{component}{name}", draw(counts), draw(pictures), draw(backs)) for name in ids
    ]
    return component, [
        replace(item, title=draw(st.sampled_from(["One", "Two"]))) for item in drawn_designs
    ]


@st.composite
def releases(draw, version):
    names = draw(st.lists(st.sampled_from(["cards", "tiles", "tokens"]), unique=True, max_size=3))
    return release(version, *(draw(designs(name)) for name in names))


def deck_of(release):
    """Count the pieces of a release by component, design and pictures."""
    return Counter(
        {
            (component.id, design.id, *(picture_of(face) for face in design.faces)): design.count
            for component, design in release.designs
            if design.count
        }
    )


def picture_of(face):
    return face.label.removeprefix("redrawn ")


def apply_patch(pieces, patch):
    """Return the deck after a player has followed the patch."""
    pieces = Counter(pieces)
    for lot in patch.removes:
        pieces[key_of(lot.component, lot.design)] -= lot.count
    for stay in patch.stays:
        pieces[key_of(stay.component, stay.old)] -= stay.count
        pieces[key_of(stay.component, stay.new)] += stay.count
    for lot in patch.prints:
        pieces[key_of(lot.component, lot.design)] += lot.count
    assert min(pieces.values(), default=0) >= 0, "a patch removes only pieces that exist"
    return +pieces


def key_of(component, design):
    return component.id, design.id, *(picture_of(face) for face in design.faces)


@given(releases("1"), releases("2"), SEVERITIES)
@settings(deadline=None)
def test_patch_turns_the_old_deck_into_the_new_one(old, new, least):
    patch = plan_patch(compare(old, new, ByName()), ByName(), least)
    assert apply_patch(deck_of(old), patch) == deck_of(new)
    for total in patch.totals:
        assert total.new == sum(c.count for c in new.components if c.id == total.component.id)
    for component, total in (
        (c, t) for c in old.components for t in patch.totals if t.component.id == c.id
    ):
        assert total.old == component.count


def pictures_of_component(release, component):
    """Return the number of pieces of a component by the pictures on their sides."""
    pieces = Counter()
    for part, design_of_part in release.designs:
        if part.id == component:
            pieces[tuple(picture_of(face) for face in design_of_part.faces)] += design_of_part.count
    return pieces


@given(releases("1"), releases("2"))
def test_patch_prints_as_few_pieces_as_possible(old, new):
    """Count the pieces by their pictures.

    A renamed design is recognised by its picture, so a design that was also redrawn may be printed.
    """
    patch = plan_patch(compare(old, new, ByName()), ByName())
    is_redrawn = any(
        "redrawn" in face.label
        for each_release in (old, new)
        for _, design_of_part in each_release.designs
        for face in design_of_part.faces
    )
    for component in {part.id for each_release in (old, new) for part in each_release.components}:
        before = pictures_of_component(old, component)
        after = pictures_of_component(new, component)
        printed = sum(lot.count for lot in patch.prints if lot.component.id == component)
        removed = sum(lot.count for lot in patch.removes if lot.component.id == component)
        added = (after - before).total()
        dropped = (before - after).total()
        if is_redrawn:
            assert printed >= added
            assert removed >= dropped
        else:
            assert (printed, removed) == (added, dropped)


@given(releases("1"), releases("2"))
@settings(deadline=None)
def test_pieces_that_stay_look_like_the_new_ones(old, new):
    """An option leaves out pieces that only look different."""
    for stay in plan_patch(compare(old, new, ByName()), ByName()).stays:
        assert [picture_of(face) for face in stay.old.faces] == [
            picture_of(face) for face in stay.new.faces
        ]


@given(releases("1"), releases("2"), st.permutations(["cards", "tiles", "tokens"]))
def test_renamed_components_need_no_patch(old, new, order):
    """The patched deck is right for any matching of designs."""
    called = dict(zip(["cards", "tiles", "tokens"], (f"new-{name}" for name in order), strict=True))
    for now in (old, new):
        then = replace(now, components=tuple(replace(p, id=called[p.id]) for p in now.components))
        before = align(old, then)
        patch = plan_patch(compare(before, then, ByName()), ByName())
        assert apply_patch(deck_of(before), patch) == deck_of(then)
    faces_by_component = [{design.faces for design in part.designs} for part in old.components]
    if not any(
        look & other
        for number, look in enumerate(faces_by_component)
        for other in faces_by_component[:number]
    ):
        renamed = replace(
            old, components=tuple(replace(part, id=called[part.id]) for part in old.components)
        )
        assert plan_patch(compare(align(old, renamed), renamed, ByName()), ByName()).is_empty


@given(releases("1"), SEVERITIES)
@settings(deadline=None)
def test_patch_of_equal_releases_is_empty(old, least):
    difference = compare(old, replace(old, version="2"), ByName())
    assert not difference.changes
    assert plan_patch(difference, ByName(), least).is_empty


@given(releases("1"), releases("2"), releases("3"))
@settings(deadline=None)
def test_patches_in_two_steps_give_the_same_deck_as_one_patch(one, two, three):
    steps = [
        plan_patch(compare(old, new, ByName()), ByName()) for old, new in ((one, two), (two, three))
    ]
    direct = plan_patch(compare(one, three, ByName()), ByName())
    pieces = deck_of(one)
    for step in steps:
        pieces = apply_patch(pieces, step)
    assert pieces == apply_patch(deck_of(one), direct) == deck_of(three)


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
def test_change_has_its_kinds_and_its_severity(new, kinds, severity, comparer):
    change = one_change(design("fox", 2), new, comparer)
    assert (change.kinds, change.severity) == (kinds, severity)


def test_changed_words_concern_rules_and_moved_words_appearance(comparer):
    def face_with(text, x):
        front = design("fox").front
        return replace(front, items=(text_run(text, x, 10),), label=f"{text} {x}")

    fox = replace(design("fox"), front=face_with("Draw a card, then play.", 3))
    moved = replace(design("fox"), front=face_with("Draw a card, then play.", 4))
    edited = replace(design("fox"), front=face_with("Draw a card then play.", 3))
    assert one_change(fox, moved, comparer).severity is Severity.LOOK
    assert one_change(fox, edited, comparer).severity is Severity.RULES


def lots_of(patch):
    prints = [(lot.design.id, lot.count, lot.why) for lot in patch.prints]
    return prints, [(lot.design.id, lot.count, lot.why) for lot in patch.removes]


def patch_of(old, new, comparer, least=Severity.LOOK):
    return plan_patch(
        compare(release("1", ("cards", old)), release("2", ("cards", new)), comparer),
        comparer,
        least,
    )


def test_larger_count_prints_only_the_extra_copies(comparer):
    patch = patch_of([design("fox", 2)], [design("fox", 5)], comparer)
    assert lots_of(patch) == ([("fox", 3, Why.MORE)], [])


def test_smaller_count_takes_out_the_surplus(comparer):
    patch = patch_of([design("fox", 5)], [design("fox", 2)], comparer)
    assert lots_of(patch) == ([], [("fox", 3, Why.FEWER)])


def test_changed_back_reprints_its_pieces_and_gives_the_reason(comparer):
    patch = patch_of([design("fox", 2, back="dots")], [design("fox", 2, back="lines")], comparer)
    assert lots_of(patch) == ([("fox", 2, Why.BACK)], [("fox", 2, Why.REPLACED)])


def test_design_with_a_new_id_and_the_same_picture_is_renamed(comparer):
    patch = patch_of([design("fox", 2, "red")], [design("vixen", 2, "red")], comparer)
    assert patch.is_empty
    assert patch.difference.changes[0].kinds == (ChangeKind.RENAMED,)


def test_identical_pieces_swap_designs_without_printing(comparer):
    """One design loses a copy, and another with the same picture gains one."""
    old = [design("fox", 3, "red"), design("wolf", 1, "red")]
    new = [design("fox", 2, "red"), design("wolf", 2, "red")]
    assert patch_of(old, new, comparer).is_empty


def test_changed_appearance_can_be_ignored(comparer):
    patch = patch_of(
        [design("fox", 2, "red")], [design("fox", 3, "blue")], comparer, Severity.RULES
    )
    assert lots_of(patch) == ([("fox", 1, Why.MORE)], [])


def test_redrawn_design_is_printed_only_on_request(comparer):
    old = [design("fox", 2, "red")]
    new = [design("fox", 2, "redrawn red")]
    assert patch_of(old, new, comparer).is_empty
    assert lots_of(patch_of(old, new, comparer, Severity.ANY))[0] == [("fox", 2, Why.CHANGED)]


def test_deck_with_old_and_new_backs_is_reported_as_mixed(comparer):
    old = [design("fox", 2, back="dots")]
    new = [design("fox", 2, back="lines"), design("wolf", 1, back="lines")]
    assert [part.id for part in patch_of(old, new, comparer, Severity.RULES).mixed] == ["cards"]
    assert not patch_of(old, new, comparer).mixed


def test_design_with_another_size_is_printed_again(comparer):
    patch = patch_of([design("fox", 1, size=20)], [design("fox", 1, size=21)], comparer)
    assert lots_of(patch)[0] == [("fox", 1, Why.CHANGED)]


def test_patch_with_missing_prints_does_not_add_up(comparer):
    patch = patch_of([design("fox", 2)], [design("fox", 3)], comparer)
    with pytest.raises(ArithmeticError, match="does not add up"):
        check_sums(replace(patch, prints=()))


def test_patch_with_wrong_designs_or_totals_does_not_add_up(comparer):
    """Print a wrong design, take out a wrong design, or change a total."""
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
