"""Steps of a way: each answer is made when it is first asked for, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class StepKeeper(Protocol):
    """Something with steps; `known` holds what was made, by the step's name and what it was asked for."""

    @property
    def known(self) -> dict[tuple[object, ...], Any]:
        """What was made."""
        ...


Owner = TypeVar("Owner", bound=StepKeeper)
Asked = ParamSpec("Asked")
Made = TypeVar("Made")


def step(make: Callable[Concatenate[Owner, Asked], Made]) -> Callable[Concatenate[Owner, Asked], Made]:
    """A method of which each answer is made once; what it is asked for is hashable and has no keywords."""

    @wraps(make)
    def ask(way: Owner, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        key = (make.__name__, *args, *kwargs.items())
        if key not in way.known:
            way.known[key] = make(way, *args, **kwargs)
        made: Made = way.known[key]
        return made

    return ask
