"""Test the files of `pnp preview`."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from generator.draw.draw import draw_game
from generator.export import contact_sheet
from generator.picture import raster
from generator.picture.raster import Rasteriser
from tests.tools.make_pack import loaded, make


@pytest.fixture
def preview(starter, pnp):
    """Return a function that previews the starter of cards and returns the folder."""
    pack = starter("cards")

    def run(*args):
        result = pnp("preview", pack, *args)
        assert result.exit_code == 0, result.output
        return Path("output/pack/preview")

    return run


def open_rgb(path):
    with Image.open(path) as picture:
        return picture.convert("RGB")


def file_names(folder):
    return sorted(path.name for path in folder.iterdir())


FACES = [f"cards-{name}-{side}" for name in ("brook", "fox", "oak") for side in ("back", "front")]


def test_preview_writes_faces_contact_sheets_sheets_and_page(preview):
    written = file_names(preview())
    sheets = [
        f"sheets-{paper}-{n:02}.png"
        for paper, pages in (("a4", 2), ("letter", 2))
        for n in range(1, pages + 1)
    ]
    assert written == sorted(
        [
            *(f"{face}.png" for face in FACES),
            "contact-cards-front.png",
            "contact-cards-back.png",
            "index.html",
            *sheets,
        ]
    )


@pytest.mark.parametrize(
    ("designs", "expected"),
    [
        (["fox"], ["fox"]),
        (["cards:oak", "fox"], ["fox", "oak"]),
        (["cards"], ["brook", "fox", "oak"]),
    ],
)
def test_preview_of_named_designs_writes_their_faces_only(preview, designs, expected):
    written = file_names(preview(*designs))
    assert written == [
        *(f"cards-{name}-{side}.png" for name in expected for side in ("back", "front")),
        "index.html",
    ]


def test_preview_without_designs_takes_them_from_only(preview):
    written = file_names(preview("--only", "cards:fox,oak"))
    faces = {f"cards-{name}-{side}.png" for name in ("fox", "oak") for side in ("front", "back")}
    assert set(written) == {*faces, "index.html"}


def test_page_shows_every_picture(preview):
    folder = preview()
    page = (folder / "index.html").read_text()
    assert sorted([*re.findall(r'<img src="([^"]+)"', page), "index.html"]) == file_names(folder)
    assert "<h1>My Card Game 1</h1>" in page
    assert "The Fox, front" in page


def test_page_escapes_titles(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", table='id,title\none,"<b>{x} & ""y"""\n')
    assert pnp("preview", "pack", "--what", "faces").exit_code == 0
    assert (
        "&lt;b&gt;{x} &amp; &quot;y&quot; ×" in Path("output/pack/preview/index.html").read_text()
    )


@pytest.mark.parametrize(
    ("args", "mm"), [((), (63.5, 88.9)), (("--bleed",), (69.5, 94.9)), (("--trim",), (63.5, 88.9))]
)
@pytest.mark.parametrize("dpi", [60, 150, 300])
def test_picture_has_size_of_trim_or_bleed_at_its_dpi(preview, args, mm, dpi):
    picture = open_rgb(preview("fox", "--dpi", dpi, *args) / "cards-fox-front.png")
    assert picture.size == tuple(round(side / 25.4 * dpi) for side in mm)


@pytest.mark.parametrize(
    ("args", "view"), [(("--bleed",), "-3 -3 69.5 94.9"), ((), "0 0 63.5 88.9")]
)
def test_svg_preview_has_size_in_mm_and_no_external_links(preview, args, view):
    root = ET.parse(preview("fox", "--format", "svg", *args) / "cards-fox-front.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox") == view
    w, h = view.split()[2:]
    assert (root.get("width"), root.get("height")) == (f"{w}mm", f"{h}mm")
    links = {value for e in root.iter() for key, value in e.attrib.items() if key.endswith("href")}
    assert {link[1:] for link in links if not link.startswith("data:image/")} <= {
        e.get("id") for e in root.iter()
    }


def captions(sheet, trims, gap, text):
    """Return the caption areas below the pictures of a contact sheet."""
    width, height = trims
    pixels = np.asarray(open_rgb(sheet))
    columns = (pixels.shape[1] - gap) // (width + gap)
    rows = (pixels.shape[0] - gap) // (height + gap + 2 * text)
    cells = []
    for row in range(rows):
        for column in range(columns):
            left = gap + column * (width + gap)
            top = gap + row * (height + gap + 2 * text)
            if (pixels[top : top + height, left : left + width] != 255).any():
                cells.append(pixels[top + height : top + height + 2 * text, left : left + width])
    return cells


@pytest.mark.parametrize("count", [1, 2, 3, 7, 10])
def test_contact_sheet_has_a_picture_and_a_caption_for_each_design(
    count, tmp_path, monkeypatch, pnp
):
    monkeypatch.chdir(tmp_path)
    make(
        tmp_path / "pack",
        table="id,count\n" + "".join(f"design-{n},{n}\n" for n in range(1, count + 1)),
    )
    assert pnp("preview", "pack", "--what", "contact", "--dpi", 127).exit_code == 0
    cells = captions(Path("output/pack/preview/contact-cards-front.png"), (200, 200), 20, 16)
    assert len(cells) == count
    for cell in cells:
        assert (cell[:, :100] < 100).any(), "the name is visible"
        assert (cell[:, -40:] < 150).any(), "the count is visible"


def test_long_names_on_a_contact_sheet_are_set_smaller(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    names = ["blue", "blue-firefighter-yellow-a", "blue-firefighter-yellow-b"]
    make(tmp_path / "pack", table="id\n" + "\n".join(names), size="33mm")
    assert pnp("preview", "pack", "--what", "contact", "--dpi", 127).exit_code == 0
    short, one, other = captions(
        Path("output/pack/preview/contact-cards-front.png"), (165, 165), 20, 16
    )
    assert (short != one).any()
    assert (one != other).any(), "two long names are cut to the same letters"
    for cell in (one, other):
        assert (cell[:, -12:] < 150).any(), "the count is visible"


@pytest.mark.parametrize(
    "title",
    ["two\nlines", "\u200d", "\u0301", "word " * 8000],
    ids=["lines", "joiner", "accent", "book"],
)
def test_contact_sheet_takes_any_title(title, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", table=f'id,title\none,"{title}"\n', size="33mm")
    assert pnp("preview", "pack", "--what", "contact", "--dpi", 127).exit_code == 0
    (cell,) = captions(Path("output/pack/preview/contact-cards-front.png"), (165, 165), 20, 16)
    assert (cell[:, -12:] < 150).any(), "the count is visible"


def test_contact_sheet_of_many_designs_stays_within_pixel_limit(tmp_path, monkeypatch, pnp):
    """Stay within half of the 89 million pixels above which Pillow warns."""
    assert contact_sheet.MAX_PIXELS <= Image.MAX_IMAGE_PIXELS / 2
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(contact_sheet, "MAX_PIXELS", limit := 4_000_000)
    make(
        tmp_path / "pack",
        "- shape: {circle: center, r: 5mm, fill: red}\n",
        "id\n" + "".join(f"d{n}\n" for n in range(60)),
        size="63.5 x 88.9 mm",
    )
    assert pnp("preview", "pack", "--what", "contact").exit_code == 0
    width, height = open_rgb("output/pack/preview/contact-cards-front.png").size
    assert limit / 2 < width * height < limit * 9 / 8


def test_component_without_backs_has_no_contact_sheet_of_backs(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack")
    pnp("preview", "pack", "--what", "contact")
    assert file_names(Path("output/pack/preview")) == ["contact-cards-front.png", "index.html"]


@pytest.mark.parametrize("size", ["40mm", "hex 40mm", "circle 40mm"])
def test_overlay_shows_trim_and_safe_area(size, tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", "- fill: white\n", size=size, component="safe: 5mm")
    for args in ([], ["--overlay"]):
        pnp("preview", "pack", "one", "--bleed", "--dpi", 254, *args)
        picture = open_rgb("output/pack/preview/cards-one-front.png")
        middle = picture.width // 2
        column = [picture.getpixel((middle, y)) for y in range(picture.height)]
        trim = (0xE6, 0x00, 0x7E)
        safe = (0x00, 0xA0, 0xE0)
        if not args:
            assert {trim, safe}.isdisjoint(column)
    for colour, at in ((trim, 30), (safe, 80)):
        assert abs(column.index(colour) - at) <= 3
        assert abs(len(column) - column[::-1].index(colour) - (len(column) - at)) <= 3


def test_unknown_design_is_refused_with_nearest_name(starter, pnp):
    result = pnp("preview", starter("cards"), "fxo")
    assert result.exit_code == 2
    assert "unknown design 'fxo'" in result.stderr
    assert "did you mean 'fox'?" in result.stderr
    assert not Path("output").exists()


def test_sheets_are_previewed_as_printed(preview):
    for number in (1, 2):
        picture = open_rgb(
            preview("--what", "sheets", "--paper", "a4", "--dpi", 50) / f"sheets-a4-{number:02}.png"
        )
        assert picture.size == pytest.approx((210 / 25.4 * 50, 297 / 25.4 * 50), abs=1)
        assert np.asarray(picture.convert("L")).std() > 20


CLASH = """\
name: Clash
version: "1"
components:
  a-b:
    {{title: One, size: 20mm, data: [{{id: {first}}}], front: layouts/front.yaml}}
  {second}:
    {{title: Two, size: 20mm, data: [{{id: b-c}}, {{id: d}}], front: layouts/front.yaml}}
  contact:
    {{title: Three, size: 20mm, data: [{{id: a-b}}], front: layouts/front.yaml}}
"""


def clash(folder, first="c", second="a"):
    pack = make(folder / "pack", "- fill: red\n- shape: {rect: trim, fill: '#00f'}\n")
    (pack / "game.yaml").write_text(CLASH.format(first=first, second=second), "utf-8")
    return pack


def test_faces_with_similar_ids_get_different_file_names(tmp_path, monkeypatch, pnp):
    """Preview `a-b:c` and `a:b-c`, and `contact:a-b` beside the contact sheet of `a-b`."""
    monkeypatch.chdir(tmp_path)
    clash(tmp_path)
    assert pnp("preview", "pack", "--what", "faces", "--what", "contact").exit_code == 0
    assert file_names(Path("output/pack/preview")) == [
        "a+b-c-front.png",
        "a-b+c-front.png",
        "a-d-front.png",
        "contact+a-b-front.png",
        "contact-a-b-front.png",
        "contact-a-front.png",
        "contact-contact-front.png",
        "index.html",
    ]


def test_file_name_of_a_face_does_not_depend_on_other_faces(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    clash(tmp_path)
    assert pnp("preview", "pack", "a:b-c").exit_code == 0
    assert file_names(Path("output/pack/preview")) == ["a+b-c-front.png", "index.html"]


def test_ids_that_differ_in_capitals_only_are_refused(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    clash(tmp_path, "D", "A-B")
    result = pnp("preview", "pack", "--what", "faces")
    assert result.exit_code == 3
    assert result.stderr == (
        "a-b:D and A-B:d would be the same file on many disks: A-B+d-front\n"
        "  expected ids that differ in more than capitals\n"
    )
    assert not Path("output").exists()


def test_variant_and_language_are_previewed_in_folders_of_their_own(tmp_path, pnp):
    for args in ((), ("--variant", "line-art")):
        assert pnp("preview", "hydras", "h01", "-o", tmp_path, *args).exit_code == 0
    assert (
        pnp("preview", "buizen-wir-war", "colour-pe", "--lang", "nl", "-o", tmp_path).exit_code == 0
    )
    normal, variant = (
        tmp_path / "hydras/preview" / name / "necks-h01-front.png" for name in ("", "line-art")
    )
    assert normal.read_bytes() != variant.read_bytes()
    assert [path.name for path in (tmp_path / "buizen-wir-war/preview").iterdir()] == ["nl"]


def test_preview_of_one_card_ignores_faults_of_others(tmp_path, monkeypatch, pnp):
    """Preview a card while the text of another does not fit."""
    monkeypatch.chdir(tmp_path)
    cards = "components:\n  cards: {title: Cards, size: 40mm, data: cards.csv, front: front.yaml}\n"
    game = f"name: Two\nversion: '1'\n{cards}"
    style = "styles: {words: {font: Alegreya, size: 10pt}}\n"
    front = "- text: $words\n  box: [4, 4, 32, 5]\n  style: words\n"
    files = {
        "game.yaml": game + style,
        "front.yaml": front,
        "cards.csv": f"id,count,words\na,1,Fox\nb,1,{'Owl ' * 99}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert pnp("preview", ".", "a").exit_code == 0
    assert len(list(tmp_path.rglob("*-a-front.png"))) == 1
    assert not list(tmp_path.rglob("*-b-*"))
    assert pnp("preview", ".", "b").exit_code == pnp("preview", ".").exit_code == 4
    assert pnp("preview", ".", "a", "--what", "contact").exit_code == 4


@pytest.mark.parametrize("memory_bytes", [0, 10_000_000])
def test_shared_face_is_rendered_once_if_its_pixels_may_stay_in_memory(
    tmp_path, monkeypatch, memory_bytes
):
    monkeypatch.setattr(raster, "MAX_RECURRING_BYTES", memory_bytes)
    table = "id,c\n" + "".join(f"c{n},#{n:06x}\n" for n in range(150))
    files = {"layouts/back.yaml": "- fill: red\n"}
    pack = make(tmp_path, "- fill: $c\n", table, component="back: layouts/back.yaml", files=files)
    plates = [(face, face.full) for part in draw_game(loaded(pack)) for face in part.faces]
    writes = Writes()
    pictures = list(Rasteriser(loaded(pack).fonts, writes).pngs(plates, 20))
    assert len(writes.written) == 151 if memory_bytes else len(writes.written) > 151
    assert pictures[1::2] == [pictures[1]] * 150
    assert len(set(pictures[0::2])) > 100


@dataclass
class Writes:
    """A cache that stores nothing and records its writes."""

    written: list = field(default_factory=list)

    def get(self, _kind, _key):
        return None

    def put(self, _kind, key, _data):
        self.written.append(key)
