"""Test pnp's symbols, the search for icons, aliases, and the import of icon sets."""

import io
import json
import re
import tarfile

import click
import pytest
import yaml

from generator.base.symbols import symbol_aliases, symbol_paths
from generator.draw.draw import draw_game
from generator.pack.icon_sets import IconSet, add_to_game
from generator.picture.items import walk
from tests.tools.make_pack import loaded, make, problems, render_design, svg

ICONIFY = {
    "prefix": "tabletop",
    "info": {"name": "Tabletop", "author": {"name": "Ann"}, "license": {"title": "CC BY 4.0"}},
    "icons": {"meeple": {"body": '<circle cx="8" cy="8" r="8" fill="currentColor"/>'}},
    "aliases": {"pawn": {"parent": "meeple"}},
}


def test_every_symbol_has_ink_in_its_colour_that_stays_in_its_square(tmp_path):
    names = list(symbol_paths())
    assert len(names) >= 60
    rows = -(-len(names) // 10)
    layout = """\
- each: name in split(all)
  at: [11, 11]
  grid: {columns: 10, step: [22mm, 22mm]}
  group:
    - {icon: $name, at: [0, 0], size: 20mm, colour: red}
"""
    table = f'id,all\none,"{" ".join(names)}"\n'
    picture = render_design(make(tmp_path, layout, table, size=f"220 x {22 * rows} mm"))
    for index, name in enumerate(names):
        left = 22 * (index % 10)
        top = 22 * (index // 10)
        steps = [number / 4 for number in range(88)]
        inks = {picture.at(left + x, top + y) for x in steps for y in steps}
        edge = {picture.at(left + x, top + 0.3) for x in steps}
        edge |= {picture.at(left + 0.3, top + y) for y in steps}
        assert inks >= {"#ff0000", ""}, name
        assert edge == {""}, name


@pytest.mark.parametrize("name", ["heart", "health", "symbols/heart"])
def test_symbol_is_rendered_without_icon_files(tmp_path, name):
    picture = render_design(
        make(tmp_path, f"- {{icon: {name}, at: center, size: 20mm, colour: blue}}\n")
    )
    assert picture.at(20, 20) == "#0000ff"


def test_symbols_appear_in_texts_and_rules(tmp_path):
    layout = "- {text: 'Gain :coin: now', box: trim, style: body}\n"
    folder = make(
        tmp_path,
        layout,
        more="rules: {file: rules.md}\n",
        files={"rules.md": "# Rules\n\nPay :coin:.\n"},
    )
    assert problems(folder) == ""


def test_icon_of_the_pack_takes_precedence_over_a_symbol(tmp_path):
    own = svg('<rect width="10" height="10" fill="lime"/>')
    layout = "- {icon: heart, at: center, size: 20mm, colour: blue}\n"
    picture = render_design(make(tmp_path, layout, files={"art/icons/heart.svg": own}))
    assert picture.at(11.5, 11.5) == "#00ff00"  # a heart leaves this corner empty


def test_icon_of_the_pack_in_another_case_is_named_and_no_symbol_takes_its_place(tmp_path):
    files = {"art/icons/Heart.svg": svg('<rect width="10" height="10" fill="lime"/>')}
    layout = "- {{icon: {}, at: center, size: 20mm}}\n"
    message = problems(make(tmp_path, layout.format("heart"), files=files))
    assert message.endswith(
        "unknown icon 'heart'\n  expected one of: Heart\n  did you mean 'Heart'?"
    )
    assert problems(make(tmp_path, layout.format("symbols/heart"), files=files)) == ""


def test_colons_inside_words_name_no_symbols(tmp_path):
    layout = "- {text: 'attack:time:place', box: trim, style: body}\n"
    (component,) = draw_game(loaded(make(tmp_path, layout)))
    ((run, _),) = walk(component.designs[0].front.items)
    assert run.text == "attack:time:place"


def test_unknown_icon_names_the_nearest_symbol(tmp_path):
    message = problems(make(tmp_path, "- {icon: hart, at: center, size: 9mm}\n"))
    assert message.endswith("did you mean 'heart'?")


def test_every_alias_names_a_symbol_and_hides_none():
    assert set(symbol_aliases().values()) <= set(symbol_paths())
    assert not set(symbol_aliases()) & set(symbol_paths())


def test_aliases_name_icons(tmp_path):
    layout = "- {icon: dmg, at: center, size: 20mm, colour: blue}\n"
    picture = render_design(make(tmp_path, layout, more="aliases: {dmg: heart}\n"))
    assert picture.at(20, 20) == "#0000ff"


def test_alias_of_an_unknown_icon_is_reported_at_its_line(tmp_path):
    message = problems(make(tmp_path, more="aliases: {dmg: hart}\n"))
    assert message.startswith("game.yaml:6: aliases.dmg: unknown icon 'hart'")
    assert "did you mean 'heart'?" in message


def test_search_finds_names_and_aliases(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    assert re.search(r"^flame +fire$", pnp("icons", "fire").output, re.MULTILINE)
    assert len(pnp("icons").output.splitlines()) == len(symbol_paths())
    assert "did you mean 'heart'?" in pnp("icons", "hart").stderr
    names = json.loads(pnp("icons", "arrow", "--json").stdout)["names"]
    assert {row["name"] for row in names} == {
        f"arrow-{way}" for way in ("up", "down", "left", "right")
    }


def test_search_lists_the_icons_of_the_pack_first(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(make(tmp_path, files={"art/icons/zebra.svg": svg("<path d='M0 0h9v9z'/>")}))
    assert pnp("icons").output.splitlines()[0].split() == ["zebra", "of", "this", "pack"]


def test_page_shows_every_icon_that_matches_search(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    addresses = []
    monkeypatch.setattr(click, "launch", lambda url, **_: addresses.append(url) or 0)
    assert pnp("icons", "arrow", "--show").exit_code == 0
    page = (tmp_path / "output" / "icons.html").read_text("utf-8")
    assert addresses == ["output/icons.html"]
    assert page.count("<figure>") == page.count("data:image/svg+xml;base64,") == 4
    assert "default-src &#x27;none&#x27;" in page


def package(folder, files):
    """Write a package as `npm pack` does, and return its path."""
    path = folder / "set.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return path


def sources(folder):
    """Write the same set as a JSON file, as a package and as a folder."""
    data = json.dumps(ICONIFY).encode()
    (folder / "icons.json").write_bytes(data)
    pictures = folder / "My Icons"
    pictures.mkdir()
    (pictures / "meeple.svg").write_text(svg('<circle cx="5" cy="5" r="5" fill="currentColor"/>'))
    (pictures / "LICENSE").write_text("CC0 1.0\n")
    info = json.dumps(ICONIFY["info"]).encode()
    bare = json.dumps({**ICONIFY, "info": {}}).encode()
    return {
        "json": (folder / "icons.json", "art/icon-sets/tabletop.json"),
        "package": (
            package(folder, {"icons.json": bare, "info.json": info}),
            "art/icon-sets/tabletop.json",
        ),
        "folder": (pictures, "art/icon-sets/my-icons"),
    }


@pytest.mark.parametrize("kind", ["json", "package", "folder"])
def test_imported_icon_set_is_rendered_and_credited(tmp_path, pnp, kind):
    source, entry = sources(tmp_path)[kind]
    own = {"art/icons/heart.svg": svg("<path d='M0 0h9v9z'/>")}
    layout = "- {icon: meeple, at: center, size: 20mm, colour: blue}\n"
    pack = make(tmp_path / "pack", layout, files=own)
    result = pnp("icons", "add", source, "--game", pack)
    assert result.exit_code == 0, result.output
    settings = yaml.safe_load((pack / "game.yaml").read_text("utf-8"))
    assert settings["icons"] == ["art/icons", entry]
    credit = (
        "Icons of My Icons: CC0 1.0" if kind == "folder" else "Icons: Tabletop by Ann, CC BY 4.0"
    )
    assert settings["credits"] == [credit]
    assert render_design(pack).at(20, 20) == "#0000ff"
    game_text = (pack / "game.yaml").read_text("utf-8")
    assert pnp("icons", "add", source, "--game", pack).exit_code == 0
    assert (pack / "game.yaml").read_text("utf-8") == game_text


def test_own_icon_takes_precedence_over_imported_icon_of_same_name(tmp_path, pnp):
    source, _ = sources(tmp_path)["json"]
    own = svg('<rect width="10" height="10" fill="lime"/>')
    layout = "- {icon: meeple, at: center, size: 20mm, colour: blue}\n"
    pack = make(tmp_path / "pack", layout, files={"art/icons/meeple.svg": own})
    assert pnp("icons", "add", source, "--game", pack).exit_code == 0
    assert render_design(pack).at(20, 20) == "#00ff00"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("name: A\n", 'name: A\nicons: ["art/icons", "new"]\n'),
        ("icons: signs\nname: A\n", 'icons: [signs, "new"]\nname: A\n'),
        ("icons: [signs]  # mine\n", 'icons: [signs, "new"]  # mine\n'),
        ("icons: []\nname: A", 'icons: ["new"]\nname: A'),
        ("icons:\n  - signs  # mine\nname: A\n", 'icons:\n  - signs  # mine\n  - "new"\nname: A\n'),
        ("icons:\n- signs\n", 'icons:\n- signs\n- "new"\n'),
    ],
)
def test_adding_icons_changes_game_file_in_one_place_only(written, expected):
    assert add_to_game(written, IconSet("new", {}, "new", 1), has_default_folder=True) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", "is not an icon set"),
        (b"[[[[", "is not JSON"),
        (b"\x1f\x8bdamaged", "cannot be unpacked"),
    ],
)
def test_damaged_icon_set_is_refused_and_changes_nothing(tmp_path, pnp, content, message):
    pack = make(tmp_path / "pack")
    before = {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()}
    (tmp_path / "set.json").write_bytes(content)
    result = pnp("icons", "add", tmp_path / "set.json", "--game", pack)
    assert result.exit_code == 3
    assert message in result.stderr
    assert {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()} == before


def test_package_without_icons_is_reported(tmp_path, pnp):
    path = package(tmp_path, {"readme.md": b"hello"})
    result = pnp("icons", "add", path, "--game", make(tmp_path / "pack"))
    assert "has no package/icons.json" in result.stderr


def test_files_of_a_set_that_cannot_be_drawn_are_named(tmp_path, pnp):
    pack = make(tmp_path / "pack")
    (tmp_path / "set").mkdir()
    (tmp_path / "set/torn.svg").write_text("not svg")
    (tmp_path / "set/dot.svg").write_text(svg("<path d='M0 0h9v9z'/>"))
    result = pnp("icons", "add", tmp_path / "set", "--game", pack)
    assert result.exit_code == 0
    assert "cannot be used: torn.svg is not well-formed XML" in result.output
    assert "dot.svg" not in result.output
