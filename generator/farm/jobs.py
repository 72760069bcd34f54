"""Read a jobs file and list its jobs: each game in each form, on each paper, for each output and target."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path, PurePath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from generator.base.errors import InvalidValueError, PnpError, Reporter, Where, raising_at, unknown
from generator.base.paper import PaperChoice, parse_paper_choices
from generator.base.values import folder_digest
from generator.export import EXPORTS
from generator.export.targets import TARGETS, writer_name
from generator.farm import MAX_MINUTES
from generator.farm.store import Store, open_store
from generator.farm.work import FarmJob
from generator.pack import fields
from generator.pack.folder import GAME_FILE, PackFolder
from generator.pack.game_spec import Several
from generator.pack.load import PackForm
from generator.pack.validation import read_mended
from generator.pack.yaml_nodes import parse_yaml
from generator.pipeline.open_releases import CompareOptions
from generator.pipeline.packs import find_pack
from generator.pipeline.printing import PrintOptions
from generator.pipeline.project import BuildRequest

OUTPUTS = ("sheets", "making", "rules", "booklet", "web", "gallery", "release")
# Versions, variants, languages, papers and outputs multiply: a slip must not fill the memory with
# jobs.
MAX_JOBS = 100_000
# The name in a jobs file of the version in the pack's folder. Other versions are printed as patches.
CURRENT_VERSION = "now"


class FarmSpec(BaseModel):
    """The input model of `JOBS.yaml`: the games to make, their forms and outputs, and the store."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    store: fields.Text
    source: fields.Text = ""
    games: Several = Field(min_length=1)
    versions: Several = (CURRENT_VERSION,)
    papers: Several = ()
    languages: Several = ("",)
    variants: Several = ("",)
    outputs: Several = ("sheets",)
    targets: Several = ()
    minutes: Annotated[fields.Real, Field(gt=0, le=MAX_MINUTES)] = 10.0


@dataclass(frozen=True)
class FarmPlan:
    """All jobs of a file, the address of their store, and the minutes that each job may take."""

    store: str
    jobs: tuple[FarmJob, ...]
    minutes: float


def read_plan(path: Path) -> FarmPlan:
    """Read a jobs file; raise `PnpError` with every mistake in it.

    Relative folders start at the file's own folder.
    """
    where = Where(str(path))
    report = Reporter()
    with raising_at(where):
        root = parse_yaml(PackFolder(path.parent).text(path.name), str(path))
    spec = read_mended(root, FarmSpec, None, report)
    report.raise_any()
    if spec is None:
        raise AssertionError("a file that cannot be read has problems")
    for key, allowed, names in (
        ("outputs", OUTPUTS, spec.outputs),
        ("targets", tuple(TARGETS), spec.targets),
    ):
        for name in names:
            with report.at(root.place((key,)), key):
                if name not in allowed:
                    raise unknown(key.removesuffix("s"), name, allowed)
    for name in spec.papers:
        with report.at(root.place(("papers",)), "papers"):
            parse_paper_choices(name)
    source = _resolve_address(path, spec.source)
    packs = dict[str, str]()
    is_remote = "://" in source
    for name in spec.games:
        with report.at(root.place(("games",)), f"games: {name}"):
            packs |= (
                _find_in_store(open_store(source), name)
                if is_remote
                else _find_in_folders(Path(source or path.parent), name)
            )
    report.raise_any()
    with raising_at(root.place(("games",))):
        jobs = _list_jobs(spec, packs, source if is_remote else "")
        return FarmPlan(_resolve_address(path, spec.store), jobs, spec.minutes)


def _list_jobs(spec: FarmSpec, packs: Mapping[str, str], source: str) -> tuple[FarmJob, ...]:
    """Return all jobs of a file, each once.

    `packs` are the folders of the packs, or their names in the store `source`, with the digests of
    their contents. Raise `InvalidValueError` if there are too many jobs, or if two packs would make
    files of the same name.
    """
    jobs = dict[str, FarmJob]()
    names = _name_packs([*packs])
    jobs_of_packs = (
        (pack, job)
        for pack, digest in packs.items()
        for job in _make_jobs(spec, names[pack], pack, digest, source)
    )
    for count, (pack, job) in enumerate(jobs_of_packs, 1):
        if count > MAX_JOBS:
            raise InvalidValueError(
                f"this file asks for more than {MAX_JOBS:,} jobs",
                "fewer games, forms or outputs in a file",
            )
        other = jobs.setdefault(job.name, job).request.pack
        if other != pack:
            raise InvalidValueError(
                f"{pack} and {other} would both make {job.name}",
                "folders with different names",
            )
    return tuple(jobs.values())


def _name_packs(packs: Sequence[str]) -> dict[str, str]:
    """Return a name for each pack: the shortest end of its path that no other pack shares."""
    names = dict.fromkeys(packs, "")
    ends = [(pack, PurePath(pack).parts) for pack in packs]
    for depth in range(1, 1 + max((len(parts) for _, parts in ends), default=0)):
        counts = Counter("/".join(parts[-depth:]) for _, parts in ends)
        for pack, parts in ends:
            end = "/".join(parts[-depth:])
            names[pack] = names[pack] or end * (counts[end] == 1)
    return names


def _resolve_address(path: Path, address: str) -> str:
    """Return an address unchanged, and a folder as an absolute path, relative to the folder of `path`."""
    return address if "://" in address or not address else str((path.parent / address).absolute())


def _find_in_folders(base: Path, name: str) -> dict[str, str]:
    """Return the packs of a folder, a pattern or a bundled game, by folder with their digests."""
    try:
        if any(sign in name for sign in "*?["):
            folders = sorted(folder for folder in base.glob(name) if (folder / GAME_FILE).is_file())
        else:
            folders = [base / name if (base / name / GAME_FILE).is_file() else _find_bundled(name)]
    except (ValueError, NotImplementedError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidValueError(
            f"{name[:60]}: {why}", "a pattern such as games/*, from where the file lies"
        ) from None
    if not folders:
        raise InvalidValueError(f"no pack is called {name}", "folders with a game.yaml")
    return {os.path.normpath(folder.absolute()): folder_digest(folder) for folder in folders}


def _find_bundled(name: str) -> Path:
    """Return the folder of a bundled game; raise `InvalidValueError` if there is none."""
    try:
        return find_pack(name)
    except PnpError as error:
        problem = error.problems[0]
        raise InvalidValueError(
            problem.found, problem.expected, problem.hint, problem.kind
        ) from None


def _find_in_store(source: Store, name: str) -> dict[str, str]:
    """Return the packs below a name in a store, such as `games/`, with their digests."""
    main_files = [
        name for name in source.names(name.rstrip("/")) if name.rpartition("/")[2] == GAME_FILE
    ]
    if not main_files:
        raise InvalidValueError(
            f"there is no pack {name} in the store",
            "a folder with a game.yaml, or a folder of such folders",
        )
    return {
        pack: _digest_stored_pack(source, pack)
        for pack in (name.rpartition("/")[0] for name in main_files)
    }


def _digest_stored_pack(source: Store, pack: str) -> str:
    """Return the digest of a pack in a store: its file names and contents."""
    digest = sha256()
    for name in source.names(pack):
        digest.update(name.encode() + sha256(source.get(name) or b"").digest())
    return digest.hexdigest()


def _make_jobs(spec: FarmSpec, name: str, pack: str, digest: str, source: str) -> Iterator[FarmJob]:
    """Yield the jobs of a pack: outputs and targets for the current version, patches for older versions.

    `name` begins the names of all jobs; `digest` is that of the pack's contents, and `source` the
    store that it comes from.
    """
    for variant, language, version in product(spec.variants, spec.languages, spec.versions):
        form = PackForm(variant, language)
        words = [name, *filter(None, (variant, language))]
        if version != CURRENT_VERSION:
            options: tuple[object, ...] = (
                PrintOptions(papers=_parse_papers(spec.papers)),
                CompareOptions(version),
            )
            yield FarmJob(
                "/".join([*words, f"from-{version}"]),
                BuildRequest(pack, form, options),
                ("patch",),
                digest,
                source,
            )
            continue
        is_default = not (variant or language)
        for output in spec.outputs:
            if output in EXPORTS and (is_default or EXPORTS[output].has_forms):
                for paper in spec.papers or ("",) if output == "sheets" else ("",):
                    print_options = PrintOptions(
                        papers=_parse_papers((paper,) if paper else spec.papers)
                    )
                    job_name = "/".join(filter(None, (*words, output, paper)))
                    yield FarmJob(
                        job_name,
                        BuildRequest(pack, form, (print_options,)),
                        (output,),
                        digest,
                        source,
                    )
        for target in spec.targets:
            yield FarmJob(
                "/".join([*words, target]),
                BuildRequest(pack, form),
                (writer_name(target),),
                digest,
                source,
            )


def _parse_papers(papers: Iterable[str]) -> tuple[PaperChoice, ...]:
    """Return the papers of all names."""
    return tuple(paper for name in papers for paper in parse_paper_choices(name))
