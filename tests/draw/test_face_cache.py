"""Test faces in the disk cache: drawn once, equal when read, drawn again if unreadable."""

import io
import json
import pickle
from pathlib import Path

import pytest
from PIL import Image

from generator.base.fonts import font_set
from generator.base.geometry import Rect, Size
from generator.base.spill import SpillFile
from generator.draw.draw import SideArtist, draw_game
from generator.draw.face_cache import ART, FACES, MAX_BYTES, FaceCache
from generator.picture.face import Face, SharedFaces
from generator.picture.images import read_pixels
from generator.picture.items import PlacedImage, words_of
from tests.tools.make_face import rect, svg_of, text_run
from tests.tools.make_pack import loaded, make, renamed, svg

LAYOUT = """\
- fill: $hue
- svg: art/tree.svg
  box: [20, 20, 12, 12]
- group:
  - text: "**$title** and :star:"
    box: [2, 2, 36, 12]
    style: body
  at: [0, 2]
  turn: 5
"""
TREE = '<path d="M1 1h8v8z"/><text x="1" y="5" font-size="3" font-family="Alegreya">Oak</text>'


class Memory:
    """A cache in memory."""

    def __init__(self):
        self.entries = {}

    def get(self, kind, key):
        return self.entries.get((kind, key))

    def put(self, kind, key, data):
        self.entries[kind, key] = data

    def of_kind(self, kind):
        return [key for key in self.entries if key[0] == kind]


@pytest.fixture
def pack(tmp_path):
    files = {"art/tree.svg": svg(TREE), "art/icons/star.svg": svg('<path d="M0 0h10v10z"/>')}
    return make(tmp_path / "pack", LAYOUT, "id,hue,title\nfox,red,Fox\nowl,blue,Owl\n", files=files)


@pytest.fixture
def drawn_sides(monkeypatch):
    """Return a list that records the sides that are drawn and not read from the cache."""
    sides = []
    draw = SideArtist.draw

    def counted(self, side):
        sides.append(side.label)
        return draw(self, side)

    monkeypatch.setattr(SideArtist, "draw", counted)
    return sides


def faces(pack, cache):
    (component,) = draw_game(loaded(pack), cache=cache)
    return component.faces


def test_second_reading_draws_nothing_and_gives_equal_faces(pack, drawn_sides):
    cache = Memory()
    first = faces(pack, cache)
    assert len(drawn_sides) == 2
    second = faces(pack, cache)
    assert len(drawn_sides) == 2
    assert second == first
    assert [svg_of(face) for face in second] == [svg_of(face) for face in first]
    assert [words_of(face) for face in second] == [words_of(face) for face in first]
    assert [face.keep_inside for face in second] == [face.keep_inside for face in first]


def test_art_is_cached_once_however_many_faces_show_it(pack):
    cache = Memory()
    faces(pack, cache)
    assert len(cache.of_kind(FACES)) == 2
    assert len(cache.of_kind(ART)) == 2, "the tree and the star"


def test_second_build_draws_nothing_and_writes_same_bytes(pack, pnp, drawn_sides):
    builds = []
    for name in ("first", "second"):
        drawn_sides.clear()
        out = pack.parent / name
        assert pnp("build", pack, "-o", out, "--paper", "a4").exit_code == 0
        builds.append(
            {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        )
        assert bool(drawn_sides) == (name == "first")
    assert builds[0] == builds[1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_art_with_text_is_drawn_again_when_its_font_changes(tmp_path, encoding, drawn_sides):
    text = svg('<text x="1" y="5" font-size="3" font-family="Pack Font">Oak</text>')
    art = f"<?xml version='1.0' encoding='{encoding}'?>{text}".encode(encoding)
    cache = Memory()
    for source in ("bungee/Bungee-Regular.ttf", "alegreya/Alegreya-Regular.ttf"):
        files = {"art/a.svg": art, "fonts/pack.ttf": renamed(source)}
        faces(make(tmp_path, "- svg: art/a.svg\n", files=files), cache)
    assert len(drawn_sides) == 2


def test_edit_draws_only_the_changed_face(pack, drawn_sides):
    cache = Memory()
    faces(pack, cache)
    drawn_sides.clear()
    (pack / "cards.csv").write_text("id,hue,title\nfox,red,Vixen\nowl,blue,Owl\n", "utf-8")
    faces(pack, cache)
    assert len(drawn_sides) == 1
    assert "fox" in drawn_sides[0]


class Evil:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


DAMAGED = {
    "nothing": b"",
    "half of it": b'{"Face":[[',
    "no text": b"\xff\xfe\x00",
    "a number": b"7",
    "a list": b"[1,2]",
    "an object without a type": b"{}",
    "an object of two types": b'{"Point":[1,2],"Size":[1,2]}',
    "another type of ours": b'{"Point":[1,2]}',
    "a type that faces do not hold": b'{"Popen":["true"]}',
    "an attribute of a module": b'{"__class__":[]}',
    "too few values": b'{"Face":[[]]}',
    "too many values": b'{"Face":[1,2,3,4,5,6,7,8,9,10,11]}',
    "values that are no list": b'{"Face":7}',
    "a font that is not there": b'{"Font":["Nobody Has It",400,false]}',
    "art that is not there": b'{"Face":[[{"PlacedArt":[{"Placed":["'
    + b"0" * 64
    + b'"]},{"Rect":[0,0,1,1]},"contain"]}]]}',
    "too deep": b"[" * 100_000 + b"]" * 100_000,
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_face_with_unreadable_cache_entry_is_drawn_again(pack, drawn_sides, data):
    cache = Memory()
    before = faces(pack, cache)
    for entry in cache.of_kind(FACES):
        cache.entries[entry] = data
    drawn_sides.clear()
    assert faces(pack, cache) == before
    assert len(drawn_sides) == 2


@pytest.mark.parametrize("data", [None, b"", b"[]", b'{"Art":[]}', b"[" * 100_000])
def test_face_with_missing_or_damaged_art_is_drawn_again(pack, drawn_sides, data):
    cache = Memory()
    before = faces(pack, cache)
    for entry in cache.of_kind(ART):
        if data is None:
            del cache.entries[entry]
        else:
            cache.entries[entry] = data
    drawn_sides.clear()
    assert faces(pack, cache) == before
    assert drawn_sides, "the face with damaged art is drawn again"


def test_cache_entries_are_never_unpickled(pack, drawn_sides, tmp_path, monkeypatch):
    cache = Memory()
    before = faces(pack, cache)
    trace = tmp_path / "unpickled"
    evil = pickle.dumps(Evil(trace))
    drawn_sides.clear()
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(
            pickle, name, lambda *_args, **_more: pytest.fail("an entry was unpickled")
        )
    assert faces(pack, cache) == before
    assert not drawn_sides
    cache.entries = dict.fromkeys(cache.entries, evil)
    assert faces(pack, cache) == before
    assert len(drawn_sides) == 2
    assert not trace.exists()


@pytest.fixture
def png():
    out = io.BytesIO()
    Image.new("RGB", (9, 9), "red").save(out, "PNG")
    return out.getvalue()


def is_stored(face):
    """Return True if the cache stores a face."""
    cache = Memory()
    FaceCache(cache, font_set()).put("key", face)
    return bool(cache.of_kind(FACES))


def test_faces_quicker_to_draw_than_to_read_are_not_cached(png):
    run = text_run("Fox", 2, 10)
    image = PlacedImage(read_pixels("a.png", png, SpillFile()), Rect(0, 0, 9, 9))
    many = tuple(rect(n, n, 9, 9, "#ff0000") for n in range(MAX_BYTES // 50))
    assert is_stored(Face((run,), Size(20, 20)))
    assert not is_stored(Face((run, image), Size(20, 20)))
    assert not is_stored(Face(many, Size(20, 20)))


def test_cache_entries_are_plain_json(pack):
    cache = Memory()
    faces(pack, cache)
    for data in cache.entries.values():
        json.loads(data)


def test_only_faces_that_other_copies_need_are_cached(pack, drawn_sides):
    cache = Memory()
    fox, owl = faces(pack, Memory())
    shared = SharedFaces(frozenset({fox.source_key}))
    drawn_sides.clear()
    for _ in range(2):
        (component,) = draw_game(loaded(pack), cache=cache, shared=shared)
        assert component.faces == (fox, owl)
    assert drawn_sides == ["cards:fox front", "cards:owl front", "cards:owl front"]
    assert cache.of_kind(FACES) == [(FACES, fox.source_key)]
