"""A job of a farm, and the function that makes its files in a worker process.

The worker writes into a folder of its own. Its caller moves the files into the store.
"""

import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from generator.base.cache import Cache, CacheStore, key_of
from generator.base.errors import PnpError, raising_at
from generator.base.files import Outbox
from generator.base.values import Digester
from generator.draw.draw import FaceKeys, sides_of
from generator.export import write
from generator.farm.store import JobResult, StoredFile
from generator.impose.impose import impose, order_for_stacking
from generator.pack.load import PackForm
from generator.pack.orders import CopyOptions
from generator.pdf.finish import count_pages
from generator.picture.face import SharedFaces
from generator.pipeline.printing import PrintOptions, list_pieces, make_setup
from generator.pipeline.project import BuildRequest, Project


@dataclass(frozen=True)
class FarmJob:
    """A pack and the files to make of it, which go to `store_folder` in the store; empty: a folder of the job's name.

    `digest` is that of the pack's contents; `source` is the store that has the pack, empty for a
    folder of this machine. With `copies`, the files are made for each copy: `grouping` is "order" for sheets of
    each copy, or "sheet" for a single stream for a press.
    """

    name: str
    request: BuildRequest
    outputs: tuple[str, ...]
    digest: str
    source: str = ""
    copies: tuple[tuple[CopyOptions, PackForm], ...] = ()
    grouping: str = "order"
    store_folder: str = ""

    @property
    def key(self) -> str:
        """The fingerprint of everything that the files depend on, without the pack's location."""
        parts = (
            self.name,
            self.request.form,
            self.request.options,
            self.outputs,
            self.copies,
            self.grouping,
            self.store_folder,
        )
        return key_of(self.digest, Digester({}).digest(*parts))

    def with_pack_folder(self, pack: Path) -> "FarmJob":
        """Return the job with the pack in a folder of this machine; its key stays the same."""
        return replace(self, request=replace(self.request, pack=str(pack)))


def run_job(packed_job: bytes, folder: str, cache_folder: str, key: bytes) -> bytes:
    """Make a job's files below a folder; return its result as JSON.

    `cache_folder` is the folder of the cache shared with other jobs; `key` signs the cache's
    entries.
    """
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), folder))
    tempfile.tempdir = folder
    job: FarmJob = pickle.loads(packed_job)  # noqa: S301 - it comes from the process that began this one
    started = time.process_time()
    outcomes = list[StoredFile | str]()
    try:
        with Cache(Path(cache_folder), key=key) as cache:
            outcomes += _make_files(job, Path(folder), cache)
    except PnpError as error:
        outcomes += map(str, error.problems)
    files = tuple(outcome for outcome in outcomes if isinstance(outcome, StoredFile))
    problems = tuple(outcome for outcome in outcomes if isinstance(outcome, str))
    return JobResult(job.name, files, problems, round(time.process_time() - started, 3)).to_json()


def _make_files(job: FarmJob, folder: Path, cache: CacheStore) -> Iterator[StoredFile | str]:
    """Yield the files of a job as they are written, and the problems of single copies."""
    store_folder = job.store_folder or job.name
    if not job.copies:
        yield from _write_outputs(
            Project(job.request, cache=cache), job.outputs, folder, store_folder
        )
        return
    request = replace(job.request, options=(*job.request.options, _find_common_faces(job)))
    requests = {
        copy.id: replace(request, form=replace(form, copy=copy)) for copy, form in job.copies
    }
    if job.grouping == "sheet":
        yield from _write_stream(
            [Project(copy_request, cache=cache) for copy_request in requests.values()],
            folder,
            store_folder,
        )
        return
    for name, copy_request in requests.items():
        try:
            yield from _write_outputs(
                Project(copy_request, cache=cache),
                job.outputs,
                folder,
                f"{store_folder}/{name}",
                name,
            )
        except PnpError as error:
            yield from (f"{name}: {problem}" for problem in error.problems)


def _find_common_faces(job: FarmJob) -> SharedFaces:
    """Return the fingerprints of the game's faces without an order: copies share all that no order changes."""
    try:
        game = Project(replace(job.request, form=job.copies[0][1])).game
    except PnpError:  # some packs are valid only with an order
        return SharedFaces()
    keys = FaceKeys(game)
    pairs = ((component, design) for component in game.components for design in component.designs)
    return SharedFaces(frozenset(keys.key(side) for pair in pairs for side in sides_of(*pair)))


def _write_outputs(
    project: Project, outputs: tuple[str, ...], folder: Path, store_folder: str, copy: str = ""
) -> Iterator[StoredFile]:
    """Write the outputs of a project and yield the files."""
    with Outbox(folder / store_folder) as outbox:
        for _ in write(outputs, project, outbox):
            pass
    yield from _list_files(outbox, store_folder, copy)


def _list_files(outbox: Outbox, store_folder: str, copy: str) -> Iterator[StoredFile]:
    """Yield the files of an outbox with their pages and digests."""
    for name in outbox.names:
        data = (outbox.folder / name).read_bytes()
        pages = count_pages(data) if name.endswith(".pdf") else 0
        yield StoredFile(f"{store_folder}/{name}", copy, pages, sha256(data).hexdigest())


def _write_stream(projects: list[Project], folder: Path, store_folder: str) -> Iterator[StoredFile]:
    """Write the pieces of several copies as a single run of sheets for each paper and component.

    After cutting, the pieces lie in stacks in order of the copies.
    """
    first = projects[0]
    last = projects[-1]
    copy_name = first.game.copy if first is last else f"{first.game.copy} … {last.game.copy}"
    game = replace(first.game, copy=copy_name)
    faces_by_name = {n: face for project in projects for n, face in project.faces.items()}
    with Outbox(folder / store_folder) as outbox, raising_at():
        for paper in first.papers:
            options = first.request.get(PrintOptions)
            setup = make_setup(game, paper.paper, options)
            pieces = [
                piece for project in projects for piece in list_pieces(project.components, options)
            ]
            pieces.sort(key=lambda piece: piece.id.partition(":")[0])
            for component, group in groupby(pieces, key=lambda piece: piece.id.partition(":")[0]):
                imposed = impose(order_for_stacking(list(group), setup), setup)
                used = {
                    face_at.face
                    for part in imposed.parts
                    for page in part.pages
                    for face_at in page.side.placed
                }
                faces = {name: faces_by_name[name] for name in faces_by_name if name in used}
                sheets = Project(
                    first.request, results={("game",): game, ("faces",): faces}, cache=first.cache
                )
                for part in imposed.parts:
                    words = (game.slug, game.version, component, setup.paper.name, part.name)
                    outbox.write(
                        f"{'-'.join(filter(None, words))}.pdf", sheets.write_sheets(imposed, part)
                    )
    yield from _list_files(
        outbox, store_folder, " ".join(project.request.form.copy.id for project in projects)
    )
