"""Try to load the libraries that pnp uses, in another process: a damaged one may end the process that loads it."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence

SECONDS = 120
"""The time that all libraries may take to load; on a slow disk, the first load of all takes some 10 s."""

MODULES: Mapping[str, str] = {
    "dask": "distributed",
    "fonttools": "fontTools.ttLib",
    "markdown-it-py": "markdown_it",
    "obstore": "obstore.store",
    "pillow": "PIL.Image",
    "pydantic": "pydantic.main",
    "python-calamine": "python_calamine",
    "pyyaml": "yaml",
    "reportlab": "reportlab.pdfgen.canvas",
}
"""The module of each library that loads its compiled parts, if it is not that of the library's name."""

# Prints a line before each module and one after it, so that the module is known at which the process ends.
_PROGRAM = """
import importlib, json, sys
for module in sys.argv[1:]:
    print(json.dumps([module, None]), flush=True)
    try:
        importlib.import_module(module)
        fault = ""
    except BaseException as error:
        fault = f"{type(error).__name__}: {error}"
    print(json.dumps([module, fault]), flush=True)
"""


def find_load_faults(libraries: Iterable[str]) -> dict[str, str]:
    """Return the libraries that cannot be loaded, each with the reason."""
    modules = {MODULES.get(name, name): name for name in libraries}
    waiting = list(modules)
    faults = {}
    while waiting:
        results, reason = _load(waiting)
        for module, fault in results.items():
            if fault is None or fault:
                faults[modules[module]] = fault or reason
        # All of them, or those up to the one at which the process ended.
        waiting = waiting[len(results) :] if results else []
    return faults


def _load(modules: Sequence[str]) -> tuple[dict[str, str | None], str]:
    """Load modules in one process; return the fault of each that was tried, and why the process ended.

    A fault is empty for a module that works, and None for the one at which the process ended.
    """
    # -P: no module of the working folder is taken for a library
    command = [sys.executable, "-P", "-c", _PROGRAM, *modules]
    try:
        done = subprocess.run(  # noqa: S603 - our own Python and program
            command, capture_output=True, timeout=SECONDS, check=False
        )
        output, reason = done.stdout, _describe_end(done.returncode)
    except subprocess.TimeoutExpired as late:
        output, reason = late.stdout or b"", f"it does not load within {SECONDS} s"
    return dict(json.loads(line) for line in output.splitlines() if line.startswith(b"[")), reason


def _describe_end(code: int) -> str:
    return f"it ends Python (exit code {code}): it may be made for another processor or system"
