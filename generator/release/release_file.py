"""Release files: `Release` ↔ bytes, and the files in a pack's `releases/` folder.

A file has three parts:

    header     the line `pnp-release 1`; another number is for a format that this one cannot read
    JSON       everything but pictures of pixels (`_StoredRelease`), compressed as an .xz file
    pictures   PNG and JPEG files, one after the other, in the order of the JSON's `pictures`

Pictures are outside the JSON because they are compressed already. Faces share most of their SVG, so
the JSON is compressed as a whole, with a window that is wider than zlib's 32 kB: five hundred faces
that show the same art take little more room than one.

A newer pnp may add keys. An older one then refuses the file, and says that a newer pnp made it.
"""

import lzma
import re
import shlex
from base64 import b64decode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import copyfileobj
from typing import Annotated, BinaryIO

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from generator import __version__
from generator.base.errors import (
    InvalidValueError,
    Kind,
    PnpError,
    Problem,
    Where,
    fail,
    raising_at,
    unknown,
)
from generator.base.files import display, read_limited
from generator.base.geometry import Size
from generator.base.shapes import SHAPES, read_notation
from generator.base.spill import BLOCK, SpilledBytes, SpillFile
from generator.base.svg_table import PICTURE_KEY
from generator.base.values import shared_fields
from generator.draw.art.gate import admit
from generator.draw.art.library import art_from_svg
from generator.pack.components import MAX_PANELS_PER_SIDE
from generator.picture.face import Face
from generator.picture.images import Pixels, data_address, picture_key, read_pixels
from generator.picture.items import images_of
from generator.picture.read_svg import read_items
from generator.picture.svg import SvgWriter
from generator.release.record import (
    Form,
    RecordedComponent,
    RecordedDesign,
    RecordedFont,
    RecordedRules,
    Release,
)

SUFFIX = ".pnprelease"
HEADER = b"pnp-release 1\n"
_ANY_HEADER = re.compile(rb"pnp-release [1-9]\d*\n")

# The five games that come with pnp, with all variants, have half a million bytes together.
MAX_FILE_BYTES = 1_000_000_000
# The longest JSON of these games has one million bytes. A small .xz file can unpack to any length.
MAX_JSON_BYTES = 250_000_000
# Of the SVG of one face: the art that it shows is embedded.
MAX_FACE_BYTES = 200_000_000
# The file chooses the size of its LZMA window, and a window may need 4 GB.
MAX_UNPACK_BYTES = 1 << 28

# Searching with hash chains (HC4) instead of binary trees takes a third of the time; files grow by
# 1 %.
_FILTER = {"id": lzma.FILTER_LZMA2, "preset": 6, "mf": lzma.MF_HC4, "nice_len": 32}
# The compressor allocates about eight times its window at once, so a short text gets a small one.
_MIN_WINDOW = 1 << 16
_MAX_WINDOW = 1 << 24

_EXPECTED = "a file made by `pnp release`"
_DIGITS = re.compile(r"(\d+)")


def _check_shape(shape: str) -> str:
    """Raise an error unless `shape` is the name of a shape or describes an outline."""
    if shape not in SHAPES:
        read_notation(shape, Size(1, 1), 0.0)
    return shape


Millimetres = Annotated[float, Field(ge=0, le=10_000)]
Shape = Annotated[str, AfterValidator(_check_shape)]
Number = Annotated[int, Field(ge=0)]
Panels = Annotated[int, Field(ge=1, le=MAX_PANELS_PER_SIDE)]


class _Stored(BaseModel):
    """A part of the JSON. An unknown key is one of a newer pnp."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        ser_json_bytes="base64",
        val_json_bytes="base64",
    )


class _Origin(BaseModel):
    """The version of pnp that made a release, read without the other keys."""

    generator: str


class _StoredPicture(_Stored):
    """A PNG or JPEG file after the JSON. In the SVG of faces, `key` replaces its address."""

    key: str
    type: Annotated[str, Field(pattern=r"^image/(png|jpeg)$")]
    size: Number


class _StoredFace(_Stored):
    """A face. Its pictures are keys in `svg`."""

    svg: str
    width: Annotated[Millimetres, Field(gt=0)]
    height: Annotated[Millimetres, Field(gt=0)]
    bleed: Millimetres


class _StoredDesign(_Stored):
    """A design. Its faces are indices into the release's `faces`."""

    id: str
    title: str
    count: Annotated[int, Field(ge=0, le=1_000_000)]
    front: Number
    more: tuple[Number, ...]
    back: Number | None
    links: str


class _StoredComponent(_Stored):
    """A component with its designs."""

    id: str
    title: str
    shape: Shape
    radius: Millimetres
    gutter: Millimetres | None
    grid: tuple[PositiveInt, PositiveInt] | None
    make: str
    designs: tuple[_StoredDesign, ...]
    # Releases that were made before these keys have none of them.
    size: tuple[Millimetres, Millimetres] | None = None
    depth: Millimetres = 0.0
    folds: tuple[Panels, Panels] | None = None
    bridge: Millimetres | None = None


class _StoredForm(_Stored):
    """The game in a variant and a language."""

    variant: str
    language: str
    name: str
    credits: tuple[str, ...]
    components: tuple[_StoredComponent, ...]


class _StoredRelease(_Stored):
    """The JSON of a file."""

    slug: str
    name: str
    version: str
    language: str
    credits: tuple[str, ...]
    generator: str
    components: tuple[_StoredComponent, ...]
    forms: tuple[_StoredForm, ...]
    rules: tuple[RecordedRules, ...]
    fonts: tuple[RecordedFont, ...]
    faces: tuple[_StoredFace, ...]
    pictures: tuple[_StoredPicture, ...]


def to_bytes(release: Release) -> bytes:
    """Return the file of a release. Equal releases have equal files."""
    return to_file(release).read()


def to_file(release: Release) -> SpilledBytes:
    """Return the file of a release, spilled to disk if its pictures are large."""
    images = {
        image.key: image
        for face in release.faces.values()
        for image in images_of(face)
        if image.is_large
    }
    pictures, files = _spill_pictures(images.values())
    svgs = [_svg_of(face) for face in release.faces.values()]
    plain = _store(release, svgs, pictures).model_dump_json().encode()
    window = min(_MAX_WINDOW, max(_MIN_WINDOW, 1 << len(plain).bit_length()))
    filters = [{**_FILTER, "dict_size": window}]
    packed = lzma.compress(plain, format=lzma.FORMAT_XZ, check=lzma.CHECK_SHA256, filters=filters)

    def write(file: BinaryIO) -> None:
        file.write(HEADER)
        file.write(packed)
        with files.stream() as source:
            copyfileobj(source, file, BLOCK)

    return SpillFile().capture(write)


def _svg_of(face: Face) -> str:
    """Return the SVG of a face, in which keys stand for large images."""
    writer = SvgWriter(
        image_address=lambda image, _box: image.key if image.is_large else image.address
    )
    return writer.write(face)


def _spill_pictures(images: Iterable[Pixels]) -> tuple[tuple[_StoredPicture, ...], SpilledBytes]:
    """Return the entries of the large images, and their files one after the other."""
    pictures = []

    def write(file: BinaryIO) -> None:
        for image in images:
            head, _, coded = image.address.partition(";base64,")
            data = b64decode(coded)
            pictures.append(
                _StoredPicture(key=image.key, type=head.removeprefix("data:"), size=len(data))
            )
            file.write(data)

    files = SpillFile().capture(write)
    return tuple(pictures), files


def _store(
    release: Release, svgs: Sequence[str], pictures: tuple[_StoredPicture, ...]
) -> _StoredRelease:
    """Return the contents of the JSON; `svgs` are those of the release's faces."""
    index = {name: number for number, name in enumerate(release.faces)}
    faces = zip(release.faces.values(), svgs, strict=True)
    return _StoredRelease(
        slug=release.slug,
        name=release.name,
        version=release.version,
        language=release.language,
        credits=release.credits,
        generator=release.generator,
        components=_store_components(release.components, index),
        forms=tuple(_store_form(form, index) for form in release.forms),
        rules=release.rules,
        fonts=release.fonts,
        faces=tuple(
            _StoredFace(svg=svg, width=face.size.w, height=face.size.h, bleed=face.bleed)
            for face, svg in faces
        ),
        pictures=pictures,
    )


def _store_form(form: Form, index: Mapping[str, int]) -> _StoredForm:
    return _StoredForm(
        variant=form.variant,
        language=form.language,
        name=form.name,
        credits=form.credits,
        components=_store_components(form.components, index),
    )


def _store_components(
    components: Sequence[RecordedComponent], index: Mapping[str, int]
) -> tuple[_StoredComponent, ...]:
    return tuple(
        _StoredComponent(
            **{
                **shared_fields(component, RecordedComponent),
                "designs": tuple(_store_design(design, index) for design in component.designs),
            }
        )
        for component in components
    )


def _store_design(design: RecordedDesign, index: Mapping[str, int]) -> _StoredDesign:
    return _StoredDesign(
        id=design.id,
        title=design.title,
        count=design.count,
        front=index[design.front.name],
        more=tuple(index[face.name] for face in design.more),
        back=index[design.back.name] if design.back else None,
        links=design.links,
    )


def read(path: Path) -> Release:
    """Return the release in a file; raise a `PnpError` that names the file and its fault."""
    try:
        with raising_at(Where(display(path))):
            if path.exists() and not path.is_file():
                raise InvalidValueError("is not a file", _EXPECTED)
            return from_bytes(read_limited(path, "it", MAX_FILE_BYTES))
    except OSError as error:
        problem = Problem(
            Where(display(path)), f"cannot be read: {error.strerror}", _EXPECTED, kind=Kind.MISSING
        )
        raise PnpError([problem]) from error


def from_bytes(data: bytes) -> Release:
    """Return the release in the bytes of a file; raise `InvalidValueError` for any other bytes."""
    if not data.startswith(HEADER):
        if _ANY_HEADER.match(data):
            raise _too_new()
        raise InvalidValueError(
            f"does not begin with the line {HEADER.decode().strip()!r}", _EXPECTED
        )
    try:
        plain, files = _unpack(data[len(HEADER) :])
    except lzma.LZMAError as error:
        raise _damaged(str(error)) from error
    try:
        stored = _parse_json(plain)
        faces = _read_faces(stored.faces, _read_pictures(stored.pictures, files))
        return _read_release(stored, faces)
    except InvalidValueError as error:
        if _is_from_newer_version(plain):
            raise _too_new() from error
        raise


def _parse_json(plain: bytes) -> _StoredRelease:
    try:
        return _StoredRelease.model_validate_json(plain)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        # Only a newer pnp writes other keys; the .xz file has a checksum, so damage shows before.
        if first["type"] == "extra_forbidden":
            raise _too_new() from error
        place = ".".join(map(str, first["loc"]))
        raise _damaged(f"{place}: {first['msg']}" if place else first["msg"]) from error


def _is_from_newer_version(plain: bytes) -> bool:
    """Return True if the JSON of a release names a newer version of pnp than this one."""
    try:
        return _sort_key(_Origin.model_validate_json(plain).generator) > _sort_key(__version__)
    except ValidationError:
        return False


def _too_new() -> InvalidValueError:
    """Return the error for a file that this version cannot read because a newer one made it."""
    return InvalidValueError(
        "this release was made by a newer pnp",
        f"a release of pnp {__version__} or an older one",
        "update pnp; `pnp docs install` says how",
    )


def _unpack(packed: bytes) -> tuple[bytes, bytes]:
    """Return the JSON and the bytes after it.

    Raise `InvalidValueError` if the JSON is too long or cut short.
    """
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_UNPACK_BYTES)
    plain = unpacker.decompress(packed, MAX_JSON_BYTES)
    if len(plain) >= MAX_JSON_BYTES:
        raise InvalidValueError(f"unpacks to more than {MAX_JSON_BYTES // 1_000_000} MB", _EXPECTED)
    if not unpacker.eof:
        raise _damaged("its end is missing")
    return plain, unpacker.unused_data


def _damaged(reason: str) -> InvalidValueError:
    """Return the error for a damaged file."""
    return InvalidValueError(
        f"this release is damaged: {reason}",
        _EXPECTED,
        "download it again, or build it again from the pack",
    )


def _read_pictures(pictures: Sequence[_StoredPicture], files: bytes) -> dict[str, SpilledBytes]:
    """Return the addresses of the pictures by their keys."""
    total = sum(picture.size for picture in pictures)
    if total != len(files):
        raise _damaged(
            "its end is missing" if total > len(files) else "there is something after its end"
        )
    addresses = {}
    spilled = SpillFile()
    start = 0
    for picture in pictures:
        address = data_address(picture.type, files[start : start + picture.size])
        # The key is a digest of the address.
        if picture_key(address) != picture.key:
            raise _damaged("a picture in it was changed")
        addresses[picture.key] = spilled.append(address.encode())
        start += picture.size
    return addresses


def _read_faces(stored: Sequence[_StoredFace], addresses: Mapping[str, SpilledBytes]) -> list[Face]:
    """Return the faces in order.

    Raise `InvalidValueError` for one that pnp did not draw or that refers to anything outside.
    """
    spilled = SpillFile()
    read_art = cache(art_from_svg)  # many faces share their art and their images

    @cache
    def read_image(address: str) -> Pixels:
        if PICTURE_KEY.fullmatch(address):
            if address not in addresses:
                raise _damaged("a face refers to a picture that is missing")
            address = addresses[address].text
        return read_pixels("an image", b64decode(address.partition(",")[2]), spilled)

    faces = []
    for number, face in enumerate(stored):
        size = Size(face.width, face.height)
        label = f"picture {number}"
        root, _ = admit(face.svg.encode(), label, MAX_FACE_BYTES, allow_keys=True)
        items = read_items(root, read_art, read_image, label)
        faces.append(Face(items, size, face.bleed, label))
    return faces


def _read_release(stored: _StoredRelease, faces: Sequence[Face]) -> Release:
    texts = {"slug", "name", "version", "language", "credits", "generator"}
    release = Release(
        **stored.model_dump(include=texts),
        components=_read_components(stored.components, faces),
        fonts=stored.fonts,
        rules=stored.rules,
    )
    return replace(release, forms=tuple(_read_form(form, faces, release) for form in stored.forms))


def _read_form(stored: _StoredForm, faces: Sequence[Face], release: Release) -> Form:
    components = _read_components(stored.components, faces)
    form = Form(stored.variant, stored.language, stored.name, stored.credits, components)
    if _pieces(form.components) != _pieces(release.components):
        raise InvalidValueError(
            f"{release.form_name(form)} has different pieces from the game",
            "the same designs in every form",
        )
    return form


def _pieces(components: Sequence[RecordedComponent]) -> list[tuple[str, str, int]]:
    """Return the ids and counts of all designs."""
    return [
        (component.id, design.id, design.count)
        for component in components
        for design in component.designs
    ]


def _read_components(
    stored: Sequence[_StoredComponent], faces: Sequence[Face]
) -> tuple[RecordedComponent, ...]:
    if len({component.id for component in stored}) < len(stored):
        raise InvalidValueError("two components have the same id", "each id once")
    return tuple(
        RecordedComponent(
            **component.model_dump(exclude={"designs"}), designs=_read_designs(component, faces)
        )
        for component in stored
    )


def _read_designs(component: _StoredComponent, faces: Sequence[Face]) -> tuple[RecordedDesign, ...]:
    if len({design.id for design in component.designs}) < len(component.designs):
        raise InvalidValueError(f"{component.id}: two designs have the same id", "each id once")
    return tuple(
        _read_design(design, f"{component.id}:{design.id}", faces) for design in component.designs
    )


def _read_design(stored: _StoredDesign, name: str, faces: Sequence[Face]) -> RecordedDesign:
    def face(index: int, side: str) -> Face:
        if index >= len(faces):
            raise InvalidValueError(
                f"{name} refers to a picture that is missing", "the index of one of its pictures"
            )
        return replace(faces[index], label=f"{name} {side}")

    return RecordedDesign(
        id=stored.id,
        title=stored.title,
        count=stored.count,
        front=face(stored.front, "front"),
        back=None if stored.back is None else face(stored.back, "back"),
        links=stored.links,
        more=tuple(face(index, f"face {n}") for n, index in enumerate(stored.more, start=2)),
    )


def folder_of(pack: Path) -> Path:
    """Return the folder of a pack's releases.

    Raise `InvalidValueError` for a link, which may lead anywhere.
    """
    folder = pack / "releases"
    if folder.is_symlink():
        raise InvalidValueError(
            f"{display(pack)}/releases is a link",
            "a folder in the pack",
            "name the folder it leads to: -o FOLDER",
        )
    return folder


def file_name(version: str) -> str:
    """Return the name of a version's file, with dashes for characters that file names cannot have."""
    return (re.sub(r"[^\w.-]+", "-", version).strip("-.") or "release") + SUFFIX


def versions(folder: Path) -> list[str]:
    """Return the versions in a folder, sorted with numbers by value: 2 before 10."""
    return sorted((path.stem for path in folder.glob(f"*{SUFFIX}")), key=_sort_key)


def _sort_key(version: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(version)]


def last_before(folder: Path, version: str) -> str | None:
    """Return the newest version in a folder that is older than `version`."""
    older = [
        name
        for name in versions(folder)
        if _sort_key(name) < _sort_key(Path(file_name(version)).stem)
    ]
    return older[-1] if older else None


def find(folder: Path, name: str) -> Release:
    """Return the release of the version `name` in a folder, or the release in the file `name`."""
    path = folder / file_name(name)
    if path.is_file():
        return read(path)
    if Path(name).is_file():
        return read(Path(name))
    available = versions(folder)
    if not available:
        game = folder.resolve().parent.name
        message = f"{game} has no releases yet, so there is nothing to compare with {name!r}"
        fail(
            None,
            message,
            hint=f"store one with: pnp release {shlex.quote(game)}",
            kind=Kind.USAGE,
        )
    raise PnpError([unknown("release", name, available, f"{folder.name}/", Kind.USAGE).at(None)])
