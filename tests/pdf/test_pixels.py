"""Test that pixel images print with the bytes of their files where PDF allows, and look right."""

import io
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from random import Random

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat, PngImagePlugin

from generator.draw.draw import draw_game
from generator.pdf.images import PackedImage, image_files
from generator.picture.raster import Rasteriser
from tests.tools.make_pack import loaded, make
from tests.tools.read_pdf import picture, read

SIZE = (120, 90)


def clouds(mode):
    """Return an image of gradients, a different one in each channel."""
    small = [
        Image.radial_gradient("L"),
        Image.linear_gradient("L"),
        Image.linear_gradient("L").rotate(90),
    ]
    bands = [small[n % 3].resize(SIZE) for n in range(len(mode))]
    return Image.merge(mode, bands) if len(bands) > 1 else bands[0]


def bytes_of(picture, kind="PNG", **how):
    buffer = io.BytesIO()
    picture.save(buffer, kind, **how)
    return buffer.getvalue()


def with_chunk(name, data):
    info = PngImagePlugin.PngInfo()
    info.add(name, data)
    return bytes_of(clouds("RGB"), pnginfo=info)


def in_many_parts(data):
    """Return the PNG with its pixels in chunks of a few bytes."""
    at = data.index(b"IDAT") - 4
    (length,) = struct.unpack(">I", data[at : at + 4])
    pixels = data[at + 8 : at + 8 + length]
    chunk = lambda part: (  # noqa: E731
        struct.pack(">I", len(part))
        + b"IDAT"
        + part
        + struct.pack(">I", zlib.crc32(b"IDAT" + part))
    )
    return (
        data[:at]
        + b"".join(chunk(pixels[n : n + 700]) for n in range(0, length, 700))
        + data[at + 12 + length :]
    )


FILES = {
    "rgb.png": bytes_of(clouds("RGB")),
    "parts.png": in_many_parts(bytes_of(clouds("RGB"))),
    "grey.png": bytes_of(clouds("L")),
    "rgba.png": bytes_of(clouds("RGBA")),
    "la.png": bytes_of(clouds("LA")),
    "palette.png": bytes_of(clouds("RGB").quantize(250)),
    "gamma.png": with_chunk(b"gAMA", struct.pack(">I", 45455)),
    "see-through.png": bytes_of(clouds("RGB"), transparency=(9, 9, 9)),
    "rgb.jpg": bytes_of(clouds("RGB"), "JPEG", quality=95),
    "steps.jpg": bytes_of(clouds("RGB"), "JPEG", quality=95, progressive=True),
    "grey.jpg": bytes_of(clouds("L"), "JPEG", quality=95),
}
UNCHANGED_FILES = ("rgb.png", "grey.png", "rgb.jpg", "steps.jpg", "grey.jpg")
"""Files whose bytes are stored unchanged in the PDF."""
LAYOUT = '- fill: "#cc4422"\n- image: art/$pic\n  box: [0, 0, 40, 30]\n  fit: stretch\n'


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Return the pack, and the PDF that prints one picture on each page."""
    from click.testing import CliRunner

    from generator.cli import main

    folder = tmp_path_factory.mktemp("pixels")
    table = "id,pic\n" + "".join(f"d{n},{name}\n" for n, name in enumerate(FILES))
    files = {f"art/{name}": data for name, data in FILES.items()}
    pack = make(folder / "pack", LAYOUT, table, files=files)
    game = pack / "game.yaml"
    game.write_text(
        game.read_text().replace("components:", "print: {marks: none, paper: a4}\ncomponents:", 1)
    )
    result = CliRunner().invoke(
        main, ["build", str(pack), "--what", "sheets", "--no-cache", "-o", str(folder / "out")]
    )
    assert result.exit_code == 0, result.output
    return pack, next(folder.rglob("*sheets-a4.pdf"))


def image_streams(path):
    with pikepdf.open(path) as pdf:
        images = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        return [image.read_raw_bytes() for image in images]


@pytest.mark.parametrize("name", UNCHANGED_FILES)
def test_pdf_stores_the_bytes_of_images_unchanged(printed, name):
    packed = image_streams(printed[1])
    data = FILES[name]
    if name.endswith(".png"):
        at = data.index(b"IDAT")
        data = data[at + 4 : at + 4 + struct.unpack(">I", data[at - 4 : at])[0]]
    assert data in packed


def test_printed_images_look_like_rendered_images(printed):
    pack, path = printed
    dpi = 200
    game = loaded(pack)
    raster = Rasteriser(game.fonts)
    prints = []
    for number, page in enumerate(read(path)):
        page_picture = picture(path, number, dpi)
        for x, y, w, h in (form.clip for form in page.forms):
            prints.append(
                page_picture.crop([round(edge * dpi / 25.4) for edge in (x, y, x + w, y + h)])
            )
    for name, design, print_ in zip(FILES, draw_game(game)[0].designs, prints, strict=True):
        rendering = raster.face(design.front, dpi).convert("RGB").resize(print_.size)
        mean = max(ImageStat.Stat(ImageChops.difference(rendering, print_)).mean)
        assert mean < 3, f"{name}: {mean}"


def test_dpi_option_reduces_pictures_above_the_resolution(printed, tmp_path, pnp):
    pack, full_print = printed
    result = pnp("build", pack, "--what", "sheets", "--dpi", "72", "--paper", "a4", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    fine = SIZE[0] / 40 * 25.4
    assert fine > 72 * 1.05
    assert "note: 8 pictures have more than 72 pixels an inch; printed with 72 (--dpi)" in " ".join(
        result.output.split()
    )
    (path,) = tmp_path.rglob("*sheets-a4.pdf")
    with pikepdf.open(path) as pdf:
        images = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        wide = [int(image.Width) for image in images if int(image.Width) > 8]
    assert wide.count(114) == 8, "six different images, and two masks"
    pages = [
        pypdfium2.PdfDocument(entry)[0].render().to_pil().convert("RGB").reduce(4)
        for entry in (full_print, path)
    ]
    assert max(ImageStat.Stat(ImageChops.difference(*pages)).mean) < 2


MEASURED = """
import sys
from generator.cli import main
sys.argv = ["pnp", "build", *sys.argv[1:], "--what", "sheets", "--what", "release", "--paper", "a4", "--no-cache"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak_megabytes(pack, count):
    """Return the peak memory in megabytes of a build with a number of pictures."""
    size = (1600, 1000)
    noises = (Random(number) for number in range(count))  # noqa: S311 - no secret
    bands = [Image.frombytes("L", size, noise.randbytes(size[0] * size[1])) for noise in noises]
    noise = {f"art/{n}.png": bytes_of(band, compress_level=0) for n, band in enumerate(bands)}
    make(pack, LAYOUT, "id,pic\n" + "".join(f"d{n},{n}.png\n" for n in range(count)), files=noise)
    call = [sys.executable, "-c", MEASURED, str(pack), "-o", str(pack / "output")]
    result = subprocess.run(call, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return int(result.stdout.split()[-2]) / 1e3


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is measured there")
def test_memory_of_a_build_does_not_grow_with_pictures(tmp_path):
    """Faces, PDF and release never hold all pictures in memory."""
    most = peak_megabytes(tmp_path / "noise", 40)
    assert most < 250, (
        f"{most:.0f} MB; a small deck takes 110, and the pictures are 61 MB in files, 81 as addresses"
    )


def colour_spaces():
    """Return a file with a coloured and a grey image."""
    file = io.BytesIO()
    with pikepdf.new() as pdf:
        for space in ("/DeviceRGB", "/DeviceGray"):
            image = pdf.make_stream(b"", Subtype=pikepdf.Name.Image)
            image.ColorSpace = pikepdf.Array([pikepdf.Name(space)])
            page = pdf.add_blank_page()
            page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image))
        pdf.save(file)
    return file.getvalue()


def test_files_of_photographs_are_kept_on_disk():
    """Each file of 7 MB would fit in memory by itself, but not those of 600 photographs."""
    photograph = PackedImage(SIZE, 3, bytes_of(clouds("RGB"), "JPEG") + bytes(10**6), is_jpeg=True)
    tracemalloc.start()
    files = list(image_files(((str(n), photograph) for n in range(40)), colour_spaces()))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(len(pages) for _, pages in files) == 40
    assert used < 10e6, f"{used / 1e6:.0f} MB of 40 MB are in memory"
