"""Write HTML from templates that escape every value.

    html('<a href="$address">$text</a>', address=file_name, text=title)

A string that is not `Html` is escaped, so text of a pack never becomes a tag, an attribute or a
script. Templates put attribute values in double quotes. `$$` stands for a dollar sign.
"""

import re
from collections.abc import Iterable
from html import escape
from string import Template

# Ends or hides the rest of a <style> or <script> element, whose content browsers read without any
# escapes (HTML standard, section 13.1.2.6, "Restrictions on the contents of raw text and escapable
# raw text elements").
_ENDS_ELEMENT = re.compile(r"</(?:style|script)|<!--", re.IGNORECASE)


class Html(str):
    """A string that is HTML and is inserted unescaped.

    Only functions here make one of a plain string. Whoever calls `Html(text)` elsewhere must have
    checked the text.
    """

    __slots__ = ()


def html(template: str, /, **values: object) -> Html:
    """Return the template with each `$name` replaced by its value, escaped unless the value is `Html`."""
    return Html(
        Template(template).substitute({name: escape_html(value) for name, value in values.items()})
    )


def escape_html(value: object) -> Html:
    """Return a value as HTML; a value that is not `Html` is escaped."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def join_html(parts: Iterable[object], between: str = "") -> Html:
    """Return the parts joined; each part that is not `Html` is escaped."""
    return Html(str(escape_html(between)).join(map(escape_html, parts)))


def raw_text(text: str) -> Html:
    """Return CSS, JavaScript or JSON as the content of a `<style>` or `<script>` element.

    Raise `ValueError` if the text would end the element: only the caller knows how to escape it.
    """
    if match := _ENDS_ELEMENT.search(text):
        raise ValueError(f"{match[0]!r} would end the element that contains it")
    return Html(text)
