"""New packs from a designer's table or pictures; pnp draws each pack once, so that its first build succeeds."""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from generator.base.errors import InvalidValueError, Kind, PnpError, Reporter, nearest, raising_at
from generator.base.fetch import SCHEMES, fetch
from generator.base.files import display, read_limited, temporary_folder
from generator.base.fonts import SYMBOL_FAMILIES, FontFile, font_set
from generator.base.geometry import Size
from generator.base.spill import Data
from generator.base.symbols import find_symbol
from generator.base.units import format_count
from generator.draw.draw import draw_game
from generator.pack.folder import PackFolder
from generator.pack.fonts import fonts_of
from generator.pack.icons import ICON_SUFFIXES
from generator.pack.load import load
from generator.pack.new.cells import CellWriter, letters_to_print, name_icon
from generator.pack.new.import_notes import Notes
from generator.pack.new.installed_fonts import find_fonts_with
from generator.pack.new.other_programs import check_is_table
from generator.pack.new.pack_files import PICTURE_SHARES, PackPlan, csv_of, pack_files
from generator.pack.new.pictures import PICTURE_SUFFIXES, pictures_pack, read_importable
from generator.pack.new.placeholders import (
    ICONS_WANTED,
    placeholder_pixels,
    placeholder_svg,
    wanted_list,
)
from generator.pack.new.raw_table import read_raw_table
from generator.pack.new.table import tidy_table
from generator.pack.sizes import read_size
from generator.pipeline.vocabulary import vocabulary
from generator.text.shape import has_character

CARD_SIZES = ("poker", "tarot", "jumbo", "105 x 148 mm", "148 x 210 mm")
"""The sizes of cards that are tried, until all words fit; the last two are A6 and A5."""
OWN_FONTS = ("Alegreya", "Alegreya Sans", "Alegreya SC")
"""The fonts of a new pack; characters that one of them lacks need another font."""
ART_FOLDERS = (".", "art", "icons", "art/icons", "images", "img", "pictures", "symbols")
"""The folders next to a table in which pnp looks for its icons and pictures, the nearest first."""
DOWNLOAD = "cards.csv"
"""The file of a new pack that a published table is downloaded into."""


@dataclass(frozen=True)
class NewPack:
    """The files of a new pack by name, and the notes and next steps for the designer."""

    files: Mapping[str, Data]
    summary: str = ""
    notes: Iterable[str] = ()
    steps: tuple[str, ...] = ()
    """What to do before the build, with `{folder}` for the pack's folder."""


def new_pack(origin: str, name: str, *, near: bool = False, proxy: bool = False) -> NewPack:
    """Return a pack for a table, a folder of pictures, or the address of a published table.

    `name` is the name of the pack's folder. With `near`, the address may be on this machine or its
    network; with `proxy`, the user's proxy is used.
    """
    with raising_at():
        if origin.startswith(SCHEMES):
            data = fetch(csv_address(origin), near=near, proxy=proxy)
            check_is_csv(data)
            return new_from_table(PackFolder(Path(), {DOWNLOAD: data}), DOWNLOAD, name, origin)
        if Path(origin).is_dir():
            return new_from_pictures(Path(origin), name)
        path = Path(origin.partition("#")[0])
        if not path.is_file():
            raise InvalidValueError(
                f"there is no file {str(path)!r}",
                "a table, a folder with pictures, or an address that begins with https://",
                nearest(path.name, _list_names_next_to(path)),
                Kind.USAGE,
            )
        check_is_table(path)
        table = path.name + origin.removeprefix(str(path))
        return new_from_table(PackFolder(path.parent), table, name)


def _list_names_next_to(path: Path) -> list[str]:
    try:
        return [other.name for other in path.parent.iterdir()]
    except OSError:
        return []


def new_from_table(folder: PackFolder, table_name: str, name: str, source: str = "") -> NewPack:
    """Return a pack of cards for a table; `cards.xlsx#heroes` is a sheet of a workbook.

    `source` is the address that the table came from.
    """
    notes = Notes()
    table = tidy_table(read_raw_table(folder, table_name, notes), notes)
    title = _name_game(name)
    fonts = _find_fonts(letters_to_print(table) + title, notes)
    can_print = _make_print_test(fonts)
    writer = CellWriter(can_print, notes)
    writer.write(table)
    plan = PackPlan(
        name="".join(filter(can_print, title)) or "My Cards",
        table=table,
        size_name="",
        size=Size(0, 0),
        can_print=can_print,
        other_fonts=tuple(font.family for font in fonts),
        source=source,
    )
    art, icon_places = _find_art(folder.root, "" if source else table_name, writer, notes)
    extra = {
        **{f"fonts/{font.path.name}": font.path.read_bytes() for font in fonts},
        **art,
        **({ICONS_WANTED: wanted_list(icon_places)} if icon_places else {}),
    }
    files = _write_fitting_files(plan, extra, notes)
    summary = (
        f"{format_count(len(table.rows), 'card')} from {source or table_name}; {table.columns}"
    )
    steps = []
    if icon_places:
        steps.append(f"draw the files that {{folder}}/{ICONS_WANTED} lists, whenever you like")
    if source:
        steps.append("when the sheet has changed: pnp pull {folder}")
    return NewPack(files, summary, notes, tuple(steps))


def _find_art(
    folder: Path, table_name: str, writer: CellWriter, notes: Notes
) -> tuple[dict[str, bytes], dict[str, list[str]]]:
    """Return the icons and pictures that a table names, found next to it or as placeholders.

    Also return the placeholders with the places that use them.
    """
    nearby = _list_art_next_to(folder) if table_name else {}
    art_files: dict[str, bytes] = {}
    icon_places: dict[str, list[str]] = {}
    for icon, places in writer.icon_places.items():
        path = next((nearby[icon + end] for end in ICON_SUFFIXES if icon + end in nearby), None)
        if path is not None:
            art_files[f"art/icons/{icon}{path.suffix.lower()}"] = read_limited(path, path.name)
            notes.add("found next to the table and copied", path.name)
        elif not find_symbol(icon):  # pnp's own symbols need no file
            art_files[f"art/icons/{icon}.svg"] = placeholder_svg(icon)
            icon_places[f"art/icons/{icon}.svg"] = places
    for file, places in writer.pictures.items():
        stem = Path(file).stem
        suffix = Path(file).suffix
        data = _read_picture(nearby, stem, suffix, notes)
        if data is None:
            icon_places[file] = places
            is_svg = suffix == ".svg"
            data = placeholder_svg(stem) if is_svg else placeholder_pixels(stem, suffix)
        art_files[file] = data
    return art_files, icon_places


def _list_art_next_to(folder: Path) -> dict[str, Path]:
    """Return the pictures next to a table, by the names that a new pack gives them."""
    paths = [path for place in ART_FOLDERS for path in sorted((folder / place).glob("*.*"))]
    return {
        name_icon(path.stem) + path.suffix.lower(): path
        for path in reversed(paths)
        if path.is_file() and path.suffix.lower() in {".svg", *PICTURE_SUFFIXES}
    }


def _read_picture(nearby: Mapping[str, Path], stem: str, suffix: str, notes: Notes) -> bytes | None:
    """Return the picture with a name, in a format that layouts can show; None if there is none."""
    ends = (".svg",) if suffix == ".svg" else (suffix, *PICTURE_SUFFIXES)
    path = next((nearby[stem + end] for end in ends if stem + end in nearby), None)
    if path is None:
        return None
    try:
        is_svg = suffix == ".svg"
        data = read_limited(path, path.name) if is_svg else read_importable(path)[0]
    except InvalidValueError as wrong:
        notes.add(f"{path.name} was not imported: {wrong.found}")
        return None
    notes.add("found next to the table and copied", path.name)
    return data


def new_from_pictures(folder: Path, name: str) -> NewPack:
    """Return a pack of cards for a folder with their finished pictures."""
    notes = Notes()
    files, count = pictures_pack(folder, _name_game(name), notes)
    summary = f"{format_count(count, 'card')} from the pictures in {display(folder)}/"
    return NewPack(files, summary, notes)


def tidy_download(pack: PackFolder, name: str, data: bytes) -> tuple[bytes, Notes]:
    """Return a downloaded table as CSV that the pack can read, with a note on each change."""
    check_is_csv(data)
    notes = Notes()
    raw = read_raw_table(replace(pack, replaced={**pack.replaced, name: data}), name, notes)
    table = tidy_table(raw, notes)
    added = [file for file in fonts_of(pack, Reporter()).files if pack.holds(file.path)]
    CellWriter(_make_print_test(added), notes).write(table)
    return csv_of(table).encode(), notes


def check_is_csv(data: bytes) -> None:
    """Raise `InvalidValueError` for a web page, such as one that asks to sign in."""
    if data.lstrip(BOM_UTF8).lstrip().startswith(b"<"):
        raise InvalidValueError(
            "the download is a web page, not a table",
            "a table published as CSV",
            "in Google Sheets: File > Share > Publish to web, this sheet, "
            "as comma-separated values (.csv)",
        )


def _make_print_test(added: Sequence[FontFile]) -> Callable[[str], bool]:
    """Return a function that tells whether pnp can print a character in a new pack.

    Either all fonts of the pack must have it, or one of pnp's fonts for symbols and the `added` fonts.
    """
    fonts_of_pack = [font_set().find(family) for family in OWN_FONTS]
    others = [*added, *map(font_set().find, SYMBOL_FAMILIES)]

    def can_print(letter: str) -> bool:
        return all(has_character(font, letter) for font in fonts_of_pack) or any(
            has_character(font, letter) for font in others
        )

    return can_print


def _name_game(stem: str) -> str:
    """Return the name of a game from that of its folder: `my-game` is `My Game`."""
    name = re.sub(r"[-_\s]+", " ", stem).strip()
    return name.title() if name.islower() else name


def _find_fonts(letters: str, notes: Notes) -> tuple[FontFile, ...]:
    """Return fonts for the letters that the pack's own fonts lack."""
    can_print = _make_print_test(())
    missing = [letter for letter in letters if not can_print(letter)]
    fonts = tuple(find_fonts_with(missing)) if missing else ()
    for font in fonts:
        covered = "".join(letter for letter in missing if has_character(font, letter))
        notes.add(
            f"the font {font.family} was copied from this computer to fonts/, for {covered[:12]}"
            f"{'…' if len(covered) > 12 else ''}; read its licence before you publish the pack"
        )
    return fonts


def _write_fitting_files(
    plan: PackPlan, extra: Mapping[str, bytes], notes: Notes
) -> dict[str, bytes]:
    """Return the files with the first size of cards on which all words fit.

    Note what stops a build on every size.
    """
    shares = PICTURE_SHARES if plan.table.columns.pictures else PICTURE_SHARES[:1]
    for name, share in product(CARD_SIZES, shares):
        with temporary_folder() as place:
            size = read_size(name, PackFolder(place)).size
            sized = replace(plan, size_name=name, size=size, picture_share=share)
            files = {**pack_files(sized), **extra}
            problem = _find_fault(place, files)
        if problem is None or problem.kind is not Kind.FIT:
            break
    if problem is not None:
        message = str(problem).replace(f"{display(place)}/", "")
        notes.add(f"correct this before you print the pack: {message}")
    elif name != CARD_SIZES[0]:
        notes.add(f"the cards have the size {name}: the longest text does not fit on smaller ones")
    return files


def _find_fault(folder: Path, files: Mapping[str, bytes]) -> PnpError | None:
    """Load and draw a pack; return the error that stops it, or None."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    try:
        draw_game(load(folder, vocabulary()))
    except PnpError as error:
        return error
    return None


_GOOGLE_SHEET = re.compile(
    r"https://docs\.google\.com/spreadsheets/d/(?P<published>e/)?(?P<key>[\w-]+)(?P<rest>.*)"
)


def csv_address(address: str) -> str:
    """Return the address of a Google Sheet's CSV, given the address of the page that edits or shows it."""
    match = _GOOGLE_SHEET.fullmatch(address.strip())
    if match is None or "csv" in match["rest"]:
        return address
    sheet = re.search(r"[?#&]gid=(\d+)", match["rest"])
    part = f"&gid={sheet[1]}" if sheet else ""
    base = f"https://docs.google.com/spreadsheets/d/{match['published'] or ''}{match['key']}"
    if match["published"]:
        return f"{base}/pub?output=csv{part}{'&single=true' if part else ''}"
    return f"{base}/export?format=csv{part}"
