"""Test `pnp check --low-ink`: links that look alike in grey, and icons without contrast."""

import pytest

HUES = {
    "red": "#d2302b",
    "blue": "#2476c0",
    "green": "#2f8a3c",
    "violet": "#8a4fb0",
    "teal": "#1d8080",
}
GAME = """\
name: Pipes
version: "1"
links:
{links}
components:
  tiles:
    title: Tiles
    size: 40mm
    bleed: 2mm
    data:
{rows}
    links: runs
    front: layouts/tile.yaml
"""


def pack(folder, patterns, layers="- links: {}\n"):
    """Write a pack with a straight tile for each of the first hues: as many as there are `patterns`."""
    kinds = list(zip(HUES.items(), patterns, strict=False))
    links = [
        f'  {name}: {{width: 7mm, fill: "{hue}"{pattern and f", pattern: {pattern}"}, ink: white}}'
        for (name, hue), pattern in kinds
    ]
    rows = [f'      - {{id: {name}, title: {name}, runs: "n-s:{name}"}}' for (name, _), _ in kinds]
    (folder / "layouts").mkdir()
    (folder / "game.yaml").write_text(
        GAME.format(links="\n".join(links), rows="\n".join(rows)), "utf-8"
    )
    (folder / "layouts" / "tile.yaml").write_text(layers, "utf-8")
    return folder


def faults(pnp, folder):
    result = pnp("check", folder, "--low-ink", "--paper", "a4", "--all")
    assert result.exit_code == 0, result.output
    return [line for line in result.stdout.splitlines() if "low ink" in line]


@pytest.mark.parametrize("last", ["zigzag", ""])
def test_links_with_patterns_or_distinct_tints_are_not_reported(pnp, tmp_path, last):
    assert not faults(pnp, pack(tmp_path, ["stripes", "dots", "diamonds", last, ""]))


def test_links_without_distinct_tints_are_reported(pnp, tmp_path):
    warnings = faults(pnp, pack(tmp_path, ["", "", ""]))
    assert warnings
    assert all(
        line.startswith("warning: links: ") and "look alike in a grey print" in line
        for line in warnings
    )


def test_icon_without_contrast_on_its_tint_is_reported(pnp, tmp_path):
    layers = '- fill: "#8a1f1f"\n- {icon: sun, at: [20, 20], size: 9mm}\n'
    folder = pack(tmp_path, ["stripes", "dots", "diamonds", "double", "zigzag"], layers)
    (folder / "art" / "icons").mkdir(parents=True)
    sun = '<circle cx="5" cy="5" r="4" fill="#fff"/><circle cx="5" cy="5" r="2" fill="#fff4c0"/>'
    (folder / "art" / "icons" / "sun.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{sun}</svg>', "utf-8"
    )
    game = folder / "game.yaml"
    game.write_text("icons: art/icons\n" + game.read_text("utf-8"), "utf-8")
    warnings = faults(pnp, folder)
    assert len(warnings) == 1, "the tiles share the picture"
    assert "icon 'sun' has a contrast of" in warnings[0]


def test_check_without_low_ink_option_reports_nothing_about_low_ink(pnp, tmp_path):
    """Check the pack of `test_links_without_distinct_tints_are_reported`."""
    folder = pack(tmp_path, ["", "", ""])
    output = pnp("check", folder, "--paper", "a4").stdout
    assert "a4: 3 pieces on 1 sheet" in output
    assert "low ink" not in output
