"""The key `press:` of `game.yaml`: the press's ICC profile, and palette colours printed as spot inks."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from generator.core.problems import Reporter, unknown
from generator.pack import fields
from generator.pack.folder import PackFolder
from generator.pack.source import Node


class PressSpec(BaseModel):
    """The key `press:` as written."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    profile: fields.Text = ""
    spots: dict[str, fields.Text] = {}


def spot_inks(
    spec: PressSpec, pack: PackFolder, root: Node, palette: Mapping[str, str], report: Reporter
) -> tuple[tuple[str, str], ...]:
    """Return pairs of colour and ink name; report colours missing from the palette and a missing profile."""
    for name in spec.spots:
        with report.at(root.place(("press", "spots", name)), f"press.spots.{name}"):
            if name not in palette:
                raise unknown("colour of the palette", name, palette)
    if spec.profile:
        with report.at(root.place(("press", "profile")), "press.profile"):
            pack.read(spec.profile)
    return tuple((palette[name], ink) for name, ink in spec.spots.items() if name in palette)
