"""Run `pnp` as `python -m generator`."""

import atexit
import gc
import sys
from signal import SIGINT

from generator.base.supervise import run_in_child


def main() -> None:
    """Run a command; stopped before it begins, it ends as one that is stopped while it works.

    What is left at the end goes with the process: to look through it for garbage is a tenth of a
    small build.
    """
    code = run_in_child()
    if code is not None:
        sys.exit(code)
    atexit.register(gc.freeze)
    try:
        from generator.cli import main as command

        command()
    except ImportError as error:
        # Without click, no command can report what is missing.
        from generator.base.errors import ExitCode, find_missing_library

        problem = find_missing_library(error)
        if not problem:
            raise
        sys.stderr.write(f"{problem}\n")
        sys.exit(ExitCode.FILE_ERROR)
    except (KeyboardInterrupt, RuntimeError) as error:
        from generator.base.errors import was_stopped

        if not was_stopped(error):
            raise
        sys.stderr.write("stopped\n")
        sys.exit(128 + SIGINT)


if __name__ == "__main__":
    main()
