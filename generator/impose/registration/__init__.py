"""Registration marks for cutting machines: one file a kind, and the table of them."""

from collections.abc import Mapping
from types import MappingProxyType

from generator.core.problems import unknown
from generator.impose.registration import cricut, plain, silhouette
from generator.impose.registration.kind import Registration

KINDS: Mapping[str, Registration] = MappingProxyType(
    {row.name: row for row in (plain.KIND, silhouette.KIND, cricut.KIND)}
)


def registration(name: str) -> Registration:
    """The kind of that name."""
    if name not in KINDS:
        raise unknown("cutter", name, KINDS)
    return KINDS[name]
