"""Test that a build opens only the pack, the program, its libraries and fonts, its cache, and its output."""

import os
import re
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

import pytest

from generator.base.errors import PnpError
from generator.base.files import TEMPORARY_PREFIX
from generator.base.fonts import font_set
from generator.base.geometry import Size
from generator.pdf.faces import compile_faces
from generator.picture.raster import Rasteriser
from tests.tools.make_face import face_of_svg
from tests.tools.make_pack import make, svg

ROOT = Path(__file__).parents[2]
RECORDING_PROGRAM = """
import os, sys
record = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND)

def hear(event, args):
    if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
        os.write(record, os.fsencode(args[0]) + b"\\n")

sys.addaudithook(hear)
from generator.cli import main
main(sys.argv[1:])
"""
"""A program that runs `pnp` and records every path that Python opens."""

SYSTEM = [
    "/dev/null",
    "/dev/urandom",
    "/proc/self",
    "/proc/stat",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/fs/cgroup",
]
SYSTEM += [
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/lib",
    "/usr/lib",
    "/etc/ld.so.cache",
    "/sys/devices/system/cpu",
]


def libraries():
    """Return the folders of the interpreter, its library and installed packages."""
    folders = {
        Path(each) for each in (*sysconfig.get_paths().values(), sys.base_prefix, sys.prefix)
    }
    folders |= {Path(entry) for entry in sys.path if "site-packages" in entry}
    return {item for path in folders for item in (path, path.resolve())}


def paths_outside(opened, allowed):
    """Return the paths outside the allowed places, except those that give a process's CPU time."""
    others = (path for path in opened if not re.fullmatch(r"/proc/\d+/stat", path))
    return {
        path for path in others if not any(Path(path).is_relative_to(place) for place in allowed)
    }


ART = svg(
    '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>'
    '<text font-family="Nobody Has It, Alegreya" y="5">a</text><a href="/etc/hostname"><circle r="2"/></a>'
)
# With an empty prefix, Python neither reads nor writes compiled files in the folder that the tests
# share.
NO_COMPILED_FILES = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": ""}
LAYOUT = "- svg: a.svg\n  box: [0, 0, 9, 9]\n- text: $id\n  box: [5, 20, 30, 5]\n  style: body\n"


@pytest.mark.skipif(sys.platform == "win32", reason="paths are others there")
def test_build_opens_only_its_own_files(tmp_path):
    pack = make(
        tmp_path / "pack", LAYOUT, files={"a.svg": ART, "rules.md": "# A\n\n::: components\n:::\n"}
    )
    (pack / "game.yaml").write_text(
        (pack / "game.yaml").read_text("utf-8") + "rules: {file: rules.md}\n", "utf-8"
    )
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "photo.png").write_bytes(b"x")
    (pack / "photo.png").symlink_to(tmp_path / "private" / "photo.png")
    home = tmp_path / "home"
    record = tmp_path / "record"
    places = {
        "HOME": str(home),
        "PNP_CACHE": str(tmp_path / "cache"),
        "PNP_CONFIG": str(tmp_path / "settings"),
        "TMPDIR": str(tmp_path / "temporary"),
        **NO_COMPILED_FILES,
    }
    for folder in ("home", "temporary"):
        (tmp_path / folder).mkdir()
    result = subprocess.run(
        [
            sys.executable,
            "-c",
            RECORDING_PROGRAM,
            str(record),
            "build",
            str(pack),
            "-o",
            str(tmp_path / "out"),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT), **places},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    opened = set(record.read_text("utf-8").splitlines())
    assert str(pack / "a.svg") in opened, "the record has the opened paths"
    own_folders = [tmp_path / name for name in ("out", "cache", "settings", "temporary", "record")]
    foreign_paths = paths_outside(
        opened, [pack, *own_folders, ROOT / "generator", ROOT / "fonts", *libraries(), *SYSTEM]
    )
    assert {path for path in foreign_paths if "/" in path} == set(), (
        "Python removes the content of folders by bare names, all others are paths"
    )
    assert str(pack / "photo.png") not in opened, "a link that leads out of the pack"


REACHING = [
    f'<g id="a"/>{shape.format(key, address)}'
    for shape in (
        '<image width="9" height="9" {}="{}"/>',
        '<filter id="f"><feImage width="9" height="9" {}="{}"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    )
    for key in ("href", "xlink:href")
    for address in (
        "/etc/hostname",
        "file:///etc/hostname",
        "../photo.png",
        "#x/../photo.png",
        "photo.png",
    )
]
REACHING += [
    "<style>@font-face{font-family:x;src:url(/etc/hostname)}</style><text font-family='x'>a</text>",
    "<text font-family='DejaVu Sans'>a</text>",
]
BEGIN = "/the-engines-begin"
END = "/the-engines-end"


def draw_all(bodies):
    """Render pictures that the check of art would refuse, with both engines."""
    for body in bodies:
        face = face_of_svg(svg(body, "0 0 9 9"), Size(9, 9))
        for draw in (compile_faces, lambda faces, fonts: Rasteriser(fonts).face(faces[0], 72)):
            with suppress(PnpError):
                draw([face], font_set())


@pytest.mark.traced
def test_engines_open_only_fonts(tmp_path):
    """Trace every system call that names a file, in all processes."""
    (tmp_path / "photo.png").write_bytes(b"x")
    trace = tmp_path / "trace"
    script = tmp_path / "draw.py"
    script.write_text(
        "import os\n"
        'from tests.hostile.test_paths import *\ndraw_all([\'<rect width="9" height="9"/>\', REACHING[-3]])\n'
        "os.access(BEGIN, 0)\ndraw_all(REACHING)\nos.access(END, 0)\n",
        "utf-8",
    )
    command = [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=%file",
        "-o",
        str(trace),
        sys.executable,
        str(script),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(tmp_path),
        **NO_COMPILED_FILES,
    }
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    text = trace.read_text("utf-8", "replace")
    lines = text[text.index(BEGIN) : text.index(END)].splitlines()
    opened = [line for line in lines if "open" in line.split("(")[0] and " = -1 " not in line]
    paths = {os.path.normpath(line.split('"')[1]) for line in opened if line.count('"') > 1}
    fonts = {path for path in paths if path.startswith(str(ROOT / "fonts"))}
    assert fonts, "the trace names files"
    temporary_paths = {path for path in paths if f"/{TEMPORARY_PREFIX}" in path}
    allowed = [
        *libraries(),
        ROOT / "generator",
        ROOT / "tests",
        *SYSTEM,
        "/usr/share/locale",
        "/etc/ld.so.preload",
    ]
    rest = paths_outside(paths - fonts - temporary_paths, allowed) - {
        str(ROOT),
        str(tmp_path),
        "nothing",
        # Python opens these parts of the sandbox by relative names when it removes them.
        "empty",
        "fonts",
        ".",
    }
    assert rest == set()
