"""Export to a press: a PDF for each component, a face per page with its bleed, in the press's inks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageColor

from generator.base.errors import Kind, raising_at, unknown
from generator.base.files import Outbox, read_limited
from generator.base.geometry import Affine, Rect, Size
from generator.base.units import format_count
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import WrittenFile
from generator.export.targets import TargetOptions, repeat_pieces, select_chosen
from generator.impose.sheet import PlacedFace, SheetPage, SheetSide
from generator.pack.folder import MAX_TEXT_BYTES, PackFolder
from generator.pack.game import Game
from generator.pdf.faces import compile_faces
from generator.pdf.press.pdfx import STANDARDS, PressFile, PressStandard, convert_for_press
from generator.pdf.press.profile import (
    KEY_BLACK,
    PROFILES,
    RICH_BLACK,
    USUAL_PROFILE,
    PressInks,
    load_profile,
)
from generator.picture.face import Face
from generator.picture.items import PlacedPicture
from generator.pipeline.project import Project

# The usual bleed of presses.
BLEED_MM = 3.0
# The resolution of faces with transparency for standards that do not allow it.
FLATTENED_DPI = 600


@dataclass(frozen=True)
class PressPages:
    """The pages of a component: trim size, bleed (mm), and the sides in order.

    None is a blank page.
    """

    component: DrawnComponent
    trim: Size
    bleed: float
    sides: tuple[Face | None, ...]


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a file for each component: each design's faces, then its back if it has one."""
    for component in select_chosen(project):
        sides = tuple(face for design in component.designs for face in design.faces)
        pages = PressPages(component, component.spec.outline.size, BLEED_MM, sides)
        yield from write_pages(project, outbox, pages, STANDARDS["x-4"])


def order_backs_first(designs: Iterable[DrawnDesign]) -> tuple[Face | None, ...]:
    """Return the back and the front of every piece, in this order."""
    return tuple(side for design in repeat_pieces(designs) for side in (design.back, design.front))


def write_pages(
    project: Project, outbox: Outbox, pages: PressPages, standard: PressStandard
) -> Iterator[WrittenFile]:
    """Write a component's file by a PDF/X standard, with notes on its inks."""
    spec = pages.component.spec
    with project.watch.stage("press"), raising_at():
        press_file = make_press_file(project, pages, standard)
    most = f"{spec.title}: at most {press_file.max_total_ink * 100:.0f} % ink in one place"
    over = f", and up to {press_file.max_total_ink * 100 + 100:.0f} % under black text, which overprints its background"
    notices = [most + over if press_file.overprints else most]
    if press_file.spots:
        notices.append(f"{spec.title}: inks of their own: {', '.join(press_file.spots)}")
    if press_file.flattened:
        labels = {side.name: side.label for side in _extend_faces(pages).values()}
        names = ", ".join(dict.fromkeys(labels[name] for name in press_file.flattened))
        notices.append(
            f"{spec.title}: {standard.title} allows no transparency, so these are pixels: {names}"
        )
    path = outbox.write(f"{project.game.stem(spec.id)}.pdf", press_file.data)
    yield WrittenFile(
        path,
        f"{spec.title}: {format_count(len(pages.sides), 'page')}, {standard.title}",
        tuple(notices),
    )


def make_press_file(project: Project, pages: PressPages, standard: PressStandard) -> PressFile:
    """Return the file: imposed as a sheet, then converted to the press's inks."""
    game = project.game
    faces = _extend_faces(pages)
    sheet_pages = [
        _make_page(pages, side and faces[side.name], number)
        for number, side in enumerate(pages.sides, 1)
    ]
    by_name = {face.name: face for face in faces.values()}
    sizes = {name: face.full.size for name, face in by_name.items()}
    compiled = compile_faces(tuple(by_name.values()), game.fonts)
    title = f"{game.name} {game.edition()} – {pages.component.spec.title}"
    plain = project.write_pages(
        sheet_pages, project.document_info(title, "Simplex"), sizes, compiled
    )
    return convert_for_press(
        plain.read(),
        standard,
        choose_inks(project, standard),
        pages.bleed,
        lambda name: project.raster.face(by_name[name], FLATTENED_DPI),
    )


def choose_inks(project: Project, standard: PressStandard) -> PressInks:
    """Return the inks that the command and the pack choose.

    PDF/X-1a, without transparency, has no spot colours.
    """
    options = project.request.get(TargetOptions)
    game = project.game
    spots: dict[tuple[int, ...], str] = (
        {ImageColor.getrgb(colour)[:3]: ink for colour, ink in game.spots}
        if standard.is_modern
        else {}
    )
    return PressInks(
        read_profile(game, options.profile),
        name_profile(game, options.profile),
        black=RICH_BLACK if options.black == "rich" else KEY_BLACK,
        spots=spots,
    )


def name_profile(game: Game, named: str = "") -> str:
    """Return the name by which the user knows the profile of `read_profile`."""
    return named or game.profile or USUAL_PROFILE


def read_profile(game: Game, named: str = "") -> bytes:
    """Return an ICC profile: the one named (built in, or a file), else the pack's, else the default."""
    if named in PROFILES:
        return load_profile(named)
    if named:
        return _read_profile_file(Path(named))
    return PackFolder(game.folder).read(game.profile) if game.profile else load_profile()


def _read_profile_file(path: Path) -> bytes:
    if not path.is_file():
        raise unknown("profile", str(path), PROFILES, place="ours, or a file", kind=Kind.USAGE)
    return read_limited(path, str(path), MAX_TEXT_BYTES)


def _extend_faces(pages: PressPages) -> dict[str, Face]:
    """Return the faces extended to the full bleed, by name."""
    return {side.name: _extend_bleed(side, pages) for side in pages.sides if side}


def _extend_bleed(face: Face, pages: PressPages) -> Face:
    """Return a face centred in the trim.

    If its bleed is too small, an enlarged copy is placed behind the face.
    """
    size = pages.trim
    bleed = pages.bleed
    full = Rect(0, 0, *size).grown(bleed)
    to_centre = Affine(e=(size.w - face.size.w) / 2, f=(size.h - face.size.h) / 2)
    placed = Rect(face.full.x + to_centre.e, face.full.y + to_centre.f, *face.full.size)
    if placed.holds(full):
        return (
            face
            if face.size == size
            else Face((PlacedPicture(face, to_centre),), size, bleed, face.label)
        )
    scale = max(full.w / placed.w, full.h / placed.h)
    x, y = full.centre
    larger = Affine(e=x, f=y) @ Affine(a=scale, d=scale) @ Affine(e=-x, f=-y) @ to_centre
    return Face(
        (PlacedPicture(face, larger), PlacedPicture(face, to_centre)), size, bleed, face.label
    )


def _make_page(pages: PressPages, face: Face | None, number: int) -> SheetPage:
    paper = Size(pages.trim.w + 2 * pages.bleed, pages.trim.h + 2 * pages.bleed)
    trim = Rect(pages.bleed, pages.bleed, *pages.trim)
    ink = Rect(0, 0, *paper)
    faces = (PlacedFace(face.name, face.label, trim, ink),) if face else ()
    return SheetPage(paper, SheetSide(str(number), faces))
