"""Fixtures for editions: a deck whose copies differ, and files of orders."""

from pathlib import Path

import pytest

from tests.tools.make_pack import make

LAYOUT = """\
- fill: $tint
- text: "($id=${order.name})"
  box: [3, 3, 34, 10]
  style: body
"""
TABLE = "id,count,tint,rarity\n" + "".join(
    f"k{n},2,#{40 + n:02x}8080,{'rare' if n % 5 == 0 else 'common'}\n" for n in range(10)
)
MORE = """\
order: {name: Nobody}
variants: {dark: {palette: {red: "#800000"}}}
print: {paper: [a4]}
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return make(tmp_path / "deck", LAYOUT, TABLE, MORE)


@pytest.fixture
def orders(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "orders.csv"
        path.write_text(text)
        return path

    return write
