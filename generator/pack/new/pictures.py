"""A pack of finished pictures of cards: sizes by their pixels, sides and copies by the names of the files."""

import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from generator.base.errors import InvalidValueError
from generator.base.files import read_limited
from generator.base.geometry import Size
from generator.base.spill import Data, SpillFile
from generator.base.units import MM_PER_INCH, number
from generator.pack.new.import_notes import Notes
from generator.pack.new.pack_files import csv_text, quoted
from generator.pack.new.table import make_id
from generator.pack.sizes import named_sizes
from generator.picture.images import UNREADABLE, is_too_large, open_image, too_large_error

BLEEDS_MM = (0.0, 3.0, MM_PER_INCH / 8, 2.0, MM_PER_INCH / 16)
"""Bleeds of exported pictures, the most usual first; print shops ask for 3 mm or 1/8 in."""
USUAL_RESOLUTIONS = (300, 600, 150, 96, 200, 400, 1200, 100, 120)
"""Resolutions in dpi that programs export, the most usual first."""
MAX_SHAPE_ERROR = 0.012
"""Difference between the ratio of a picture's sides and that of a card, as a natural logarithm.

A millimetre on a card of 88 mm; a larger error shows as a border of unequal width.
"""
MAX_RESOLUTION_ERROR = 0.01
DEFAULT_SHORT_SIDE_MM = 63.0
PLAUSIBLE_SIDES_MM = (15.0, 300.0)
MIN_STATED_DPI = 100.0
"""Lowest stated resolution that is believed: programs write the 96 dpi of screens into any picture."""
PLAUSIBLE_DPI = (60.0, 2500.0)


@dataclass(frozen=True)
class CardGuess:
    """The size of the card on a picture without bleed, and the bleed that the picture has."""

    name: str
    size: Size
    bleed: float

    def describe(self, width: int) -> str:
        """Return the guess as text, for a picture with a width in pixels."""
        dpi = round(width / (self.size.w + 2 * self.bleed) * MM_PER_INCH)
        bleed = (
            f"with {number(round(self.bleed, 1))} mm of bleed" if self.bleed else "without bleed"
        )
        return f"{self.name} {bleed}, at {dpi} dpi"


def guess_card(width: int, height: int, dpi: float | None) -> CardGuess:
    """Return the most likely card for a picture, by its pixels and the resolution that it states."""
    stated = dpi if dpi and dpi >= MIN_STATED_DPI else None
    best = min(_candidates(width, height, stated), key=lambda pair: pair[0], default=None)
    if best and not (stated and best[0][0]):
        return best[1]
    shorter = min(width, height)
    mm = shorter / stated * MM_PER_INCH if stated else 0.0
    shortest, longest = PLAUSIBLE_SIDES_MM
    scale = (mm if shortest <= mm <= longest else DEFAULT_SHORT_SIDE_MM) / shorter
    size = Size(round(width * scale, 1), round(height * scale, 1))
    return CardGuess(_size_text(size), size, 0.0)


def _candidates(
    width: int, height: int, stated: float | None
) -> Iterator[tuple[tuple[float, ...], CardGuess]]:
    """Yield the cards whose shape a picture has, each with its rank; lower is more likely."""
    for size_rank, (name, row) in enumerate(named_sizes().items()):
        is_turned = (width > height) != (row.size.w > row.size.h) and row.size.w != row.size.h
        size = Size(row.size.h, row.size.w) if is_turned else row.size
        for bleed_rank, bleed in enumerate(BLEEDS_MM):
            full = Size(size.w + 2 * bleed, size.h + 2 * bleed)
            error = abs(math.log((width / height) / (full.w / full.h)))
            dpi = width / full.w * MM_PER_INCH
            if error > MAX_SHAPE_ERROR or not PLAUSIBLE_DPI[0] <= dpi <= PLAUSIBLE_DPI[1]:
                continue
            is_stated = stated is not None and _difference(dpi, stated) <= MAX_RESOLUTION_ERROR
            differences = [_difference(dpi, usual) for usual in USUAL_RESOLUTIONS]
            close_resolutions = [
                index
                for index, difference in enumerate(differences)
                if difference <= MAX_RESOLUTION_ERROR
            ]
            usual = close_resolutions[0] if close_resolutions else len(USUAL_RESOLUTIONS)
            deviation = round(differences[usual], 3) if close_resolutions else 0.0
            rank = (
                float(not is_stated),
                float(usual),
                deviation,
                float(bleed_rank),
                round(error, 3),
                float(size_rank),
            )
            yield rank, CardGuess(_size_text(size) if is_turned else name, size, bleed)


def _difference(dpi: float, other: float) -> float:
    return abs(math.log(dpi / other))


def _size_text(size: Size) -> str:
    return f"{number(round(size.w, 2))} x {number(round(size.h, 2))} mm"


COPIED_FORMATS = frozenset({"JPEG", "MPO", "PNG"})
"""The formats, by Pillow's names, of pictures that are copied unchanged; others become PNG."""
COPIED_SUFFIXES = frozenset({".png", ".jpg", ".jpeg"})
_JPEG = b"\xff\xd8"
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
# Pictures of phones, browsers and drawing programs that pnp does not read.
UNREAD_SUFFIXES = frozenset(
    {".avif", ".heic", ".heif", ".jxl", ".jp2", ".svg", ".pdf", ".psd", ".ai", ".xcf", ".kra"}
)
MAX_PICTURES = 4_000
BACK_WORDS = r"backs?|rear|reverse|verso|rückseiten?|rueckseiten?|achterkant|dos|dorso|retro"
FRONT_WORDS = r"fronts?|face|recto|vorderseiten?|voorkant"

_SIDE = re.compile(
    rf"(?:^|[\s_.(-])(?:({BACK_WORDS})|(?:{FRONT_WORDS}))(?=$|[\s_.)-])\)?",
    re.IGNORECASE,
)
_COPIES = re.compile(
    r"(?:^|[\s_-])[(\[]?(?:[x×](?P<after>\d{1,3})|(?P<before>\d{1,3})[x×])[)\]]?(?=$|[\s_-])",
    re.IGNORECASE,
)
_COMMON = frozenset({"", "card", "cards", "common", "default", "deck", "all"})
"""The names, without the word `back`, of a back that belongs to all cards."""

GAME = """\
# yaml-language-server: $schema=schema/game.json
name: {name}
version: "1"
components:
"""
COMPONENT = """\
  {id}:
    title: {title}
    size: {size}           # guessed from the pictures: {guess}
    bleed: {bleed}mm
    data: {id}.csv
    front: layouts/{front}.yaml
"""
_SCHEMA = "# yaml-language-server: $schema=../schema/layout.json\n"
WITH_BLEED = f"""\
{_SCHEMA}# The picture reaches to the end of the bleed.
- image: $front
  box: bleed
  fit: stretch
"""
WITHOUT_BLEED = f"""\
{_SCHEMA}# The picture ends at the cut, and its edge is stretched into the bleed.
- image: $front
  fit: stretch
  extend: edge
"""


@dataclass(frozen=True)
class CardPicture:
    """A picture file with the facts in its name: its card, its side and its number of copies."""

    file: str
    key: str
    copies: int
    is_back: bool
    guess: CardGuess
    pixels: tuple[int, int]
    data: Data
    suffix: str


def pictures_pack(folder: Path, name: str, notes: Notes) -> tuple[dict[str, Data], int]:
    """Return the files of a pack for a folder of pictures by name, and the number of cards."""
    pictures = list(_read_pictures(folder, notes))
    fronts = [picture for picture in pictures if not picture.is_back]
    backs = _sort_backs([picture for picture in pictures if picture.is_back], fronts, notes)
    if not fronts:
        raise InvalidValueError(
            f"{folder.name} has no pictures of fronts",
            "a folder with PNG, JPEG or WebP files, one for each card",
            "file names tell more: fox.png, fox-back.png, fox-x3.png, and back.png for all cards",
        )
    files: dict[str, Data] = {}
    game = GAME.format(name=quoted(name))
    groups: dict[CardGuess, list[CardPicture]] = {}
    for picture in fronts:
        groups.setdefault(picture.guess, []).append(picture)
    for index, (guess, group) in enumerate(groups.items(), 1):
        game += _add_component(guess, group, backs, index, files, notes)
    files["game.yaml"] = game.encode()
    return files, len(fronts)


def _read_pictures(folder: Path, notes: Notes) -> Iterator[CardPicture]:
    """Yield the pictures in a folder and the folders in it, by name; note all other files."""
    store = SpillFile()
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in paths[:MAX_PICTURES]:
        file = path.relative_to(folder).as_posix()
        if file.startswith(".") or path.name in {"Thumbs.db", "desktop.ini"}:
            continue
        if path.suffix.lower() not in PICTURE_SUFFIXES:
            reason = (
                "pnp does not read this format: save it as PNG"
                if path.suffix.lower() in UNREAD_SUFFIXES
                else "it is no picture"
            )
            notes.add(f"not imported, because {reason}", file)
            continue
        try:
            yield _read_picture(path, file, store, notes)
        except InvalidValueError as wrong:
            notes.add(f"not imported: {wrong.found}", file)
    for path in paths[MAX_PICTURES:]:
        notes.add(
            f"not imported: there are more than {MAX_PICTURES} files",
            path.relative_to(folder).as_posix(),
        )


def _read_picture(path: Path, file: str, store: SpillFile, notes: Notes) -> CardPicture:
    data, image = read_importable(path)
    if path.suffix.lower() not in COPIED_SUFFIXES:
        notes.add("is stored as PNG", file)
    stated = image.info.get("dpi", (0.0, 0.0))[0]
    key, copies, is_back = read_name(Path(file))
    guess = guess_card(*image.size, float(stated) if stated else None)
    suffix = ".jpg" if data.startswith(_JPEG) else ".png"
    return CardPicture(file, key, copies, is_back, guess, image.size, store.append(data), suffix)


def read_importable(path: Path) -> tuple[bytes, Image.Image]:
    """Return a picture's bytes, as PNG if layouts cannot show its format, and the upright picture.

    Raise `InvalidValueError` if it cannot be read.
    """
    data = read_limited(path, path.name)
    try:
        with open_image(data) as image:
            if is_too_large(*image.size):
                raise too_large_error(path.name, f"{image.width} × {image.height} pixels")
            image.load()
            upright = ImageOps.exif_transpose(image)
            return (data if image.format in COPIED_FORMATS else _as_png(upright)), upright
    except InvalidValueError:
        raise
    except UnidentifiedImageError:
        raise InvalidValueError("it is damaged or not a picture") from None
    except (Image.DecompressionBombError, *UNREADABLE) as error:
        raise InvalidValueError(f"it cannot be read ({error})") from error


def _as_png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.convert("RGBA" if image.has_transparency_data else "RGB").save(out, "PNG")
    return out.getvalue()


def read_name(file: Path) -> tuple[str, int, bool]:
    """Return the key of a picture's card, its number of copies, and True for a back.

    Examples are `fox-x3.png`, `fox-back.png` and `backs/fox.png`: a folder `backs` contains backs.
    """
    stem = file.stem
    copies = 1
    if match := _COPIES.search(stem):
        copies = int(match["after"] or match["before"])
        stem = stem[: match.start()] + stem[match.end() :]
    side = _SIDE.search(stem)
    if side:
        stem = stem[: side.start()] + stem[side.end() :]
    folder_sides = [_SIDE.fullmatch(part) for part in file.parent.parts]
    is_back = bool(
        (side and side[1]) or any(side_match and side_match[1] for side_match in folder_sides)
    )
    return " ".join(re.split(r"[\s_-]+", stem.strip(" _-."))).strip(), copies, is_back


def _sort_backs(
    backs: Sequence[CardPicture], fronts: Sequence[CardPicture], notes: Notes
) -> Mapping[str, CardPicture]:
    """Return the backs by the key of their card; the key `""` is the back of all other cards."""
    keys = {front.key.lower() for front in fronts}
    backs_by_key: dict[str, CardPicture] = {}
    for back in backs:
        key = back.key.lower()
        if key not in keys and (key in _COMMON or len(backs) == 1):
            key = ""
        if key and key not in keys:
            notes.add(f"not imported: there is no front called {back.key!r}", back.file)
        elif key in backs_by_key:
            notes.add(f"not imported: {backs_by_key[key].file} is the same back", back.file)
        else:
            backs_by_key[key] = back
    return backs_by_key


def _add_component(
    guess: CardGuess,
    group: Sequence[CardPicture],
    backs: Mapping[str, CardPicture],
    index: int,
    files: dict[str, Data],
    notes: Notes,
) -> str:
    """Add the files of the cards of one size; return their part of `game.yaml`."""
    component = "cards" if index == 1 else f"cards-{index}"
    front = "front" if index == 1 else f"front-{index}"
    back_layout = "back" if index == 1 else f"back-{index}"
    used: Counter[str] = Counter()
    rows = [["id", "title", "count", "front", "back"]]
    for place, picture in enumerate(group, 1):
        name = make_id(picture.key, place, used)
        face = f"art/{component}/{name}{picture.suffix}"
        files[face] = picture.data
        back = backs.get(picture.key.lower()) or backs.get("")
        back_file = ""
        if back is not None:
            stem = "back" if back is backs.get("") else f"{name}-back"
            back_file = f"art/{component}/{stem}{back.suffix}"
            files[back_file] = back.data
            if back.guess.size != guess.size:
                notes.add("has another shape than its front, and is cropped", back.file)
        elif backs:
            notes.add("has no back, and is white behind", picture.file)
        rows.append([name, _title(picture.key), str(picture.copies), face, back_file])
    _note_guess(guess, group, notes)
    bleed = number(round(guess.bleed, 3)) if guess.bleed else "3"
    part = COMPONENT.format(
        id=component,
        title="Cards" if index == 1 else quoted(f"Cards ({guess.name})"),
        size=guess.name,
        guess=guess.describe(group[0].pixels[0]),
        bleed=bleed,
        front=front,
    )
    files[f"{component}.csv"] = csv_text(rows).encode()
    files[f"layouts/{front}.yaml"] = (WITH_BLEED if guess.bleed else WITHOUT_BLEED).encode()
    if any(row[-1] for row in rows[1:]):
        lines = (WITH_BLEED if guess.bleed else WITHOUT_BLEED).replace("$front", "$back")
        lines = lines.replace("fit: stretch", "fit: cover") + "  when: $back is not empty\n"
        files[f"layouts/{back_layout}.yaml"] = lines.encode()
        part += f"    back: layouts/{back_layout}.yaml\n"
    return part


def _title(key: str) -> str:
    return key.title() if key.islower() else key


def _note_guess(guess: CardGuess, group: Sequence[CardPicture], notes: Notes) -> None:
    width, height = group[0].pixels
    edges = (
        "the bleed that they have" if guess.bleed else "3 mm of bleed, stretched from their edges"
    )
    subject = f"{len(group)} pictures of" if len(group) > 1 else group[0].file + ", of"
    notes.add(
        f"{subject} {width} × {height} pixels: guessed to be {guess.describe(width)}; "
        f"printed with {edges}. "
        "If that is wrong, change size and bleed in game.yaml"
    )
