"""The only module that knows the order of the stages."""

from dataclasses import dataclass, field
from pathlib import Path

from generator import __version__
from generator.draw.draw import DrawnComponent, draw_game
from generator.draw.face import Face
from generator.draw.layers import LAYERS
from generator.draw.links.caps import CAPS
from generator.draw.links.patterns import PATTERNS
from generator.errors import Kind, Problem, Wrong, raise_any, unknown
from generator.files import Outbox
from generator.impose import duplex, marks
from generator.impose.lay import impose
from generator.impose.paper import paper, papers
from generator.impose.setup import Caption, Margins, Setup
from generator.impose.sheet import Job, Piece
from generator.pack.game import Game
from generator.pack.load import MAIN, Vocabulary, Wish, load
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.graft import About, finish
from generator.pdf.sheets import lay_sheets
from generator.places import bundled
from generator.timing import Watch

NOTE_FONT = "Alegreya Sans"
"""The family of footers and rulers."""


@dataclass(frozen=True)
class PrintWish:
    """How to lay out sheets where the command says so; what is none is left to the pack. The margin in mm."""

    papers: tuple[str, ...] = ()
    duplex: str | None = None
    marks: str | None = None
    margin: float | None = None


@dataclass(frozen=True)
class Drawn:
    """A game with all its faces."""

    game: Game
    components: tuple[DrawnComponent, ...]

    @property
    def faces(self) -> dict[str, Face]:
        """Each picture once, by name."""
        return {face.name: face for component in self.components for face in component.faces}


@dataclass
class Press:
    """Prints one drawn game on as many papers as are wanted; faces are compiled once for all."""

    drawn: Drawn
    watch: Watch
    _pages: tuple[FacePages, ...] = field(default=())

    def job(self, paper_name: str, wish: PrintWish) -> Job:
        """The sheets for one paper."""
        with self.watch.stage("impose"):
            try:
                return impose(pieces(self.drawn), setup(self.drawn.game, paper_name, wish))
            except Wrong as wrong:
                raise_any([wrong.at(None)])
                raise

    def pdf(self, job: Job) -> bytes:
        """The file of a job."""
        game, faces = self.drawn.game, self.drawn.faces
        if not self._pages:
            with self.watch.stage("faces", len(faces)) as tick:
                self._pages = compile_faces(tuple(faces.values()), game.fonts, tick)
        with self.watch.stage("pdf"):
            laid = lay_sheets(job.sheets, faces, game.fonts.find(NOTE_FONT))
            return finish(laid, self._pages, _about(game, job))


def vocabulary() -> Vocabulary:
    """The tables by which a pack's names are checked."""
    tables = {
        "pattern": tuple(PATTERNS),
        "cap": tuple(CAPS),
        "paper": tuple(row.name for row in papers()),
        "duplex": tuple(duplex.MODES),
        "marks": tuple(marks.STYLES),
    }
    return Vocabulary(LAYERS, tables)


def packs() -> dict[str, Path]:
    """The packs that come with the program, by name."""
    folder = bundled("templates")
    return {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{MAIN}"))}


def find_pack(name: str) -> Path:
    """A pack's folder: by its path, or by the name of one that comes with the program."""
    path = Path(name)
    if (path / MAIN).is_file() or (path.name == MAIN and path.is_file()):
        return path.parent if path.name == MAIN else path
    if name in packs():
        return packs()[name]
    if path.is_dir():
        wrong = Wrong(f"no {MAIN} in {name}", "a pack: a folder with a game.yaml", kind=Kind.MISSING)
    else:
        near = unknown("game", name, packs(), kind=Kind.MISSING)
        wrong = Wrong(near.found, f"a pack's folder, or {near.expected}", near.hint, Kind.MISSING)
    raise_any([wrong.at(None)])
    raise wrong


def draw(name: str, wish: Wish, watch: Watch) -> Drawn:
    """Load a pack and draw all its faces."""
    with watch.stage("load"):
        game = load(find_pack(name), vocabulary(), wish)
    with watch.stage("draw", sum(len(component.designs) for component in game.components)) as tick:
        return Drawn(game, draw_game(game, tick))


def pieces(drawn: Drawn) -> list[Piece]:
    """The pieces to print, component by component."""
    return [
        Piece(
            id=f"{component.spec.id}:{design.id}",
            component=component.spec.title,
            size=component.spec.shape.size,
            bleed=component.spec.bleed,
            front=design.front.name,
            back=design.back.name if design.back else None,
            gutter=component.spec.gutter,
            grid=component.spec.grid,
        )
        for component in drawn.components
        for design in component.designs
        for _ in range(design.count)
    ]


def setup(game: Game, paper_name: str, wish: PrintWish) -> Setup:
    """How to lay out, from the command's wishes and the pack's."""
    margin = game.print.margin if wish.margin is None else wish.margin
    return Setup(
        paper=paper(paper_name),
        margins=Margins.even(margin),
        duplex=wish.duplex or game.print.duplex,
        marks=wish.marks or game.print.marks,
        caption=Caption(game.name, game.version),
    )


def write_sheets(press: Press, wish: PrintWish, outbox: Outbox) -> list[tuple[Path, Job]]:
    """The sheets of a game on every paper that is wanted."""
    game = press.drawn.game
    written = []
    for name in wish.papers or game.print.papers:
        job = press.job(name, wish)
        if not job.sheets:
            raise_any([Problem(None, f"{game.name}: there is nothing to print", "a design with a count above 0")])
        data = press.pdf(job)
        written.append((outbox.write(f"{game.slug}-{game.version}-sheets-{paper(name).name}.pdf", data), job))
    return written


def _about(game: Game, job: Job) -> About:
    sides = [side.label for sheet in job.sheets for side in (sheet.front, sheet.back) if side]
    return About(
        title=f"{game.name} {game.version} – sheets",
        language=game.language,
        credits=", ".join(game.credits),
        producer=f"pnp {__version__}",
        duplex=job.duplex,
        labels=tuple(sides),
    )
