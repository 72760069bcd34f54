"""Format 3: also the other forms of the game, its variants and its languages.

A form has its own texts and the numbers of its pictures, which lie with all others: what looks the same is there once.
All else is as in format 2, and written and read there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict

from generator.core.problems import Wrong
from generator.draw.face import Face
from generator.release.formats import one, two
from generator.release.record import Form, Release


class StoredForm(one.Stored):
    """A variant in a language."""

    variant: str
    language: str
    name: str
    credits: list[str]
    components: list[two.StoredComponent]


class StoredForms(BaseModel):
    """What differs from format 2."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    forms: list[StoredForm]


def write(release: Release) -> dict[str, object]:
    """The release as JSON can hold it."""
    numbers = one.numbers_of(release)
    return {**two.write(release), "forms": [_form(form, numbers) for form in release.forms]}


def _form(form: Form, numbers: Mapping[str, int]) -> dict[str, object]:
    return {
        "variant": form.variant,
        "language": form.language,
        "name": form.name,
        "credits": list(form.credits),
        "components": two.components(form.components, numbers),
    }


def read(data: object) -> Release:
    """The release of what JSON held; raises pydantic's error, or `Wrong`, where it cannot be one."""
    more = StoredForms.model_validate(data)
    if not isinstance(data, Mapping):
        raise TypeError("what pydantic took for a model is a mapping")
    release, faces = two.read_whole({key: value for key, value in data.items() if key != "forms"})
    return replace(release, forms=tuple(_read_form(form, faces, release) for form in more.forms))


def _read_form(stored: StoredForm, faces: Sequence[Face], release: Release) -> Form:
    components = tuple(two.read_component(component, faces) for component in stored.components)
    form = Form(stored.variant, stored.language, stored.name, tuple(stored.credits), components)
    own = [(part.id, design.id, design.count) for part, design in release.designs]
    if own != [(part.id, design.id, design.count) for part in components for design in part.designs]:
        raise Wrong(f"{release.called(form)} has other pieces than the game", "the same designs in every form")
    return form
