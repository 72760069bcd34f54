"""Print-and-play sheets from plain data: the package behind the command `pnp`."""

__version__ = "0.2.0"
