"""Test that commands beyond their budget of time and memory end with a message and keep old files."""

import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from generator.base import budget as budget_module
from generator.base.budget import Budget, BudgetError, current_budget, drawing, limited
from generator.base.worker import REQUEST_SECONDS, Worker
from tests.tools.hostile_files import svg, with_filter
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]
# The time limit of commands in seconds. Loading the program takes a part of it, up to a second on a busy
# machine. The pictures take several times as long.
LIMIT = 2
TURBULENCE = '<feTurbulence baseFrequency=".0{}" numOctaves="10"/>'
HINT = "--time-limit SECONDS allows more"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the system interrupts nothing there"
)


@pytest.fixture
def turbulent(tmp_path):
    """Return a pack with six pictures of 1 kB, each of which renders for about a second."""
    files = {
        f"t{n}.svg": with_filter(
            "".join(TURBULENCE.format(10 * n + step) for step in range(1, 9)), count=4
        )
        for n in range(6)
    }
    assert max(map(len, files.values())) < 3000
    return make(
        tmp_path / "pack",
        "".join(f"- svg: {name}\n  box: [0, 0, 40, 40]\n" for name in files),
        files=files,
    )


def file_contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("command", ["build", "preview", "check"])
def test_time_limit_stops_command_and_names_slowest_picture(turbulent, tmp_path, pnp, command):
    """Render many pictures, each of which is within the limits of a picture."""
    out = tmp_path / "out"
    (out / "pack").mkdir(parents=True)
    (out / "pack" / "mine.txt").write_bytes(b"mine")
    words = [] if command == "check" else ["-o", out]
    started = time.process_time()
    result = pnp(command, turbulent, *words, "--time-limit", LIMIT)
    assert time.process_time() - started < 10
    assert result.exit_code == 3, result.output
    assert f"this takes more than {LIMIT} seconds of CPU time; longest: " in result.stderr
    # A preview renders the face as a whole; the others begin with its pictures.
    slowest = "cards:one front (" if command == "preview" else ".svg ("
    assert slowest in result.stderr
    assert HINT in result.stderr
    assert file_contents(out) == {Path("pack/mine.txt"): b"mine"}


def test_default_time_limit_grows_with_number_of_designs(turbulent, tmp_path, pnp, monkeypatch):
    monkeypatch.setattr(budget_module, "BASE_SECONDS", LIMIT / 2)
    monkeypatch.setattr(budget_module, "SECONDS_PER_DESIGN", LIMIT / 4)
    (turbulent / "cards.csv").write_text("id\none\ntwo\n")
    result = pnp("build", turbulent, "-o", tmp_path / "out", "--what", "sheets")
    assert result.exit_code == 3
    found = f"this takes more than {LIMIT} seconds of CPU time, the limit for 2 designs; longest: t0.svg ("
    assert found in result.stderr


def test_slow_picture_of_markers_is_named(tmp_path, pnp):
    corners = " ".join(f"{n % 63} {n * 7 % 88}" for n in range(6_000))
    pictures = {
        f"a{index}.svg": svg(
            '<marker id="m">' + '<path d="M0 0h1"/>' * (30 - index) + "</marker>"
            f'<polyline points="{corners}" fill="none" stroke="red" marker-mid="url(#m)"/>'
        )
        for index in range(6)
    }
    layout = "".join(f"- {{svg: {name}, box: [0, 0, 40, 40]}}\n" for name in pictures)
    pack = make(tmp_path / "pack", layout, files=pictures)
    result = pnp("build", pack, "-o", tmp_path / "out", "--time-limit", LIMIT)
    assert result.exit_code == 3
    assert re.search(r"longest: a\d\.svg \(", result.stderr), result.stderr
    assert not (tmp_path / "out").exists()


def test_slow_page_with_a_tiny_pattern_is_named(tmp_path, pnp):
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(595, 842))
        tile = pdf.make_stream(
            b"0 0 1 1 re f", PatternType=1, PaintType=1, TilingType=1, XStep=0.004, YStep=0.004
        )
        tile.BBox = pikepdf.Array([0, 0, 1, 1])
        tile.Resources = pikepdf.Dictionary()
        places = [(20 + 185 * column, 20 + 255 * row) for column in range(3) for row in range(3)]
        content = b"".join(
            b"/Pattern cs /P scn %d %d 180 250 re f %d %d 180 250 re S\n" % (*at, *at)
            for at in places
        )
        pdf.pages[0].Contents = pdf.make_stream(content)
        pdf.pages[0].Resources = pikepdf.Dictionary(Pattern=pikepdf.Dictionary(P=tile))
        pdf.save(tmp_path / "tiny.pdf")
    started = time.monotonic()
    result = pnp("relay", tmp_path / "tiny.pdf", "-o", tmp_path / "out", "--time-limit", LIMIT)
    assert time.monotonic() - started < 60
    assert result.exit_code == 3, result.output
    assert f"this takes more than {LIMIT} seconds of CPU time; longest: " in result.stderr
    assert "tiny.pdf (" in result.stderr
    assert not (tmp_path / "out").exists()


def test_code_beyond_its_time_limit_is_interrupted():
    budget = Budget(time_limit=1)
    with pytest.raises(BudgetError, match="more than 1 seconds of CPU time"), limited(budget):
        busy()
    assert current_budget() is None
    assert budget.used < 10


def test_worker_gets_the_time_that_is_left():
    names_slowest = pytest.raises(BudgetError, match=r"longest: a\.svg \(\d+\.\d s\)")
    with Worker() as worker, limited(Budget(time_limit=1)), names_slowest, drawing("a.svg"):
        worker.run(busy)
    with limited(Budget()), Worker() as worker:
        assert worker.run(bytes, 3) == b"\0\0\0"


def busy():
    while True:
        pass


def test_limits_of_command_raise_limits_of_a_picture():
    assert Budget().limit_request(REQUEST_SECONDS) == REQUEST_SECONDS
    assert 99 < Budget(time_limit=100).limit_request(REQUEST_SECONDS) <= 100
    assert Budget(memory_limit=3_000_000_000).limit_memory(1_000_000_000) == 3_000_000_000
    assert Budget().limit_memory(1_000_000_000) == 1_000_000_000


def run(*words, address_space=None, **more):
    """Run the command in a process of its own, perhaps with a limit of its address space in MB."""

    def limit():
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (address_space * 1_000_000,) * 2)

    return subprocess.run(
        [sys.executable, "-m", "generator", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=limit if address_space else None,
        **more,
    )


def test_memory_limit_stops_command_with_a_hint(tmp_path):
    pack = make(tmp_path / "pack")
    result = run("build", pack, "-o", tmp_path / "out", "--memory-limit", 20)
    assert result.returncode == 3
    assert "this takes more than 20 MB of memory" in result.stderr
    assert "--memory-limit MB allows more" in result.stderr
    assert not (tmp_path / "out").exists()


def test_press_export_of_a_large_photograph_needs_less_than_its_usual_memory(tmp_path):
    """At once, the sums of inks of 16 million pixels take more than 900 MB."""
    photograph = io.BytesIO()
    Image.new("RGB", (4000, 4000), "teal").save(photograph, "JPEG")
    files = {"art/p.jpg": photograph.getvalue()}
    pack = make(tmp_path / "pack", "- image: art/p.jpg\n", files=files)
    result = run("export", "press", pack, "-o", tmp_path / "out", "--memory-limit", 500)
    assert result.returncode == 0, result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="macOS does not enforce the limit")
def test_process_without_enough_memory_exits_with_5_and_keeps_old_files(starter, tmp_path, pnp):
    """Raise the address space until a build succeeds, since the need depends on the machine."""
    starter("cards")
    few = ("--paper", "a4", "--what", "sheets", "--what", "gallery")
    assert pnp("build", "pack", *few).exit_code == 0
    before = file_contents(tmp_path / "output")
    table = tmp_path / "pack" / "cards.csv"
    table.write_text(table.read_text("utf-8").replace("The", "A", 1), "utf-8")
    codes = set()
    for address_space in (100, 200, 300, 400):
        result = run("build", "pack", *few, "--no-cache", cwd=tmp_path, address_space=address_space)
        codes.add(result.returncode)
        if result.returncode:
            assert result.returncode == 5, result.stderr
            assert "out of memory" in result.stderr or "MB of memory" in result.stderr
            assert {
                name: data
                for name, data in file_contents(tmp_path / "output").items()
                if name in before
            } == before
        else:
            break
    assert 5 in codes
    assert pnp("build", "pack", *few).exit_code == 0
    assert file_contents(tmp_path / "output") != before
    assert not list((tmp_path / "output").rglob(".pnp-*"))
