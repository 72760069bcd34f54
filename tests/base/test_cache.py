"""Test the cache: it returns an entry complete or not at all, also from a damaged file."""

import os
import pickle
import re
import sqlite3
import stat
import subprocess
import sys
import tracemalloc
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base import cache as module
from generator.base.cache import (
    DATABASE_FILE,
    NO_CACHE,
    Cache,
    cache_folder,
    clear_cache,
    get_json,
    key_of,
    put_json,
)
from tests.tools.examples import try_times


def put(place, **values):
    with Cache(place) as cache:
        for key, value in values.items():
            cache.put("face", key, value)
    return cache.faults


def entries_and_faults(place, *keys):
    with Cache(place) as cache:
        return [cache.get("face", key) for key in keys], cache.faults


def test_entry_is_read_back_by_next_cache_on_same_folder(tmp_path):
    assert not put(tmp_path / "a" / "b", one=b"1", two=b"", three=b"\0" * 10)
    assert entries_and_faults(tmp_path / "a" / "b", "one", "two", "three", "four") == (
        [b"1", b"", b"\0" * 10, None],
        [],
    )


def test_pending_entry_is_read_back_before_cache_closes(tmp_path):
    with Cache(tmp_path) as cache:
        cache.put("face", "one", b"1")
        assert cache.get("face", "one") == b"1"
        assert cache.get("png", "one") is None


def test_disabled_cache_stores_nothing():
    NO_CACHE.put("face", "one", b"1")
    assert NO_CACHE.get("face", "one") is None


@pytest.mark.parametrize("column", ["data", "hmac", "key", "kind"])
def test_tampered_entry_is_reported_and_not_used(tmp_path, column):
    put(tmp_path, one=b"as it was", two=b"2")
    change = dict.fromkeys(("data", "hmac"), "x'00'").get(column, "'x'")
    with sqlite3.connect(tmp_path / DATABASE_FILE) as file:
        file.execute(f"UPDATE made SET {column} = {change} WHERE key = 'one'")  # noqa: S608 - names from above
    file.close()
    with Cache(tmp_path) as cache:
        kind, key = {"kind": ("x", "one"), "key": ("face", "x")}.get(column, ("face", "one"))
        assert cache.get(kind, key) is None
        assert cache.get("face", "two") == b"2"
    assert len(cache.faults) == 1
    assert "damaged" in cache.faults[0]


@try_times(0.4)
@given(st.floats(0, 1), st.booleans())
def test_damaged_database_gives_stored_entry_or_none(tmp_path_factory, share, cut):
    place = tmp_path_factory.mktemp("cut")
    values = {f"k{n}": bytes([n]) * 3000 for n in range(20)}
    put(place, **values)
    file = place / DATABASE_FILE
    data = file.read_bytes()
    at = int(share * (len(data) - 1))
    file.write_bytes(data[:at] if cut else data[:at] + b"\xff" * 40 + data[at + 40 :])
    entries, _ = entries_and_faults(place, *values)
    assert all(item in (None, value) for item, value in zip(entries, values.values(), strict=True))
    put(place, new=b"after")
    put(place, new=b"after")
    assert entries_and_faults(place, "new")[0] == [b"after"]


def test_foreign_database_file_is_replaced_and_reported(tmp_path):
    (tmp_path / DATABASE_FILE).write_text("not a database, " * 100)
    faults = put(tmp_path, one=b"1")
    assert len(faults) == 1
    assert entries_and_faults(tmp_path, "one") == ([b"1"], [])


@pytest.mark.parametrize("place", ["file/below", "file"])
def test_cache_without_usable_folder_is_reported_and_not_used(tmp_path, place):
    (tmp_path / "file").write_text("in the way")
    faults = put(tmp_path / place, one=b"1")
    assert len(faults) == 1
    assert "the cache is not used" in faults[0]
    assert str(tmp_path / place) in faults[0]


def test_full_disk_loses_only_new_entry(tmp_path, monkeypatch):
    """Limit the database to its current size, as a full disk does."""
    put(tmp_path, one=b"1")
    connect = sqlite3.connect

    def connect_on_full_disk(*args, **options):
        database = connect(*args, **options)
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_on_full_disk)
        with Cache(tmp_path) as cache:
            cache.put("face", "large", os.urandom(100_000))
            assert cache.get("face", "one") == b"1"
    assert len(cache.faults) == 1
    assert "full" in cache.faults[0]
    assert entries_and_faults(tmp_path, "one", "large") == ([b"1", None], [])


def test_cache_stays_within_limit_and_drops_oldest_entries_first(tmp_path, monkeypatch):
    now = [1_000_000]
    monkeypatch.setattr(module.time, "time", lambda: now[0])
    for n in range(30):
        now[0] += 10_000
        with Cache(tmp_path, limit=100_000) as cache:
            cache.get("face", "k0")
            cache.put("face", f"k{n}", os.urandom(9_000))
    entries, _ = entries_and_faults(tmp_path, *(f"k{n}" for n in range(30)))
    cached = [n for n, data in enumerate(entries) if data]
    assert cached[0] == 0, "the entry that is still read stays"
    assert cached[1:] == list(range(cached[1], 30))
    assert (tmp_path / DATABASE_FILE).stat().st_size < 150_000


def test_entry_larger_than_limit_is_not_cached(tmp_path):
    with Cache(tmp_path, limit=1000) as cache:
        cache.put("face", "large", b"x" * 1001)
        cache.put("face", "small", b"x" * 100)
        assert cache.get("face", "large") is None
        assert cache.get("face", "small") == b"x" * 100


def build(place, first):
    for n in range(first, first + 20):
        put(place, **{f"k{n}": bytes([n]) * 1000})


def test_concurrent_builds_cache_entries_of_both(tmp_path):
    starting = get_context("spawn")
    builds = [starting.Process(target=build, args=(tmp_path, first)) for first in (0, 20)]
    for process in builds:
        process.start()
    for process in builds:
        process.join()
        assert process.exitcode == 0
    entries, faults = entries_and_faults(tmp_path, *(f"k{n}" for n in range(40)))
    assert entries == [bytes([n]) * 1000 for n in range(40)]
    assert not faults


def test_clearing_cache_returns_bytes_freed(tmp_path):
    put(tmp_path, one=os.urandom(5000))
    assert clear_cache(tmp_path) > 5000
    assert clear_cache(tmp_path) == 0
    assert entries_and_faults(tmp_path, "one") == ([None], [])


def test_cache_folder_follows_variable_or_platform(tmp_path, monkeypatch):
    monkeypatch.setenv("PNP_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("PNP_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/pnp")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert cache_folder() == Path("/home/me/.cache/pnp")
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == Path("/home/me/Library/Caches/pnp")


def test_cache_keys_differ_if_any_value_or_type_differs():
    assert key_of("a", 1) == key_of("a", 1)
    assert (
        len({key_of("a", 1), key_of("a", 2), key_of("a1"), key_of("a", "1"), key_of(("a", 1))}) == 5
    )


def sealed_by_anybody(kind, key, data):
    """Anyone who can read the program can compute a digest.

    The HMAC's key is only in the settings folder.
    """
    return sha256(b"\0".join((kind.encode(), key.encode(), data))).digest()


@pytest.mark.parametrize("signature", ["digest", "nothing", "of another key", "of another entry"])
def test_entry_with_forged_signature_is_not_used(tmp_path, signature):
    put(tmp_path / "cache", one=b"as it was", two=b"2")
    with Cache(tmp_path / "other", key=b"another key") as other:
        other.put("face", "one", b"forged")
    with sqlite3.connect(tmp_path / "other" / DATABASE_FILE) as file:
        (of_another_key,) = file.execute("SELECT hmac FROM made").fetchone()
    file.close()
    with sqlite3.connect(tmp_path / "cache" / DATABASE_FILE) as file:
        (of_another_entry,) = file.execute("SELECT hmac FROM made WHERE key = 'two'").fetchone()
        forged = {
            "digest": sealed_by_anybody("face", "one", b"forged"),
            "nothing": None,
            "of another key": of_another_key,
            "of another entry": of_another_entry,
        }[signature]
        file.execute("UPDATE made SET data = ?, hmac = ? WHERE key = 'one'", (b"forged", forged))
    file.close()
    entries, faults = entries_and_faults(tmp_path / "cache", "one", "two")
    assert entries == [None, b"2"]
    assert len(faults) == 1


def test_cache_is_readable_by_owner_only_and_key_lies_in_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "settings"))
    before = os.umask(0)
    try:
        put(tmp_path / "cache", one=b"1")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "cache" / DATABASE_FILE).stat().st_mode) == 0o600
    (key,) = (tmp_path / "settings").iterdir()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    assert key.read_bytes() not in (tmp_path / "cache" / DATABASE_FILE).read_bytes()
    key.unlink()
    entries, faults = entries_and_faults(tmp_path / "cache", "one")
    assert entries == [None]
    assert "damaged or changed" in faults[0]


@pytest.mark.skipif(sys.platform == "win32", reason="modes and owners are POSIX's")
@pytest.mark.parametrize("path", ["cache", f"cache/{DATABASE_FILE}", "settings/cache.key"])
@pytest.mark.parametrize(
    ("mode", "message"), [(0o720, "other users"), (0o702, "other users"), (None, "another user")]
)
def test_cache_that_another_user_can_write_is_reported_and_not_used(
    tmp_path, monkeypatch, path, mode, message
):
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "settings"))
    put(tmp_path / "cache", one=b"1")
    if mode is not None:
        (tmp_path / path).chmod(mode)
    elif os.geteuid() == 0:
        os.chown(tmp_path / path, 65534, -1)
    else:  # only root can give files to others: pretend to be another user instead
        owner = os.geteuid() + 1
        monkeypatch.setattr(module.os, "geteuid", lambda: owner)
    before = (tmp_path / "cache" / DATABASE_FILE).read_bytes()
    with Cache(tmp_path / "cache") as cache:
        assert cache.get("face", "one") is None
        cache.put("face", "two", b"2")
    assert len(cache.faults) == 1
    assert "the cache is not used" in cache.faults[0]
    assert message in cache.faults[0]
    assert (tmp_path / "cache" / DATABASE_FILE).read_bytes() == before


@pytest.mark.parametrize("size", [0, 31, 33])
def test_cache_key_of_wrong_length_is_refused(tmp_path, monkeypatch, size):
    monkeypatch.setenv("PNP_CONFIG", str(tmp_path / "settings"))
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "cache.key").write_bytes(b"x" * size)
    (tmp_path / "settings" / "cache.key").chmod(0o600)
    (fault,) = put(tmp_path / "cache", one=b"1")
    assert "holds no key" in fault


def test_oversized_row_is_not_read_into_memory(tmp_path):
    put(tmp_path, one=b"1", two=b"2")
    large = f"zeroblob({module.MAX_ENTRY_BYTES + 1})"
    with sqlite3.connect(tmp_path / DATABASE_FILE) as file:
        file.execute(f"UPDATE made SET data = {large} WHERE key = 'one'")  # noqa: S608 - the number above
    file.close()
    tracemalloc.start()
    entries, faults = entries_and_faults(tmp_path, "one", "two")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert entries == [None, b"2"]
    assert len(faults) == 1
    assert peak < 5_000_000


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TRIGGER t AFTER INSERT ON made BEGIN DELETE FROM made; END",
        "ALTER TABLE made RENAME TO stored; CREATE VIEW made AS SELECT * FROM stored",
    ],
)
def test_database_with_foreign_schema_is_replaced_and_reported(tmp_path, schema):
    put(tmp_path, one=b"1")
    with sqlite3.connect(tmp_path / DATABASE_FILE) as file:
        file.executescript(schema)
    file.close()
    entries, faults = entries_and_faults(tmp_path, "one")
    assert entries == [None]
    assert len(faults) == 1
    put(tmp_path, two=b"2")
    assert entries_and_faults(tmp_path, "two") == ([b"2"], [])


class Evil:
    """Makes a folder when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("evil",)


def test_json_value_is_read_back_as_stored(tmp_path):
    value = {"lines": ["Buizen – 3", 0.1, None, True], "files": {"a.pdf": "0f"}}
    with Cache(tmp_path) as cache:
        put_json(cache, "check", "one", value)
        assert get_json(cache, "check", "one") == value
        assert get_json(cache, "check", "two") is None


@pytest.mark.parametrize("data", [pickle.dumps(Evil()), b"", b"[1,", b"\xff\xfe", b"[" * 100_000])
def test_entry_that_is_not_json_is_a_cache_miss(tmp_path, monkeypatch, data):
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "cache", one=data, two=b"[1, 2]")
    with Cache(tmp_path / "cache") as cache:
        assert get_json(cache, "face", "one") is None
        assert get_json(cache, "face", "two") == [1, 2]
    assert not Path("evil").exists()


BETWEEN_PROCESSES = {"worker.py", "dask_backend.py", "workers.py", "work.py"}
"""These modules pickle calls and jobs for a process that they started, and no data from the disk."""


def test_modules_that_read_cache_never_unpickle():
    package = Path(module.__file__).parents[1]
    sources = {path: path.read_text("utf-8") for path in package.rglob("*.py")}
    importing = re.compile(r"^\s*(?:import|from) (?:pickle|marshal|shelve)\b", re.MULTILINE)
    assert {
        path.name for path, text in sources.items() if importing.search(text)
    } == BETWEEN_PROCESSES
    program = "import sys, generator.base.cache, generator.draw.face_cache; print('pickle' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=package.parent,
    )
    assert result.stdout.strip() == "False"
