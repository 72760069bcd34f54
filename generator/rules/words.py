"""The program's own words, from `words.toml`."""

import tomllib
from functools import cache
from importlib.resources import files

from generator.errors import unknown
from generator.rules.model import Words


@cache
def languages() -> dict[str, Words]:
    """All languages that rules can be set in, by their code."""
    tables = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
    return {code: Words(**words) for code, words in tables.items()}


def words_for(language: str) -> Words:
    """The words of a language; `nl-BE` has those of `nl`."""
    code = language.lower().partition("-")[0]
    if code not in languages():
        raise unknown("language", language, languages(), "generator/rules/words.toml")
    return languages()[code]
