"""States in which no object of a class can be, since the class refuses to make one."""

import importlib
import sys
from dataclasses import dataclass

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def probe():
    """A module of the probe by its name."""
    sys.path.insert(0, str(PROBE))
    try:
        yield lambda name: importlib.import_module(f"_repair_probe.values.{name}")
    finally:
        sys.path.remove(str(PROBE))


class Version:
    def __init__(self, major, *, tag=None, **more):
        if major < 0:
            raise ValueError(major)
        self._major, self.__tag, self.seen = major, tag, [major]


@dataclass(frozen=True)
class Share:
    part: float
    name: str = ""

    def __post_init__(self):
        if not 0 <= self.part <= 1:
            raise ValueError("no share")


class Derived:
    def __init__(self, text):
        if not text:
            raise ValueError("empty")
        self.length = len(text)


class Slotted:
    __slots__ = ("count",)

    def __init__(self, count, /):
        self.count = count


class Broken:
    def __init__(self, size):
        self.size = size
        if size > 3:
            raise ValueError(size)


class Leaving:
    def __init__(self, size):
        if size > 3:
            sys.exit(2)
        self.size = size


class Endless:
    def __init__(self, size):
        self.size = size

    __init__.__wrapped__ = __init__


def broken(size):
    made = Broken(3)
    made.size = size
    return made


@pytest.mark.parametrize(
    ("owner", "name", "value", "refused"),
    [
        (Version(1), "_major", -1, True),
        (Version(1), "_major", 2, False),
        (Version(1), "_major", None, True),
        (Version(1), "_Version__tag", 7, False),
        (Version(1), "seen", [-1], False),
        (Share(0.5), "part", 1.5, True),
        (Share(0.5), "part", 0.25, False),
        (Share(0.5), "name", 3, False),
        (Derived("ab"), "length", 0, False),
        (Slotted(1), "count", -1, False),
        (broken(9), "size", 10, False),
        (Leaving(1), "size", 4, True),
        (Endless(1), "size", 4, False),
        (ValueError("a"), "args", (), False),
        (3, "real", 4, False),
    ],
)
def test_whether_a_class_refuses_a_state(probe, owner, name, value, refused):
    assert probe("possible_states").is_refused(owner, name, value) is refused


def test_no_input_is_an_object_that_its_class_refuses_and_the_others_stay(probe):
    variants = probe("vary").variants
    shares = [variant.args[0].part for variant in variants(lambda: ([Share(0.5)], {}, {}))]
    assert shares
    assert all(0 <= part <= 1 for part in shares)
    majors = {variant.args[0]._major for variant in variants(lambda: ([Version(1)], {}, {}))}
    assert {0, 2} <= majors
    assert min(majors) == 0
