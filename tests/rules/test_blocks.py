"""Test that Markdown is read into blocks of rules."""

from generator.rules.model import (
    Callout,
    Credits,
    FigureBlock,
    Gallery,
    Heading,
    Listing,
    PageBreak,
    PageRef,
    Paragraph,
    Span,
    Table,
    YesNo,
    plain,
)
from tests.tools.placeholder_figures import picture


def blocks_of(rules, kind):
    return [block for block in rules.blocks if isinstance(block, kind)]


def test_title_of_rules_is_not_a_block(read):
    rules = read("# How to play\n\nText.\n")
    assert rules.title == "How to play"
    assert [type(block) for block in rules.blocks] == [Paragraph]


def test_text_is_read_into_spans_with_emphasis_icons_and_links(read):
    (block,) = read(
        "# T\n\nA **bold *both*** :sword: [site](https://example.org) at 10:30:15.\n"
    ).blocks
    assert block.line == (
        Span("A "),
        Span("bold ", bold=True),
        Span("both", bold=True, italic=True),
        Span(" "),
        Span("", icon="sword"),
        Span(" "),
        Span("site", address="https://example.org"),
        Span(" at 10:30:15."),
    )


def test_references_to_headings_are_read_with_their_range_and_words(read):
    text = "# T\n\n[](#one), [see](#one), [](#one..), [](#one..two).\n\n## One\n\n## Two\n"
    line = blocks_of(read(text), Paragraph)[0].line
    refs = [
        (part.first, part.last, plain(part.spans)) for part in line if isinstance(part, PageRef)
    ]
    assert refs == [("one", "", ""), ("one", "", "see"), ("one", "one", ""), ("one", "two", "")]


def test_heading_is_named_after_its_words_unless_it_names_itself(read):
    rules = read("# T\n\n## Ending *the* game\n\n### Épée & co {#swords}\n")
    assert [(h.level, h.text, h.slug) for h in rules.headings] == [
        (2, "Ending the game", "ending-the-game"),
        (3, "Épée & co", "swords"),
    ]


def test_heading_of_signs_only_is_named_after_its_line(read):
    rules = read("# T\n\n## ?!\n\ntext\n\n## 🎲\n")
    assert [heading.slug for heading in rules.headings] == ["section-3", "section-7"]


def test_list_in_a_list_belongs_to_its_item(read):
    (block,) = read("# T\n\n3. three\n4. four\n   - inside\n").blocks
    assert isinstance(block, Listing)
    assert block.start == 3
    assert [len(item) for item in block.items] == [1, 2]
    assert block.items[1][1].start == 0


def test_table_of_players_is_distinguished_from_a_plain_table(read):
    text = "# T\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n::: players-table\n| Players | Cards |\n|--|--|\n| 2 | 5 |\n:::\n"
    plain_table, players = blocks_of(read(text), Table)
    assert plain_table.aligns == ("left", "right")
    assert not plain_table.players
    assert players.players
    assert plain(players.rows[0][1]) == "5"


def test_caption_in_the_text_replaces_the_caption_of_the_figure(read):
    first, second = blocks_of(
        read("# T\n\n::: figure a :::\n\n::: figure b\nLook at the *sword*.\n:::\n"), FigureBlock
    )
    assert plain(first.caption) == "Caption of a."
    assert plain(second.caption) == "Look at the sword."


def test_panels_are_read_with_verdict_figure_and_caption(read):
    (block,) = blocks_of(
        read("# T\n\n::: yes-no\n- yes: a — good: it\n  fits\n- no: b\n:::\n"), YesNo
    )
    assert [(p.good, p.figure.name, plain(p.caption)) for p in block.panels] == [
        (True, "a", "good: it fits"),
        (False, "b", "Caption of b."),
    ]


def test_callouts_have_labels_and_hold_blocks(read):
    text = "# T\n\n::: note\nA *b*.\n:::\n\n:::: example Two heads\n::: figure a :::\n::::\n"
    note, example = blocks_of(read(text), Callout)
    assert (note.label, example.label) == ("Note", "Two heads")
    assert isinstance(example.blocks[0], FigureBlock)


def test_page_breaks_and_credits_are_read(read):
    rules = read(
        "# T\n\n::: page-break :::\n\n::: back-cover :::\n\n::: credits\nArt: *Somebody*\n:::\n"
    )
    assert blocks_of(rules, PageBreak) == [PageBreak(), PageBreak(back=True)]
    assert [plain(line) for line in blocks_of(rules, Credits)[0].lines] == [
        "A game by Nobody.",
        "Art: Somebody",
    ]


def test_footnotes_are_numbered_and_read_with_their_text(read):
    rules = read(
        "# T\n\nOne[^x] and two[^y].\n\n[^x]: First,\n  and on.\n[^y]: Second.\n\n## End\n"
    )
    assert {number: plain(line) for number, line in rules.notes.items()} == {
        1: "First, and on.",
        2: "Second.",
    }
    marks = [span.note for span in blocks_of(rules, Paragraph)[0].line if span.note]
    assert marks == [1, 2]


def test_quotation_marks_follow_the_language(read):
    from generator.base.ui_strings import words_for

    assert plain(read('# T\n\n"Yes" isn\'t no\n').blocks[0].line) == "“Yes” isn’t no"
    assert plain(read('# T\n\n"Ja"\n', words=words_for("de").rules).blocks[0].line) == "„Ja“"


def test_rules_list_only_the_icons_in_their_text(read):
    assert list(read("# T\n\n:sword: and [:sword:](#x)\n\n## X\n").icons) == ["sword"]


def test_page_references_use_the_words_of_the_language():
    from generator.base.ui_strings import languages, words_for

    assert words_for("nl-BE").rules.pages == "bladzijden"
    assert {"en", "nl"} <= set(languages())
    assert words_for("en").rules.range(6, 9) == "pages\u00a06–9"
    assert words_for("en").rules.range(6, 6) == "page\u00a06"


def test_each_heading_is_a_block(read):
    rules = read("# T\n\n## One\n\ntext\n\n## Two\n")
    assert len(blocks_of(rules, Heading)) == 2


def test_gallery_items_have_a_picture_a_title_and_a_text(read):
    text = "# T\n\n::: gallery\n- art/a.svg: A *knight* — Has a :sword:\n  and more.\n- art/ein b.svg: B – c\n:::\n"
    (block,) = blocks_of(read(text, picture=picture), Gallery)
    assert [item.face.label for item in block.items] == ["art/a.svg", "art/ein b.svg"]
    assert [plain(item.title) for item in block.items] == ["A knight", "B"]
    assert Span("", icon="sword") in block.items[0].line
    assert plain(block.items[1].line) == "c"
