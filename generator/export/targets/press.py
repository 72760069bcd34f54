"""A press: a PDF a component, a face a page with its bleed, in the press's inks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageColor

from generator.app.project import Project
from generator.core.files import Outbox, bounded
from generator.core.fonts import NOTE_FONT
from generator.core.geometry import Affine, Rect, Size
from generator.core.problems import Kind, placed, unknown
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.export import Written
from generator.export.targets import TargetWish, each_piece, wanted
from generator.impose.sheet import PlacedFace, SheetPage, SheetSide
from generator.pack.folder import MAX_TEXT_BYTES, PackFolder
from generator.pack.game import Game
from generator.pdf.faces import compile_faces
from generator.pdf.press.inks import KEY, PROFILES, RICH, PressInks, own_profile
from generator.pdf.press.standard import STANDARDS, Pressed, PressStandard, press
from generator.pdf.sheets import LaidPages, write_sheets
from generator.picture.face import Face
from generator.picture.items import PlacedPicture

BLEED = 3.0
DPI = 600
"""mm of bleed on a press's pages; the pixels an inch of what must become pixels."""


@dataclass(frozen=True)
class PressPages:
    """What is on the pages of a component: the trim, the bleed round it (mm), and the sides in order; none is blank."""

    component: DrawnComponent
    trim: Size
    bleed: float
    sides: tuple[Face | None, ...]


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """A file for each component: each design's face, then its back where it has one."""
    for component in wanted(project):
        sides = tuple(face for design in component.designs for face in design.faces)
        pages = PressPages(component, component.spec.outline.size, BLEED, sides)
        yield from write_pages(project, outbox, pages, STANDARDS["x-4"])


def backs_first(designs: Iterable[DrawnDesign]) -> tuple[Face | None, ...]:
    """A back, then its face, for every piece."""
    return tuple(side for design in each_piece(designs) for side in (design.back, design.front))


def write_pages(project: Project, outbox: Outbox, pages: PressPages, standard: PressStandard) -> Iterator[Written]:
    """The file of a component by a standard, with what should be known of it."""
    spec = pages.component.spec
    with project.watch.stage("press"), placed():
        made = pressed(project, pages, standard)
    most = f"{spec.title}: at most {made.heaviest * 100:.0f} % ink in one place"
    over = f", and up to {made.heaviest * 100 + 100:.0f} % under black text, which prints over what it lies on"
    notices = [most + over if made.overprints else most]
    if made.spots:
        notices.append(f"{spec.title}: inks of their own: {', '.join(made.spots)}")
    if made.flattened:
        labels = {side.name: side.label for side in _faces(pages).values()}
        told = ", ".join(dict.fromkeys(labels[name] for name in made.flattened))
        notices.append(f"{spec.title}: {standard.title} allows no transparency, so these are pixels: {told}")
    path = outbox.write(f"{project.game.stem(spec.id)}.pdf", made.data)
    yield Written(path, f"{spec.title}: {len(pages.sides)} pages, {standard.title}", tuple(notices))


def pressed(project: Project, pages: PressPages, standard: PressStandard) -> Pressed:
    """The file: laid out as any sheet is, then told in inks."""
    game = project.game
    faces = _faces(pages)
    laid = [_page(pages, side and faces[side.name], nth) for nth, side in enumerate(pages.sides, 1)]
    by_name = {face.name: face for face in faces.values()}
    compiled = compile_faces(tuple(by_name.values()), game.fonts)
    title = f"{game.name} {game.edition()} – {pages.component.spec.title}"
    about = project.about(title, "Simplex", tuple(page.side.label for page in laid))
    plain = write_sheets(LaidPages(laid, by_name, game.fonts.find(NOTE_FONT)), compiled, about).read()
    return press(
        plain, standard, inks(project, standard), pages.bleed, lambda name: project.raster.face(by_name[name], DPI)
    )


def inks(project: Project, standard: PressStandard) -> PressInks:
    """What the command and the pack say of inks; spot colours go to presses that take what is transparent too."""
    wish = project.order.wish(TargetWish)
    told = project.game
    spots: dict[tuple[int, ...], str] = (
        {ImageColor.getrgb(colour)[:3]: ink for colour, ink in told.spots} if standard.modern else {}
    )
    return PressInks(profile_for(project.game, wish.profile), black=RICH if wish.black == "rich" else KEY, spots=spots)


def profile_for(game: Game, named: str = "") -> bytes:
    """The profile that the command names, one of ours or a file; else the pack's own, else ours."""
    if named in PROFILES:
        return own_profile(named)
    if named:
        return _profile_file(Path(named))
    return PackFolder(game.folder).read(game.profile) if game.profile else own_profile()


def _profile_file(path: Path) -> bytes:
    if not path.is_file():
        raise unknown("profile", str(path), PROFILES, place="ours, or a file", kind=Kind.MISSING)
    return bounded(path, str(path), MAX_TEXT_BYTES)


def _faces(pages: PressPages) -> dict[str, Face]:
    """Every face with all of the bleed that is wanted, by the name of what is drawn."""
    return {side.name: _grown(side, pages) for side in pages.sides if side}


def _grown(face: Face, pages: PressPages) -> Face:
    """A face in the middle of a trim; where its own bleed is too small, a larger copy of it lies below."""
    size = pages.trim
    bleed = pages.bleed
    full = Rect(0, 0, *size).grown(bleed)
    off = Affine(e=(size.w - face.size.w) / 2, f=(size.h - face.size.h) / 2)
    there = Rect(face.full.x + off.e, face.full.y + off.f, *face.full.size)
    if there.holds(full):
        return face if face.size == size else Face((PlacedPicture(face, off),), size, bleed, face.label)
    scale = max(full.w / there.w, full.h / there.h)
    x, y = full.centre
    larger = Affine(e=x, f=y) @ Affine(a=scale, d=scale) @ Affine(e=-x, f=-y) @ off
    return Face((PlacedPicture(face, larger), PlacedPicture(face, off)), size, bleed, face.label)


def _page(pages: PressPages, face: Face | None, nth: int) -> SheetPage:
    paper = Size(pages.trim.w + 2 * pages.bleed, pages.trim.h + 2 * pages.bleed)
    trim = Rect(pages.bleed, pages.bleed, *pages.trim)
    ink = Rect(0, 0, *paper)
    shown = (PlacedFace(face.name, face.label, trim, ink),) if face else ()
    return SheetPage(paper, SheetSide(str(nth), shown))
