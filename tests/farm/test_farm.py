"""Test the farm: its jobs, a faulty pack among others, and the same bytes from every worker."""

import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from generator.base.errors import InvalidValueError
from generator.base.steps import Pace
from generator.base.worker import PICTURE_MEMORY, Worker
from generator.farm.jobs import read_plan
from generator.farm.store import (
    FolderStore,
    check_name,
    find_stored_result,
    open_store,
    parse_result,
)
from generator.farm.workers import FarmLimits, run_locally
from tests.tools.make_pack import make

ROOT = Path(__file__).parents[2]


@pytest.fixture
def farm_folder(tmp_path):
    for name, tint in (("one", "red"), ("two", "blue"), ("three", "lime")):
        make(tmp_path / "packs" / name, f"- fill: {tint}\n", more="print: {paper: [a4]}")
    make(tmp_path / "packs" / "wrong", "- fil: red\n")
    return tmp_path


def plan(folder: Path, text: str) -> Path:
    path = folder / "jobs.yaml"
    path.write_text("store: made\n" + text)
    return path


def digests_by_name(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name[0] != ".")
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files
    }


def test_plan_has_a_job_for_each_game_output_paper_and_target(farm_folder):
    path = plan(
        farm_folder,
        "games: [packs/o*, packs/two]\npapers: [a4, letter]\ntargets: [virtual-table]\noutputs: [sheets, gallery]\n",
    )
    names = [job.name for job in read_plan(path).jobs]
    assert names == [
        f"{game}/{rest}"
        for game in ("one", "two")
        for rest in ("sheets/a4", "sheets/letter", "gallery", "virtual-table")
    ]
    assert len({job.key for job in read_plan(path).jobs}) == len(names)


def test_shards_divide_all_jobs_between_them(farm_folder, pnp):
    path = plan(farm_folder, "games: [packs/one, packs/two, packs/three]\npapers: [a4]\n")
    for part in ("1/2", "2/2"):
        result = pnp("farm", path, "--shard", part, "--jobs", "1")
        assert result.exit_code == 0, result.output
    assert len(list((farm_folder / "made").rglob("*.pdf"))) == 3
    assert (farm_folder / "made/manifest-1-of-2.csv").is_file()


@pytest.mark.parametrize("part", ["3/2", "0/2", "2", "a/b", f"1/{'9' * 5000}"])
def test_invalid_shard_is_refused(part, farm_folder, pnp):
    path = plan(farm_folder, "games: [packs/one]\npapers: [a4]\n")
    result = pnp("farm", path, "--shard", part)
    assert result.exit_code == 2, result.output
    assert "is not a part" in result.output


def test_invalid_pack_fails_its_own_job_only(farm_folder, pnp):
    path = plan(farm_folder, "games: [packs/wrong, packs/one]\npapers: [a4]\n")
    result = pnp("farm", path, "--keep-going", "--jobs", "1")
    assert result.exit_code == 3
    assert "wrong/sheets/a4: " in result.output
    assert "unknown layer 'fil'" in result.output
    assert "2 jobs: 1 built, 1 failed" in result.output
    assert [
        p.relative_to(farm_folder / "made").as_posix()
        for p in (farm_folder / "made").rglob("*.pdf")
    ] == ["one/sheets/a4/one-1-sheets-a4.pdf"]
    more = plan(
        farm_folder,
        "games: [packs/wrong, packs/two, packs/three, packs/one]\npapers: [a4, letter]\n",
    )
    second_result = pnp("farm", more, "--jobs", "1")
    assert re.search("[1-9] not started", second_result.output), (
        "jobs that have not started are not run"
    )


def test_job_beyond_its_time_limit_is_stopped(farm_folder, pnp):
    path = plan(farm_folder, "games: [packs/one]\npapers: [a4]\nminutes: 0.00005\n")
    result = pnp("farm", path, "--jobs", "1")
    assert result.exit_code == 3
    assert "stopped: it takes more than 0 seconds" in result.output
    assert not list((farm_folder / "made").rglob("*.pdf"))


MANY = list(range(300))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("games: []\n", "games: nothing is given here"),
        ("games: [hydrsa]\n", "unknown game 'hydrsa'"),
        ("games: [nothing/*]\n", "no pack is called nothing/*"),
        (f"games: [{'a' * 300}/*]\n", f"{'a' * 60}: File name too long"),
        (f"games: [{'a' * 300}]\n", f"{'a' * 60}: File name too long"),
        ("games: [hydras]\noutputs: [sheet]\n", "unknown output 'sheet'"),
        ("games: [hydras]\ntargets: [presss]\n", "unknown target 'presss'"),
        ("games: [hydras]\npaper: [a4]\n", "unknown key 'paper'"),
        ("games: [hydras]\npapers: [a44]\n", "unknown paper 'a44'"),
        ("games: [hydras]\nminutes: 0\n", "minutes: input should be greater than 0"),
        ("games: [hydras]\nminutes: 1e300\n", "minutes"),
        (
            f"games: [hydras]\nversions: {MANY}\nvariants: {MANY}\nlanguages: {MANY[:100]}\n",
            "more than 100,000 jobs",
        ),
    ],
)
def test_invalid_plan_is_refused(text, message, tmp_path, pnp):
    result = pnp("farm", plan(tmp_path, text))
    assert result.exit_code in {3, 5}, result.output
    assert message in result.output
    assert "jobs.yaml" in result.output


def test_output_is_same_with_one_worker_two_workers_and_killed_workers(farm_folder):
    path = plan(farm_folder, "games: [packs/one, packs/two, packs/three]\npapers: [a4, letter]\n")
    jobs = read_plan(path).jobs

    def run_jobs(name, workers):
        list(run_locally(jobs, str(farm_folder / name), FarmLimits(60, workers)))
        return digests_by_name(farm_folder / name)

    one = run_jobs("one-worker", 1)
    two = run_jobs("two-workers", 2)
    assert one == two
    assert len(one) == 12, "six files and their records"
    stop = threading.Event()
    killer = threading.Thread(target=_kill_children, args=(stop,))
    killer.start()
    results = list(run_locally(jobs, str(farm_folder / "killed"), FarmLimits(60, 2)))
    stop.set()
    killer.join()
    later_results = list(run_locally(jobs, str(farm_folder / "killed"), FarmLimits(60, 2)))
    assert not any(item.problems for item in later_results)
    assert len(results) == len(later_results) == 6
    assert digests_by_name(farm_folder / "killed") == one
    assert not list((farm_folder / "killed").rglob("*.part"))


def _kill_children(stop):
    """Kill the worker processes three times while they work."""
    for _ in range(3):
        if stop.wait(0.2):
            return
        for process in children(os.getpid(), b"generator.base.worker"):
            with suppress(ProcessLookupError):  # the worker has ended
                os.kill(process, signal.SIGKILL)


def children(parent, words):
    """Yield the process ids of a parent's children whose command line contains some words."""
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            stat = (place / "stat").read_text().rsplit(")", 1)[1].split()
            if int(stat[1]) == parent and words in (place / "cmdline").read_bytes():
                yield int(place.name)


def test_file_changed_in_the_store_is_built_again(farm_folder):
    path = plan(farm_folder, "games: [packs/one]\npapers: [a4]\n")
    (job,) = read_plan(path).jobs
    store = FolderStore(farm_folder / "made")
    list(run_locally([job], str(farm_folder / "made"), FarmLimits(60, 1)))
    stored = find_stored_result(job.key, store)
    assert stored is not None
    before = digests_by_name(farm_folder / "made")
    store.put(stored.files[0].name, b"something else")
    assert find_stored_result(job.key, store) is None
    (farm_folder / "made" / f"records/{job.key}.json").write_text("{")
    assert find_stored_result(job.key, store) is None
    (fresh,) = run_locally([job], str(farm_folder / "made"), FarmLimits(60, 1))
    assert fresh.is_fresh
    assert digests_by_name(farm_folder / "made") == before


FOREIGN = {
    "no object": [],
    "another object": {"job": "x"},
    "a name that leads out": {
        "job": "x",
        "files": [["../x", "", 1, "x"]],
        "problems": [],
        "seconds": 0,
    },
    "a name of another kind": {
        "job": "x",
        "files": [[5, "", 1, "x"]],
        "problems": [],
        "seconds": 0,
    },
    "a name with half a character": {
        "job": "x",
        "files": [["\ud800", "", 1, "x"]],
        "problems": [],
        "seconds": 0,
    },
    "pages in words": {"job": "x", "files": [["x", "", "many", "x"]], "problems": [], "seconds": 0},
    "another problem": {"job": "x", "files": [], "problems": [{}], "seconds": 0},
    "another time": {"job": "x", "files": [], "problems": [], "seconds": "long"},
    "another job's name": {"job": ["x"], "files": [], "problems": [], "seconds": 0},
}


@pytest.mark.parametrize("name", ["../far.pdf", "/far.pdf", "a\\\\b.pdf"])
def test_result_with_a_file_outside_the_store_is_refused(name):
    file = f'{{"name": "{name}", "copy": "", "pages": 1, "digest": ""}}'
    result = f'{{"job": "deck", "files": [{file}], "problems": []}}'
    with pytest.raises(InvalidValueError, match="is not a valid file name"):
        parse_result(result.encode())


def test_foreign_records_in_the_store_are_replaced(farm_folder):
    """Give each job of a plan another record that no pnp wrote."""
    records = [*(json.dumps(item) for item in FOREIGN.values()), "[" * 100_000, "\xff", "NaN"]
    path = plan(
        farm_folder,
        "games: [packs/one, packs/two, packs/three]\npapers: [a3, a4, letter, legal]\n",
    )
    jobs = read_plan(path).jobs
    store = FolderStore(farm_folder / "made")
    for job, record in zip(jobs, records, strict=True):
        place = farm_folder / "made" / f"records/{job.key}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(record.encode("latin-1"))
        assert find_stored_result(job.key, store) is None, record[:50]
    results = list(run_locally(jobs, str(farm_folder / "made"), FarmLimits(60, 1)))
    assert len(results) == len(records)
    assert all(result.is_fresh and not result.problems for result in results)
    assert all(find_stored_result(job.key, store) is not None for job in jobs)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "a\\b", "a\0b"])
def test_name_that_leads_out_of_the_store_is_refused(name, tmp_path):
    with pytest.raises(Exception, match="is not a valid file name"):
        check_name(name)
    with pytest.raises(Exception, match="is not a valid file name"):
        open_store(str(tmp_path)).put(name, b"")


def test_packs_are_read_from_a_store(farm_folder, pnp):
    path = farm_folder / "jobs.yaml"
    path.write_text("store: made\nsource: packs\ngames: [one, two]\npapers: [a4]\n")
    result = pnp("farm", path, "--jobs", "1")
    assert result.exit_code == 0, result.output
    direct = plan(farm_folder, "games: [packs/one, packs/two]\npapers: [a4]\n")
    direct.write_text(direct.read_text().replace("store: made", "store: direct"))
    assert pnp("farm", direct, "--jobs", "1").exit_code == 0
    pdfs = [
        {n: d for n, d in digests_by_name(farm_folder / item).items() if n.endswith(".pdf")}
        for item in ("made", "direct")
    ]
    assert pdfs[0] == pdfs[1]


def test_jobs_of_packs_with_one_name_are_named_by_their_folders(tmp_path, pnp):
    for name, tint in (("a/deck", "red"), ("b/deck", "blue"), ("b/other", "lime")):
        make(tmp_path / name, f"- fill: {tint}\n", more="print: {paper: [a4]}")
    path = plan(tmp_path, "games: [a/*, b/*, a/deck]\n")
    assert [job.name for job in read_plan(path).jobs] == [
        "a/deck/sheets",
        "b/deck/sheets",
        "other/sheets",
    ]
    make(tmp_path / "c/a/deck", more="variants: {b: {}}")
    make(tmp_path / "c/b", more="print: {paper: [a4]}\nvariants: {deck: {}}")
    conflicting = plan(tmp_path, "games: [a/deck, b/deck, c/b]\nvariants: ['', deck]\n")
    result = pnp("farm", conflicting)
    assert result.exit_code == 3
    assert "would both make b/deck/sheets" in result.output


def test_link_out_of_a_pack_is_refused_for_packs_from_a_store(farm_folder, pnp):
    secret = farm_folder / "secret.svg"
    secret.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    pack = make(
        farm_folder / "packs/linked",
        "- svg: art/x.svg\n  box: [3, 3, 20, 20]\n",
        files={"art/y.svg": "<svg/>"},
    )
    (pack / "art/x.svg").symlink_to(secret)
    path = farm_folder / "jobs.yaml"
    path.write_text("store: made\nsource: packs\ngames: [linked]\n")
    result = pnp("farm", path, "--jobs", "1")
    assert result.exit_code == 3
    assert "'art/x.svg' leads out of the pack's folder" in result.output
    assert f"{farm_folder}/packs/linked/layouts/front.yaml:1" in result.output, (
        "the message has the absolute path"
    )


def test_job_key_does_not_depend_on_folder_or_process(farm_folder):
    (job,) = read_plan(plan(farm_folder, "games: [packs/one]\npapers: [a4]\n")).jobs
    assert (
        pickle.loads(pickle.dumps(job)).key  # noqa: S301
        == job.key
        == job.with_pack_folder(farm_folder / "elsewhere").key
    )
    code = "import sys; from pathlib import Path; from generator.farm.jobs import read_plan\n"
    code += "print(read_plan(Path(sys.argv[1])).jobs[0].key)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    call = [sys.executable, "-c", code, str(farm_folder / "jobs.yaml")]
    assert (
        subprocess.run(
            call, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()
        == job.key
    )


def test_unreachable_store_is_reported(farm_folder, pnp, monkeypatch):
    monkeypatch.setattr("generator.farm.store.MAX_ATTEMPTS", 1)
    for name, value in {
        "ENDPOINT_URL": "http://127.0.0.1:9",
        "ALLOW_HTTP": "true",
        "REGION": "x",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "any")
    path = farm_folder / "jobs.yaml"
    path.write_text("store: s3://games/made\ngames: [packs/one]\n")
    result = pnp("farm", path, "--jobs", "1")
    assert result.exit_code == 5, result.output
    assert "the store s3://games/made: " in result.output
    assert "expected a store that this machine can reach and write to" in result.output


def offline() -> bytes:
    try:
        socket.socket()
    except PermissionError:
        return b"refused"
    return b"open"


def environment() -> bytes:
    return os.environ.get("AWS_SECRET_ACCESS_KEY", "none").encode()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such filter")
def test_jobs_run_without_network_and_without_credentials(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    # With this unusual limit no worker is reused, so the worker starts with this environment.
    with Worker(20, memory=PICTURE_MEMORY + 1) as worker:
        assert worker.run(offline) == b"refused"
        assert worker.run(environment) == b"none"


def test_remaining_time_follows_pace_of_latest_jobs():
    now = iter(range(0, 100_000, 30))
    pace = Pace(lambda: next(now))
    assert pace.left(0, 100) == ""
    assert pace.left(1, 100) == ", about 99 min left"
    for count in range(2, 100):
        remaining = pace.left(count, 100)
    assert remaining == ", about 30 s left"
    assert pace.left(100, 100) == ""
    assert pace.left(101, 1101) == ", about 8.4 h left"
