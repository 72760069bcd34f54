"""A picture shows what it holds, and nothing else of the machine: neither the gate nor the engines let it."""

import pytest
from making import make, svg
from PIL import Image

from generator.core.fonts import font_set
from generator.core.geometry import Size
from generator.core.problems import PackError
from generator.draw.face import Face
from generator.pdf.faces import compile_faces
from generator.preview.raster import Rasteriser

ADDRESSES = ["#x/../private/photo.png", "#../private/photo.png", "private/photo.png", "./private/photo.png"]
IMAGE = '<image width="9" height="9" {}="{}"/>'
FILTER = '<filter id="f"><feImage width="9" height="9" {}="{}"/></filter><rect width="9" height="9" filter="url(#f)"/>'


@pytest.fixture
def private(tmp_path, monkeypatch):
    """A folder in which a build is started, with a photo that is nobody else's business, and a way that leads to it."""
    (tmp_path / "private").mkdir()
    (tmp_path / "#x").mkdir()
    Image.new("RGB", (9, 9), "red").save(tmp_path / "private" / "photo.png")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "private" / "photo.png"


@pytest.mark.parametrize("shape", [IMAGE, FILTER])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_build_refuses_it(private, pnp, shape, address):
    art = svg('<g id="x"/>' + shape.format("href", address), "0 0 9 9")
    pack = make(private.parents[1] / "pack", "- svg: a.svg\n  box: [0, 0, 9, 9]\n", files={"a.svg": art})
    for command in ("check", "build"):
        result = pnp(command, pack)
        assert result.exit_code == 3
        assert f"a.svg refers to '{address}'" in result.stderr


@pytest.mark.parametrize("shape", [IMAGE, FILTER])
@pytest.mark.parametrize("key", ["href", "xlink:href"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_the_engines_find_nothing(private, shape, key, address):
    face = Face(svg(shape.format(key, address), "0 0 9 9"), Size(9, 9), 0.0, "a face")
    with pytest.raises(PackError, match="a face: its picture cannot be printed"):
        compile_faces([face], font_set())
    assert Rasteriser(font_set()).face(face, 72).getextrema()[3] == (0, 0)
