"""Test pictures that would keep a machine busy: they are rendered, or refused in words."""

import io
import operator
import os
import re
import signal
import sys
import time
from base64 import b64decode, b64encode
from threading import Timer

import numpy as np
import pytest
from PIL import Image

from generator.base.errors import InvalidValueError, PnpError
from generator.base.fonts import font_set
from generator.base.geometry import Size
from generator.base.svg_table import SVG
from generator.base.worker import PICTURE_MEMORY, Worker, WorkError, WorkLimitError
from generator.draw.art.read import read_art
from generator.pdf.faces import compile_faces
from generator.picture.raster import Rasteriser
from generator.picture.workload import needs_worker
from tests.tools.hostile_files import ART, svg, with_filter
from tests.tools.make_face import face_of_svg
from tests.tools.make_pack import make

BUSY = with_filter('<feTurbulence baseFrequency=".5" numOctaves="10"/>' * 60, count=40).decode()
MILD = with_filter('<feGaussianBlur stdDeviation="1"/>').decode()


@pytest.mark.parametrize("name", ART)
def test_demanding_picture_is_read_or_refused_by_name(name):
    message = name
    try:
        read_art(ART[name](), f"{name}.svg")
    except InvalidValueError as wrong:
        message = wrong.found
    assert name in message
    assert len(message) < 500


def face(text, label="a face"):
    return face_of_svg(text, Size(63, 88), label=label, name=f"{label}.svg")


@pytest.fixture
def workers_without_patience(monkeypatch):
    """Let workers refuse slow filters at once, as if their time were over."""
    run = Worker.run

    def limited(worker, function, what, *rest):
        texts = [what] if isinstance(what, str) else [data.decode() for data in what.values()]
        embedded = [
            b64decode(data) for text in texts for data in re.findall('base64,([^"]+)', text)
        ]
        if any(b"feTurbulence" in data for data in (*embedded, *map(str.encode, texts))):
            raise WorkLimitError("more than 15 seconds")
        return run(worker, function, what, *rest)

    monkeypatch.setattr(Worker, "run", limited)


@pytest.mark.usefixtures("workers_without_patience")
def test_picture_beyond_its_time_limit_is_named():
    faces = [face(MILD, "mild"), face(BUSY, "busy"), face(svg("<rect/>").decode(), "plain")]
    with pytest.raises(
        PnpError, match=r"busy(\.svg)?: drawing its picture takes more than 15 seconds"
    ):
        compile_faces(faces, font_set())
    raster = Rasteriser(font_set())
    with pytest.raises(
        PnpError, match=r"busy(\.svg)?: drawing its picture takes more than 15 seconds"
    ):
        raster.png(faces[1], 300)
    assert raster.png(faces[0], 72), "the next picture is rendered"


def test_worker_renders_same_picture_as_own_process(monkeypatch):
    from_worker = (
        compile_faces([face(MILD)], font_set())[0].pdf,
        Rasteriser(font_set()).png(face(MILD), 100),
    )
    for place in ("generator.pdf.faces", "generator.picture.raster"):
        monkeypatch.setattr(f"{place}.needs_worker", lambda _: False)
    assert from_worker == (
        compile_faces([face(MILD)], font_set())[0].pdf,
        Rasteriser(font_set()).png(face(MILD), 100),
    )


def test_faces_beyond_a_limit_together_are_rendered_separately(monkeypatch):
    monkeypatch.setattr(Worker, "run", _only_two_at_once(Worker.run))
    texts = [MILD.replace('stdDeviation="1"', f'stdDeviation="{n}"') for n in range(1, 6)]
    faces = [face(text, f"number {number}") for number, text in enumerate(texts)]
    pages = compile_faces(faces, font_set())
    assert {item.name for item in faces} <= {name for document in pages for name in document.pages}


def _only_two_at_once(run):
    def limited(worker, function, files, *rest):
        if (
            not isinstance(files, str)
            and sum(b"feGaussianBlur" in data for data in files.values()) > 2
        ):
            raise WorkLimitError("more than 2 seconds")
        return run(worker, function, files, *rest)

    return limited


def test_worker_stops_at_limits_of_time_and_memory_and_is_restarted():
    with Worker(0.3) as worker, pytest.raises(WorkLimitError, match="seconds"):
        worker.run(time.sleep, 60)
    with Worker(60) as worker:
        with pytest.raises(WorkLimitError, match="GB of memory"):
            worker.run(operator.mul, b"x", 10**11)
        assert worker.run(operator.mul, b"x", 3) == b"xxx"
        with pytest.raises(WorkError, match="can't multiply"):
            worker.run(operator.mul, b"x", b"y")
        assert worker.run(operator.mul, b"x", 4) == b"xxxx"


def test_ordinary_picture_needs_no_worker(tmp_path, pnp, monkeypatch):
    monkeypatch.setattr(Worker, "begin", lambda _: pytest.fail("a worker was started"))
    art = svg('<path d="M0 0h9v9z"/><clipPath id="c"><rect width="9" height="9"/></clipPath>')
    pack = make(tmp_path / "pack", "- svg: a.svg\n  box: [0, 0, 9, 9]\n", files={"a.svg": art})
    assert pnp("build", pack, "-o", tmp_path / "out", "--paper", "a4").exit_code == 0
    assert needs_worker('<s:filter id="f"/>')
    assert not needs_worker('<text x="1">filter</text>')


def photograph(number, side):
    """Return the bytes of a picture that differs for each number."""
    out = io.BytesIO()
    noise = np.random.default_rng(number).integers(0, 256, (side, side, 3), np.uint8)
    Image.fromarray(noise).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("side", [8, 40], ids=["written in the face", "beside the face"])
def test_photographs_need_no_worker(tmp_path, pnp, monkeypatch, side):
    """Render images whose bytes and digests contain many digits."""
    monkeypatch.setattr(Worker, "begin", lambda _: pytest.fail("a worker was started"))
    inside = f'<image width="9" height="9" href="data:image/png;base64,{b64encode(photograph(99, side)).decode()}"/>'
    files = {f"IMG_2024010{n}.png": photograph(n, side) for n in range(60)}
    table = "id,photo\n" + "".join(f"d{n},{name}\n" for n, name in enumerate(files))
    files["IMG_1e5_20240101.svg"] = svg(inside)
    layout = (
        "- image: $photo\n  box: [0, 0, 9, 9]\n- svg: IMG_1e5_20240101.svg\n  box: [0, 9, 9, 9]\n"
    )
    pack = make(tmp_path / "pack", layout, table, files=files)
    for command in (("check", pack), ("build", pack, "-o", tmp_path / "out", "--paper", "a4")):
        result = pnp(*command)
        assert result.exit_code == 0, result.output


def test_worker_is_needed_for_large_numbers_in_shapes_only():
    """Write large numbers in shapes, then the same digits in names and titles."""
    for shape in (
        '<path d="M0 0h1e30"/>',
        '<rect width="12345678"/>',
        "<g><g transform='scale(5000)'/></g>",
    ):
        assert needs_worker(svg(shape).decode())
    for shape in (
        '<g id="a1e30"/>',
        '<g class="c12345678"/>',
        "<title>scan 12345678 1e30.svg</title>",
    ):
        assert not needs_worker(svg(shape).decode())


def own_pid():
    return str(os.getpid()).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the CPU time of a worker")
def test_worker_that_the_system_pauses_gets_more_time():
    """Pause a worker, and resume it when three times its time has passed."""
    with Worker(60) as worker:
        pid = int(worker.run(own_pid))
        os.kill(pid, signal.SIGSTOP)
        worker.seconds = 0.2
        worker.patience = 300
        start = time.monotonic()
        Timer(0.6, os.kill, (pid, signal.SIGCONT)).start()
        assert worker.run(operator.mul, b"x", 4) == b"xxxx"
        assert time.monotonic() - start > 0.6, "the worker answered although it was paused"


def test_worker_that_died_while_idle_is_restarted():
    """Kill a worker between two requests."""
    with Worker(60) as worker:
        before = int(worker.run(own_pid))
        os.kill(before, signal.SIGKILL)
        # Wait until it is dead, and leave its status to the worker.
        os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)
        assert int(worker.run(own_pid)) != before


@pytest.mark.skipif(os.name != "posix", reason="the interpreter is a shell script")
def test_worker_that_dies_while_it_starts_is_not_waited_for(tmp_path, monkeypatch):
    """Start a worker that ends its output at once and takes requests without answering them."""
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nexec cat > /dev/null\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    # With this unusual limit, no worker of another test is reused.
    not_waited_for = pytest.raises(WorkLimitError, match="more than 3 GB of memory")
    with Worker(1, memory=3 * PICTURE_MEMORY) as worker, not_waited_for:
        worker.run(bytes, 3)


LINE = '<path d="M0 0L1 1 2 0 3 1" {}="url(#{})"/>'
MARKER = '<marker id="{}">{}</marker>'


def test_marker_counts_towards_element_limit_at_every_corner():
    """Count markers on corners, in markers and in groups; accept a picture with few."""
    corners = " ".join(f"{n} {n % 2}" for n in range(60_000))
    long = f'{MARKER.format("m", "<g><g/><g/></g>")}<polyline points="{corners}" {{}}="url(#m)"/>'
    for key in ("marker-mid", "marker"):
        with pytest.raises(InvalidValueError, match="draws more than 200000 elements"):
            read_art(svg(long.format(key)), "a.svg")
    read_art(svg(long.format("marker-end")), "a.svg")
    nested = "".join(
        MARKER.format(f"m{n}", LINE.format("marker-mid", f"m{n - 1}") * 5) for n in range(1, 6)
    )
    with pytest.raises(InvalidValueError, match="draws more than 200000 elements"):
        read_art(svg(nested + LINE.format("marker-mid", "m5") * 9), "a.svg")
    grouped = f'{MARKER.format("m", "<g/>" * 300)}<g marker-start="url(#m)">{LINE.format("a", "b") * 900}</g>'
    with pytest.raises(InvalidValueError, match="draws more than 200000 elements"):
        read_art(svg(grouped), "a.svg")


def test_path_with_a_far_point_is_refused_without_a_crash(tmp_path, pnp):
    """Check a curve on which resvg aborts its process."""
    curve = "M640-120 220-540q-40-40-40-100 0-70 50-120t120-50q50 0 90 25t70 70l130 0q30-45 70-70t90-259999999990 0"
    art = f'<path d="{curve} 120 50t50 120q0 60-40 100L640-120Z"/>'
    head = f'<svg xmlns="{SVG}" width="24px" height="24px" viewBox="0 -960 1280 960">'
    folder = make(
        tmp_path / "far",
        "- svg: far.svg\n  box: [0, 0, 30, 30]\n",
        files={"far.svg": f"{head}{art}</svg>"},
    )
    result = pnp("check", folder)
    assert result.exit_code == 3
    assert "its picture" in result.output


@pytest.mark.parametrize(
    ("words", "is_far"),
    [
        ("M1-25999999 0", True),
        ("M1e12 3", True),
        ("m1 3c1.5E+12", True),
        ("scale(9999)", True),
        ("matrix(1 0 0 5000 1 1)", True),
        ("matrix(1 0 0 1 5000 1)", False),
        ("#5e5e5e #123456 1.123456789 100000l.5e", False),
    ],
)
def test_far_coordinates_need_a_worker(words, is_far):
    assert needs_worker(svg(f'<path d="{words}"/>').decode()) is is_far


@pytest.mark.parametrize("name", ["a83826870", "a1e20f3c4", "c12345678"])
def test_ids_with_digits_need_no_worker(name):
    """Use ids such as every face has.

    If they were read as large numbers, each face would start a worker.
    """
    symbol = f'<defs><symbol id="{name}"><path d="M0 0h5" fill="#1e2030"/></symbol></defs>'
    use = f'<use href="#{name}" clip-path="url(#{name})"/>'
    assert not needs_worker(svg(symbol + use).decode())
    assert needs_worker(svg(symbol.replace("M0 0h5", "M0 0h1e9") + use).decode())
