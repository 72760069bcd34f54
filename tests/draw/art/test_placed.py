"""Test placed art: stored once, cropped at its view, and printed as pixels if engines differ."""

import io
import json
import re

import pikepdf
import pytest
from fontTools.ttLib import TTFont

from generator.base.errors import PnpError
from generator.base.fonts import font_set
from generator.draw.draw import draw_game
from generator.pdf.faces import compile_faces
from generator.picture.items import art_of
from generator.picture.raster import Rasteriser
from tests.tools.make_fonts import make_variable
from tests.tools.make_pack import loaded, make, problems, renamed, render_design, svg

ART = "- svg: art/a.svg\n  box: [5, 5, 30, 30]\n"
DOT = "<path d='M5 5h0' stroke='#026' stroke-width='6' stroke-linecap='round'/>"
TEXT = "<text x='1' y='8' font-size='4' font-family='{}' font-weight='{}'>Hi</text>"


def front(pack):
    return draw_game(loaded(pack))[0].designs[0].front


def art_svg_of(pack):
    (art,) = art_of(front(pack))
    return art.svg


def test_art_is_stored_once_however_often_it_is_placed(pnp, tmp_path):
    art = svg(
        "<path d='"
        + "".join(f"M{n % 97} {n % 89}h3v{n % 7}z" for n in range(4000))
        + "' fill='#357'/>",
        "0 0 99 99",
    )
    table = "id\n" + "".join(f"c{n}\n" for n in range(30))
    layout = "".join(
        f"- svg: art/a.svg\n  box: [{x}, {y}, 9, 9]\n" for x in (1, 11, 21) for y in (1, 11)
    )
    result = pnp(
        "build",
        make(tmp_path, layout, table, files={"art/a.svg": art}),
        "-o",
        tmp_path / "out",
        "--what",
        "sheets",
    )
    assert result.exit_code == 0, result.output
    (file,) = (tmp_path / "out").rglob("*sheets-a4.pdf")
    with pikepdf.open(io.BytesIO(file.read_bytes())) as pdf:
        large = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and len(item.read_bytes()) > 50_000
        ]
    assert len(large) == 1


@pytest.mark.parametrize("fit", ["contain", "stretch", "cover"])
def test_art_is_cropped_at_its_view_in_any_box(fit, tmp_path):
    art = svg("<rect x='-90' y='-90' width='200' height='200' fill='red'/>", "0 0 10 10")
    layout = f"- svg: art/a.svg\n  box: [5, 15, 30, 10]\n  fit: {fit}\n"
    picture = render_design(make(tmp_path, layout, files={"art/a.svg": art}))
    edge = {"contain": (15, 15, 25, 25)}.get(fit, (5, 15, 35, 25))
    assert picture.box() == edge


def test_art_that_pdf_would_change_is_printed_as_pixels_with_a_note(pnp, tmp_path):
    pack = make(tmp_path, ART, files={"art/a.svg": svg(DOT, "0 0 10 10")})
    note = "printed as images at 600 dpi, because PDF would not look like the preview: art/a.svg"
    checked = pnp("check", pack)
    built = pnp("build", pack, "-o", tmp_path / "out", "--what", "sheets", "--paper", "a4")
    assert (checked.exit_code, built.exit_code) == (0, 0)
    assert note in " ".join(checked.output.split())
    assert note in " ".join(built.output.split())
    problems = json.loads(pnp("check", pack, "--json").stdout)["problems"]
    assert any(note in problem["message"] for problem in problems)
    (file,) = (tmp_path / "out").rglob("*.pdf")
    with pikepdf.open(file) as pdf:
        images = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        sizes = {int(image.Width) for image in images if "/SMask" in image or int(image.Width) > 8}
    assert max(sizes) == pytest.approx(30 / 25.4 * 600, abs=2)


def test_art_that_differs_in_words_and_colours_is_compared_once(tmp_path, monkeypatch):
    renderings = []
    render = Rasteriser.svg
    monkeypatch.setattr(
        Rasteriser,
        "svg",
        lambda self, text, *size: renderings.append(text) or render(self, text, *size),
    )
    art = svg(
        "<rect id='bg' width='9' height='9'/><text id='t' x='1' y='8' font-size='4'>A</text>",
        "0 0 10 10",
    )
    table = "id,word,colour\n" + "".join(f"c{n},W{n},'#{n}{n}8'\n" for n in range(5)).replace(
        "'", ""
    )
    layout = ART + "  set: {t: $word, bg: {fill: $colour}}\n"
    faces = [
        design.front
        for design in draw_game(loaded(make(tmp_path, layout, table, files={"art/a.svg": art})))[
            0
        ].designs
    ]
    assert len({face.name for face in faces}) == 5
    compile_faces(faces, font_set())
    assert len(renderings) == 1, "resvg renders art only to compare it with PDFium's rendering"


def test_art_that_both_engines_render_alike_stays_vector(pnp, tmp_path):
    pack = make(
        tmp_path, ART, files={"art/a.svg": svg("<circle cx='5' cy='5' r='4'/>", "0 0 10 10")}
    )
    checked = pnp("check", pack)
    assert checked.exit_code == 0, checked.output
    assert "printed as images" not in checked.output


def test_thin_lines_are_compared_in_detail_before_they_become_pixels(pnp, tmp_path):
    reeds = "".join(
        f"<path d='M{n} 27c-1-6-3-{n % 5 + 9}-2-14l3 {n % 7}l-2 5z'/>" for n in range(4, 172, 3)
    )
    art = svg(f"<g fill='none' stroke='#231a14' stroke-width='.3'>{reeds}</g>", "0 0 176 30")
    pack = make(tmp_path, "- svg: art/a.svg\n  box: [1, 5, 61, 10.4]\n", files={"art/a.svg": art})
    assert "printed as images" not in pnp("check", pack).output
    (pack / "art" / "a.svg").write_text(svg(DOT, "0 0 10 10"), "utf-8")
    assert "printed as images" in pnp("check", pack).output


@pytest.mark.parametrize(("weight", "nearest_weight"), [(400, 400), (600, 700), (900, 800)])
def test_replacement_font_sets_text_in_its_nearest_weight(weight, nearest_weight, tmp_path):
    files = {"art/a.svg": svg(TEXT.format("Arial", weight), "0 0 10 10")}
    assert "sets text in 'Arial'" in problems(make(tmp_path / "without", ART, files=files))
    art = art_svg_of(
        make(tmp_path / "with", ART, more="fonts: {arial: Alegreya Sans}", files=files)
    )
    assert re.search(rf"Alegreya Sans.*font-weight:{nearest_weight}", art)


def test_postscript_name_finds_a_font_whatever_its_file_is_called(tmp_path):
    files = {
        "art/a.svg": svg(TEXT.format("Pack-Font", 700), "0 0 10 10"),
        "fonts/Überschrift fett.ttf": renamed(),
    }
    assert "Pack Font" in art_svg_of(make(tmp_path, ART, files=files))


@pytest.mark.parametrize("postscript_name", ["Boxes", "Boxes-Thin"])
@pytest.mark.parametrize("weight", [400, 700])
def test_postscript_name_of_a_variable_font_stands_for_all_of_its_weights(
    postscript_name, weight, tmp_path
):
    font = TTFont(io.BytesIO(make_variable("Boxes")))
    font["name"].setName(postscript_name, 6, 3, 1, 0x409)
    font["name"].setName(postscript_name, 6, 1, 0, 0)
    buffer = io.BytesIO()
    font.save(buffer)
    text = TEXT.format(postscript_name, weight).replace("Hi", "A")
    files = {"art/a.svg": svg(text, "0 0 10 10"), "fonts/boxes.ttf": buffer.getvalue()}
    assert f"font-weight:{weight}" in art_svg_of(make(tmp_path, ART, files=files))


def test_replacement_font_must_exist_and_stand_for_a_missing_one(tmp_path):
    folder = make(tmp_path / "a", more="fonts: {Arial: Fira Sans Condensd}")
    assert "game.yaml:6: fonts: unknown font 'Fira Sans Condensd'" in problems(folder)
    assert "did you mean 'Fira Sans Condensed'?" in problems(folder)
    assert "the font 'Alegreya' is not missing" in problems(
        make(tmp_path / "b", more="fonts: {Alegreya: Bungee}")
    )


def test_svg_without_namespace_is_rendered(tmp_path):
    art = "<svg viewBox='0 0 10 10'><rect width='10' height='10' fill='red'/></svg>"
    assert render_design(make(tmp_path, ART, files={"art/a.svg": art})).at(20, 20) == "#ff0000"


def test_missing_linked_placeholder_is_refused_unless_replaced(tmp_path):
    art = svg(
        "<image id='portrait' width='10' height='10' href='../elsewhere/placeholder.png'/>",
        "0 0 10 10",
    )
    files = {
        "art/a.svg": art,
        "art/b.svg": svg("<rect width='10' height='10' fill='red'/>", "0 0 10 10"),
    }
    replaced = make(tmp_path / "a", ART + "  set: {portrait: {href: art/b.svg}}\n", files=files)
    assert render_design(replaced).at(20, 20) == "#ff0000"
    messages = problems(make(tmp_path / "b", ART, files=files))
    assert (
        "links to '../elsewhere/placeholder.png': no file 'elsewhere/placeholder.png'" in messages
    )


def test_renderer_failure_names_the_art_file(tmp_path, monkeypatch):
    """Name the file for every kind of exception."""
    face = front(
        make(tmp_path, ART, files={"art/a.svg": svg("<circle cx='5' cy='5' r='4'/>", "0 0 10 10")})
    )

    class Panic(BaseException):
        pass

    def panics(*_):
        raise Panic("range end index 7 out of range")

    monkeypatch.setattr("resvg.render", panics)
    with pytest.raises(PnpError, match=r"art/a\.svg: its picture cannot be drawn: resvg gave up"):
        Rasteriser(loaded(tmp_path).fonts).face(face, 100)


@pytest.mark.parametrize("places", ["5", "5 6 7", "5,6,7", " 5 , 6"])
def test_text_in_art_begins_at_its_first_place(tmp_path, places):
    art = svg(TEXT.format("Alegreya", 400).replace("'1'", f"'{places}'"))
    pack = make(tmp_path, "- svg: art/a.svg\n  box: trim\n", files={"art/a.svg": art})
    (text,) = front(pack).keep_inside
    assert text.box.x == pytest.approx(20, abs=1)
