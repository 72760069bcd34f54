"""One job of a farm: made by one process in a folder of its own, and put into the store by the one that began it."""

import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from generator.app.printing import PrintWish, pieces, setup
from generator.app.project import Order, Project
from generator.core.cache import Cache, Kept, key_of
from generator.core.files import Outbox
from generator.core.problems import PnpError, placed
from generator.core.values import Digester
from generator.draw.sides import FaceKeys, sides_of
from generator.export import write
from generator.farm.record import DoneFile, DoneJob
from generator.impose.lay import impose
from generator.impose.packing import order_for_stacking
from generator.pack.load import PackForm
from generator.pack.orders import CopyWish
from generator.pdf.faces import InCommon
from generator.pdf.finish import count_pages

ROOM = 100_000_000
"""Bytes of what was made for copies, in which the next ones look for what they have in common with them."""


@dataclass(frozen=True)
class FarmJob:
    """What is made of one pack; its files go `under` a name in the store, or its own.

    `digest` is of all that is in the pack; `source` is the store that it is brought from, where it lies in no folder.
    With `copies`, it is made for each of them; `by` says whether as sheets of its own or as one stream for a press.
    """

    name: str
    order: Order
    outputs: tuple[str, ...]
    digest: str
    source: str = ""
    copies: tuple[tuple[CopyWish, PackForm], ...] = ()
    by: str = "order"
    under: str = ""

    @property
    def key(self) -> str:
        """Of all that its files depend on; where the pack lies is none of it."""
        told = (self.name, self.order.form, self.order.wishes, self.outputs, self.copies, self.by, self.under)
        return key_of(self.digest, Digester({}).digest(*told))

    def at(self, pack: Path) -> "FarmJob":
        """The same with the pack in a folder of this machine; it is still the same job."""
        return replace(self, order=replace(self.order, pack=str(pack)))


def run(packed_job: bytes, folder: str, kept: str, key: bytes) -> bytes:
    """Make a job's files below a folder; return them, or what is wrong with its pack.

    `kept` is the folder of the cache that this job shares with others, and `key` signs the cache's entries.
    """
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), folder))
    tempfile.tempdir = folder
    job: FarmJob = pickle.loads(packed_job)  # noqa: S301 - it comes from the process that began this one
    begun, found = time.process_time(), list[DoneFile | str]()
    try:
        with Cache(Path(kept), key=key) as cache:
            found += _made(job, Path(folder), cache)
    except PnpError as error:
        found += map(str, error.problems)
    files = tuple(each for each in found if isinstance(each, DoneFile))
    problems = tuple(each for each in found if isinstance(each, str))
    return DoneJob(job.name, files, problems, round(time.process_time() - begun, 3)).packed()


def _made(job: FarmJob, folder: Path, kept: Kept) -> Iterator[DoneFile | str]:
    """The files of a job, each as it is there; with what is wrong with single copies."""
    under = job.under or job.name
    if not job.copies:
        yield from _written(Project(job.order, kept=kept), job.outputs, folder, under)
        return
    shelf = CopyShelf(kept)
    order = replace(job.order, wishes=(*job.order.wishes, _in_common(job)))
    forms = {copy.id: replace(order, form=replace(form, copy=copy)) for copy, form in job.copies}
    if job.by == "sheet":
        yield from _stream([Project(each, kept=shelf) for each in forms.values()], folder, under)
        return
    for name, own in forms.items():
        try:
            yield from _written(Project(own, kept=shelf), job.outputs, folder, f"{under}/{name}", name)
        except PnpError as error:
            yield from (f"{name}: {problem}" for problem in error.problems)


def _in_common(job: FarmJob) -> InCommon:
    """The keys of all faces as the game itself has them: what no order touches has the same."""
    try:
        game = Project(replace(job.order, form=job.copies[0][1])).game
    except PnpError:  # a pack may be one only with an order
        return InCommon()
    keys = FaceKeys(game)
    every = ((component, design) for component in game.components for design in component.designs)
    return InCommon(frozenset(keys.key(side) for both in every for side in sides_of(*both)))


def _written(
    project: Project, outputs: tuple[str, ...], folder: Path, under: str, copy: str = ""
) -> Iterator[DoneFile]:
    with Outbox(folder / under) as outbox:
        for _ in write(outputs, project, outbox):
            pass
    yield from _told(outbox, under, copy)


def _told(outbox: Outbox, under: str, copy: str) -> Iterator[DoneFile]:
    for name in outbox.names:
        data = (outbox.folder / name).read_bytes()
        pages = count_pages(data) if name.endswith(".pdf") else 0
        yield DoneFile(f"{under}/{name}", copy, pages, sha256(data).hexdigest())


def _stream(projects: list[Project], folder: Path, under: str) -> Iterator[DoneFile]:
    """The pieces of several copies as one stream of sheets a paper and component, which is in stacks once it is cut."""
    first, last = projects[0], projects[-1]
    called = first.game.copy if first is last else f"{first.game.copy} … {last.game.copy}"
    game, every = replace(first.game, copy=called), {n: face for each in projects for n, face in each.faces.items()}
    with Outbox(folder / under) as outbox, placed():
        for paper in first.papers:
            wish = first.order.wish(PrintWish)
            how = setup(game, paper.paper, wish)
            wanted = [piece for project in projects for piece in pieces(project.drawn, wish)]
            wanted.sort(key=lambda piece: piece.id.partition(":")[0])
            for component, group in groupby(wanted, key=lambda piece: piece.id.partition(":")[0]):
                laid = impose(order_for_stacking(list(group), how), how)
                used = {face_at.face for part in laid.parts for page in part.pages for face_at in page.side.placed}
                faces = {name: every[name] for name in every if name in used}
                sheets = Project(first.order, known={("game",): game, ("faces",): faces}, kept=first.kept)
                for part in laid.parts:
                    words = (game.slug, game.version, component, how.paper.name, part.name)
                    outbox.write(f"{'-'.join(filter(None, words))}.pdf", sheets.sheets_pdf(laid, part))
    yield from _told(outbox, under, " ".join(project.order.form.copy.id for project in projects))


@dataclass
class CopyShelf:
    """What was made for one copy and is as it was for the next; what two have in common is kept for other jobs too."""

    below: Kept
    room: int = ROOM
    _kept: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _common: set[tuple[str, str]] = field(default_factory=set)
    _held: int = 0

    def get(self, kind: str, key: str) -> bytes | None:
        """What was made before."""
        data = self._kept.get((kind, key))
        if data is None:
            return self.below.get(kind, key)
        if (kind, key) not in self._common:
            self._common.add((kind, key))
            self.below.put(kind, key, data)
        return data

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep it for the next copy; what was kept for longest goes where there is no room."""
        self._kept[kind, key] = data
        self._held += len(data)
        while self._held > self.room:
            self._held -= len(self._kept.pop(next(iter(self._kept))))
