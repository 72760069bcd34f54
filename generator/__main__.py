"""`python -m generator` does what `pnp` does."""

import sys
from signal import SIGINT


def main() -> None:
    """Run a command; stopped before it begins, it ends as one that is stopped while it works."""
    try:
        from generator.cli import main as command

        command()
    except (KeyboardInterrupt, RuntimeError) as error:
        from generator.core.problems import was_stopped

        if not was_stopped(error):
            raise
        sys.stderr.write("stopped\n")
        sys.exit(128 + SIGINT)


if __name__ == "__main__":
    main()
