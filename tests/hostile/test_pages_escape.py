"""Every text of a pack is text on every page that is made of the pack, never a tag, an attribute or a script."""

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
SAID = EVIL.replace("<", r"\<").replace("&", r"\&")
RULES = f"""# {SAID}

## {SAID} {{#x}}

{SAID} **{SAID}**, *{SAID}*, [{SAID}](#x) [^one] ((cards:one))

- {SAID}

| {SAID} |
|---|
| {SAID} |

::: note {SAID}
{SAID}
:::

::: components
- cards: {SAID}
:::

::: gallery
- a.svg: {SAID} — {SAID}
:::

::: credits :::

[^one]: {SAID}
"""
CELLS = ['"' + text.replace('"', '""') + '"' for text in ("one", EVIL, SAID)]
TABLE = f"id,title,notes\n{','.join(CELLS)}\n"
LAYOUT = "- text: $notes\n  box: [2, 2, 36, 36]\n  style: body\n  fit: 0.5mm\n"


class Page(HTMLParser):
    """The tags, the attributes and the text of a page; the text of scripts apart."""

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
    """Every page that commands make of the pack, by its path."""
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
        done = pnp(*command)
        assert done.exit_code == 0, done.output
    return {
        path.relative_to(folder).as_posix(): Page(path.read_text("utf-8"))
        for path in folder.rglob("*.html")
    }


def galleries(pages):
    return {name for name in pages if "gallery" in name}


def test_no_text_becomes_markup(pages):
    assert len(pages) == 5
    for name, page in pages.items():
        assert EVIL in page.text, name
        assert "onclick" not in page.names, name
        assert "b" not in page.tags, name
        assert len(page.scripts) == (2 if name in galleries(pages) else 0), name


def test_texts_in_attributes_are_whole(pages):
    """Galleries and previews name each picture in an attribute.

    The other pages of this pack have no such texts.
    """
    with_texts = {
        name for name, page in pages.items() if any(EVIL in (value or "") for value in page.values)
    }
    assert with_texts == galleries(pages) | {"three/pack/preview/index.html"}


def test_the_data_of_a_gallery_holds_the_texts(pages):
    assert len(galleries(pages)) == 2
    for name in galleries(pages):
        data, _ = pages[name].scripts
        assert json.loads(data)["game"]["name"] == EVIL
