"""What the arguments of recorded calls have: attributes and methods, found without calling any of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis.facts import FunctionId, Limits, TestId
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIB = """\
    import fractions


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


    class Shop:
        def welcome(self, user, greeting, *more, ratio=None, kind=None):
            return greeting
    """
TESTS = """\
    from lib import Shop, User, fractions


    def test_welcome():
        assert Shop().welcome(User("a"), "hi", User("b"), ratio=fractions.Fraction(1, 2), kind=User) == "hi"
    """


def test_members_of_arguments_are_told(
    write: Callable[[Path, dict[str, str]], Path], tmp_path: Path, open_sandbox: Callable[..., LocalSandbox]
) -> None:
    """Public ones; neither those of the language's own values and of classes, nor of the instance itself."""
    sandbox = open_sandbox(write(tmp_path / "demo", {"lib.py": LIB, "test_lib.py": TESTS}))
    session = sandbox.warm((TestId("test_lib.py::test_welcome"),), limits=Limits(wall_seconds=30, test_seconds=10))
    assert isinstance(session, WarmServer), session
    line = 1 + next(n for n, text in enumerate(LIB.splitlines()) if "def welcome" in text)
    (call,) = session.record(FunctionId("lib.py", "Shop.welcome", line), 2)
    session.close()
    known = dict(call.members)
    assert known["user"] == ("limit", "made()", "name", "rename()", "shown", "slotted")
    assert {"numerator", "limit_denominator()"} <= set(known["ratio"])
    assert set(known) == {"user", "ratio"}
    assert not call.plain
