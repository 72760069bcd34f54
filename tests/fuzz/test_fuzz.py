"""Run a few cases of the fuzzer in every run of the tests.

Set PNP_FUZZ_SECONDS or run `python -m tests.fuzz` for more.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = os.environ.get("PNP_FUZZ_SECONDS", "")
CASES = 40
"""Number of cases in every run."""


@pytest.mark.skipif(sys.platform == "win32", reason="cases are timed by a signal")
def test_damaged_files_give_results_or_messages_in_every_reader():
    command = [sys.executable, "-m", "tests.fuzz", "--seed", "7"]
    command += ["--seconds", SECONDS] if SECONDS else ["--seconds", "86400", "--cases", str(CASES)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-3000:]
    assert json.loads(result.stdout.splitlines()[-1])["cases"] >= (1 if SECONDS else CASES)
