"""Test HTML templates: plain text cannot become markup."""

import pytest

from generator.base.html import Html, escape_html, html, join_html, raw_text

EVIL = """<script>alert("1 & '2'")</script>"""
ESCAPED = "&lt;script&gt;alert(&quot;1 &amp; &#x27;2&#x27;&quot;)&lt;/script&gt;"


def test_template_escapes_text_but_not_html():
    paragraph = html('<p title="$text">$text$more</p>', text=EVIL, more=html("<b>$n</b>", n=1))
    assert paragraph == f'<p title="{ESCAPED}">{ESCAPED}<b>1</b></p>'
    assert html("$outer", outer=paragraph) == paragraph


def test_text_that_looks_like_placeholder_is_not_filled_in():
    assert html("<p>$a</p>", a="$b ${b} $$") == "<p>$b ${b} $$</p>"


@pytest.mark.parametrize(
    "change", [lambda text: text + "<", lambda text: text[:-1], lambda text: text.join("<>")]
)
def test_html_changed_by_string_method_is_escaped_as_text(change):
    text = change(html("<b>$a</b>", a=1))
    assert not isinstance(text, Html)
    assert html("$text", text=text) == escape_html(str(text))


def test_joining_escapes_text_but_not_html():
    assert join_html([html("<br>"), EVIL], "<") == f"<br>&lt;{ESCAPED}"


def test_template_without_value_for_placeholder_raises_key_error():
    with pytest.raises(KeyError, match="text"):
        html("<p>$text</p>")


@pytest.mark.parametrize("end", ["</style>", "</SCRIPT >", "<!-- "])
def test_raw_text_that_would_end_its_element_is_refused(end):
    with pytest.raises(ValueError, match="would end the element"):
        raw_text(f"p {{}} {end}")
    assert html("<style>$css</style>", css=raw_text("a > b {}")) == "<style>a > b {}</style>"
