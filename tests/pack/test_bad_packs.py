"""Build packs with a mistake and compare the messages.

Each folder of `tests/data/bad_packs/` holds the files that differ from a starter pack, and
`expected.txt`: the starter and the exit code in the first line, then the exact message.
"""

import shutil
from pathlib import Path

import pytest

BAD = Path(__file__).parents[1] / "data" / "bad_packs"
CASES = sorted(path.name for path in BAD.iterdir() if path.is_dir())


def test_bad_packs_have_at_least_12_cases():
    assert len(CASES) >= 12


@pytest.mark.parametrize("case", CASES)
def test_bad_pack_is_refused_with_its_message_and_nothing_is_written(case, starter, pnp):
    first, _, message = (BAD / case / "expected.txt").read_text("utf-8").partition("\n")
    kind, code = first.split()
    pack = starter(kind)
    shutil.copytree(
        BAD / case, pack, dirs_exist_ok=True, ignore=shutil.ignore_patterns("expected.txt")
    )
    result = pnp("build", pack)
    assert result.stderr == message
    assert result.exit_code == int(code)
    assert result.stdout == ""
    assert not Path("output").exists()


@pytest.mark.parametrize("kind", ["cards", "tiles"])
def test_starter_without_a_mistake_builds(kind, starter, pnp):
    pack = starter(kind)
    assert pnp("build", pack).exit_code == 0
    assert len(list(Path("output/pack").glob("*-sheets-*.pdf"))) == 2
