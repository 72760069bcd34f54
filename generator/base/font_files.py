"""Fonts that no engine reads unchanged: WOFF2 and variable fonts become static files when a pack is opened.

typst, resvg and HarfBuzz then get one file, so that measured text is the printed text. The files lie
in a temporary folder as long as the process runs; their bytes are cached like everything else.
fontTools makes them, in a worker, since a stranger's font may be built to fill the memory.
"""

import atexit
import io
import json
import struct
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from generator.base.cache import Cache, cache_folder, key_of
from generator.base.errors import InvalidValueError
from generator.base.files import MAX_FILE_BYTES, temporary_folder
from generator.base.versions import engine_versions
from generator.base.worker import Worker, WorkError, WorkLimitError, join_answers, split_answers

EXTRA = "pip install 'pnp-generator[fonts]'"
CACHE_KIND = "font"

REGULAR = 400
BOLD = 700
"""The weights that every text may need: bold marks are part of each style."""

# WOFF File Format 2.0, section 4.1, and WOFF 1.0, section 3: `totalSfntSize` stands at 16 in both.
_WOFF_SIGNATURES = (b"wOF2", b"wOFF")
_UNPACKED_SIZE_AT = 16
# OpenType, OS/2 table, fsSelection: bit 0 is italic; head table, macStyle: bit 1 is italic.
_SELECTION_ITALIC = 0x0001
_STYLE_ITALIC = 0x0002


def is_static(data: bytes) -> bool:
    """Return True for the bytes of a font that engines can read unchanged."""
    return data[:4] not in _WOFF_SIGNATURES and not _is_variable(data)


def _is_variable(data: bytes) -> bool:
    """Return True if a font's list of tables has `fvar`: 16 bytes for each table from 12 on."""
    count = struct.unpack_from(">H", data, 4)[0] if len(data) >= 12 else 0
    return any(data[at : at + 4] == b"fvar" for at in range(12, 12 + 16 * count, 16))


@dataclass(frozen=True)
class StaticFile:
    """A static file made of a font, and its weight on the axis of a variable font; 0 without such an axis."""

    path: Path
    weight: int = 0


def static_files(path: Path, weights: Iterable[int]) -> list[StaticFile]:
    """Return static files of a font, one for each weight of a variable font that a pack may use.

    Raise `InvalidValueError` if the font cannot be read, or if the extra `fonts` is not installed.
    """
    data = path.read_bytes()
    if data[:4] in _WOFF_SIGNATURES and len(data) > _UNPACKED_SIZE_AT + 4:
        (size,) = struct.unpack_from(">I", data, _UNPACKED_SIZE_AT)
        if size > MAX_FILE_BYTES:
            raise InvalidValueError(
                f"{path.name} unpacks to {size // 1_000_000} MB",
                f"a font of at most {MAX_FILE_BYTES // 1_000_000} MB",
            )
    wanted = tuple(sorted({REGULAR, BOLD, *weights}))
    made = []
    for weight, font in _make_cached(path.name, data, wanted):
        suffix = ".otf" if font.startswith(b"OTTO") else ".ttf"
        file = _process_folder() / sha256(font).hexdigest()[:32] / f"{path.stem}{suffix}"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(font)
        made.append(StaticFile(file, weight))
    return made


def nearest_hundred(weight: float) -> int:
    """Return the weight by which engines know a face: resvg takes hundreds from 100 to 900 only."""
    return min(max(int(weight / 100 + 0.5), 1), 9) * 100


@cache
def _process_folder() -> Path:
    """Return the folder for the files, which is removed when the process ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(temporary_folder())


def _make_cached(name: str, data: bytes, weights: Sequence[int]) -> list[tuple[int, bytes]]:
    key = key_of(sha256(data).hexdigest(), weights)
    try:
        with Cache(cache_folder()) as store:
            made = store.get(CACHE_KIND, key) or _make(name, data, weights)
            store.put(CACHE_KIND, key, made)
    except InvalidValueError:  # there is no cache, or the font is faulty: then this raises again
        made = _make(name, data, weights)
    weights_of_parts, *fonts = split_answers(made)
    return list(zip(json.loads(weights_of_parts), fonts, strict=True))


def _make(name: str, data: bytes, weights: Sequence[int]) -> bytes:
    if not engine_versions()["fonttools"]:
        what = "is compressed" if data[:4] in _WOFF_SIGNATURES else "is a variable font"
        raise InvalidValueError(
            f"{name} {what}; reading it needs the extra `fonts`", "a static .ttf or .otf", EXTRA
        )
    with Worker() as worker:
        try:
            return worker.run(make_static_fonts, data, list(weights))
        except (WorkError, WorkLimitError) as error:
            raise InvalidValueError(
                f"{name} cannot be read: {error}",
                "a complete font file",
                f"for WOFF2, brotli is needed too: {EXTRA}",
            ) from error


def make_static_fonts(data: bytes, weights: list[int]) -> bytes:
    """Return the weights of the static fonts of a file, as JSON, and the fonts, joined; workers call this function."""
    try:
        made = _static_fonts(data, weights)
        listed = json.dumps([weight for weight, _ in made]).encode()
        return join_answers([listed, *(font for _, font in made)])
    except Exception as error:  # fontTools has errors of many classes for damaged files
        raise WorkError(f"{type(error).__name__}: {error}") from error


def _static_fonts(data: bytes, weights: list[int]) -> list[tuple[int, bytes]]:
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font = TTFont(io.BytesIO(data), recalcTimestamp=False)
    font.flavor = None
    if "fvar" not in font:
        return [(0, _bytes_of(font))]
    axes = {axis.axisTag: axis for axis in font["fvar"].axes}
    usual = {tag: axis.defaultValue for tag, axis in axes.items()}
    places = [usual]
    if "wght" in axes:
        low, high = axes["wght"].minValue, axes["wght"].maxValue
        places = [{**usual, "wght": weight} for weight in weights if low <= weight <= high]
        places = places or [usual]
    slanted = _slanted(axes)
    made = []
    for place in [*places, *({**place, **slanted} for place in places if slanted)]:
        copy = TTFont(io.BytesIO(data), recalcTimestamp=False)
        copy.flavor = None
        static = instantiateVariableFont(copy, place)
        if "wght" in place:
            static["OS/2"].usWeightClass = nearest_hundred(place["wght"])
        if slanted and place.items() >= slanted.items():
            static["OS/2"].fsSelection |= _SELECTION_ITALIC
            static["head"].macStyle |= _STYLE_ITALIC
        made.append((round(place.get("wght", 0)), _bytes_of(static)))
    return made


def _slanted(axes: dict[str, object]) -> dict[str, float]:
    """Return the place on the axes at which a font is italic; empty if it has no such axis."""
    if "ital" in axes:
        return {"ital": 1.0}
    slant = axes.get("slnt")
    return {"slnt": slant.minValue} if slant is not None else {}  # type: ignore[attr-defined]


def _bytes_of(font: object) -> bytes:
    buffer = io.BytesIO()
    font.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()
