"""Releases as files: a line that says which format follows, then compressed JSON, then pictures as they are.

The line stands in clear, so that a file from a newer program is told from a damaged one.
"""

import json
import lzma
import re
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO

from pydantic import ValidationError

from generator.core.files import bounded, display
from generator.core.held import BLOCK, Aside, Held
from generator.core.problems import Kind, MissingError, Problem, Where, Wrong, error_of, placed, unknown
from generator.release import formats
from generator.release.record import Release

MARK = b"pnp release, format "
LARGEST = 1_000_000_000
"""Bytes of a file with all its pictures; five games with all their variants have two million together."""
MOST_BYTES = 250_000_000
"""No honest release has more text when it is unpacked."""

_MOST_PAST, _LEAST_PAST = 1 << 24, 1 << 16
"""Bytes of the past that are searched for what comes again, as many as there are."""
_WAY = {"preset": 6, "mf": lzma.MF_HC4, "nice_len": 32}
"""How they are searched: in a third of the time, for a file that is larger by a hundredth."""

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_A_RELEASE = "a file made by `pnp release`"


def to_bytes(release: Release) -> bytes:
    """The file of a release: the same bytes for the same release."""
    return to_file(release).read()


def to_file(release: Release) -> Held:
    """The same, aside: its pictures may be many."""
    told, behind = formats.write(release)
    plain = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    past = min(_MOST_PAST, max(_LEAST_PAST, 1 << len(plain).bit_length()))
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": past, **_WAY}]
    packed = lzma.compress(plain, format=lzma.FORMAT_XZ, check=lzma.CHECK_SHA256, filters=filters)
    head = b"".join((MARK, str(formats.NEWEST).encode(), b"\n", packed))

    def write(file: BinaryIO) -> None:
        file.write(head)
        with behind.stream() as pictures:
            copyfileobj(pictures, file, BLOCK)

    return Aside().made(write)


def read(path: Path) -> Release:
    """The release in a file; raises a `PnpError` that says what is wrong with it."""
    try:
        with placed(Where(display(path))):
            return from_bytes(_bytes(path))
    except OSError as error:
        problem = Problem(Where(display(path)), f"cannot be read: {error.strerror}", _A_RELEASE, kind=Kind.MISSING)
        raise MissingError([problem]) from error


def _bytes(path: Path) -> bytes:
    """What is in a file, when it is a file and no larger than any release is."""
    if path.exists() and not path.is_file():
        raise Wrong("is no file", _A_RELEASE)
    return bounded(path, "it", LARGEST)


def from_bytes(data: bytes) -> Release:
    """The release in the bytes of a file."""
    reader = formats.reader(_format(data))
    try:
        plain, behind = _unpacked(data.partition(b"\n")[2])
        return reader(_told(plain), behind)
    except lzma.LZMAError as error:
        raise _damaged(str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise _damaged(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except (UnicodeError, json.JSONDecodeError, RecursionError) as error:
        raise _damaged("its text cannot be read") from error


def _told(plain: bytes) -> object:
    """What the JSON says; half a character, or a number without end, is none of ours."""
    try:
        data = json.loads(plain)
    except ValueError as error:
        raise _damaged("its text cannot be read") from error
    if _HALF.search(plain):
        json.dumps(data, ensure_ascii=False).encode()
    return data


def _format(data: bytes) -> int:
    line = data[:64].partition(b"\n")[0]
    number = line.removeprefix(MARK)
    if not line.startswith(MARK) or not number.isdigit():
        raise Wrong("is no release", _A_RELEASE)
    return int(number)


def _unpacked(packed: bytes) -> tuple[bytes, bytes]:
    """The text, and what follows it."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=1 << 28)
    plain = unpacker.decompress(packed, MOST_BYTES)
    if len(plain) >= MOST_BYTES:
        raise Wrong(f"holds more than {MOST_BYTES // 1_000_000} MB", _A_RELEASE)
    if not unpacker.eof:
        raise _damaged("its end is missing")
    return plain, unpacker.unused_data


def _damaged(why: str) -> Wrong:
    return Wrong(f"this release is damaged: {why}", _A_RELEASE, "fetch it again, or make it again from the pack")


SUFFIX = ".pnp"

_DIGITS = re.compile(r"(\d+)")


def folder_of(pack: Path) -> Path:
    """Where a pack's releases lie: in the pack, whatever a stranger has put there."""
    folder = pack / "releases"
    if folder.is_symlink():
        raise Wrong(f"{display(pack)}/releases is a link", "a folder in the pack", "name where it leads: -o FOLDER")
    return folder


def file_name(version: str) -> str:
    """The file of a version; what a file's name may not hold becomes a dash."""
    return (re.sub(r"[^\w.-]+", "-", version).strip("-.") or "release") + SUFFIX


def versions(folder: Path) -> list[str]:
    """The versions that lie in a folder, by their files' names, in the order in which people count: 2 before 10."""
    return sorted((path.stem for path in folder.glob(f"*{SUFFIX}")), key=_counted)


def _counted(version: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(version)]


def last_before(folder: Path, version: str) -> str | None:
    """The newest release that is older than a version."""
    older = [name for name in versions(folder) if _counted(name) < _counted(Path(file_name(version)).stem)]
    return older[-1] if older else None


def find(folder: Path, name: str) -> Release:
    """The release of that version, or in the file of that name."""
    direct = Path(name)
    if direct.suffix == SUFFIX and direct.is_file():
        return read(direct)
    if (folder / file_name(name)).is_file():
        return read(folder / file_name(name))
    raise error_of([unknown("release", name, versions(folder), f"{folder.name}/", Kind.MISSING).at(None)])
