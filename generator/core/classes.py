"""Dataclasses whose methods are written when they are first called.

Python's own writes and compiles six methods of a frozen class while its module is imported, a quarter of a millisecond
in all. A command imports some hundred and fifty such classes and calls a third of their methods, so that took more than
a tenth of a small build. Here a class has its fields at once, and in place of each method one that writes it, puts it
into the class and calls it: from the second call on it is as quick as Python's, whose functions (`replace`, `fields`,
`asdict`) know no difference. Only `__dataclass_params__` does: it tells what Python itself wrote.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Method = Callable[..., Any]

EQUAL = {"__eq__": "=="}
ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(made=None, /, *, frozen=False, eq=True, order=False, slots=False):  # noqa: ANN001, ANN201 - mypy sees Python's
        """What Python's does; methods that a class has of its own stay."""

        def give(bare: type) -> type:
            own = set(vars(bare)) - {"__hash__" if vars(bare).get("__hash__") is None else ""}
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(bare)
            for name, method in _methods(made, frozen=frozen, eq=eq, order=order, slots=slots):
                if name not in own:
                    setattr(made, name, method)
            return made

        return give if made is None else give(made)


def _methods(made: type, *, frozen: bool, eq: bool, order: bool, slots: bool) -> Iterator[tuple[str, Method | None]]:
    """The methods of a class, by their names; what can be changed has no hash."""
    yield "__init__", _later(made, "__init__", _frozen_init if frozen else _init)
    yield "__repr__", _repr
    for name in (*(EQUAL if eq else ()), *(ORDER if order else ())):
        yield name, _later(made, name, _comparison)
    if eq:
        yield "__hash__", _later(made, "__hash__", _hash) if frozen else None
    if frozen:
        yield from (("__setattr__", _refuse_setting), ("__delattr__", _refuse_deleting))
    if frozen and slots:
        yield from (("__getstate__", _state), ("__setstate__", _take_state))


def _later(made: type, name: str, write: Callable[[type, str], Method]) -> Method:
    """A method that writes the true one when it is first called; that two threads do so at once does no harm."""

    def first(self: object, *args: Any, **kwargs: Any) -> Any:
        method = write(made, name)
        setattr(made, name, method)
        return method(self, *args, **kwargs)

    return first


def _written(made: type, name: str, parameters: Iterable[str], lines: Iterable[str], **known: object) -> Method:
    """A method of these lines, which know what is `known`."""
    exec(f"def {name}({', '.join(parameters)}):\n  " + "\n  ".join(lines), known)  # noqa: S102 - of fields' names alone
    method: Any = known[name]
    method.__qualname__ = f"{made.__qualname__}.{name}"
    return method  # type: ignore[no-any-return]


def _init(made: type, name: str) -> Method:
    return _filling(made, name, "self.{0} = {1}")


def _frozen_init(made: type, name: str) -> Method:
    return _filling(made, name, "_set(self, {0!r}, {1})")


def _filling(made: type, name: str, line: str) -> Method:
    """What takes a value for each field, in a line of its own; a factory is called where none is given."""
    values, named, lines = ["self"], ["*"], []
    known: dict[str, object] = {"_set": object.__setattr__, "_missing": MISSING}
    for field in fields(made):
        usual = f"_{field.name}_usual"
        made_anew = field.default_factory is not MISSING
        known[usual] = field.default_factory if made_anew else field.default
        has_usual = known[usual] is not MISSING
        if field.init:
            ending = "=_missing" if made_anew else f"={usual}" if has_usual else ""
            (named if field.kw_only else values).append(field.name + ending)
            value = f"{usual}() if {field.name} is _missing else {field.name}" if made_anew else field.name
        else:
            value = f"{usual}()" if made_anew else usual
        if field.init or has_usual:
            lines.append(line.format(field.name, value))
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    return _written(made, name, values + named * (len(named) > 1), lines or ["pass"], **known)


def _comparison(made: type, name: str) -> Method:
    """`==` and its like, between two of just this class."""
    names = [field.name for field in fields(made) if field.compare]
    compared = f"{_tuple('self', names)} {(EQUAL | ORDER)[name]} {_tuple('other', names)}"
    lines = ["if other.__class__ is self.__class__:", f"  return {compared}", "return NotImplemented"]
    return _written(made, name, ("self", "other"), lines)


def _hash(made: type, name: str) -> Method:
    names = [field.name for field in fields(made) if (field.compare if field.hash is None else field.hash)]
    return _written(made, name, ("self",), [f"return hash({_tuple('self', names)})"])


def _tuple(whose: str, names: Iterable[str]) -> str:
    """The values of some fields, as Python writes them: `(self.x, self.y, )`."""
    return f"({''.join(f'{whose}.{name}, ' for name in names)})"


@recursive_repr()
def _repr(self: Any) -> str:
    told = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(told)})"


def _refuse_setting(self: object, name: str, value: object) -> None:  # noqa: ARG001 - Python's signature
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    """What is pickled where there is no `__dict__`."""
    return [getattr(self, field.name) for field in fields(self)]


def _take_state(self: Any, state: Iterable[object]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
