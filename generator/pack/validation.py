"""Report mistakes in a pack's files: pydantic's errors as problems with places, and slips in tables.

`read_mended` reports the errors of a model, repairs them by example values and goes on, so that one
run reports the mistakes of all files. The loader never returns a repaired game: it raises the
problems.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from generator.base.errors import InvalidValueError, Problem, Reporter, Where
from generator.pack.foreign_notations import KEYS, VALUES, nearest_or
from generator.pack.game import Layer
from generator.pack.yaml_nodes import Node

BRITISH_BY_AMERICAN = {"color": "colour", "gray": "grey", "center": "centre"}


def respelled(name: str, names: Collection[str]) -> str:
    """Return the spelling of a name that is known; the name itself if neither spelling is."""
    if name in names:
        return name
    for american, british in BRITISH_BY_AMERICAN.items():
        for other in (name.replace(american, british), name.replace(british, american)):
            if other in names:
                return other
    return name


def respell(node: Node, annotation: Any) -> Node:
    """Return a node with the keys and listed values of a type, such as a model, in the spelling of that type."""
    kinds = list(_alternatives(annotation))
    if isinstance(node.value, dict):
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                return _respell_model(node, kind)
            if _is_generic(kind, Mapping) and len(get_args(kind)) == 2:
                item = get_args(kind)[1]
                return replace(
                    node, value={key: respell(value, item) for key, value in node.value.items()}
                )
    elif isinstance(node.value, list):
        for kind in kinds:
            if _is_generic(kind, Sequence) and get_args(kind):
                item = get_args(kind)[0]
                return replace(node, value=[respell(value, item) for value in node.value])
    elif isinstance(node.value, str):
        return replace(node, value=respelled(node.value, list(_listed_values(kinds))))
    return node


def _respell_model(node: Node, model: type[BaseModel]) -> Node:
    """Return a mapping with the keys of a model or, where a key names the kind, of the model's subclasses."""
    annotations = {
        field.alias or name: field.annotation
        for kind in (*model.__subclasses__(), model)
        for name, field in kind.model_fields.items()
    }
    values = {}
    keys = {}
    entries = node.value if isinstance(node.value, dict) else {}
    for key, value in entries.items():
        spelling = respelled(key, annotations)
        if spelling in entries:
            spelling = key  # both spellings are given: the other one is reported as unknown
        values[spelling] = respell(value, annotations.get(spelling))
        if key in node.keys:
            keys[spelling] = node.keys[key]
    return replace(node, value=values, keys=keys)


def _alternatives(annotation: Any) -> Iterator[Any]:
    """Yield the members of a union, without their validators."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for member in get_args(annotation):
            yield from _alternatives(member)
    else:
        yield annotation


def _is_generic(kind: Any, base: type) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, base)


def _listed_values(kinds: Sequence[Any]) -> Iterator[str]:
    for kind in kinds:
        if get_origin(kind) is Literal:
            yield from (value for value in get_args(kind) if isinstance(value, str))
        elif isinstance(kind, type) and issubclass(kind, Enum):
            yield from (str(member.value) for member in kind)


COUNT_SYNONYMS = frozenset(
    {
        "count",
        "counts",
        "qty",
        "quantity",
        "copies",
        "amount",
        "anzahl",
        "aantal",
        "number of copies",
    }
)
"""Usual names of the column `count` in other programs and languages."""
_FORMULA = re.compile(r"=\s*[A-Z]+(?:\$?\d|[A-Z.]*\()")
"""The beginning of a formula: a cell such as `=A2`, or a function such as `=SUM(`."""
_SPREADSHEET_ERROR = re.compile(
    r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|NULL!|SPILL!|CALC!|ERROR!)|Err:\d{3}"
)
_DOLLAR_NAME = re.compile(r"(?<![\\$])\$([A-Za-z_]\w*)")
_MISDECODED = re.compile(
    "[\u00c2\u00c3\u00e2][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122\u20ac]"
)
"""Character pairs that appear when UTF-8 is decoded as Windows-1252: é becomes Ã©."""


def check_head(where: Where, columns: Sequence[str], report: Reporter) -> None:
    """Report a column of counts that is not called `count`.

    Otherwise each piece would be made once.
    """
    for column in columns:
        if column != "count" and column.lower() in COUNT_SYNONYMS and "count" not in columns:
            hint = "if it means something else, rename it, for example to `stock`"
            report.add_problem(
                where,
                f"the column {column!r} is not read as the number of pieces",
                "the name `count`",
                hint,
            )


class UnresolvedNameError(InvalidValueError):
    """The error for a `$name` in a cell, which is printed as written."""


class MisdecodedTextError(InvalidValueError):
    """The error for UTF-8 text that a program decoded as Windows-1252."""


def find_cell_mistake(cell: str, columns: Collection[str]) -> InvalidValueError | None:
    """Return the error for a cell that would be printed by mistake; None if the cell is fine."""
    if ("#" in cell or cell.startswith("Err")) and _SPREADSHEET_ERROR.fullmatch(cell.strip()):
        return InvalidValueError(
            f"{cell!r} is an error of the spreadsheet", "the result of the formula"
        )
    if cell.startswith("=") and _FORMULA.match(cell):
        return InvalidValueError(f"{cell!r} is a formula, not its result", "the result")
    if "$" in cell:
        named = [
            match[0]
            for match in _DOLLAR_NAME.finditer(cell)
            if match[1] in columns and match[0] != cell.strip()
        ]
        if named:
            hint = f"`columns:` of the component combines columns; to print it: \\{named[0]}"
            return UnresolvedNameError(
                f"{named[0]!r} in a cell is printed as written", "text without such names", hint
            )
    return None if cell.isascii() else _wrong_encoding(cell)


def _wrong_encoding(cell: str) -> InvalidValueError | None:
    """Return the error for UTF-8 text that a program decoded as Windows-1252.

    None for other text.
    """
    if not _MISDECODED.search(cell):
        return None
    try:
        corrected = cell.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return None
    return MisdecodedTextError(
        f"{cell!r} was read in a wrong encoding",
        repr(corrected),
        "import the table into the spreadsheet as UTF-8",
    )


Path = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

_NO_MAPPING = ("this is not a mapping", "lines of the form `key: value`")
SHAPE_MESSAGES = {
    "model_type": _NO_MAPPING,
    "dict_type": _NO_MAPPING,
    "too_short": ("nothing is given here", "at least one"),
}
"""The problem and the expectation for a value of the wrong shape, by pydantic's error type."""


def problems_of(
    error: ValidationError, node: Node, model: type[BaseModel]
) -> Iterator[tuple[Path, Problem]]:
    """Yield each distinct problem of a validation error, with the path of its value."""
    reported: set[tuple[Path, str]] = set()
    for detail in error.errors(include_url=False):
        path = real_path(detail["loc"], node, detail["type"])
        problem = _to_problem(detail, path, node, model)
        if (path, problem.found) not in reported:
            reported.add((path, problem.found))
            yield path, problem


def _to_problem(
    detail: Mapping[str, Any], path: Path, node: Node, model: type[BaseModel]
) -> Problem:
    where = node.place(path)
    label = ".".join(str(step) for step in path if isinstance(step, str))
    if detail["type"] == "extra_forbidden":
        return _unknown_key(path, node, model)
    if detail["type"] == "missing":
        return Problem(
            where, f"{label}: this key is missing", f"a line `{path[-1]}: …` in this part"
        )
    wrong = detail.get("ctx", {}).get("error")
    if isinstance(wrong, InvalidValueError):
        return wrong.at(where, label)
    if detail["type"] in {"enum", "literal_error"}:
        return _unknown_choice(detail, where, label)
    message = f"{detail['msg'][0].lower()}{detail['msg'][1:]}"
    found, expected = SHAPE_MESSAGES.get(detail["type"], (message, ""))
    return Problem(where, f"{label}: {found}" if label else found, expected)


def is_unknown_key(path: Path, model: type[BaseModel]) -> bool:
    """Return True if the last step of a path is a key that its model does not have."""
    owner = model_at(path[:-1], model) if path else None
    return owner is not None and str(path[-1]) not in _keys_of(owner)


def _keys_of(model: type[BaseModel]) -> list[str]:
    return sorted(field.alias or name for name, field in model.model_fields.items())


def _unknown_key(path: Path, node: Node, model: type[BaseModel]) -> Problem:
    owner = model_at(path[:-1], model)
    keys = _keys_of(owner) if owner else []
    parent = node.find(*path[:-1]) or node
    where: Where = parent.keys.get(str(path[-1]), parent.where)
    if owner and issubclass(owner, Layer) and (instead := owner.instead.get(str(path[-1]))):
        return Problem(where, f"unknown key {path[-1]!r}: {instead[0]}", instead[1])
    expected = f"one of: {', '.join(keys)}" if keys else ""
    return Problem(
        where, f"unknown key {path[-1]!r}", expected, nearest_or(str(path[-1]), keys, KEYS)
    )


def _unknown_choice(detail: Mapping[str, Any], where: Where, label: str) -> Problem:
    choices = [
        word.strip("' ")
        for part in detail["ctx"]["expected"].split(" or ")
        for word in part.split(",")
    ]
    found = f"{label}: unknown value {detail['input']!r}"
    return Problem(
        where, found, f"one of: {', '.join(choices)}", _hint(str(detail["input"]), choices)
    )


def _hint(word: str, choices: Sequence[str]) -> str:
    """Return a hint for an unknown value; vertically, `center` is called `middle`."""
    if word == "center" and "middle" in choices:
        return "did you mean 'middle'?"
    return nearest_or(word, choices, VALUES)


def model_at(path: Path, model: type[BaseModel]) -> type[BaseModel] | None:
    """Return the model of the mapping at a path, through fields, dictionaries, lists and unions."""
    annotation: Any = model
    for step in path:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            info = annotation.model_fields.get(str(step))
            annotation = info.annotation if info else None
        else:
            annotation = next(
                (arg for arg in reversed(get_args(annotation)) if arg is not type(None)), None
            )
        annotation = _unwrap(annotation)
    return (
        annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
    )


def _unwrap(annotation: Any) -> Any:
    models = [
        arg for arg in get_args(annotation) if isinstance(arg, type) and issubclass(arg, BaseModel)
    ]
    return models[0] if models and not _is_container(annotation) else annotation


def _is_container(annotation: Any) -> bool:
    return get_origin(annotation) in {dict, list, tuple}


def real_path(loc: tuple[Any, ...], node: Node, kind: str) -> Path:
    """Return pydantic's location without the names of union members, which are in no file."""
    path: list[str | int] = []
    for index, step in enumerate(loc):
        last = index == len(loc) - 1
        if node.find(*path, step) is not None or (last and kind in {"missing", "extra_forbidden"}):
            path.append(step)
    return tuple(path)


# A repair can reveal further errors, such as those of an outer validator, so validation is
# repeated. The bound ends it for a value that no example repairs.
MAX_REPAIR_ROUNDS = 4


def read_mended(root: Node, model: type[Model], context: object, report: Reporter) -> Model | None:
    """Validate `root`, reporting errors.

    Return an instance with example values in place of wrong ones.

    American spellings are accepted. None if even the repaired value is invalid.
    """
    root = respell(root, model)
    first = True
    for _ in range(MAX_REPAIR_ROUNDS):
        try:
            return model.model_validate(root.plain(), context=context)
        except ValidationError as error:
            mistakes = list(problems_of(error, root, model))
            if first:
                report.add(*(problem for _, problem in mistakes))
                first = False
            for path, _ in mistakes:
                root = _repair(root, path, _example(path, model))
    return None


def _example(path: Path, model: type[BaseModel]) -> str | None:
    """Return an example value for a required key; None if the key can be left out."""
    owner = model_at(path[:-1], model)
    field = owner.model_fields.get(str(path[-1])) if owner and path else None
    return str(field.examples[0]) if field and field.is_required() and field.examples else None


def _repair(node: Node, path: Path, example: str | None) -> Node:
    """Return the node with the value at a path replaced by an example, or removed if there is none."""
    if not path or not isinstance(node.value, dict | list):
        return node
    step = path[0]
    inner_path = path[1:]
    if isinstance(node.value, list):
        items = [
            _repair(item, inner_path, example) if index == step else item
            for index, item in enumerate(node.value)
        ]
        return Node(
            items
            if inner_path
            else [item for index, item in enumerate(node.value) if index != step],
            node.where,
        )
    values = dict(node.value)
    key = str(step)
    if inner_path and key in values:
        values[key] = _repair(values[key], inner_path, example)
    elif example is not None:
        values[key] = Node(example, node.where)
    else:
        values.pop(key, None)
    return Node(values, node.where, node.keys)


def only_one(
    names: Sequence[str], none: str, several: str, expected: str = ""
) -> Callable[[Model], Model]:
    """Return a validator that exactly one of some keys is given.

    `several` is formatted with `count`, `all` and `both`; `none` is the message if no key is given.
    """

    def check(model: Model) -> Model:
        keys = [name for name in names if name in type(model).model_fields]
        given_keys = [name for name in keys if getattr(model, name) is not None]
        if len(given_keys) != 1:
            found = (
                several.format(
                    count=len(given_keys), all=", ".join(given_keys), both=" and ".join(given_keys)
                )
                if given_keys
                else none
            )
            raise InvalidValueError(
                found, expected or f"one of {', '.join(keys[:-1])} and {keys[-1]}"
            )
        return model

    return check
