"""Templates of HTML: plain text cannot become markup."""

import pytest

from generator.base.html import Html, escape_html, html, join_html, raw_text

EVIL = """<script>alert("1 & '2'")</script>"""
ESCAPED = "&lt;script&gt;alert(&quot;1 &amp; &#x27;2&#x27;&quot;)&lt;/script&gt;"


def test_text_is_escaped_and_html_is_not():
    made = html('<p title="$text">$text$more</p>', text=EVIL, more=html("<b>$n</b>", n=1))
    assert made == f'<p title="{ESCAPED}">{ESCAPED}<b>1</b></p>'
    assert html("$outer", outer=made) == made


def test_text_that_looks_like_a_placeholder_stays_text():
    assert html("<p>$a</p>", a="$b ${b} $$") == "<p>$b ${b} $$</p>"


@pytest.mark.parametrize(
    "change", [lambda text: text + "<", lambda text: text[:-1], lambda text: text.join("<>")]
)
def test_html_that_is_changed_as_a_string_is_plain_text_again(change):
    text = change(html("<b>$a</b>", a=1))
    assert not isinstance(text, Html)
    assert html("$text", text=text) == escape_html(str(text))


def test_parts_are_escaped_when_joined():
    assert join_html([html("<br>"), EVIL], "<") == f"<br>&lt;{ESCAPED}"


def test_a_template_needs_every_value():
    with pytest.raises(KeyError, match="text"):
        html("<p>$text</p>")


@pytest.mark.parametrize("end", ["</style>", "</SCRIPT >", "<!-- "])
def test_raw_text_cannot_end_its_element(end):
    with pytest.raises(ValueError, match="would end the element"):
        raw_text(f"p {{}} {end}")
    assert html("<style>$css</style>", css=raw_text("a > b {}")) == "<style>a > b {}</style>"
