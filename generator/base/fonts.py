"""The font files that a job may use: ours and the pack's, never the system's.

All engines that set text get the same set, so that text is printed as it was measured. The files are
static, with TrueType or CFF outlines; `font_files` converts other fonts to such files. Footers are set
in a font of ours, because ReportLab reads only TrueType outlines.
"""

import re
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

import uharfbuzz as hb

from generator.base.errors import InvalidValueError, Kind, nearest, unknown
from generator.base.files import bundled_folder
from generator.base.font_limits import find_excess
from generator.base.units import number

NOTE_FONT = "Alegreya Sans"
"""The family of footers and rulers."""
SYMBOL_FAMILIES = ("Noto Sans Symbols 2", "Noto Emoji")
"""Our families for symbols and emoji that the fonts of a text lack, such as ♥ and 🎲; both are monochrome."""
MAX_NAMED_LETTERS = 8
"""Missing letters that a note names."""

# The weights of OpenType's table OS/2, by their usual names.
WEIGHTS = {
    "thin": 100,
    "light": 300,
    "regular": 400,
    "medium": 500,
    "semibold": 600,
    "bold": 700,
    "extrabold": 800,
    "black": 900,
}

# typst/src/text/font/variant.rs, `typographic_family`: the words that typst drops at the end of a
# family's name, some with a modifier, such as `Semi Bold`.
_STYLE_WORDS = re.compile(
    r"""(?:[ _-](?:(?:extra|ext|ex|x|semi|sem|sm|demi|dem|ultra)[ _-]?)?
    (?:normal|italic|oblique|slanted|thin|th|hairline|light|lt|regular|medium|med|md|bold|bd|demi|extb
    |black|blk|bk|heavy|narrow|condensed|cond|cn|cd|compressed|expanded|exp)+)+$""",
    re.IGNORECASE | re.VERBOSE,
)
_NAME = re.compile(r"[\w .+&()!-]{1,100}")
"""A family name that needs no escaping in SVG and CSS."""
_OS2_BYTES = 64
"""Bytes of the table OS/2 up to the end of `fsSelection`, the flags with the italic bit."""
TABLE_BYTES = {
    "head": 54,
    "hhea": 36,
    "maxp": 6,
    "hmtx": 4,
    "cmap": 4,
    "name": 6,
    "post": 32,
}
"""The tables that OpenType requires of every font, with the bytes of their fixed parts."""
_COLLECTION_SIGNATURE = b"ttcf"
"""The first bytes of a file that holds several fonts, as macOS and Windows install them."""
MAX_COLLECTED_FONTS = 64
"""Fonts in a collection: the largest usual ones hold some 20."""
HEAD_BYTES = 65_536
"""Bytes at the start of a file that hold its list of tables: some 20 entries of 16 bytes each."""
# Identifiers of names in OpenType's table `name`.
_FAMILY = 1
_POSTSCRIPT_NAME = 6
_TYPOGRAPHIC_FAMILY = 16


AxisValues = tuple[tuple[str, float], ...]
"""Values on axes of a variable font, by the tags of the axes and in their order, such as `wdth` and 80."""

WEIGHT_AXIS = "wght"
# Axes that styles set by keys of their own, which static fonts have too.
_KEYS_OF_AXES = {WEIGHT_AXIS: "`weight: 620`", "ital": "`italic: true`"}


@dataclass(frozen=True)
class FontAxis:
    """An axis of a variable font: its tag, its name for people, and its range."""

    tag: str
    name: str
    low: float
    high: float

    def __str__(self) -> str:
        """Return the axis as lists and messages show it, such as `wdth (Width) 75 to 100`."""
        return f"{self.tag} ({self.name}) {number(self.low)} to {number(self.high)}"


@dataclass(frozen=True)
class VariableFont:
    """A variable font of a pack: its file, its axes other than weight and italics, and the weights to make of it."""

    family: str
    path: Path
    axes: tuple[FontAxis, ...]
    weights: tuple[int, ...]


def family_at(family: str, axes: AxisValues) -> str:
    """Return the family under which engines know a variable font at some values of its axes."""
    return " ".join([family, *(f"{tag}{number(value)}" for tag, value in axes)])


@dataclass(frozen=True, order=True)
class FontFile:
    """One face of a family.

    `axis_weight` is the weight of a face that was pinned from a variable font, 620 for example; its
    `weight` is then the nearest hundred. It is 0 for other faces. `axes` holds the other axes at
    which it was pinned, and its weight if another face of the family has the same hundred; its
    `family` is then that of `family_at`. `postscript_name` is the name by
    which Illustrator and Affinity ask for it in an SVG, such as `AlegreyaSans-Bold`. `name_of_copy`
    is the family's name in a copy of the file for typst, which would take the family for another.
    """

    family: str
    weight: int
    italic: bool
    path: Path
    index: int = field(default=0, compare=False)
    """The place of the font in its file, from 0, if the file is a collection."""
    axis_weight: int = field(default=0, compare=False)
    axes: AxisValues = field(default=(), compare=False)
    postscript_name: str = field(default="", compare=False)
    name_of_copy: str = field(default="", compare=False)

    def __hash__(self) -> int:
        """Leave out the path: hashing a path is slow, and fonts are looked up for each word."""
        return hash((self.family, self.weight, self.italic))

    @property
    def style(self) -> str:
        """The style as a pack writes it, such as `bold italic`."""
        names = {weight: name for name, weight in WEIGHTS.items()}
        return names.get(self.weight, str(self.weight)) + (" italic" if self.italic else "")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The family's names for engines: typst files `X Black` under `X`, resvg under its own name."""
        names = (self.family, self.name_of_copy, _STYLE_WORDS.sub("", self.family))
        return tuple(dict.fromkeys(filter(None, names)))

    @property
    def key(self) -> str:
        """A short name that no other file of the set has."""
        return f"{self.family} {self.weight}{' italic' if self.italic else ''}"

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the file; only files of packs are read again each time."""
        return _bundled_digests().get(self.path) or _digest_of(self.path)


@dataclass(frozen=True)
class FontSet:
    """All font files of a job."""

    files: tuple[FontFile, ...]
    substitutes: tuple[tuple[str, str], ...] = ()
    """Missing families that art names, in lower case, each with the family that replaces it."""
    variable: tuple[VariableFont, ...] = ()
    """The variable fonts that have axes to be named in a style."""
    is_complete: bool = True
    """False if a file of the pack could not be read: a style may name its family, which is unknown."""

    @property
    def note_font(self) -> FontFile:
        """The font of footers and rulers: ours, since a pack's own file of its name may have CFF outlines."""
        key = FontFile(NOTE_FONT, WEIGHTS["regular"], italic=False, path=Path()).key
        return next(file for file in _bundled() if file.key == key)

    @property
    def families(self) -> tuple[str, ...]:
        """The names of the families, in order."""
        return tuple(sorted({file.family for file in self.files if not file.axes}))

    def axes_of(self, family: str) -> tuple[FontAxis, ...]:
        """Return the axes of a family that a style can name."""
        fonts = (font for font in self.variable if font.family == family)
        return tuple({axis.tag: axis for font in fonts for axis in font.axes}.values())

    def check_axis(self, family: str, tag: str, value: float) -> None:
        """Raise `InvalidValueError` if a family has no such axis, or not this value on it."""
        if tag in _KEYS_OF_AXES:
            raise InvalidValueError(f"{tag} has a key of its own", _KEYS_OF_AXES[tag])
        axes = {axis.tag: axis for axis in self.axes_of(family)}
        if not axes:
            raise InvalidValueError(
                f"the font {family!r} has no axes to set",
                "a variable font with other axes than weight and italics",
            )
        if tag not in axes:
            listed = ", ".join(map(str, axes.values()))
            by_name = [axis.tag for axis in axes.values() if axis.name.lower() == tag.lower()]
            hint = f"did you mean {by_name[0]!r}?" if by_name else nearest(tag, axes)
            raise InvalidValueError(
                f"the font {family!r} has no axis {tag!r}", f"one of: {listed}", hint
            )
        axis = axes[tag]
        if not axis.low <= value <= axis.high:
            raise InvalidValueError(
                f"{number(value)} is outside the axis {tag} ({axis.name}) of {family!r}",
                f"{number(axis.low)} to {number(axis.high)}",
            )

    @cached_property
    def digest(self) -> str:
        """A digest of the files' bytes and of the names by which they are found."""
        digest = sha256()
        for file in self.files:
            digest.update(file.key.encode())
            digest.update(file.digest)
        return digest.hexdigest()[:40]

    @cached_property
    def open_paths(self) -> tuple[str, ...]:
        """The absolute paths of the files, which processes in other folders can open.

        Keys, releases and messages never contain them; they name files relative to the pack.
        """
        return tuple(str(file.path.absolute()) for file in self.files)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The absolute folders that hold the files, for engines that search folders."""
        return tuple(sorted({file.path.absolute().parent for file in self.files}))

    def with_substitutes(self, substitutes: Mapping[str, str]) -> "FontSet":
        """Return the set with families that replace missing ones."""
        for name, family in substitutes.items():
            if family not in self.families:
                raise unknown("font", family, self.families, kind=Kind.MISSING)
            if name.lower() in {existing.lower() for existing in self.families}:
                raise InvalidValueError(
                    f"the font {name!r} is not missing",
                    "a family that art uses and that is missing",
                )
        pairs = sorted((name.lower(), family) for name, family in substitutes.items())
        return replace(self, substitutes=tuple(pairs))

    def substitute_for(self, family: str, weight: int, *, italic: bool) -> FontFile | None:
        """Return the nearest face of the family that replaces another; None if there is none."""
        other = dict(self.substitutes).get(family.lower())
        return self.nearest_face(other, weight, italic=italic) if other in self.families else None

    def nearest_face(self, family: str, weight: int = 400, *, italic: bool = False) -> FontFile:
        """Return the face of a family that is most like the requested weight and style.

        Raise `InvalidValueError` if there is no such family.
        """
        faces = [file for file in self.files if file.family == family]
        if not faces:
            raise self._unknown_family(family)
        return min(faces, key=lambda file: (file.italic != italic, abs(file.weight - weight)))

    def _unknown_family(self, name: str) -> InvalidValueError:
        """Return the error for an unknown family: if it is the name of a file, the hint is its family."""
        error = unknown("font", name, self.families, kind=Kind.MISSING)
        file_name = PurePosixPath(name).name.casefold()
        for file in self.files:
            if file_name in {file.path.name.casefold(), file.path.stem.casefold()}:
                hint = f"the family of {file.path.name} is {file.family!r}"
                return InvalidValueError(error.found, error.expected, hint, error.kind)
        return error

    def find(self, family: str, weight: int = 400, *, italic: bool = False) -> FontFile:
        """Return the file of exactly this face; raise `InvalidValueError` if there is none."""
        faces = [file for file in self.files if file.family == family]
        if not faces:
            raise self._unknown_family(family)
        family_of_weight = family_at(family, ((WEIGHT_AXIS, weight),))
        for file in self.files:
            if (
                file.family in {family, family_of_weight}
                and weight in {file.weight, file.axis_weight}
                and file.italic == italic
            ):
                return file
        style = FontFile(family, weight, italic, Path()).style
        styles = [file.style for file in sorted(faces)]
        raise InvalidValueError(
            f"the font {family!r} has no {style}",
            f"one of: {', '.join(styles)}",
            nearest(style, styles) or "put the font file into the pack's fonts/ folder",
            Kind.MISSING,
        )


def open_face(font: FontFile) -> hb.Face:
    """Return HarfBuzz's view of a font."""
    return hb.Face(hb.Blob.from_file_path(str(font.path)), font.index)


def read_fonts(path: Path) -> list[FontFile]:
    """Read the fonts in a file: one, or those of a collection such as `msgothic.ttc`.

    Raise `InvalidValueError` if engines cannot use the file.
    """
    with path.open("rb") as file:
        head = file.read(12)
    if not head.startswith(_COLLECTION_SIGNATURE) or len(head) < 12:
        return [read_font(path)]
    (count,) = struct.unpack_from(">I", head, 8)
    if not 1 <= count <= MAX_COLLECTED_FONTS:
        raise InvalidValueError(
            f"{path.name} claims to hold {count} fonts",
            f"a collection of at most {MAX_COLLECTED_FONTS} fonts",
        )
    fonts = [read_font(path, index) for index in range(count)]
    if any("fvar" in open_face(font).table_tags for font in fonts):
        raise InvalidValueError(
            f"{path.name} is a collection of variable fonts", "variable fonts in single files"
        )
    return fonts


def read_font(path: Path, index: int = 0, *, is_ours: bool = False) -> FontFile:
    """Read the family, weight and style of a font file, or of one font in a collection.

    Raise `InvalidValueError` if engines cannot use the file, or if it would take too much memory,
    which is not checked in our own fonts.
    """
    try:
        blob = hb.Blob.from_file_path(str(path))
        face = hb.Face(blob, index)
        tables = face.table_tags
    except Exception as error:  # uharfbuzz raises its own errors for files that are no fonts
        raise InvalidValueError(
            f"{path.name} is not a font file ({error})", "a font file (.ttf or .otf)"
        ) from error
    if not {"glyf", "CFF "} & set(tables):
        raise InvalidValueError(
            f"{path.name} has no outlines", "a font with TrueType or CFF outlines (.ttf or .otf)"
        )
    os2 = face.reference_table("OS/2").data
    if len(os2) < _OS2_BYTES:
        raise InvalidValueError(
            f"{path.name} is damaged: it does not state its weight", "a complete font file"
        )
    if fault := _fault(face, path, index):
        raise InvalidValueError(
            f"{path.name} is damaged: {fault}",
            "a complete font file",
            "download the font again",
        )
    checked = hb.Face(blob, 0) if index else None
    if not is_ours and (excess := find_excess(face, checked)):
        raise InvalidValueError(
            f"{path.name} would take too much memory: {excess}", "a font of usual size"
        )
    weight = struct.unpack_from(">H", os2, 4)[0]  # usWeightClass
    italic = bool(struct.unpack_from(">H", os2, 62)[0] & 1)  # fsSelection, bit 0
    family = face.get_name(_TYPOGRAPHIC_FAMILY) or face.get_name(_FAMILY)
    if not family:
        raise InvalidValueError(f"{path.name} names no family", "a font with a family name")
    if not _NAME.fullmatch(family):
        raise InvalidValueError(
            f"{path.name} calls its family {family!r}",
            "a name of letters, digits, spaces and . - + & ( )",
        )
    postscript_name = face.get_name(_POSTSCRIPT_NAME) or ""
    return FontFile(family, weight, italic, path, index, postscript_name=postscript_name)


def _fault(face: hb.Face, path: Path, index: int) -> str:
    """Return the fault that keeps engines from reading a font file; empty for a good file."""
    for tag, min_bytes in TABLE_BYTES.items():
        if len(face.reference_table(tag).data) < min_bytes:
            return f"it has no table {tag}, or a part of one"
    size = path.stat().st_size
    # OpenType, "Organization of an OpenType Font": 16 bytes for each table from 12 on; in a
    # collection the offsets of its fonts stand there
    with path.open("rb") as file:
        head = file.read(12 + 4 * (index + 1))
        is_collection = head.startswith(_COLLECTION_SIGNATURE)
        start = struct.unpack_from(">I", head, 12 + 4 * index)[0] if is_collection else 0
        file.seek(start + 12)
        directory = file.read(16 * len(face.table_tags))
    for tag, _, offset, length in struct.iter_unpack(">4sIII", directory):
        if offset + length > size:
            return f"it was cut off within the table {tag.decode('latin-1')}"
    glyphs = struct.unpack_from(">H", face.reference_table("maxp").data, 4)[0]
    metrics = struct.unpack_from(">H", face.reference_table("hhea").data, 34)[0]
    if not metrics or len(face.reference_table("hmtx").data) < 4 * metrics:
        return "it does not say how wide its glyphs are"
    return _outline_fault(face, glyphs) if "glyf" in face.table_tags else ""


def _outline_fault(face: hb.Face, glyphs: int) -> str:
    """Return the fault in the TrueType outlines of a font; empty for good ones."""
    is_long = struct.unpack_from(">h", face.reference_table("head").data, 50)[0]
    loca = face.reference_table("loca").data
    width = 4 if is_long else 2
    if not glyphs or len(loca) < (glyphs + 1) * width:
        return "it does not say where its glyphs are"
    (end,) = struct.unpack_from(">I" if is_long else ">H", loca, glyphs * width)
    return (
        "its last glyphs are missing"
        if end * (1 if is_long else 2) > len(face.reference_table("glyf").data)
        else ""
    )


def take_glyphs(face: hb.Face, glyphs: hb.SubsetInput, name: str) -> bytes:
    """Return a font with only some glyphs; raise `InvalidValueError` if HarfBuzz cannot read them."""
    try:
        return bytes(hb.subset(face, glyphs).blob.data)
    except RuntimeError as error:
        raise InvalidValueError(
            f"the font {name} is damaged: {error}", "a complete TrueType font (.ttf)"
        ) from error


def _digest_of(path: Path) -> bytes:
    return sha256(path.read_bytes()).digest()


@cache
def _bundled_digests() -> Mapping[Path, bytes]:
    """Return the digests of our own files: unlike a pack's, they do not change while the program runs."""
    return {file.path: _digest_of(file.path) for file in _bundled()}


@cache
def _bundled() -> tuple[FontFile, ...]:
    return tuple(
        sorted(
            read_font(path, is_ours=True)
            for path in sorted(bundled_folder("fonts").glob("*/*.ttf"))
        )
    )


def font_set(
    extra: Iterable[FontFile] = (),
    variable: Iterable[VariableFont] = (),
    *,
    is_complete: bool = True,
) -> FontSet:
    """Return our fonts with some more; a pack's file replaces ours of the same face."""
    by_key: dict[str, FontFile] = {file.key: file for file in _bundled()}
    by_key.update({file.key: file for file in extra})
    files = tuple(with_names_of_copies(sorted(by_key.values())))
    return FontSet(files, variable=tuple(variable), is_complete=is_complete)


def with_names_of_copies(files: Collection[FontFile]) -> Iterator[FontFile]:
    """Yield the files; those that typst would take for another family have a name for a copy.

    It files `Archivo Black` under `Archivo`, also if there is another `Archivo`.
    """
    families = {(file.names[-1], file.family) for file in files}
    families_by_name = Counter(filed for filed, _ in families)
    for file in files:
        filed = file.names[-1]
        is_taken_for_another = filed != file.family and families_by_name[filed] > 1
        yield replace(file, name_of_copy=f"{file.family} pnp") if is_taken_for_another else file


def files_in(folder: Path) -> Sequence[Path]:
    """Return the font files in a folder and the folders below it."""
    kinds = {".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"}
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in kinds)


def missing_letters(text: str, font: FontFile) -> list[str]:
    """Return the visible characters of a text without a glyph in a font, each once: they would not print."""
    covered = _letters(font)
    return [
        letter
        for letter in dict.fromkeys(text)
        if letter.isprintable() and not letter.isspace() and ord(letter) not in covered
    ]


@cache
def _letters(font: FontFile) -> frozenset[int]:
    return frozenset(open_face(font).unicodes)


def footer_note(texts: Iterable[str], fonts: FontSet) -> str:
    """Return the note on titles with characters that footers cannot show; empty if there are none."""
    font = fonts.note_font
    missing_by_text = {text: letters for text in texts if (letters := missing_letters(text, font))}
    if not missing_by_text:
        return ""
    text, letters = next(iter(missing_by_text.items()))
    more = f" (and in {len(missing_by_text) - 1} more)" if len(missing_by_text) > 1 else ""
    listed = ", ".join(
        f"{letter!r} (U+{ord(letter):04X})" for letter in letters[:MAX_NAMED_LETTERS]
    )
    return (
        f"the font of footers, {NOTE_FONT}, has no {listed}: footers, and pages if no other font "
        f"has it, leave it out of {text!r}{more}; write such words in Latin, Greek or Cyrillic letters too"
    )
