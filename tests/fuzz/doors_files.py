"""Doors of single files: pictures, faces, releases, fonts, press profiles, pre-cut sheets, cache."""

import lzma
from pathlib import Path

from generator.base.cache import DATABASE_FILE, Cache
from generator.base.files import bundled_folder
from generator.base.fonts import font_set, read_font
from generator.base.geometry import Size
from generator.draw.art.read import read_art
from generator.impose.precut import read_precut_file
from generator.pdf.faces import compile_faces
from generator.pdf.press.profile import PressInks, load_profile
from generator.picture.raster import Rasteriser
from generator.pipeline.project import BuildRequest, Project
from generator.release import release_file
from tests.tools.hostile_files import ART
from tests.tools.make_face import face_of_svg
from tests.tools.make_pack import make, svg
from tests.tools.make_release import design, release

ROOT = Path(__file__).parents[2]


class Art:
    """SVG pictures, checked and simplified."""

    def __init__(self, _: Path) -> None:
        features = sorted((ROOT / "tests" / "data" / "art" / "features").glob("*.svg"))
        self.seeds = [path.read_bytes() for path in features] + [
            data for make_art in ART.values() if len(data := make_art()) < 20_000
        ]

    def run(self, data: bytes) -> None:
        read_art(data, "a.svg")


class Drawn(Art):
    """SVG pictures placed in a pack, compiled by typst and rendered by resvg."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.seeds = [data for data in self.seeds if len(data) < 5000]
        self.fonts = font_set()
        self.folder = make(folder / "drawn", "- svg: a.svg\n  box: [0, 0, 30, 30]\n")

    def run(self, data: bytes) -> None:
        (self.folder / "a.svg").write_bytes(data)
        project = Project(BuildRequest(str(self.folder)))
        for face in project.faces.values():
            Rasteriser(project.game.fonts).face(face, 72)
        assert project.face_pages


class Faces:
    """Art that the gate would refuse, given to the renderers, which must terminate and read no file."""

    def __init__(self, _: Path) -> None:
        self.seeds = [
            f'<g id="a"/><image width="9" height="9" {key}="{address}"/>'.encode()
            for key in ("href", "xlink:href")
            for address in (
                "#a",
                "/etc/passwd",
                "a.svg",
                "file:///etc/passwd",
                "#a/../b",
                "data:,x",
            )
        ] + [b"<rect/><circle r='3'/><text>a</text>"]
        self.fonts = font_set()

    def run(self, data: bytes) -> None:
        face = face_of_svg(svg(data.decode(errors="replace")), Size(9, 9))
        Rasteriser(self.fonts).face(face, 72)
        compile_faces([face], self.fonts)


class Release:
    """Release files, damaged as JSON and as bytes."""

    def __init__(self, _: Path) -> None:
        files = [
            path.read_bytes()
            for path in sorted((ROOT / "templates").glob("hydras/releases/*.pnprelease"))
        ]
        files.append(
            release_file.to_bytes(release("1", ("cards", [design("fox", 1), design("owl", 2)])))
        )
        self.seeds = [self._plain(data) for data in files]

    def _plain(self, data: bytes) -> bytes:
        head, _, packed = data.partition(b"\n")
        unpacker = lzma.LZMADecompressor()
        return head + b"\n" + unpacker.decompress(packed)

    def run(self, data: bytes) -> None:
        head, _, body = data.partition(b"\n")
        if len(data) % 9 == 0:
            release_file.from_bytes(data)
        release_file.from_bytes(head + b"\n" + lzma.compress(body, preset=0))


class Font:
    """Font files."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "own.ttf"
        self.seeds = [
            (bundled_folder("fonts") / "bungee" / "Bungee-Regular.ttf").read_bytes()[:60_000]
        ]

    def run(self, data: bytes) -> None:
        self.path.write_bytes(data)
        font_set([read_font(self.path)])


class IccProfile:
    """ICC profiles of presses."""

    def __init__(self, _: Path) -> None:
        self.seeds = [load_profile("pnp-coated")]

    def run(self, data: bytes) -> None:
        inks = PressInks(data)
        for colour in ((0.0, 0.0, 0.0), (1.0, 0.5, 0.1), (1.0, 1.0, 1.0)):
            assert len(inks.convert(colour)) == 4
        assert isinstance(inks.title, str)


class Template:
    """Pre-cut sheets."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "own.toml"
        self.seeds = [
            b'title = "A"\npaper = "a4"\nslots = [[10, 10, 63, 88], [80, 10.5, 63, 88]]\n',
            b'title = "A"\npaper = "letter"\ngrid = [2, 3]\nfirst = [5, 5]\nsize = [63, 88]\nstep = [70, 90]\n',
        ]

    def run(self, data: bytes) -> None:
        self.path.write_bytes(data)
        sheet = read_precut_file(self.path)
        sheet.find_turn(sheet.slots[0].size, "cards")


class Kept:
    """The cache database, damaged by a broken disk or another program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "cache"
        with Cache(self.folder) as cache:
            for index in range(20):
                cache.put("face", f"k{index}", bytes([index]) * 100)
        self.seeds = [(self.folder / DATABASE_FILE).read_bytes()]

    def run(self, data: bytes) -> None:
        (self.folder / f"{DATABASE_FILE}-journal").unlink(missing_ok=True)
        (self.folder / DATABASE_FILE).write_bytes(data)
        with Cache(self.folder) as cache:
            for index in range(20):
                assert cache.get("face", f"k{index}") in {None, bytes([index]) * 100}
            cache.put("face", "new", b"x")
        with Cache(self.folder) as cache:
            assert cache.get("face", "new") in {None, b"x"}
