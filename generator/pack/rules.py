"""The key `rules:` of `game.yaml`: the file, its translations, and the booklet's design."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from generator.core.problems import Kind, Reporter, Wrong, unknown
from generator.core.values import Frozen
from generator.pack import fields
from generator.pack.folder import PackFolder
from generator.pack.game import Asset, RulesSettings
from generator.pack.source import Node
from generator.pack.style import Style

HEADINGS = ("heading", "title")
"""Styles for headings if the pack names none; the first that the pack defines is used."""

DEFAULT_HEADING = Style(font="Alegreya SC", weight=700, colour="#2b2622")


class ThemeSpec(BaseModel):
    """The key `theme:` as written: colours and art of a booklet."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)
    page: fields.Colour | None = None
    band: fields.Colour | None = None
    box: fields.Colour | None = None
    title: fields.Colour | None = None
    numerals: fields.Colour | None = None
    initial: fields.Colour | None = None
    frame: fields.Line = None
    behind: fields.AssetField | None = None
    head: fields.AssetField | None = None
    foot: fields.AssetField | None = None
    first: fields.AssetField | None = None
    back: fields.AssetField | None = None
    rule: fields.AssetField | None = None
    mark: fields.AssetField | None = None
    numeral: fields.AssetField | None = None
    bullet: fields.AssetField | None = None

    def art(self) -> Frozen[str, Asset]:
        """Return the art by its place in the booklet."""
        return Frozen({name: asset for name, asset in self if isinstance(asset, Asset)})

    def colours(self) -> Frozen[str, str]:
        """Return the colours by the part that they colour."""
        return Frozen({name: colour for name, colour in self if isinstance(colour, str) and colour != "none"})


class RulesSpec(BaseModel):
    """The key `rules:` as written."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)
    file: fields.Text = "rules.md"
    cover: fields.Text | None = None
    heading: fields.Text | None = None
    accent: fields.Colour | None = None
    columns: Annotated[Literal["1", "2"], BeforeValidator(str)] = "2"
    theme: ThemeSpec = Field(default_factory=ThemeSpec)


@dataclass(frozen=True)
class RulesPlace:
    """The context of `rules:`; `language` is empty for the pack's own language."""

    folder: PackFolder
    node: Node
    styles: Mapping[str, Style]
    language: str
    report: Reporter

    def settings(self, spec: RulesSpec) -> RulesSettings | None:
        """Return the settings with every name resolved; None if a problem was reported."""
        with self.report.at(self.node.where, "rules"):
            name = translated_name(spec.file, self.language)
            self._check_file(name, spec.file)
            heading = self._heading_style(spec.heading)
            accent = spec.accent or heading.colour
            theme = spec.theme.art(), spec.theme.colours(), spec.theme.frame
            return RulesSettings(name, heading, accent, int(spec.columns), spec.cover or "", *theme)
        return None

    def _check_file(self, name: str, own: str) -> None:
        if not (self.folder.root / name).is_file() and self.language:
            known = ["the pack's own", *self.folder.languages(own)]
            raise Wrong(f"no rules in {self.language!r}", f"{name}; there are: {', '.join(known)}", kind=Kind.MISSING)
        self.folder.asset(name)

    def _heading_style(self, name: str | None) -> Style:
        if name is not None and name not in self.styles:
            raise unknown("style", name, self.styles)
        found = (self.styles[key] for key in ((name,) if name else HEADINGS) if key in self.styles)
        return next(found, DEFAULT_HEADING)


def translated_name(file: str, language: str) -> str:
    """Return the file name of a translation: `rules.nl.md` for `rules.md`."""
    path = PurePosixPath(file)
    return path.with_suffix(f".{language}{path.suffix}").as_posix() if language else file
