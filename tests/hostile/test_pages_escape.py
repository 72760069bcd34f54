"""Test that texts of a pack stay text on every page, never a tag, an attribute or a script."""

import json
from html.parser import HTMLParser

import pytest

from tests.tools.make_pack import make, svg

EVIL = """'"><script>alert(1)</script><b onclick="x">&amp;"""
YAML = json.dumps(EVIL)
"""A text of YAML is JSON too."""
MORE = f"""credits: [{YAML}]
rules: {{file: rules.md}}
variants:
  other: {{title: {YAML}, palette: {{red: "#00ff00"}}}}
"""
# Backslashes keep the text out of Markdown's own marks.
ESCAPED_EVIL = EVIL.replace("<", r"\<").replace("&", r"\&")
RULES = f"""# {ESCAPED_EVIL}

## {ESCAPED_EVIL} {{#x}}

{ESCAPED_EVIL} **{ESCAPED_EVIL}**, *{ESCAPED_EVIL}*, [{ESCAPED_EVIL}](#x) [^one] ((cards:one))

- {ESCAPED_EVIL}

| {ESCAPED_EVIL} |
|---|
| {ESCAPED_EVIL} |

::: note {ESCAPED_EVIL}
{ESCAPED_EVIL}
:::

::: components
- cards: {ESCAPED_EVIL}
:::

::: gallery
- a.svg: {ESCAPED_EVIL} — {ESCAPED_EVIL}
:::

::: credits :::

[^one]: {ESCAPED_EVIL}
"""
CELLS = ['"' + text.replace('"', '""') + '"' for text in ("one", EVIL, ESCAPED_EVIL)]
TABLE = f"id,title,notes\n{','.join(CELLS)}\n"
LAYOUT = "- text: $notes\n  box: [2, 2, 36, 36]\n  style: body\n  fit: 0.5mm\n"


class Page(HTMLParser):
    """The tags, attributes, text and scripts of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.names = set()
        self.values = []
        self.text = ""
        self.scripts = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}
        self.values += [value for _, value in attrs]

    def handle_data(self, data):
        if self.tags[-1:] == ["script"] and self.cdata_elem == "script":
            self.scripts.append(data)
        else:
            self.text += data


@pytest.fixture(scope="module")
def pages(tmp_path_factory, pnp):
    """Return every page that commands make from the pack, by path."""
    folder = tmp_path_factory.mktemp("pages")
    pack = make(
        folder / "pack", LAYOUT, TABLE, MORE, files={"rules.md": RULES, "a.svg": svg("<g/>")}
    )
    main = pack / "game.yaml"
    text = (
        main.read_text("utf-8")
        .replace("name: Small", f"name: {YAML}")
        .replace("title: Cards", f"title: {YAML}")
    )
    main.write_text(text, "utf-8")
    commands = [
        ("build", pack, "-o", folder / "one", "--what", "web", "--what", "gallery"),
        ("build", pack, "-o", folder / "two", "--what", "gallery", "--single"),
        ("preview", pack, "-o", folder / "three"),
        ("release", pack),
        ("diff", pack, "--from", "1", "--html", folder / "diff.html"),
    ]
    for command in commands:
        if command[0] == "diff":
            main.write_text(main.read_text("utf-8").replace("#20302a", "#00ffff"), "utf-8")
            (pack / "cards.csv").write_text(TABLE.replace('"one"', '"two"'), "utf-8")
            (pack / "rules.md").write_text(RULES.replace("cards:one", "cards:two"), "utf-8")
        result = pnp(*command)
        assert result.exit_code == 0, result.output
    return {
        path.relative_to(folder).as_posix(): Page(path.read_text("utf-8"))
        for path in folder.rglob("*.html")
    }


def galleries(pages):
    return {name for name in pages if "gallery" in name}


def test_no_text_of_a_pack_becomes_markup(pages):
    assert len(pages) == 5
    for name, page in pages.items():
        assert EVIL in page.text, name
        assert "onclick" not in page.names, name
        assert "b" not in page.tags, name
        assert len(page.scripts) == (2 if name in galleries(pages) else 0), name


def test_texts_in_attributes_are_complete(pages):
    """Look for the text in attributes, in which galleries, rules and previews name pictures.

    The other pages of this pack have no such texts.
    """
    with_texts = {
        name for name, page in pages.items() if any(EVIL in (value or "") for value in page.values)
    }
    assert with_texts == galleries(pages) | {
        "one/pack/pack-1-rules.html",
        "three/pack/preview/index.html",
    }


def test_data_of_a_gallery_contains_the_texts(pages):
    assert len(galleries(pages)) == 2
    for name in galleries(pages):
        data, _ = pages[name].scripts
        assert json.loads(data)["game"]["name"] == EVIL
