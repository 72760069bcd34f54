"""Reading on after an error: what is wrong is reported, put right as well as can be, and the rest is read too.

So one run tells a designer of the slip in `game.yaml` *and* of the one in the
table. What was mended never leaves the loader, since there are problems then.
"""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from generator.core.problems import Problem
from generator.pack.problems import Path, model_at, problems_of
from generator.pack.source import Node

ROUNDS = 4
Model = TypeVar("Model", bound=BaseModel)


def read_mended(root: Node, model: type[Model], context: object, problems: list[Problem]) -> Model | None:
    """The model's instance, with examples in the place of what is wrong; nothing when even that cannot be."""
    first = True
    for _ in range(ROUNDS):
        try:
            return model.model_validate(root.plain(), context=context)
        except ValidationError as error:
            found = list(problems_of(error, root, model))
            if first:
                problems.extend(problem for _, problem in found)
                first = False
            for path, _ in found:
                root = _without(root, path, _example(path, model))
    return None


def _example(path: Path, model: type[BaseModel]) -> str | None:
    """What may stand for a key that cannot be left out."""
    owner = model_at(path[:-1], model)
    field = owner.model_fields.get(str(path[-1])) if owner and path else None
    return str(field.examples[0]) if field and field.is_required() and field.examples else None


def _without(node: Node, path: Path, example: str | None) -> Node:
    """The node with the value at a path replaced, or left out when there is no example."""
    if not path or not isinstance(node.value, dict | list):
        return node
    step, rest = path[0], path[1:]
    if isinstance(node.value, list):
        items = [_without(item, rest, example) if index == step else item for index, item in enumerate(node.value)]
        return Node(items if rest else [item for index, item in enumerate(node.value) if index != step], node.where)
    values = dict(node.value)
    key = str(step)
    if rest and key in values:
        values[key] = _without(values[key], rest, example)
    elif example is not None:
        values[key] = Node(example, node.where)
    else:
        values.pop(key, None)
    return Node(values, node.where, node.keys)
