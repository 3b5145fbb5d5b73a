"""What the arguments of recorded calls have: attributes and methods, found without calling any of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.calls import Calls
from analysis.facts import FunctionId, Limits, TestId
from sandbox.request import PROBE
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIB = """\
    import fractions
    import functools


    class Base:
        limit = 3

        def __getattr__(self, name):
            raise SystemExit("asked for " + name)


    class User(Base):
        __slots__ = ("slotted",)

        def __init__(self, name):
            self.name = self._hidden = name

        def rename(self, name):
            pass

        @property
        def shown(self):
            raise SystemExit("asked")

        @classmethod
        def made(cls):
            return cls("x")

        @functools.lru_cache
        def cached(self):
            raise SystemExit("called")


    class Shop:
        def __init__(self, number=0):
            self.number = number

        def welcome(self, user, greeting, *more, ratio=None, kind=None):
            return greeting
    """
TESTS = """\
    from lib import Shop, User, fractions


    def test_welcome():
        assert Shop().welcome(User("a"), "hi", User("b"), ratio=fractions.Fraction(1, 2), kind=User) == "hi"
    """


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The probe's module, as it runs in the process under test."""
    monkeypatch.syspath_prepend(PROBE)
    from _repair_probe.compare import calls  # noqa: PLC0415

    return calls


Record = Callable[[str], Calls]


@pytest.fixture
def record(
    write: Callable[[Path, dict[str, str]], Path], tmp_path: Path, open_sandbox: Callable[..., LocalSandbox]
) -> Record:
    """Calls of ``Shop.welcome`` in the test of this text."""

    def calls(test: str) -> Calls:
        sandbox = open_sandbox(write(tmp_path / "demo", {"lib.py": LIB, "test_lib.py": test}))
        limits = Limits(wall_seconds=30, test_seconds=10, stuck_seconds=0.3)
        session = sandbox.warm((TestId("test_lib.py::test_welcome"),), limits=limits)
        assert isinstance(session, WarmServer), session
        line = 1 + next(n for n, text in enumerate(LIB.splitlines()) if "def welcome" in text)
        found = session.questions.record(FunctionId("lib.py", "Shop.welcome", line), 5)
        session.close()
        return found

    return calls


def test_members_of_arguments_are_told(record: Record) -> None:
    """Public ones; neither those of the language's own values and of classes, nor of the instance itself."""
    calls = record(TESTS)
    (call,) = calls.seen
    known = dict(call.members)
    assert known["user"] == ("name", "rename()", "shown", "made()", "cached()", "slotted", "limit")
    assert {"numerator", "limit_denominator()"} <= set(known["ratio"])
    assert set(known) == {"user", "ratio"}
    assert (call.plain, calls.whole) == (False, True)


class Meta(type):
    """Answers nothing itself."""

    @property
    def __mro__(cls) -> Any:
        raise SystemExit("asked for the order")

    @property
    def __dict__(cls) -> Any:
        raise SystemExit("asked for the names")

    @property
    def __module__(cls) -> Any:
        raise SystemExit("asked for the module")

    def __hash__(cls) -> int:
        raise SystemExit("hashed")


class Odd(metaclass=Meta):
    """Its class, and that of what it holds, answer nothing."""

    def told(self) -> None:
        """Some method."""


class Name(str):
    """A text that cannot be asked."""

    __slots__ = ()
    hashed = False

    def __hash__(self) -> int:
        if Name.hashed:
            raise SystemExit("hashed")
        return 1


def odd_names() -> object:
    """A value with names that no program can write, and many that it can."""
    value = type("Many", (), {})()
    held = value.__dict__
    held.update({"x" * 5_000_000: 1, "if": 1, 7: 1, "a b": 1, Name("n"): 1})
    held.update((f"n{n}", n) for n in range(100_000))
    return value


def test_nothing_of_a_metaclass_is_called(probe: Any) -> None:
    Odd.kind = Meta("Kind", (), {})  # type: ignore[attr-defined]
    with pytest.raises(SystemExit):
        hash(Odd)
    assert probe._members(Odd()) == ["told()", "kind"]


def test_names_are_few_short_and_such_as_a_program_may_write(probe: Any) -> None:
    value = odd_names()
    Name.hashed = True
    assert probe._members(value) == [f"n{n}" for n in range(80)]


def test_what_cannot_be_asked_has_nothing_and_keeps_no_other_from_being_told(probe: Any) -> None:
    class Nowhere:
        __module__ = 7  # type: ignore[assignment]

    class Broken(Odd):
        __module__ = property(lambda _: 1 / 0)  # type: ignore[assignment]

    entry = probe.Entry((Nowhere(), Broken(), Odd()), {}, {}, 0)
    assert [name for name, _ in probe._members_of(entry, ["a", "b", "c"])] == ["c"]


@pytest.mark.parametrize(
    ("body", "whole"),
    [
        ("for n in range(3):\n        shop.welcome(n, 1)", True),
        ("for n in range(300):\n        shop.welcome(1, 1)\n    shop.welcome('a', 1)", False),
        ("for n in range(6):\n        shop.welcome(n, 1)", False),
        ("for n in range(6):\n        Shop(n).welcome(1, 1)\n    Shop(0).welcome('a', 1)", False),
        ("shop.welcome(1, 1)\n    subprocess.run([sys.executable, '-c', ''])", False),
        ("shop.welcome(1, 1)\n    os.waitpid(os.fork() or os._exit(0), 0)", False),
        ("shop.welcome(1, 1)\n    while True:\n        pass", False),
    ],
)
def test_calls_are_whole_where_none_can_have_been_missed(record: Record, body: str, whole: bool) -> None:
    head = "import os, subprocess, sys\nfrom lib import Shop\n\ndef test_welcome():\n    shop = Shop()\n    "
    assert record(f"{head}{body}\n    assert False\n").whole is whole
