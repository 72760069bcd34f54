"""A page that shows each font in its own letters, for `pnp list fonts --show`."""

from generator.base.fonts import FontFile, FontSet, missing_letters
from generator.base.html import Html, html, join_html
from generator.picture.web import compose_page, css_text, font_face
from generator.release.record import subset

SAMPLE = "The quick brown fox jumps over the lazy dog. 0123456789 ÄÉÑ ½ → ♥ ★ ✓ ⚀ 🎲"

STYLE = """
h2 { margin: 2rem 0 .2rem; font-size: 1rem; color: var(--soft); }
p { margin: .2rem 0; font-size: 1.5rem; }
small { font: .85rem var(--ui); color: var(--soft); display: block; }
"""


def compose_font_page(fonts: FontSet) -> Html:
    """Return a page with a line of text in each face of each family."""
    rules = []
    lines: list[Html] = []
    for family in fonts.families:
        lines.append(html("<h2>$family</h2>", family=family))
        for file in fonts.files:
            if file.family == family:
                rules.append(_font_rule(file))
                lines.append(_line(file))
    body = html('<main class="sheet"><h1>Fonts</h1>\n$lines</main>', lines=join_html(lines, "\n"))
    return compose_page("Fonts", "en", STYLE + "\n".join(rules), body)


def _font_rule(file: FontFile) -> str:
    data = subset(file.path.read_bytes(), _sample(file), file.key)
    return font_face(file.family, file.weight, data, italic=file.italic)


def _sample(file: FontFile) -> str:
    """Return the part of the sample that a font has: browsers would set other characters in another font."""
    missing = missing_letters(SAMPLE, file)
    return "".join(letter for letter in SAMPLE if letter not in missing).strip()


def _line(file: FontFile) -> Html:
    style = f"font-family:{css_text(file.family)};font-weight:{file.weight}"
    slope = ";font-style:italic" if file.italic else ""
    return html(
        '<p style="$style">$sample<small>$name</small></p>',
        style=style + slope,
        sample=_sample(file),
        name=file.style,
    )
