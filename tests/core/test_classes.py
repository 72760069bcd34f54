"""Dataclasses whose methods come when they are called do what Python's do, and write nothing before."""

import dataclasses
import pickle
import subprocess
import sys
from dataclasses import MISSING, field, replace
from functools import cached_property
from inspect import isfunction
from threading import Barrier, Thread

import pytest

from generator.core import classes
from generator.core.geometry import Point
from generator.core.paper import paper
from generator.impose.sheet import Line


def family(dataclass):
    """Classes of every kind that we have, made by Python's decorator or by ours."""

    @dataclass
    class Plain:
        """Of nothing else."""

        name: str
        size: float = 1.0
        tags: dict[str, int] = field(default_factory=dict)
        note: str = field(default="", compare=False)
        hidden: int = field(default=7, repr=False)
        order: list[int] = field(init=False, default_factory=list)

    @dataclass(frozen=True)
    class Frozen:
        """What does not change; it knows its double."""

        x: float
        y: float = 0.0
        also: tuple[str, ...] = field(default=(), kw_only=True)

        def __post_init__(self):
            if self.x < 0:
                raise ValueError("no less than nothing")

        @cached_property
        def double(self):
            return self.x * 2

    @dataclass(frozen=True)
    class Of(Frozen):
        """What has more than its kind."""

        z: float = 3.0

    @dataclass(frozen=True)
    class Own:  # noqa: PLW1641
        """What knows better when it is another, and what it is called."""

        name: str

        def __eq__(self, other):
            return isinstance(other, type(self))

        def __repr__(self):
            return "own"

    @dataclass(frozen=True)
    class Nothing:
        """Without a field."""

    @dataclass(frozen=True, eq=False)
    class Same:
        """Equal to itself alone."""

        name: str

    @dataclass(frozen=True, order=True)
    class Sorted:
        """What has an order."""

        at: int
        word: str = ""

    @dataclass(frozen=True, slots=True)
    class Slotted:
        """What has no room for more."""

        at: int
        name: str = "none"

    kinds = (Plain, Frozen, Of, Own, Nothing, Same, Sorted, Slotted)
    return {
        **{kind.__name__: kind for kind in kinds},
        "replace": replace,
        "changed": lambda each, name: setattr(each, name, 1),
        "without": delattr,
        "fields": lambda of: [(f.name, f.default is MISSING, f.init, f.kw_only) for f in dataclasses.fields(of)],
        "asdict": dataclasses.asdict,
        "state": lambda each: each.__reduce_ex__(4)[2],
    }


@pytest.mark.parametrize(
    "asked",
    [
        "Plain('a'), Plain('a', 2), Plain(name='a', size=3, tags={'b': 1})",
        "Plain('a') == Plain('a'), Plain('a') == Plain('b'), Plain('a') != Plain('a'), Plain('a') == 'a'",
        "Plain('a', note='b') == Plain('a'), Plain('a').tags is Plain('a').tags, Plain('a').order, Plain.hidden",
        "hash(Plain('a'))",
        "Plain()",
        "Plain('a', 1, {}, '', 7, [])",
        "Plain('a', sise=1)",
        "Frozen(1), Frozen(1, 2), Frozen(1, 2, also=('c',)), Frozen(1).double, Frozen.__match_args__",
        "Frozen(1, 2, ())",
        "Frozen(-1)",
        "Frozen(1) == Frozen(1), Frozen(1) == Frozen(2), {Frozen(1), Frozen(1), Frozen(2)} == {Frozen(1), Frozen(2)}",
        "hash(Frozen(1)), hash(Frozen(1, also=('c',))), hash(Of(1)), hash(Nothing()), hash(Own('a'))",
        "changed(Frozen(1), 'x')",
        "changed(Frozen(1), 'other')",
        "without(Frozen(1), 'y')",
        "changed(Plain('a'), 'size'), changed(Plain('a'), 'other')",
        "Of(1), Of(1, 2, 3), Of(1, also=()), Of(1) == Frozen(1), Frozen(1) == Of(1), Of(-1)",
        "Of(1), Of(1, 2, 3), Of(1, also=()), Of(1) == Frozen(1), Frozen(1) == Of(1), Of(1).double",
        "Own('a'), Own('a') == Own('b'), Nothing(), Nothing() == Nothing(), Same('a') == Same('a')",
        "sorted([Sorted(2), Sorted(1, 'b'), Sorted(1)]), Sorted(1) < Sorted(2), Sorted(1) >= Sorted(1)",
        "Sorted(1) < 1",
        "Slotted(1), Slotted(1) == Slotted(1), hash(Slotted(1)), state(Slotted(1)), Slotted.__slots__",
        "changed(Slotted(1), 'at')",
        "replace(Frozen(1), y=4), replace(Of(1), z=4), replace(Slotted(1), at=2), asdict(Of(1)), asdict(Plain('a'))",
        "replace(Frozen(1), w=4)",
        "fields(Plain), fields(Of), fields(Slotted), fields(Nothing)",
        "Plain.__doc__, Frozen(1) and Frozen.__init__.__qualname__.split('.')[-2:]",
    ],
)
def test_they_answer_as_pythons_do(asked):
    def answer(names):
        try:
            return repr(eval(asked, names))  # noqa: S307
        except Exception as error:  # noqa: BLE001
            return type(error), str(error)

    assert answer(family(classes.dataclass)) == answer(family(dataclasses.dataclass))


def test_a_method_is_written_when_it_is_called_first():
    frozen = family(classes.dataclass)["Frozen"]
    compiled = {name: method.__code__.co_filename == "<string>" for name, method in methods(frozen)}
    assert not any(compiled.values())
    assert frozen(1) == frozen(1)
    assert {frozen(1): "found"}[frozen(1)]
    assert {name for name, method in methods(frozen) if method.__code__.co_filename == "<string>"} == {
        "__init__",
        "__eq__",
        "__hash__",
    }


def test_one_that_contains_itself_is_shown():
    plain = family(classes.dataclass)["Plain"]("a")
    plain.tags["own"] = plain
    assert "'own': ..." in repr(plain)


def test_what_another_process_reads_is_the_same():
    """It makes none of its own before it compares and hashes."""
    ours = pickle.dumps([paper("a4"), Line(Point(1, 2), Point(3, 4))])
    asked = "import pickle, sys; one, two = (pickle.loads(data) for data in [sys.stdin.buffer.read()] * 2); "
    told = "sys.stdout.buffer.write(pickle.dumps((one, one == two, hash(one[0]) == hash(two[0]))))"
    there = subprocess.run([sys.executable, "-c", asked + told], input=ours, capture_output=True, check=True).stdout
    assert pickle.loads(there) == (pickle.loads(ours), True, True)  # noqa: S301


def methods(kind):
    return [(name, value) for name, value in vars(kind).items() if isfunction(value)]


def test_threads_may_make_the_first_ones_at_once():
    for _ in range(50):
        frozen, gate, made = family(classes.dataclass)["Frozen"], Barrier(4), []

        def make(frozen=frozen, gate=gate, made=made):
            gate.wait()
            made.append(frozen(1))

        threads = [Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [frozen(1)] * 4
