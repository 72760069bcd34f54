"""Compare resvg-py with resvg, the renderer of pnp: `python -m tests.dev.compare_renderers [GAME…]`.

Needs resvg-py beside the development tools (`pip install resvg-py`). Renders every face of the
bundled games with both, at 150 dpi and with the fonts of each game. Lists the faces whose pixels
differ, then the time that each library takes for a face with its fonts already loaded, and to start.
"""

import argparse
import io
import time
from collections.abc import Callable

from PIL import Image, ImageChops

from generator.base.fonts import FontSet
from generator.base.geometry import Rect
from generator.base.units import pixels
from generator.picture.face import Face
from generator.picture.raster import ImageDownscaler
from generator.picture.resvg import make_options, render_with_options
from generator.pipeline.packs import packs
from generator.pipeline.project import BuildRequest, Project

DPI = 150
Render = Callable[[str], bytes]


def load_resvg(fonts: FontSet) -> Render:
    options = make_options(fonts.open_paths)
    return lambda svg: render_with_options(svg, options)


def load_resvg_py(fonts: FontSet) -> Render:
    """Return a renderer by resvg-py, which reads all fonts again in each call."""
    import resvg_py

    files = list(fonts.open_paths)
    return lambda svg: bytes(
        resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=files)
    )


LIBRARIES = {"resvg": load_resvg, "resvg-py": load_resvg_py}


def write_svg(face: Face) -> str:
    view: Rect = face.full
    width = pixels(view.w, DPI)
    height = pixels(view.h, DPI)
    return ImageDownscaler().svg(face, width / view.w, view, (str(width), str(height)))


def difference(one: bytes, other: bytes) -> int:
    """Return the largest difference of two PNGs in any channel of any pixel, of 255."""
    pictures = [Image.open(io.BytesIO(png)).convert("RGBa") for png in (one, other)]
    if pictures[0].size != pictures[1].size:
        return 255
    bands = ImageChops.difference(*pictures).getextrema()
    return max(band[1] for band in bands)


def compare(game: str) -> None:
    project = Project(BuildRequest(game))
    faces = list(project.faces.values())
    svgs = [write_svg(face) for face in faces]
    pngs: dict[str, list[bytes]] = {}
    for name, load in LIBRARIES.items():
        launch = time.perf_counter()
        render = load(project.game.fonts)
        render(svgs[0])
        first = time.perf_counter()
        pngs[name] = [render(svg) for svg in svgs]
        seconds = (time.perf_counter() - first) / len(svgs)
        print(f"{game}: {name}: start {first - launch:.3f} s, then {seconds * 1000:.1f} ms a face")
    differences = [
        (face.label, difference(one, other))
        for face, one, other in zip(faces, pngs["resvg"], pngs["resvg-py"], strict=True)
    ]
    unequal = [(label, largest) for label, largest in differences if largest]
    print(
        f"{game}: {len(differences) - len(unequal)} of {len(differences)} faces are equal to the pixel"
    )
    for label, largest in unequal:
        print(f"  {label}: differs by up to {largest} of 255")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    for name in parser.parse_args().games or packs():
        compare(name)
