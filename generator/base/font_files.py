"""Static files of fonts that not all engines read: WOFF2 and variable fonts.

The files are made when a pack is opened. typst, resvg and HarfBuzz then read the same file, so that
text is printed as it was measured. The files are in a temporary folder while the process runs; their
bytes are cached. fontTools makes them in a worker, because a stranger's font may be built to fill the
memory.
"""

import atexit
import io
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple, replace
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import uharfbuzz as hb

from generator.base.cache import Cache, cache_folder, engine_versions, key_of
from generator.base.errors import InvalidValueError
from generator.base.files import MAX_FILE_BYTES, temporary_folder
from generator.base.fonts import (
    WEIGHT_AXIS,
    AxisValues,
    FontAxis,
    FontFile,
    family_at,
    read_font,
)
from generator.base.worker import Worker, WorkError, WorkLimitError, join_answers, split_answers

EXTRA = "pip install 'pnp-generator[fonts]'"
CACHE_KIND = "font"

REGULAR = 400
BOLD = 700
"""The weights that every pack may need: `**bold**` is possible in every text."""

# WOFF File Format 2.0, section 4.1, and WOFF 1.0, section 3: `totalSfntSize` is at byte 16 in both.
_WOFF_SIGNATURES = (b"wOF2", b"wOFF")
_UNPACKED_SIZE_AT = 16
# OpenType, OS/2 table, fsSelection: bit 0 is italic; head table, macStyle: bit 1 is italic.
_SELECTION_ITALIC = 0x0001
_STYLE_ITALIC = 0x0002
# OpenType, name table: family, full name, typographic family; typographic subfamily, WWS names, prefix of variations.
_NAMES_OF_FAMILY = (1, 4, 16)
_NAMES_WITHIN_FAMILY = (17, 21, 22, 25)
_POSTSCRIPT_NAME = 6
# Platform, encoding and language of names: Windows, Unicode, English (United States).
_WINDOWS_ENGLISH = (3, 1, 0x409)


def is_static(data: bytes) -> bool:
    """Return True for the bytes of a font that engines can read unchanged."""
    return data[:4] not in _WOFF_SIGNATURES and not _is_variable(data)


def _is_variable(data: bytes) -> bool:
    """Return True if a font's list of tables has `fvar`: 16 bytes for each table from 12 on."""
    count = struct.unpack_from(">H", data, 4)[0] if len(data) >= 12 else 0
    return any(data[at : at + 4] == b"fvar" for at in range(12, 12 + 16 * count, 16))


def with_family(font: FontFile, family: str) -> bytes:
    """Return the bytes of a font file under another family's name.

    The new table of names stands at the end of the file, and the list of tables refers to it.
    """
    # Not by fontTools, which only the extra `fonts` installs: any static font may need a copy.
    names = {1: family, 2: "Regular", 4: family, _POSTSCRIPT_NAME: font.postscript_name or family}
    texts = [name.encode("utf-16-be") for name in names.values()]
    table = struct.pack(">3H", 0, len(names), 6 + 12 * len(names))
    offset = 0
    for identifier, text in zip(names, texts, strict=True):
        table += struct.pack(">6H", *_WINDOWS_ENGLISH, identifier, len(text), offset)
        offset += len(text)
    table += b"".join(texts)
    data = bytearray(font.path.read_bytes())
    data += bytes(-len(data) % 4)  # tables begin at multiples of four
    # In a collection, the offsets of its fonts stand at 12.
    start = 0
    if data.startswith(b"ttcf"):
        (start,) = struct.unpack_from(">I", data, 12 + 4 * font.index)
    count = struct.unpack_from(">H", data, start + 4)[0]
    for at in range(start + 12, start + 12 + 16 * count, 16):
        if data[at : at + 4] == b"name":
            struct.pack_into(">II", data, at + 8, len(data), len(table))
    return bytes(data + table)


def static_fonts(
    path: Path, weights: Iterable[int], family: str = "", axes: AxisValues = ()
) -> tuple[list[FontFile], tuple[FontAxis, ...]]:
    """Return static files of a font, one for each weight of a variable font that a pack may use, and its axes.

    `axes` are the values on the axes other than weight and italics, and `family` is the family's
    name there; without them these axes are at their defaults. The axes in the result are those that
    can have such values.

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
    needed_weights = sorted({REGULAR, BOLD, *weights})
    named_weights = _weights_in_own_families(needed_weights)
    files = []
    own_axes, fonts = _make_cached(path.name, data, needed_weights, family, axes)
    for weight, font in fonts:
        suffix = ".otf" if font.startswith(b"OTTO") else ".ttf"
        file = _process_folder() / sha256(font).hexdigest()[:32] / f"{path.stem}{suffix}"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(font)
        pinned = (*axes, (WEIGHT_AXIS, weight)) if weight in named_weights else axes
        files.append(replace(read_font(file), axis_weight=weight, axes=pinned))
    return files, own_axes


def nearest_hundred(weight: float) -> int:
    """Return the weight under which engines find a face: resvg accepts only hundreds from 100 to 900."""
    return min(max(int(weight / 100 + 0.5), 1), 9) * 100


def _weights_in_own_families(weights: Sequence[int]) -> frozenset[int]:
    """Return the weights that engines would confuse with others of a family, such as 650 with 700.

    Of the weights near one hundred, the family has the hundred itself, or else the lightest.
    """
    by_hundred: dict[int, list[int]] = {}
    for weight in sorted(weights, key=lambda weight: (weight % 100 != 0, weight)):
        by_hundred.setdefault(nearest_hundred(weight), []).append(weight)
    return frozenset(weight for near in by_hundred.values() for weight in near[1:])


@cache
def _process_folder() -> Path:
    """Return the folder for the files, which is removed when the process ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(temporary_folder())


def _make_cached(
    name: str, data: bytes, weights: Sequence[int], family: str, axes: AxisValues
) -> tuple[tuple[FontAxis, ...], list[tuple[int, bytes]]]:
    """Return the axes of a font, and its static fonts with their weights."""
    key = key_of(sha256(data).hexdigest(), weights, family, axes)
    try:
        with Cache(cache_folder()) as store:
            answer = store.get(CACHE_KIND, key) or _make(name, data, weights, family, axes)
            store.put(CACHE_KIND, key, answer)
    except InvalidValueError:
        # There is no cache, or the font is faulty: then this call raises the error again.
        answer = _make(name, data, weights, family, axes)
    listed, *fonts = split_answers(answer)
    facts = json.loads(listed)
    own_axes = tuple(FontAxis(*axis) for axis in facts["axes"])
    return own_axes, list(zip(facts["weights"], fonts, strict=True))


def _make(name: str, data: bytes, weights: Sequence[int], family: str, axes: AxisValues) -> bytes:
    if not engine_versions()["fonttools"]:
        fault = "is compressed" if data[:4] in _WOFF_SIGNATURES else "is a variable font"
        raise InvalidValueError(
            f"{name} {fault}; reading it needs the extra `fonts`", "a static .ttf or .otf", EXTRA
        )
    with Worker() as worker:
        try:
            return worker.run(make_static_fonts, data, weights, family, axes)
        except WorkLimitError as error:
            raise InvalidValueError(
                f"{name} takes {error.why} to read", "a font with fewer glyphs"
            ) from error
        except WorkError as error:
            needs_brotli = data[:4] in _WOFF_SIGNATURES and find_spec("brotli") is None
            raise InvalidValueError(
                f"{name} cannot be read: {error}",
                "a complete font file",
                f"WOFF2 needs brotli: {EXTRA}" if needs_brotli else "",
            ) from error


def make_static_fonts(data: bytes, weights: list[int], family: str, axes: AxisValues) -> bytes:
    """Return facts about a file as JSON and its static fonts, joined; workers call this function."""
    try:
        own_axes, fonts = _make_statics(data, weights, family, axes)
        facts = {
            "weights": [weight for weight, _ in fonts],
            "axes": [astuple(axis) for axis in own_axes],
        }
        return join_answers([json.dumps(facts).encode(), *(font for _, font in fonts)])
    except Exception as error:  # fontTools has errors of many classes for damaged files
        raise WorkError(f"{type(error).__name__}: {error}") from error


def _make_statics(
    data: bytes, weights: list[int], family: str, axes: AxisValues
) -> tuple[list[FontAxis], list[tuple[int, bytes]]]:
    """Return the axes of a font other than weight and italics, and its static fonts with their weights."""
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(data), recalcTimestamp=False)
    if data[:4] in _WOFF_SIGNATURES:
        font.flavor = None
        data = _bytes_of(font)
    if "fvar" not in font:
        return [], [(0, data)]
    face = hb.Face(data)
    own_axes = {axis.tag: axis for axis in face.axis_infos}
    location = {tag: axis.default_value for tag, axis in own_axes.items()}
    location |= {tag: value for tag, value in axes if tag in own_axes}
    locations = [location]
    if WEIGHT_AXIS in own_axes:
        low = own_axes[WEIGHT_AXIS].min_value
        high = own_axes[WEIGHT_AXIS].max_value
        locations = [
            {**location, WEIGHT_AXIS: weight} for weight in weights if low <= weight <= high
        ]
        locations = locations or [location]
    italic_location = _slanted(own_axes)
    named_weights = _weights_in_own_families(weights)
    static_fonts = []
    for pinned in [
        *locations,
        *({**pinned, **italic_location} for pinned in locations if italic_location),
    ]:
        static = TTFont(io.BytesIO(_pin(face, pinned)), recalcTimestamp=False)
        weight = pinned.get(WEIGHT_AXIS, 0)
        if weight:
            static["OS/2"].usWeightClass = nearest_hundred(weight)
        if italic_location and pinned.items() >= italic_location.items():
            static["OS/2"].fsSelection |= _SELECTION_ITALIC
            static["head"].macStyle |= _STYLE_ITALIC
        if weight in named_weights:
            own_family = family or static["name"].getBestFamilyName() or ""
            _rename(static, family_at(own_family, ((WEIGHT_AXIS, weight),)))
        elif family:
            _rename(static, family)
        static_fonts.append((round(weight), _bytes_of(static)))
    other_axes = [
        FontAxis(
            tag,
            font["name"].getDebugName(axis.name_id) or tag,
            axis.min_value,
            axis.max_value,
        )
        for tag, axis in own_axes.items()
        if tag not in {WEIGHT_AXIS, "ital"}
    ]
    return other_axes, static_fonts


def _pin(face: hb.Face, location: Mapping[str, float]) -> bytes:
    """Return a static font of a variable one at a place on its axes.

    HarfBuzz needs 10 ms for one of Inter (800 kB), and fontTools' instancer over a second.
    """
    everything = hb.SubsetInput()
    everything.keep_everything()
    # resvg and typst read no table CFF2, the outlines of variable OpenType fonts
    everything.flags |= hb.SubsetFlags.DOWNGRADE_CFF2
    for tag, value in location.items():
        everything.pin_axis_location(face, tag, value)
    return bytes(hb.subset(face, everything).blob.data)


def _rename(font: object, family: str) -> None:
    """Give a font another family, by which engines tell it from the same font elsewhere on its axes."""
    names = font["name"]  # type: ignore[index]
    for identifier in _NAMES_WITHIN_FAMILY:
        names.removeNames(nameID=identifier)
    for identifier in _NAMES_OF_FAMILY:
        names.removeNames(nameID=identifier)
        names.setName(family, identifier, *_WINDOWS_ENGLISH)
    names.removeNames(nameID=_POSTSCRIPT_NAME)
    plain = "".join(char for char in family if char.isascii() and (char.isalnum() or char == "-"))
    names.setName(plain, _POSTSCRIPT_NAME, *_WINDOWS_ENGLISH)


def _slanted(axes: Mapping[str, hb.OTVarAxisInfo]) -> dict[str, float]:
    """Return the location on the axes at which a font is italic; empty for a font without such an axis."""
    if "ital" in axes:
        return {"ital": 1.0}
    slant = axes.get("slnt")
    return {"slnt": slant.min_value} if slant is not None else {}


def _bytes_of(font: object) -> bytes:
    buffer = io.BytesIO()
    font.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()
