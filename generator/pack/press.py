"""The part `press:` of `game.yaml`: the profile of a press, and colours of the palette that are inks of their own."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from generator.core.problems import Reporter, unknown
from generator.pack import fields
from generator.pack.folder import PackFolder
from generator.pack.source import Node


class PressSpec(BaseModel):
    """`press:` as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    profile: fields.Text = ""
    spots: dict[str, fields.Text] = {}


def spot_inks(
    spec: PressSpec, pack: PackFolder, root: Node, palette: Mapping[str, str], report: Reporter
) -> tuple[tuple[str, str], ...]:
    """The spot inks by their colours, which are of the palette; what is not there is told."""
    for name in spec.spots:
        with report.at(root.place(("press", "spots", name)), f"press.spots.{name}"):
            if name not in palette:
                raise unknown("colour of the palette", name, palette)
    if spec.profile:
        with report.at(root.place(("press", "profile")), "press.profile"):
            pack.read(spec.profile)
    return tuple((palette[name], ink) for name, ink in spec.spots.items() if name in palette)
