"""What a farm makes, as a file says it: games, in each form, on each paper, for each target, each a job of its own."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path, PurePath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from generator.app.comparing import CompareWish
from generator.app.packs import find_pack
from generator.app.printing import PrintWish
from generator.app.project import Order
from generator.core.paper import PaperWish, wished
from generator.core.problems import PnpError, Reporter, Where, Wrong, placed, unknown
from generator.core.values import folder_digest
from generator.export import EXPORTS
from generator.export.targets import TARGETS, module
from generator.farm.store import Store, store_at
from generator.farm.work import FarmJob
from generator.pack import fields
from generator.pack.folder import PackFolder
from generator.pack.load import MAIN, PackForm
from generator.pack.source import parse
from generator.pack.spec import Several
from generator.pack.validation import read_mended

OUTPUTS = ("sheets", "making", "rules", "booklet", "web", "gallery", "release")
MAX_JOBS = 100_000
"""Jobs of a file: versions, variants, languages, papers and outputs multiply."""
NOW = "now"
"""The version that a pack has; another is one from which a patch is made."""


class FarmSpec(BaseModel):
    """`JOBS.yaml`: what is made of which games, and where it goes."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    store: fields.Text
    source: fields.Text = ""
    games: Several = Field(min_length=1)
    versions: Several = (NOW,)
    papers: Several = ()
    languages: Several = ("",)
    variants: Several = ("",)
    outputs: Several = ("sheets",)
    targets: Several = ()
    minutes: Annotated[fields.Real, Field(gt=0)] = 10.0


@dataclass(frozen=True)
class FarmPlan:
    """All jobs of a file, the store that they go to, and the minutes that each may take."""

    store: str
    jobs: tuple[FarmJob, ...]
    minutes: float


def read_plan(path: Path) -> FarmPlan:
    """The jobs of a file; raises with all that is wrong in it. Folders are meant from where the file lies."""
    where, report = Where(str(path)), Reporter()
    with placed(where):
        root = parse(PackFolder(path.parent).text(path.name), str(path))
    spec = read_mended(root, FarmSpec, None, report)
    report.raise_any()
    if spec is None:
        raise AssertionError("a file that cannot be read has problems")
    for key, known, names in (
        ("outputs", OUTPUTS, spec.outputs),
        ("targets", tuple(TARGETS), spec.targets),
    ):
        for name in names:
            with report.at(root.place((key,)), key):
                if name not in known:
                    raise unknown(key.removesuffix("s"), name, known)
    for name in spec.papers:
        with report.at(root.place(("papers",)), "papers"):
            wished(name)
    source, packs = _from(path, spec.source), dict[str, str]()
    is_far = "://" in source
    for name in spec.games:
        with report.at(root.place(("games",)), f"games: {name}"):
            packs |= _in_store(store_at(source), name) if is_far else _in_folders(Path(source or path.parent), name)
    report.raise_any()
    with placed(root.place(("games",))):
        found = [FarmPack(place, digest, source if is_far else "") for place, digest in packs.items()]
        return FarmPlan(_from(path, spec.store), _all_jobs(spec, found), spec.minutes)


@dataclass(frozen=True)
class FarmPack:
    """A pack by its folder, or its name in the store `source`, with the digest of all that is in it."""

    place: str
    digest: str
    source: str = ""


def _all_jobs(spec: FarmSpec, packs: Sequence[FarmPack]) -> tuple[FarmJob, ...]:
    """Return all jobs of a file, each once; raise `Wrong` if there are too many or two would be called alike."""
    jobs = dict[str, FarmJob]()
    called = _called([pack.place for pack in packs])
    every = ((pack, job) for pack in packs for job in _jobs(spec, called[pack.place], pack))
    for count, (pack, job) in enumerate(every, 1):
        if count > MAX_JOBS:
            raise Wrong(f"these are more than {MAX_JOBS:,} jobs", "fewer forms of fewer games in one file")
        other = jobs.setdefault(job.name, job).order.pack
        if other != pack.place:
            raise Wrong(f"{pack.place} and {other} would both make {job.name}", "folders with other names")
    return tuple(jobs.values())


def _called(packs: Sequence[str]) -> dict[str, str]:
    """What to call each: the end of its way, as short as it can be without being another's too."""
    called = dict.fromkeys(packs, "")
    ends = [(pack, PurePath(pack).parts) for pack in packs]
    for depth in range(1, 1 + max((len(parts) for _, parts in ends), default=0)):
        often = Counter("/".join(parts[-depth:]) for _, parts in ends)
        for pack, parts in ends:
            end = "/".join(parts[-depth:])
            called[pack] = called[pack] or end * (often[end] == 1)
    return called


def _from(path: Path, address: str) -> str:
    return address if "://" in address or not address else str((path.parent / address).absolute())


def _in_folders(base: Path, name: str) -> dict[str, str]:
    """The packs that a name means, with what is in them: a folder, folders by a pattern, or a game of ours."""
    try:
        if any(sign in name for sign in "*?["):
            found = sorted(each for each in base.glob(name) if (each / MAIN).is_file())
        else:
            found = [base / name if (base / name / MAIN).is_file() else _named(name)]
    except (ValueError, NotImplementedError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise Wrong(f"{name[:60]}: {why}", "a pattern such as games/*, from where the file lies") from None
    if not found:
        raise Wrong(f"no pack is called {name}", "folders with a game.yaml")
    return {os.path.normpath(each.absolute()): folder_digest(each) for each in found}


def _named(name: str) -> Path:
    try:
        return find_pack(name)
    except PnpError as error:
        problem = error.problems[0]
        raise Wrong(problem.found, problem.expected, problem.hint, problem.kind) from None


def _in_store(source: Store, name: str) -> dict[str, str]:
    """The same in a store, where a name may be that of a folder of packs (`games/`)."""
    every = [each for each in source.names(name.rstrip("/")) if each.rpartition("/")[2] == MAIN]
    if not every:
        raise Wrong(f"there is no pack {name} in the store", "a folder with a game.yaml, or one of such folders")
    return {pack: _digest_in(source, pack) for pack in (each.rpartition("/")[0] for each in every)}


def _digest_in(source: Store, pack: str) -> str:
    told = sha256()
    for name in source.names(pack):
        told.update(name.encode() + sha256(source.get(name) or b"").digest())
    return told.hexdigest()


def _jobs(spec: FarmSpec, game: str, pack: FarmPack) -> Iterator[FarmJob]:
    place, own = pack.place, (pack.digest, pack.source)
    for variant, language, version in product(spec.variants, spec.languages, spec.versions):
        form = PackForm(variant, language)
        words = [game, *filter(None, (variant, language))]
        if version != NOW:
            wishes: tuple[object, ...] = (PrintWish(papers=_wished(spec.papers)), CompareWish(version))
            yield FarmJob("/".join([*words, f"from-{version}"]), Order(place, form, wishes), ("patch",), *own)
            continue
        plain = not (variant or language)
        for output in spec.outputs:
            if output in EXPORTS and (plain or EXPORTS[output].forms):
                for paper in spec.papers or ("",) if output == "sheets" else ("",):
                    wish = PrintWish(papers=_wished((paper,) if paper else spec.papers))
                    name = "/".join(filter(None, (*words, output, paper)))
                    yield FarmJob(name, Order(place, form, (wish,)), (output,), *own)
        for target in spec.targets:
            yield FarmJob("/".join([*words, target]), Order(place, form), (module(target),), *own)


def _wished(papers: Iterable[str]) -> tuple[PaperWish, ...]:
    return tuple(one for name in papers for one in wished(name))
