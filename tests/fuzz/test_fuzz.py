"""A little of the fuzzer in every run of the tests; set PNP_FUZZ_SECONDS, or call the script, for more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = float(os.environ.get("PNP_FUZZ_SECONDS", "4"))


@pytest.mark.skipif(sys.platform == "win32", reason="cases are timed by a signal")
def test_damaged_files_are_answered_in_words():
    command = [sys.executable, str(Path(__file__).parent / "fuzz.py"), "--seconds", str(SECONDS), "--seed", "7"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS + 120)
    assert result.returncode == 0, result.stdout[-3000:]
    assert json.loads(result.stdout.splitlines()[-1])["cases"] > 10
