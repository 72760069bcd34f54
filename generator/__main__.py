"""`python -m generator` does what `pnp` does."""

from generator.cli import main

if __name__ == "__main__":
    main()
