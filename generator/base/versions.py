"""The libraries whose versions can change the output of pnp, and their installed versions."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

ENGINES = (
    "brotli",
    "cssselect2",
    "ezdxf",
    "fonttools",
    "markdown-it-py",
    "openpyxl",
    "pikepdf",
    "pillow",
    "pydantic",
    "pypdfium2",
    "pyphen",
    "python-calamine",
    "pyyaml",
    "reportlab",
    "resvg",
    "svgwrite",
    "tinycss2",
    "typst",
    "uharfbuzz",
)
"""By their names on the package index.

A test compares them with the dependencies of pyproject.toml.
"""


@cache
def engine_versions() -> Mapping[str, str]:
    """Return the installed version of each engine; "" for one of an extra that is not installed."""
    return MappingProxyType({name: _version(name) for name in ENGINES})


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
