"""Test release files: equal bytes for equal games, and clear messages about invalid files."""

import io
import json
import lzma
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import uharfbuzz
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops

from generator import __version__
from generator.base.errors import InvalidValueError, Kind, PnpError
from generator.base.fonts import FontSet, font_set
from generator.base.geometry import Rect, Size
from generator.base.spill import SpillFile
from generator.pdf.faces import compile_faces
from generator.picture.face import Face
from generator.picture.images import read_pixels
from generator.picture.items import Art, PlacedArt, PlacedImage, images_of
from generator.picture.raster import Rasteriser
from generator.pipeline.project import BuildRequest, Project
from generator.release import release_file
from generator.release.record import (
    Form,
    RecordedRules,
    record,
    restore_fonts,
    subset,
    subset_used_fonts,
)
from generator.release.release_file import file_name, last_before, versions
from tests.tools.make_face import svg_of, text_run
from tests.tools.make_release import design, release

ROOT = Path(__file__).parents[2]
BUNDLED = json.loads((ROOT / "tests/data/bundled_releases.json").read_text("utf-8"))


def record_of(folder):
    project = Project(BuildRequest(str(folder)))
    return record(project.game, project.components, (RecordedRules("en", "# Play\n", "0" * 64),))


@pytest.fixture
def cards(starter):
    return record_of(starter("cards"))


def design_of(name, *items):
    """Return a design whose front shows these items."""
    base = design(name)
    return replace(base, front=replace(base.front, items=items))


def test_release_survives_a_round_trip_through_its_file(cards):
    back = release_file.from_bytes(release_file.to_bytes(cards))
    assert back.fonts == cards.fonts
    assert back.rules == cards.rules
    for (part, there), (_, here) in zip(back.designs, cards.designs, strict=True):
        assert part.id == "cards"
        assert (there.id, there.title, there.count, there.links) == (
            here.id,
            here.title,
            here.count,
            here.links,
        )
        assert [(svg_of(f), f.size, f.bleed) for f in there.faces] == [
            (svg_of(f), f.size, f.bleed) for f in here.faces
        ]


def test_equal_games_give_equal_release_files(starter):
    first, second = (record_of(starter("tiles", name)) for name in ("one", "two"))
    assert release_file.to_bytes(first) == release_file.to_bytes(replace(second, slug=first.slug))


@pytest.mark.parametrize("features", [{}, {"smcp": True}, {"kern": False}])
def test_font_subset_keeps_widths_and_features_of_letters(features):
    """Without kerning, ligatures and small capitals, unchanged faces would look changed."""
    font = font_set().find("Alegreya")
    full_font = font.path.read_bytes()

    def widths(data):
        font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob(data)))
        buffer = uharfbuzz.Buffer()
        buffer.add_str("AVATAR Tofu fi ffl")
        buffer.guess_segment_properties()
        uharfbuzz.shape(font, buffer, features)
        return [place.x_advance for place in buffer.glyph_positions]

    subset_font = subset(font, "AVATR Tofuil")
    assert widths(subset_font) == widths(full_font)
    assert len(subset_font) < len(full_font) / 4


def test_form_with_other_pieces_than_the_game_is_refused(cards):
    (component,) = cards.components
    form = Form("plain", "en", "Cards", (), (component,))
    assert (
        release_file.from_bytes(release_file.to_bytes(replace(cards, forms=(form,)))).forms[0].name
        == "Cards"
    )
    fewer = replace(form, components=(replace(component, designs=component.designs[1:]),))
    with pytest.raises(InvalidValueError, match="has different pieces from the game"):
        release_file.from_bytes(release_file.to_bytes(replace(cards, forms=(fewer,))))


def test_face_smaller_than_a_millimetre_survives_a_round_trip():
    tiny = release("1", ("dust", [design("speck", size=0.9)]))
    ((_, back),) = release_file.from_bytes(release_file.to_bytes(tiny)).designs
    assert tuple(back.front.size) == (0.9, 0.9)


def test_two_sided_cards_record_no_links(cards):
    assert {design.links for _, design in cards.designs} == {""}


def test_release_stores_links_and_outlines(starter):
    tiles = record_of(starter("tiles"))
    assert any(design.links for _, design in tiles.designs)
    back = release_file.from_bytes(release_file.to_bytes(tiles))
    (now,) = tiles.components
    (then,) = back.components
    assert replace(then, designs=()) == replace(now, designs=())


def test_release_stores_rounded_corners(starter):
    pack = starter("cards")
    text = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(
        re.sub(r"(?m)^    size: poker.*$", "    size: poker\n    radius: 4mm", text), "utf-8"
    )
    (back,) = release_file.from_bytes(release_file.to_bytes(record_of(pack))).components
    assert back.outline(Size(63.5, 88.9)).radius == 4


def test_faces_that_share_art_make_a_small_release():
    paths = "".join(f'<path d="M{n * 37 % 101} {n * 53 % 97} h{n % 7}"/>' for n in range(2000))
    art = Art(
        "a.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{paths}</svg>', Rect(0, 0, 100, 100)
    )
    placed = PlacedArt(art, Rect(0, 0, 20, 20))
    designs = [
        design_of(f"d{number}", placed, text_run(str(number), 2, 10)) for number in range(400)
    ]
    game = release("1", ("cards", designs))
    plain = sum(len(svg_of(face)) for face in game.faces.values())
    assert plain > 15_000_000
    assert len(release_file.to_bytes(game)) < plain / 400


def test_release_stores_a_shared_image_once():
    png = noise_png()
    designs = [design_of(name, placed_image(png), text_run(name, 2, 10)) for name in "ab"]
    data = release_file.to_bytes(release("1", ("cards", designs)))
    assert data.count(png) == 1
    assert data.endswith(png)
    assert b64encode(png) not in unpacked(data)
    back = release_file.from_bytes(data)
    assert [svg_of(entry.front) for _, entry in back.designs] == [
        svg_of(item.front) for item in designs
    ]


def unpacked(data):
    """Return the JSON of a release file."""
    return lzma.LZMADecompressor().decompress(data.removeprefix(release_file.HEADER))


def noise_png():
    png = io.BytesIO()
    Image.effect_noise((60, 60), 60).save(png, "PNG")
    return png.getvalue()


def placed_image(png):
    return PlacedImage(read_pixels("a.png", png, SpillFile()), Rect(0, 0, 20, 20))


def test_image_with_base64_in_two_lines_is_read():
    """Other versions of the program may write a small image into the face in another way."""
    png = noise_png()
    coded = b64encode(png).decode()

    def in_two_lines(data):
        address = f"data:image/png;base64,{coded[:300]}&#10;{coded[300:]}"
        data["faces"][0]["svg"] = svg_with(
            f'<image href="{address}" x="0" y="0" width="9" height="9" preserveAspectRatio="none"/>'
        )

    (face,) = release_file.from_bytes(altered_release(in_two_lines)).faces.values()
    (image,) = images_of(face)
    assert image.address == f"data:image/png;base64,{coded}"


def test_altered_image_in_a_release_is_reported():
    data = bytearray(
        release_file.to_bytes(release("1", ("cards", [design_of("a", placed_image(noise_png()))])))
    )
    data[-90] ^= 1
    with pytest.raises(InvalidValueError, match="a picture in it was changed"):
        release_file.from_bytes(bytes(data))


def test_stored_fonts_render_faces_to_the_same_pixels(cards, tmp_path):
    """The glyphs stored in a release suffice; the pack and its fonts are not needed."""
    own = restore_fonts(cards, FontSet(()), tmp_path)
    assert {file.path.parent for file in own.files} == {tmp_path}
    now = Rasteriser(font_set())
    then = Rasteriser(own)
    for face in cards.faces.values():
        pair = [raster.face(face, 300).convert("RGB") for raster in (now, then)]
        assert ImageChops.difference(*pair).getbbox() is None
    assert compile_faces(tuple(cards.faces.values()), own)


def test_installed_fonts_are_not_unpacked_from_a_release(cards, tmp_path):
    assert restore_fonts(cards, font_set(), tmp_path) == font_set()
    assert not list(tmp_path.glob("*.ttf"))


def test_font_subset_keeps_spaces_of_all_widths():
    face = Face((text_run("a\u00a0b\u2009c", 2, 10),), Size(20, 20))
    (font,) = subset_used_fonts(font_set(), [face])
    assert {0xA0, 0x2009} <= set(TTFont(io.BytesIO(font.data)).getBestCmap())


def valid_release():
    return release_file.to_bytes(release("1", ("cards", [design("fox", 2)])))


def altered_release(change):
    """Return a release file whose JSON was changed."""
    data = json.loads(unpacked(valid_release()))
    change(data)
    return release_file.HEADER + lzma.compress(json.dumps(data).encode())


def with_flipped_byte(at):
    data = bytearray(valid_release())
    data[at] ^= 0x55
    return bytes(data)


def svg_with(body):
    """Return the SVG of a face with this body."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{body}</svg>'


def with_reference_to_a_file(data):
    data["faces"][0]["svg"] = svg_with('<image href="/etc/passwd"/>')


def with_missing_picture(data):
    key = "pnp-picture:" + 40 * "0"
    data["faces"][0]["svg"] = svg_with(f'<image href="{key}" x="0" y="0" width="9" height="9"/>')


def with_body(body):
    """Return a release with a face whose SVG has this body."""
    return altered_release(lambda data: data["faces"][0].update(svg=svg_with(body)))


FOREIGN = {
    "an element that pnp does not draw": '<ellipse rx="1" ry="2"/>',
    "a link": '<a href="#b"><rect x="0" y="0" width="1" height="1"/></a>',
    "an attribute that pnp does not write": '<rect x="0" y="0" width="1" height="1" filter="none"/>',
    "a style": '<rect x="0" y="0" width="1" height="1" style="fill:red"/>',
    "an element in a text": (
        '<text x="1" y="1" fill="#000000" font-family="\'Alegreya\'" font-size="3" font-weight="400">'
        '<tspan x="5">a</tspan></text>'
    ),
    "an element in a shape": '<circle cx="1" cy="1" r="1"><circle cx="1" cy="1" r="1"/></circle>',
    "text between elements": "words",
    "a number that is none": '<circle cx="one" cy="1" r="1"/>',
    "a number without end": '<circle cx="nan" cy="1" r="1"/>',
    "a place that is missing": '<circle cx="1" cy="1"/>',
    "a name that nothing has": '<use href="#a" x="0" y="0" width="1" height="1"/>',
    "a gradient that is not there": '<rect x="0" y="0" width="1" height="1" fill="url(#g)"/>',
}


@pytest.mark.parametrize("body", FOREIGN.values(), ids=FOREIGN)
def test_face_that_pnp_would_not_write_is_refused(body):
    with pytest.raises(
        InvalidValueError, match=r"picture 0 (is not a picture that pnp drew|refers to)"
    ):
        release_file.from_bytes(with_body(body))


def with_entity(data):
    data["faces"][0]["svg"] = (
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'
    )


def release_of(text):
    """Return a release file with this text."""
    return release_file.HEADER + lzma.compress(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        *(
            (data, "does not begin with the line 'pnp-release 1'")
            for data in (
                b"",
                b"%PDF-1.7\n1 0 obj\n",
                b"PK\x03\x04 a zip",
                b"pnp release, format 4\n" + valid_release().partition(b"\n")[2],
                b"pnp-release 0\n",
                b"pnp-release 1",
            )
        ),
        (valid_release()[:-1], "this release is damaged"),
        (valid_release()[: len(valid_release()) // 2], "this release is damaged"),
        (valid_release()[:30], "this release is damaged"),
        (valid_release() + b"x", "there is something after its end"),
        (with_flipped_byte(-20), "this release is damaged"),
        (with_flipped_byte(120), "this release is damaged"),
        (
            altered_release(lambda data: data.pop("components")),
            "this release is damaged: components",
        ),
        (
            altered_release(lambda data: data["components"][0]["designs"][0].update(count=-1)),
            "count",
        ),
        (
            altered_release(lambda data: data["components"][0]["designs"][0].update(front=7)),
            "a picture that is missing",
        ),
        (
            altered_release(lambda data: data["components"][0]["designs"][0].update(front=-1)),
            "front",
        ),
        (
            altered_release(lambda data: data["components"][0]["designs"][0].update(more=[0, 7])),
            "a picture that is missing",
        ),
        (
            altered_release(
                lambda data: data["components"][0]["designs"].append(
                    data["components"][0]["designs"][0]
                )
            ),
            "the same id",
        ),
        (
            altered_release(lambda data: data["components"].append(data["components"][0])),
            "two components have the same id",
        ),
        (altered_release(lambda data: data["faces"][0].update(width=float("nan"))), "width"),
        (altered_release(lambda data: data["faces"][0].update(svg=[3])), "svg"),
        (
            altered_release(with_missing_picture),
            "this release is damaged: a face refers to a picture that is missing",
        ),
        (altered_release(lambda data: data["components"][0].update(shape="blob")), "shape"),
        (altered_release(with_reference_to_a_file), "refers to '/etc/passwd'"),
        (altered_release(with_entity), "declares XML entities"),
        *(
            (release_of(text), "this release is damaged: Invalid JSON")
            for text in (b"{", b"\xff", b"[" * 200_000, b'"\\ud800"', b"9" * 9000)
        ),
    ],
)
def test_invalid_release_is_refused_with_the_fault(data, message):
    with pytest.raises(InvalidValueError) as caught:
        release_file.from_bytes(data)
    assert message in str(caught.value)


def with_shape_of_a_newer_pnp(data):
    data["generator"] = "99.0"
    data["components"][0]["shape"] = "klein-bottle"


@pytest.mark.parametrize(
    "data",
    [
        release_file.HEADER.replace(b"1", b"2") + b"other bytes",
        release_file.HEADER.replace(b"1", b"10"),
        altered_release(lambda data: data.update(stickers=[])),
        altered_release(lambda data: data["components"][0]["designs"][0].update(foil="gold")),
        altered_release(with_shape_of_a_newer_pnp),
    ],
    ids=[
        "another format",
        "a much newer format",
        "a new part",
        "a new key of a design",
        "a new value",
    ],
)
def test_release_of_a_newer_pnp_is_recognised(data, tmp_path):
    path = tmp_path / "2.pnprelease"
    path.write_bytes(data)
    with pytest.raises(PnpError) as caught:
        release_file.read(path)
    assert str(caught.value) == (
        f"{path}: this release was made by a newer pnp\n"
        f"  expected a release of pnp {__version__} or an older one\n"
        "  update pnp; `pnp docs install` says how"
    )


def test_message_about_an_invalid_release_names_the_file(tmp_path):
    path = tmp_path / "1.pnprelease"
    path.write_bytes(b"nothing")
    with pytest.raises(
        PnpError,
        match=r"1\.pnprelease: does not begin with the line 'pnp-release 1'\n  expected a file made by `pnp release`",
    ):
        release_file.read(path)
    with pytest.raises(PnpError) as caught:
        release_file.read(tmp_path / "2.pnprelease")
    assert caught.value.exit_code == Kind.MISSING.value


def test_versions_are_sorted_by_number(tmp_path):
    for version in ("10", "2", "1.2", "1.10", "2-beta"):
        (tmp_path / file_name(version)).write_bytes(b"")
    assert versions(tmp_path) == ["1.2", "1.10", "2", "2-beta", "10"]
    assert last_before(tmp_path, "2") == "1.10"
    assert last_before(tmp_path, "1") is None
    assert file_name("1/../2 final") == "1-..-2-final.pnprelease"


def digest_of(design):
    """Return a digest of the faces of a design."""
    faces = [
        f"{face.size.w} {face.size.h} {face.bleed} {face.label}\n{svg_of(face)}"
        for face in design.faces
    ]
    return sha256("\n".join(faces).encode()).hexdigest()[:12]


@pytest.mark.parametrize("game", BUNDLED)
def test_releases_of_bundled_games_agree_with_their_records(game):
    """The records were taken from these releases in their former format."""
    release_of_game = release_file.read(
        ROOT / "templates" / game / "releases" / f"1{release_file.SUFFIX}"
    )
    components = {
        part.id: {
            "title": part.title,
            "outline": part.shape,
            "gutter": part.gutter,
            "grid": part.grid and list(part.grid),
            "radius": part.radius,
            "make": part.make,
            "designs": {design.id: [design.count, digest_of(design)] for design in part.designs},
        }
        for part in release_of_game.components
    }
    assert BUNDLED[game] == {
        "name": release_of_game.name,
        "version": release_of_game.version,
        "language": release_of_game.language,
        "components": components,
        "fonts": [
            [font.family, font.weight, font.italic, len(font.data)]
            for font in release_of_game.fonts
        ],
        "rules": [[rules.language, rules.digest] for rules in release_of_game.rules],
        "forms": [[form.variant, form.language, form.name] for form in release_of_game.forms],
    }


def test_every_bundled_release_has_a_record():
    paths = sorted((ROOT / "templates").glob(f"*/releases/*{release_file.SUFFIX}"))
    assert [path.parts[-3] for path in paths] == sorted(BUNDLED)
    assert not list((ROOT / "templates").glob("*/releases/*.pnp"))


def test_folder_in_place_of_a_release_is_refused(tmp_path):
    """This check also keeps a pipe without a writer from blocking."""
    (tmp_path / "a.pnprelease").mkdir()
    with pytest.raises(PnpError, match="is not a file"):
        release_file.read(tmp_path / "a.pnprelease")


def test_release_beyond_the_size_limits_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "1.pnprelease"
    text = len(unpacked(valid_release()))
    path.write_bytes(valid_release())
    monkeypatch.setattr(release_file, "MAX_FILE_BYTES", len(valid_release()))
    monkeypatch.setattr(release_file, "MAX_JSON_BYTES", text + 1)
    assert release_file.read(path).name == "Game"
    monkeypatch.setattr(release_file, "MAX_JSON_BYTES", text)
    with pytest.raises(PnpError, match=r"1\.pnprelease: unpacks to more than"):
        release_file.read(path)
    monkeypatch.setattr(release_file, "MAX_FILE_BYTES", len(valid_release()) - 1)
    with pytest.raises(PnpError, match=r"1\.pnprelease: it has more than"):
        release_file.read(path)


def test_surrogate_pair_in_a_release_is_one_character():
    def title(data):
        data["name"] = "Fox \U0001f98a"

    assert rb"\ud83e\udd8a" in unpacked(altered_release(title))
    assert release_file.from_bytes(altered_release(title)).name == "Fox \U0001f98a"


def test_release_is_found_by_version_or_by_file(tmp_path):
    folder = tmp_path / "releases"
    folder.mkdir()
    for version in ("1", "2"):
        (folder / file_name(version)).write_bytes(
            release_file.to_bytes(release(version, ("cards", [design("fox", 2)])))
        )
    assert release_file.find(folder, "2").version == "2"
    assert release_file.find(tmp_path / "elsewhere", str(folder / "1.pnprelease")).version == "1"
    with pytest.raises(PnpError, match="unknown release '3'") as caught:
        release_file.find(folder, "3")
    assert "1, 2" in str(caught.value)
    assert caught.value.exit_code == Kind.USAGE.value
    assert file_name("…") == "release.pnprelease"


def test_message_about_a_pack_without_releases_names_the_command(tmp_path):
    with pytest.raises(PnpError) as caught:
        release_file.find(tmp_path / "my-game" / "releases", "1")
    assert str(caught.value) == (
        "my-game has no releases yet, so there is nothing to compare with '1'\n  store one with: pnp release my-game"
    )
    assert caught.value.exit_code == Kind.USAGE.value
    with pytest.raises(PnpError) as caught:
        release_file.find(tmp_path / "my game" / "releases", "1")
    assert str(caught.value).endswith("store one with: pnp release 'my game'")


def test_releases_folder_that_is_a_link_is_refused(tmp_path):
    pack = tmp_path / "pack"
    elsewhere = tmp_path / "elsewhere"
    pack.mkdir()
    elsewhere.mkdir()
    assert release_file.folder_of(pack) == pack / "releases"
    (pack / "releases").symlink_to(elsewhere)
    with pytest.raises(InvalidValueError, match="pack/releases is a link"):
        release_file.folder_of(pack)
