"""The only module that knows the order of the stages."""

from dataclasses import dataclass, field
from pathlib import Path

from generator import __version__
from generator.board.section import BoardSection
from generator.core.files import Outbox
from generator.core.places import bundled
from generator.core.problems import Kind, Wrong, error_of, fail, placed, unknown
from generator.core.timing import Watch
from generator.core.words import words_for
from generator.draw.draw import DrawnComponent, draw_game
from generator.draw.face import Face
from generator.draw.layers import LAYERS
from generator.draw.links.caps import CAPS
from generator.draw.links.patterns import PATTERNS
from generator.impose import duplex
from generator.impose.lay import impose, impose_packed
from generator.impose.marks.styles import STYLES
from generator.impose.paper import ORIENTATIONS, papers
from generator.impose.sheet import Job, Part
from generator.jobs.cutting import write_cuts
from generator.jobs.illustrating import illustrated
from generator.jobs.publishing import Published, rules_of
from generator.jobs.publishing import write_rules as publish
from generator.jobs.wishes import MAKES, PrintWish, pieces, setup, shared
from generator.pack.game import Game
from generator.pack.load import MAIN, Vocabulary, Wish, load
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.graft import About, finish
from generator.pdf.sheets import lay_sheets

NOTE_FONT = "Alegreya Sans"
"""The family of footers and rulers."""


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
        with self.watch.stage("impose"), placed():
            lay = impose_packed if shared(self.drawn.game, wish) else impose
            return lay(pieces(self.drawn.components, wish), setup(self.drawn.game, paper_name, wish))

    def pdf(self, job: Job, part: Part) -> bytes:
        """One of the files of a job."""
        game, faces = self.drawn.game, self.drawn.faces
        if not self._pages:
            with self.watch.stage("faces", len(faces)) as tick:
                self._pages = compile_faces(tuple(faces.values()), game.fonts, tick)
        with self.watch.stage("pdf"):
            laid = lay_sheets(part.pages, faces, game.fonts.find(NOTE_FONT))
            return finish(laid, self._pages, _about(game, job, part))


def vocabulary() -> Vocabulary:
    """The tables by which a pack's names are checked."""
    tables = {
        "pattern": tuple(PATTERNS),
        "cap": tuple(CAPS),
        "paper": tuple(row.name for row in papers()),
        "duplex": tuple(duplex.MODES),
        "marks": tuple(STYLES),
        "orientation": ORIENTATIONS,
        "make": tuple(MAKES),
    }
    faces = {name: make.faces for name, make in MAKES.items() if make.faces}
    return Vocabulary(LAYERS, tables, BoardSection, faces)


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
    raise error_of([wrong.at(None)])


def draw(name: str, wish: Wish, watch: Watch) -> Drawn:
    """Load a pack and draw all its faces."""
    with watch.stage("load"):
        game = load(find_pack(name), vocabulary(), wish)
    with watch.stage("draw", sum(len(component.designs) for component in game.components)) as tick:
        return Drawn(game, draw_game(game, tick))


def write_sheets(press: Press, wish: PrintWish, outbox: Outbox) -> list[tuple[Path, Job | None]]:
    """The sheets of a game on every paper that is wanted, each with its job, and what helps to cut them, without."""
    game = press.drawn.game
    written: list[tuple[Path, Job | None]] = []
    for name in wish.papers or game.print.papers:
        job = press.job(name, wish)
        if not job.sheets:
            fail(None, f"{game.name}: there is nothing to print", "a design with a count above 0")
        stem = f"{game.stem('sheets')}-{setup(game, name, wish).paper.name}"
        for part in job.parts:
            file = f"{stem}-{part.name}.pdf" if part.name else f"{stem}.pdf"
            written.append((outbox.write(file, press.pdf(job, part)), job))
        written += [(path, None) for path in write_cuts(game, setup(game, name, wish), wish, job, outbox)]
    return written


def write_rules(drawn: Drawn, watch: Watch, outbox: Outbox) -> list[Published]:
    """The rules of a game with the figures that they show, when the game has rules."""
    with watch.stage("figures"):
        figures = illustrated(drawn.game, drawn.components)
    return publish(drawn.game, drawn.components, figures, watch, outbox)


def check_rules(drawn: Drawn, watch: Watch) -> str:
    """Read the rules and check what their figures claim; gives a line on them, empty where a game has neither."""
    game = drawn.game
    with watch.stage("figures"):
        figures = illustrated(game, drawn.components)
    if game.rules is None:
        return ""
    with watch.stage("rules"):
        rules = rules_of(game, game.rules, drawn.components, figures)
    shown = f"{len(figures)} figure{'' if len(figures) == 1 else 's'}, and all that they claim holds"
    return f"{rules.title}: {shown if figures else 'no figures'}"


def need_rules(drawn: Drawn) -> None:
    """Refuse a game that has no rules."""
    if drawn.game.rules is None:
        fail(None, f"{drawn.game.name} has no rules", "`rules: {file: rules.md}` in its game.yaml")


def _about(game: Game, job: Job, part: Part) -> About:
    return About(
        title=f"{game.name} {game.edition()} – {words_for(game.language).sheet.sheets}",
        language=game.language,
        credits=", ".join(game.credits),
        producer=f"pnp {__version__}",
        duplex=job.duplex,
        labels=tuple(page.side.label for page in part.pages),
    )
