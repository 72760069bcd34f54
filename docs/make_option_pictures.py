"""Makes the pictures of the reference: what each option does, drawn by the program from small packs.

`docs/site/examples/options.yaml` lists the examples. Sphinx calls `make_pictures` before it reads the pages;
`python docs/make_option_pictures.py [OPTION]…` makes all pictures, or some, in `docs/site/reference/pictures/`,
which is not in the repository.
"""

import hashlib
import json
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner, Result
from PIL import Image, ImageDraw, ImageFont, ImageOps

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from generator.cli import main  # noqa: E402 — after the path to it
from generator.picture.raster import page_pictures  # noqa: E402
from generator.pipeline.project import BuildRequest, Project  # noqa: E402

EXAMPLES = HERE / "site" / "examples"
OPTIONS = EXAMPLES / "options.yaml"
PICTURES = HERE / "site" / "reference" / "pictures"
STAMP = PICTURES / "stamp.txt"
"""The hash of all that the pictures are made of, so that they are made again only if it has changed."""

FACE_DPI = 100
FIGURE_DPI = 90
PAGE_DPI = 34
SPACE = 10
CAPTION_PIXELS = 18
FONT = ImageFont.truetype(ROOT / "fonts" / "alegreya-sans" / "AlegreyaSans-Regular.ttf", 15)
INK = "#27313a"
COLOURS = 96
NOT_SET = "not set"

Example = Mapping[str, Any]


@cache
def options() -> dict[str, Any]:
    """Return the file of examples."""
    content: dict[str, Any] = yaml.safe_load(OPTIONS.read_text("utf-8"))
    return content


@cache
def pictured() -> frozenset[str]:
    """Return the options that have a picture."""
    content = options()
    blocks = {f"block.{name}" for name in content["blocks"]}
    return frozenset({*content["faces"], *content["figures"], *content["commands"], *blocks})


def file_name(option: str) -> str:
    """Return the name of an option's picture: `text.align.png`."""
    return re.sub(r"[^\w.]+", "-", option).strip("-") + ".png"


def make_pictures() -> None:
    """Make all pictures, if anything that they are made of has changed."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    sources = [
        *EXAMPLES.rglob("*.*"),
        *(ROOT / "generator").rglob("*.py"),
        *(ROOT / "generator").rglob("*.toml"),
        Path(__file__),
    ]
    content = b"".join(path.read_bytes() for path in sorted(sources))
    stamp = hashlib.sha256(content).hexdigest()
    if STAMP.is_file() and STAMP.read_text("utf-8") == stamp:
        return
    make(pictured())
    STAMP.write_text(stamp, "utf-8")


def make(names: Collection[str]) -> None:
    """Make the pictures of some options."""
    content = options()
    for option, pictures in make_faces(_chosen(content["faces"], names)):
        save(pictures, option)
    for option, pictures in make_figures(_chosen(content["figures"], names)):
        save(pictures, option)
    for option, example in _chosen(content["commands"], names).items():
        save(run_example(example), option)
    for name, example in content["blocks"].items():
        if f"block.{name}" in names:
            save(draw_block(example), f"block.{name}")


def _chosen(examples: Mapping[str, Example], names: Collection[str]) -> dict[str, Example]:
    return {option: example for option, example in examples.items() if option in names}


Pictures = list[tuple[str, Image.Image]]
"""The pictures of an example, each with its caption."""


# Packs


def fill_in(content: Any, values: Mapping[str, Any]) -> Any:
    """Return content with words in capitals replaced by their values; keys and items without a value are left out."""
    if isinstance(content, dict):
        filled = {fill_in(key, values): fill_in(value, values) for key, value in content.items()}
        return {
            key: value
            for key, value in filled.items()
            if value is not None or content.get(key) is None
        }
    if isinstance(content, list):
        return [item for item in (fill_in(item, values) for item in content) if item is not None]
    if isinstance(content, str):
        if content in values:
            return values[content]
        for word, value in values.items():
            content = content.replace(word, "" if value is None else str(value))
    return content


def merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return two mappings merged, also the mappings inside them; the other's values win, and None removes a key."""
    merged = dict(one)
    for key, value in other.items():
        inside = merged.get(key)
        both = isinstance(inside, dict) and isinstance(value, dict)
        merged[key] = merge(inside, value) if both else value  # type: ignore[arg-type]
    return {key: value for key, value in merged.items() if value is not None}


def write_pack(folder: Path, *parts: Mapping[str, Any]) -> None:
    """Write a pack of the settings that all examples share, merged with the given ones.

    Layouts, rules and figures written in the settings become files.
    """
    game: dict[str, Any] = options()["game"]
    for part in parts:
        game = merge(game, part)
    (folder / "layouts").mkdir(parents=True)
    for name, component in game["components"].items():
        for side in ("front", "back"):
            if isinstance(component.get(side), list):
                layout = Path("layouts") / f"{name}-{side}.yaml"
                (folder / layout).write_text(_to_yaml(component[side]), "utf-8")
                game = merge(game, {"components": {name: {side: layout.as_posix()}}})
    for name, text in game.pop("files", {}).items():
        (folder / name).write_text(text if isinstance(text, str) else _to_yaml(text), "utf-8")
    shutil.copytree(EXAMPLES / "art", folder / "art")
    (folder / "game.yaml").write_text(_to_yaml(game), "utf-8")


def _to_yaml(content: Any) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False)  # JSON is YAML without aliases


def captions(example: Example) -> list[tuple[str, Any]]:
    """Return the values that an example shows, each with its caption."""
    values = example.get("show", [""])
    if isinstance(values, dict):
        return list(values.items())
    return [(NOT_SET if value is None else _one_line(value), value) for value in values]


def _one_line(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=1000)
    return text.removesuffix("\n...\n").strip().strip("'")


def run(*words: object) -> Result:
    """Run a command in this process; stop if it fails."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    if result.exit_code:
        raise SystemExit(f"pnp {' '.join(map(str, words))}\n{result.output}") from result.exception
    return result


# Faces


def make_faces(examples: Mapping[str, Example]) -> Iterator[tuple[str, Pictures]]:
    """Yield the faces of examples: all are designs of one pack, which is drawn once."""
    if not examples:
        return
    parts: list[dict[str, Any]] = []
    names: dict[str, list[tuple[str, str]]] = {}
    for number, (option, example) in enumerate(examples.items()):
        for index, (caption, value) in enumerate(captions(example)):
            name = f"e{number}-{index}"
            filled = fill_in(dict(example), {"VALUE": value, "NAME": name})
            filled = merge({"component": {}, "row": {}, "game": {}}, filled)
            component = {
                "title": name,
                "size": "40 x 24 mm",
                "safe": "0mm",
                "data": [{"id": "x", **filled["row"]}],
                "front": filled["layers"],
                **filled["component"],
            }
            parts.append(merge(filled["game"], {"components": {name: component}}))
            names.setdefault(option, []).append((caption, name))
    with tempfile.TemporaryDirectory() as place:
        pack = Path(place, "options")
        write_pack(pack, *parts)
        run("preview", pack, "-o", place, "--what", "faces", "--dpi", FACE_DPI, "--no-cache")
        for option, variants in names.items():
            pictures = []
            for caption, name in variants:
                paths = sorted(Path(place).rglob(f"{name}-*.png"), key=_design_and_side)
                for index, path in enumerate(paths):
                    pictures.append(("" if index else caption, on_white(Image.open(path))))
            yield option, pictures


def _design_and_side(path: Path) -> tuple[str, bool]:
    """Return a key by which pictures of faces are in order: front and back of each design."""
    design, _, side = path.stem.rpartition("-")
    return design, side == "back"


def on_white(picture: Image.Image) -> Image.Image:
    """Return a picture on white paper."""
    picture = picture.convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture).convert("RGB")


# Figures


def make_figures(examples: Mapping[str, Example]) -> Iterator[tuple[str, Pictures]]:
    """Yield the figures of examples; those of one pack are drawn together."""
    packs: dict[str, dict[str, Any]] = {}
    names: dict[str, list[tuple[str, str, str]]] = {}
    for number, (option, example) in enumerate(examples.items()):
        for index, (caption, value) in enumerate(captions(example)):
            filled = fill_in(dict(example), {**_parts(value), "VALUE": value})
            game = _to_yaml(filled.get("game", {}))
            name = f"e{number}-{index}"
            packs.setdefault(game, {})[name] = filled["figure"]
            names.setdefault(option, []).append((caption, game, name))
    drawn = {game: draw_figures(json.loads(game), figures) for game, figures in packs.items()}
    for option, variants in names.items():
        yield option, [(caption, drawn[game][name]) for caption, game, name in variants]


def _parts(value: Any) -> dict[str, Any]:
    """Return the parts of a value that is a mapping: `VALUE.size`."""
    return {f"VALUE.{key}": part for key, part in value.items()} if isinstance(value, dict) else {}


def draw_figures(game: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, Image.Image]:
    """Return pictures of the figures of the pack `board`, with some other settings."""
    with tempfile.TemporaryDirectory() as place:
        pack = Path(place, "options")
        write_pack(pack, options()["packs"]["board"], game, {"files": {"figures.yaml": figures}})
        project = Project(BuildRequest(str(pack)))
        return {
            name: on_white(project.raster.face(figure.face, FIGURE_DPI))
            for name, figure in project.figures.items()
        }


# Commands


def run_example(example: Example) -> Pictures:
    """Run the command of an example for each of its values, and return pictures of its files."""
    pictures = []
    for caption, value in captions(example):
        filled = fill_in(dict(example), {"VALUE": value})
        with tempfile.TemporaryDirectory() as place:
            pack = Path(place, "pack")
            write_pack(pack, options()["packs"][filled["pack"]], filled.get("game", {}))
            for line in filled["run"]:
                run(*fill_in(shlex.split(line), {"PACK": pack}), "-o", Path(place, "output"))
            for index, picture in enumerate(read_pictures(Path(place, "output"), filled)):
                pictures.append(("" if index else caption, picture))  # below the first page
    return pictures


def read_pictures(folder: Path, example: Example) -> Iterator[Image.Image]:
    """Yield the pages or pictures that an example shows of the files in a folder."""
    dpi = example.get("dpi", PAGE_DPI)
    paths = sorted(folder.rglob(example.get("files", "*.pdf")))
    if not paths:
        raise SystemExit(f"no {example.get('files')} in {sorted(folder.rglob('*'))}")
    for path in paths:
        if path.suffix != ".pdf":
            yield on_white(Image.open(path))
            continue
        pages = list(page_pictures(path.read_bytes(), dpi))
        chosen = {"first": pages[:1], "last": pages[-1:], "all": pages}
        for page in chosen[example.get("pages", "first")]:
            picture = page.convert("RGB")
            left, top, right, bottom = example.get("crop", (0, 0, 1, 1))
            w, h = picture.size
            yield picture.crop(
                (round(left * w), round(top * h), round(right * w), round(bottom * h))
            )


# Blocks of rules

BLOCK_DPI = 65
TEXT_OF_PAGE = (0.0, 0.125, 1.0, 0.93)
"""The part of a page below its title and above its footer: left, top, right and bottom as shares of it."""


def draw_block(example: Example) -> Pictures:
    """Return the pages that show a block of rules, the first without its title."""
    figures = example.get(
        "figures", {"one": {"board": ["A1 a", "B1 b"]}, "two": {"board": ["A1 c", "B1 d"]}}
    )
    rules = f"# The Fox\n\n{example['text']}"
    game = {
        "credits": ["A game by Ann"],
        "rules": {"columns": 1},
        "files": {"rules.md": rules, "figures.yaml": figures},
        **example.get("game", {}),
    }
    with tempfile.TemporaryDirectory() as place:
        pack = Path(place, "pack")
        write_pack(pack, options()["packs"][example.get("pack", "book")], game)
        run("build", pack, "--what", "rules", "-o", Path(place, "output"))
        output = Path(place, "output")
        chosen = {"files": "*-rules.pdf", "pages": "all"}
        if example.get("pages", 1) > 1:
            return [("", page) for page in read_pictures(output, chosen)][: example["pages"]]
        cropped = {**chosen, "dpi": BLOCK_DPI, "crop": TEXT_OF_PAGE}
        page = next(read_pictures(output, cropped))
    inked = page.crop(ImageOps.invert(page.convert("L")).getbbox())
    return [("", ImageOps.expand(inked, SPACE, "white"))]


# Files


def save(pictures: Pictures, option: str) -> None:
    """Save the pictures of an option side by side, each with its caption below.

    Stop if all look the same: the example then shows nothing.
    """
    if len(pictures) > 1 and len({picture.tobytes() for _, picture in pictures}) == 1:
        raise SystemExit(f"{OPTIONS.name}: {option}: all pictures look the same")
    framed = [(caption, ImageOps.expand(picture, 1, "#b8bcc4")) for caption, picture in pictures]
    widths = [max(picture.width, round(FONT.getlength(caption))) for caption, picture in framed]
    has_captions = any(caption for caption, _ in framed)
    height = max(picture.height for _, picture in framed)
    size = (
        sum(widths) + SPACE * (len(widths) - 1),
        height + (CAPTION_PIXELS + 4 if has_captions else 0),
    )
    table = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(table)
    left = 0
    for (caption, picture), width in zip(framed, widths, strict=True):
        table.paste(picture, (left + (width - picture.width) // 2, height - picture.height))
        draw.text((left + width / 2, height + 2), caption, INK, FONT, anchor="ma")
        left += width + SPACE
    PICTURES.mkdir(parents=True, exist_ok=True)
    table.quantize(COLOURS).save(PICTURES / file_name(option), optimize=True)


if __name__ == "__main__":
    make(sys.argv[1:] or pictured())
