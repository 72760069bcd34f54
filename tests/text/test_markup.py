"""Test markup and plain text."""

import pytest

from generator.base.errors import InvalidValueError
from generator.text.markup import StyledText, parse_markup

ICONS = ("sword", "head-1", "2d6")


def parse_pieces(text):
    """Return paragraphs as text with `b[…]`, `i[…]` and `bi[…]` for bold and italic pieces."""
    out = []
    for paragraph in parse_markup(text, ICONS):
        pieces = []
        for span in paragraph:
            mark = "b" * span.bold + "i" * span.italic
            piece = f"<{span.icon}>" if span.icon else span.text
            if pieces and pieces[-1][0] == mark:
                pieces[-1] = (mark, pieces[-1][1] + piece)
            else:
                pieces.append((mark, piece))
        out.append("".join(f"{mark}[{piece}]" if mark else piece for mark, piece in pieces))
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**bold** and *italic*", "b[bold] and i[italic]"),
        ("***both*** here", "bi[both] here"),
        ("**bold *and both* again**", "b[bold ]bi[and both]b[ again]"),
        ("*i **bi***", "i[i ]bi[bi]"),
        ("un*believ*able", "uni[believ]able"),
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("a lone* star, 2 ** 3", "a lone* star, 2 ** 3"),
        (r"\[3] or [3], a < b", "[3] or [3], a < b"),
        ("**a *b c**", "b[a *b c]"),
        ("**** and *****", "**** and *****"),
        (r"\*no\* \:sword: \\", r"*no* :sword: " + "\\"),
        (r"C:\dir", r"C:\dir"),
        ("take :sword: and 2:sword:", "take <sword> and 2<sword>"),
        (":head-1::head-1:", "<head-1><head-1>"),
        ("roll :2d6: now", "roll <2d6> now"),
        ("at 10:30:15, a: b, c:d:e, 10:30:sword:", "at 10:30:15, a: b, c:d:e, 10:30<sword>"),
        ("**:sword: Strike**", "b[<sword> Strike]"),
        ("  two\t  blanks **  ** ", "two blanks ** **"),
    ],
)
def test_paragraph_is_parsed_into_bold_italic_and_icons(text, expected):
    assert parse_pieces(text) == [expected]


def test_text_is_split_into_lines_and_blank_lines():
    assert parse_pieces("one\ntwo\r\nthree\\nfour\n\nfive\n") == [
        "one",
        "two",
        "three",
        "four",
        "",
        "five",
    ]
    assert parse_pieces("\n\n  \n") == []
    assert parse_pieces("**bold\nstill** not") == ["b[bold]", "b[still] not"]


def test_accents_are_composed():
    assert parse_markup("e\u0301", ()) == ((StyledText("é"),),)


@pytest.mark.parametrize("text", ["a :sord: b", ":sord:", "(:sord:)"])
def test_unknown_icon_is_reported_with_the_nearest_name(text):
    with pytest.raises(InvalidValueError) as caught:
        parse_markup(text, ICONS)
    assert str(caught.value.at(None)) == (
        "unknown icon 'sord'\n  expected one of: 2d6, head-1, sword\n  did you mean 'sword'?"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("**open to the end", "two stars begin bold text that has no end"),
        ("open to the end**", "two stars end bold text that has no beginning"),
        ("<b>bold</b>", "'<b>' is HTML"),
        ("one<br>two", "'<br>' is HTML"),
        ("one [/] two", "[/] ends nothing"),
        ("[big]one [red]two[/]", "[big] is not ended"),
    ],
)
def test_unclosed_markup_and_html_are_reported(text, message):
    with pytest.raises(InvalidValueError) as caught:
        parse_markup(text, ICONS)
    assert message in caught.value.found


def test_named_marks_nest():
    (spans,) = parse_markup("a [big]b [red]c[/] :sword:[/] d", ICONS)
    assert [
        (span.text or span.icon, span.marks) for span in spans if span.text.strip() or span.icon
    ] == [
        ("a ", ()),
        ("b ", ("big",)),
        ("c", ("big", "red")),
        ("sword", ("big",)),
        (" d", ()),
    ]
