"""What somebody wants made: of which pack, in which form, and how."""

from dataclasses import dataclass, field
from typing import TypeVar

from generator.pack.load import Wish

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Order:
    """A pack, by its folder or the name of one that comes with the program, and how it is wanted.

    `wishes` are values of the stages' and exporters' own types, one of a type; what is not among them is as it is
    when nothing is said. An order can be sent to another process.
    """

    pack: str
    form: Wish = field(default_factory=Wish)
    wishes: tuple[object, ...] = ()

    def wish(self, kind: type[Kind]) -> Kind:
        """The wish of a kind."""
        return next((wish for wish in self.wishes if isinstance(wish, kind)), kind())
