"""Test messages about mistakes in rules: file, line, found, expected, nearest name."""

import pytest

from generator.base.errors import PnpError

CASES = {
    "unknown directive": (
        "::: figur a\n:::\n",
        (
            "rules.md:3: unknown block '::: figur'\n"
            "  expected one of: ::: back-cover, ::: components, ::: credits, ::: example, ::: figure, "
            "::: figures, ::: gallery, ::: making, ::: note, ::: page-break, ::: players-table, ::: tip, …\n"
            "  did you mean '::: figure'?"
        ),
    ),
    "unknown icon": (
        "first\nline :swrd: here\n",
        "rules.md:4: unknown icon 'swrd'\n  expected one of: shield, sword\n  did you mean 'sword'?",
    ),
    "unknown heading": (
        "see\n[there](#scorin)\n\n## Scoring\n",
        "rules.md:4: unknown heading 'scorin'\n  expected one of: scoring\n  did you mean 'scoring'?",
    ),
    "unknown end of a range": (
        "[](#one..tow)\n\n## One\n\n## Two\n",
        "rules.md:3: unknown heading 'tow'\n  expected one of: one, two\n  did you mean 'two'?",
    ),
    "unknown figure": (
        "::: figure wied\n:::\n",
        "rules.md:3: unknown figure 'wied'\n  expected one of: a, b, c, wide\n  did you mean 'wide'?",
    ),
    "unknown figure in a panel": (
        "::: yes-no\n- yes: a\n- no: z\n:::\n",
        "rules.md:5: unknown figure 'z'\n  expected one of: a, b, c, wide",
    ),
    "unknown component": (
        "::: components\n- cards: yes\n:::\n",
        "rules.md:4: unknown component 'cards'; there is no component here",
    ),
    "no picture": (
        "::: gallery\n- art/x.svg: Knights\n:::\n",
        (
            "rules.md:4: 'art/x.svg: Knights' is not a picture with its words\n  "
            "expected `- art/FILE.svg: Title — text`"
        ),
    ),
    "an empty gallery": (
        "::: gallery\n:::\n",
        "rules.md:3: ::: gallery is empty\n  expected a list of `- art/FILE.svg: Title — text`",
    ),
    "unknown footnote": (
        "One[^b].\n\n[^a]: First.\n",
        (
            "rules.md:3: unknown footnote 'b'\n  expected one of: a\n"
            "rules.md:5: the footnote [^a] is not used\n  expected [^a] in the text"
        ),
    ),
    "a footnote twice": (
        "One[^a].\n\n[^a]: First.\n[^a]: Second.\n",
        "rules.md:6: the footnote [^a] is defined twice\n  expected a name of its own for each",
    ),
    "not closed": (
        "::: note\ntext\n",
        "rules.md:3: ::: note is not closed\n  expected a line with as many colons alone, after it",
    ),
    "heading without words": (
        "## \n\ntext\n",
        "rules.md:3: a heading has no words\n  expected words after ##",
    ),
    "heading twice": (
        "## A\n\n## A\n",
        (
            "rules.md:5: the heading #a occurs twice\n"
            "  expected a name of its own, such as `## Scoring {#team-scoring}`\n  the first is in line 3"
        ),
    ),
    "title twice": (
        "# B\n",
        (
            "rules.md:3: # 'B' is not allowed here\n"
            "  expected # once, for the title, then ## to ####, and none inside lists and blocks"
        ),
    ),
    "quotation": (
        "> text\n",
        "rules.md:3: a quotation is not allowed in rules\n  expected a block `::: note`, `::: example` or `::: tip`",
    ),
    "picture": (
        "![](art/x.svg)\n",
        "rules.md:3: a picture in the text\n  expected an icon, such as :name:, or a block `::: figure NAME`",
    ),
    "link": (
        "[x](scoring)\n",
        "rules.md:3: 'scoring' leads nowhere\n  expected a heading, such as #scoring, or an address with https://",
    ),
    "panel": (
        "::: yes-no\n- perhaps: a\n:::\n",
        "rules.md:4: 'perhaps: a' is not a panel\n  expected `- yes: NAME — caption` or `- no: NAME — caption`",
    ),
    "no table": (
        "::: players-table\ntext\n:::\n",
        (
            "rules.md:3: ::: players-table has no table\n"
            "  expected one Markdown table, with the players in its first column"
        ),
    ),
    "break in a note": (
        ":::: note\n::: page-break :::\n::::\n",
        "rules.md:3: a page break in ::: note\n  expected page breaks outside of other blocks",
    ),
    "inside a callout": (
        "text\n\n::: tip\n\n- one\n- :sord:\n:::\n",
        "rules.md:8: unknown icon 'sord'\n  expected one of: shield, sword\n  did you mean 'sword'?",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_mistake_in_rules_is_reported_with_line_and_remedy(case, read):
    text, message = CASES[case]
    with pytest.raises(PnpError) as caught:
        read(f"# T\n\n{text}")
    assert str(caught.value) == message


def test_all_mistakes_in_rules_are_reported_at_once(read):
    with pytest.raises(PnpError) as caught:
        read("# T\n\n::: figure q\n:::\n\n:sord: [](#nowhere)\n")
    assert len(caught.value.problems) == 3


def test_rules_without_a_title_are_refused(read):
    with pytest.raises(PnpError, match=r"rules\.md:1: the rules have no title"):
        read("Text.\n")
