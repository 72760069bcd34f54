"""One job of a farm: made and written to the store by one process, and recorded when all of it is there."""

import json
import os
import pickle
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.app.printing import PrintWish, pieces, setup
from generator.app.project import Order, Project
from generator.core.cache import key_of
from generator.core.files import Outbox
from generator.core.problems import PnpError, placed
from generator.export import write
from generator.farm.store import Store, fetched, store_at
from generator.impose.cutstack import stacked
from generator.impose.lay import impose
from generator.pack.load import PackForm
from generator.pack.orders import CopyWish
from generator.pdf.tidy import pages_in

RECORDS = "records"
"""The folder of the store with a record of every job that is done."""


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
        """Of all that its files depend on."""
        told = (self.name, self.order.form, self.order.wishes, self.outputs, self.copies, self.by, self.under)
        return key_of(self.digest, pickle.dumps(told).hex())


@dataclass(frozen=True)
class DoneFile:
    """A file that is in the store: whose copy it is (if it is one's own), its pages, and its digest."""

    name: str
    copy: str
    pages: int
    digest: str


@dataclass(frozen=True)
class DoneJob:
    """What became of a job: its files, or what is wrong; `fresh` if it was made now."""

    job: str
    files: tuple[DoneFile, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    fresh: bool = True

    def packed(self) -> bytes:
        """As it goes from one process to another, and into the store."""
        rows = [[file.name, file.copy, file.pages, file.digest] for file in self.files]
        return json.dumps({"job": self.job, "files": rows, "problems": self.problems, "seconds": self.seconds}).encode()


def unpacked(data: bytes) -> DoneJob:
    """The same again."""
    told = json.loads(data)
    files = tuple(DoneFile(*row) for row in told["files"])
    return DoneJob(told["job"], files, tuple(told["problems"]), told["seconds"])


def done_before(job: FarmJob, store: Store) -> DoneJob | None:
    """What a store has of a job, if all of it is there and is what it was."""
    record = store.get(_record(job))
    if record is None:
        return None
    try:
        found = unpacked(record)
    except (ValueError, KeyError, TypeError):
        return None
    if not all(_digest(store.get(file.name)) == file.digest for file in found.files):
        return None
    return replace(found, fresh=False)


def run(packed_job: bytes, address: str, temporary: str) -> bytes:
    """Make a job and write its files to a store; what is wrong with its pack is an answer too."""
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), temporary))
    job: FarmJob = pickle.loads(packed_job)  # noqa: S301 - it comes from the process that began this one
    store, begun = store_at(address), time.monotonic()
    try:
        files = tuple(_stored(job, store, Path(temporary)))
    except PnpError as error:
        return DoneJob(job.name, problems=tuple(str(problem) for problem in error.problems)).packed()
    done = DoneJob(job.name, files, seconds=round(time.monotonic() - begun, 3))
    store.put(_record(job), replace(done, seconds=0.0).packed())
    return done.packed()


def _record(job: FarmJob) -> str:
    return f"{RECORDS}/{job.key}.json"


def _stored(job: FarmJob, store: Store, temporary: Path) -> Iterator[DoneFile]:
    with TemporaryDirectory(dir=temporary) as folder:
        for copy, name, data in _made(_here(job, Path(folder)), Path(folder) / "made"):
            full = f"{job.under or job.name}/{name}"
            store.put(full, data)
            yield DoneFile(full, copy, _pages(name, data), _digest(data))


def _here(job: FarmJob, folder: Path) -> FarmJob:
    """The job with its pack in a folder of this machine."""
    if not job.source:
        return job
    with placed():
        pack = fetched(store_at(job.source), job.order.pack, folder)
    return replace(job, order=replace(job.order, pack=str(pack)))


def _made(job: FarmJob, folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """The files of a job: whose each is, its name, what is in it."""
    if not job.copies:
        yield from (("", name, data) for name, data in _outputs(Project(job.order), job.outputs, folder))
        return
    shelf = MemoryShelf()
    projects = {
        copy.id: Project(replace(job.order, form=replace(form, copy=copy)), kept=shelf) for copy, form in job.copies
    }
    if job.by == "sheet":
        yield from (("", name, data) for name, data in _stream([*projects.values()]))
        return
    for copy, project in projects.items():
        for name, data in _outputs(project, job.outputs, folder):
            yield copy, f"{copy}/{name}", data


def _outputs(project: Project, names: Sequence[str], folder: Path) -> Iterator[tuple[str, bytes]]:
    with Outbox(folder) as outbox:
        for _ in write(names, project, outbox):
            pass
    for name in outbox.names:
        yield name, (folder / name).read_bytes()
    shutil.rmtree(folder)


def _stream(projects: Sequence[Project]) -> Iterator[tuple[str, bytes]]:
    """The pieces of several copies as one stream of sheets a paper and component, which is in stacks once it is cut."""
    first, game = projects[0], replace(projects[0].game, copy="")
    every = {name: face for project in projects for name, face in project.faces.items()}
    for paper in first.papers:
        with placed():
            wish = first.order.wish(PrintWish)
            how = setup(game, paper, wish)
            wanted = [piece for project in projects for piece in pieces(project.drawn, wish)]
            wanted.sort(key=lambda piece: piece.id.partition(":")[0])
            for component, group in groupby(wanted, key=lambda piece: piece.id.partition(":")[0]):
                laid = impose(stacked(list(group), how), how)
                used = {face_at.face for part in laid.parts for page in part.pages for face_at in page.side.placed}
                faces = {name: every[name] for name in every if name in used}
                sheets = Project(first.order, known={("game",): game, ("faces",): faces}, kept=first.kept)
                for part in laid.parts:
                    words = (game.slug, game.version, component, how.paper.name, part.name)
                    yield f"{'-'.join(filter(None, words))}.pdf", sheets.sheets_pdf(laid, part)


@dataclass
class MemoryShelf:
    """What was made for one copy and is as it was for the next; it is let go of with the job."""

    _kept: dict[tuple[str, str], bytes] = field(default_factory=dict)

    def get(self, kind: str, key: str) -> bytes | None:
        """What was made before."""
        return self._kept.get((kind, key))

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep it for the next copy."""
        self._kept[kind, key] = data


def _pages(name: str, data: bytes) -> int:
    return pages_in(data) if name.endswith(".pdf") else 0


def _digest(data: bytes | None) -> str:
    return sha256(data).hexdigest() if data is not None else ""


def told_files(done: Mapping[str, DoneJob]) -> Iterator[DoneFile]:
    """All files of all jobs, in the order of their names."""
    yield from (file for name in sorted(done) for file in done[name].files)
