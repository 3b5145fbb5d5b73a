"""Trials on a warm server: each hazard of swapping gives the verdict of a cold run of the same text."""

import os
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.bare import bare_target

from analysis.facts import FunctionId, InvalidRun, Limits, Outcome, TestId, TestRun, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
from repair.records.ports import TrialSession
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIMITS = Limits(wall_seconds=5, test_seconds=5)

MODULE = '''\
"""Functions that are hard to swap."""
from __future__ import annotations
import asyncio, contextlib, dataclasses, enum, functools

def plain(a, b=2):
    return a + b  # plain

alias = plain
TABLE = {"plain": plain}
half = functools.partial(plain, 1)

def deco(function):
    @functools.wraps(function)
    def wrapper(*args):
        """Wraps."""
        return function(*args) * 1  # deco.wrapper
    return wrapper

@deco
@deco
def decorated(a):
    return a  # decorated

class Opaque:
    def __init__(self, function): self.function = function
    def __call__(self, a):
        return self.function(a)  # Opaque.__call__

@Opaque
def hidden(a):
    return a + 1  # hidden

@functools.lru_cache(maxsize=None)
def cached(a):
    return a * 2  # cached

def generator(n):
    for i in range(n):
        yield i  # generator

async def coroutine(a):
    await asyncio.sleep(0)
    return a  # coroutine

@contextlib.contextmanager
def manager(log):
    log.append("in")
    yield log
    log.append("out")  # manager

def make(step):
    def counter(a):
        return a + step  # make.counter
    return counter

by_one, by_two = make(1), make(2)

def outer(a):
    def inner(b):
        return b + a  # outer.inner
    return inner(a)

class Base:
    def __init__(self): self.__secret = 5
    def value(self): return 1
    @staticmethod
    def static(a):
        return a  # Base.static
    @classmethod
    def made(cls, a):
        return (cls.__name__, a)  # Base.made
    @property
    def prop(self):
        return 7  # Base.prop
    @prop.setter
    def prop(self, value):
        self.kept = value
    @functools.cached_property
    def lazy(self):
        return 8  # Base.lazy
    def secret(self):
        return self.__secret  # Base.secret

class Child(Base):
    def value(self):
        return super().value() + 1  # Child.value

@dataclasses.dataclass
class Slotted:
    __slots__ = ("x",)
    x: int
    def twice(self):
        return self.x * 2  # Slotted.twice

class Colour(enum.Enum):
    RED = 1
    def label(self):
        return self.name.lower()  # Colour.label

@functools.singledispatch
def shown(value):
    return "any"

@shown.register(int)
def _(value):
    return "int"  # _

if True:
    def conditional(a):
        return a  # conditional
'''

TESTS = """\
import asyncio
from lib import *
from lib import _, MODULE_PLAIN

def test_plain(): assert (MODULE_PLAIN(1), alias(1), TABLE["plain"](1), half()) == (3, 3, 3, 3)
def test_decorated(): assert decorated(4) == 4
def test_hidden(): assert hidden(4) == 5
def test_cached(): assert cached(3) == 6
def test_generator(): assert list(generator(3)) == [0, 1, 2]
def test_coroutine(): assert asyncio.new_event_loop().run_until_complete(coroutine(3)) == 3
def test_manager():
    log = []
    with manager(log): log.append("body")
    assert log == ["in", "body", "out"]
def test_closures(): assert (by_one(1), by_two(1)) == (2, 3)
def test_outer(): assert outer(2) == 4
def test_static(): assert (Base.static(1), Base().static(1)) == (1, 1)
def test_made(): assert Child.made(1) == ("Child", 1)
def test_prop(): assert Base().prop == 7
def test_lazy(): assert Base().lazy == 8
def test_secret(): assert Base().secret() == 5
def test_value(): assert Child().value() == 2
def test_slotted(): assert Slotted(2).twice() == 4
def test_colour(): assert Colour.RED.label() == "red"
def test_dispatch(): assert shown(1) == "int"
def test_conditional(): assert conditional(1) == 1
"""

WRONG = {
    "plain": ("a + b", "a - b"),
    "deco.wrapper": ("* 1", "* 3"),
    "decorated": ("return a", "return -a"),
    "Opaque.__call__": ("(a)  #", "(a) * 9  #"),
    "hidden": ("a + 1", "a + 2"),
    "cached": ("a * 2", "a * 5"),
    "generator": ("yield i", "yield i + 1"),
    "coroutine": ("return a", "return a + 1"),
    "manager": ('"out"', '"OUT"'),
    "make.counter": ("a + step", "a - step"),
    "outer.inner": ("b + a", "b - a"),
    "Base.static": ("return a", "return a + 1"),
    "Base.made": ("cls.__name__", "cls.__qualname__ + '!'"),
    "Base.prop": ("return 7", "return 6"),
    "Base.lazy": ("return 8", "return 6"),
    "Base.secret": ("self.__secret", "self.__secret + 1"),
    "Child.value": ("+ 1", "+ 2"),
    "Slotted.twice": ("self.x * 2", "self.x * 3"),
    "Colour.label": ("lower", "upper"),
    "_": ('"int"', '"INT"'),
    "conditional": ("return a", "return -a"),
}
SAME = {
    "plain": ("return a + b", "c = a\n    return b + c"),
    "generator": ("yield i", "yield 0 + i"),
    "make.counter": ("return a + step", "if a is None:\n            return step\n        return step + a"),
    "Child.value": ("super().value() + 1", "2"),  # drops a free variable
    "plain(default)": ("b=2", "b=1 + 1"),
}


def located(source: bytes, qualname: str) -> tuple[FunctionId, bytes]:
    """The (last) function of that name whose text has its mark, and that text."""
    for span in functions_of("lib.py", source):
        text = source[span.start : span.end]
        if span.function.qualname == qualname and f"# {qualname}\n".encode() in text:
            return span.function, text
    raise LookupError(qualname)


def trial(source: bytes, qualname: str, change: tuple[str, str]) -> Trial:
    function, text = located(source, qualname)
    new = text.replace(change[0].encode(), change[1].encode())
    assert new != text
    return Trial(digest(qualname, new), function, new, "test")


SOURCE = (MODULE + "\nMODULE_PLAIN = plain\n").encode()


def project(root: Path, files: dict[str, str]) -> LocalSandbox:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text))
    return LocalSandbox(bare_target(root))


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSandbox]:
    root = tmp_path_factory.mktemp("hazards")
    with project(root, {"lib.py": SOURCE.decode(), "test_lib.py": TESTS}) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def server(box: LocalSandbox) -> Iterator[WarmServer]:
    session = box.warm((), limits=LIMITS)
    assert isinstance(session, WarmServer), session
    yield session
    session.close()


@pytest.fixture(scope="module")
def cold_failures(box: LocalSandbox) -> set[str]:
    """Tests that fail cold with every wrong text in the file at once, less the wrappers' own."""
    lines = SOURCE
    for name, change in WRONG.items():
        _, text = located(SOURCE, name)
        lines = lines.replace(text, text.replace(change[0].encode(), change[1].encode()))
    run = box.run((), (("lib.py", lines),))
    assert isinstance(run, TestRun), run
    return {r.test for r in run.results if r.outcome is Outcome.FAILED}


def test_conforms_to_the_port(server: WarmServer) -> None:
    session: TrialSession = server
    assert not session.hindrance(located(SOURCE, "plain")[0])


@pytest.mark.parametrize("name", WRONG)
def test_wrong_text_fails_as_it_does_cold(server: WarmServer, cold_failures: set[str], name: str) -> None:
    (outcome,) = server.trials([trial(SOURCE, name, WRONG[name])])
    assert (outcome.state, outcome.failed in cold_failures) == (TrialState.FAILED, True), outcome


@pytest.mark.parametrize("name", SAME)
def test_equal_behaviour_passes(server: WarmServer, name: str) -> None:
    (outcome,) = server.trials([trial(SOURCE, name.split("(")[0], SAME[name])])
    assert outcome.state is TrialState.PASSED, outcome


def test_changed_default_takes_effect(server: WarmServer) -> None:
    (outcome,) = server.trials([trial(SOURCE, "plain", ("b=2", "b=3"))])
    assert (outcome.state, outcome.failed) == (TrialState.FAILED, "test_lib.py::test_plain")


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("plain", ("a + b", "a +"), "SyntaxError"),
        ("plain", ("def plain(a, b=2)", "def other(a, b=2)"), "exactly the function"),
        ("plain", ("def plain", "async def plain"), "async differs"),
        ("plain", ("b=2", "b=nowhere"), "default cannot be evaluated"),
        ("plain", ("b=2", "b: int = 2"), "annotations differ"),
        ("decorated", ("@deco\n@deco", "@deco"), "decorators differ"),
        ("Base.prop", ("return 7", "return super().x"), "free variables differ"),
    ],
)
def test_what_cannot_be_swapped_is_invalid(server: WarmServer, name: str, change: tuple[str, str], why: str) -> None:
    (outcome,) = server.trials([trial(SOURCE, name, change)])
    assert outcome.state is TrialState.INVALID
    assert why in outcome.detail


def test_function_that_is_not_there(server: WarmServer) -> None:
    lost = Trial(digest("x"), FunctionId("lib.py", "nothing", 3), b"def nothing(): pass\n", "test")
    gone = Trial(digest("y"), FunctionId("none.py", "nothing", 3), b"def nothing(): pass\n", "test")
    assert {o.state for o in server.trials([lost, gone])} == {TrialState.INVALID}
    assert server.hindrance(lost.function)


def test_outcomes_come_for_every_trial(server: WarmServer) -> None:
    many = [trial(SOURCE, "plain", ("a + b", f"a + b + 0 * {n}")) for n in range(30)]
    assert {o.digest for o in server.trials(many)} == {t.digest for t in many}


def test_only_a_few_trials_are_drawn_ahead(server: WarmServer) -> None:
    drawn = 0

    def stream() -> Iterator[Trial]:
        nonlocal drawn
        for n in range(1000):
            drawn += 1
            yield trial(SOURCE, "plain", ("a + b", f"a + b + 0 * {n}"))

    outcomes = server.trials(stream())
    next(outcomes)
    outcomes.close()
    assert drawn <= server.ahead * (os.cpu_count() or 1) + 1 < 1000
    assert [o.state for o in server.trials([trial(SOURCE, "plain", WRONG["plain"])])] == [TrialState.FAILED]


def test_function_that_no_test_calls_is_not_effective(tmp_path: Path) -> None:
    files = {
        "lib.py": "def used(): return 1\ndef unused(): return 1\n",
        "test_a.py": "from lib import *\ndef test_a(): used()\n",
    }
    with project(tmp_path, files) as sandbox:
        session = sandbox.warm((), limits=LIMITS)
        assert isinstance(session, WarmServer)
        functions = functions_of("lib.py", files["lib.py"].encode())
        told = {}
        for name in ("used", "unused"):
            span = find_function(functions, name)
            assert span is not None
            told[name] = not session.hindrance(span.function)
        session.close()
    assert told == {"used": True, "unused": False}


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('def used():\n    """Says nothing."""\n    return 1\n', "used()"),
        ('async def used():\n    """Says nothing."""\n    return 1\n', "asyncio.run(used())"),
        ("from __future__ import print_function, unicode_literals\ndef used():\n    return 1\n", "used()"),
        ("from __future__ import annotations\ndef used(a: int = 1):\n    return a\n", "used()"),
    ],
)
def test_what_is_nothing_special_is_swapped(tmp_path: Path, text: str, call: str) -> None:
    tests = f"import asyncio\nfrom lib import used\ndef test_a(): assert {call} == 1\n"
    (function,) = (span.function for span in functions_of("lib.py", text.encode()))
    with project(tmp_path, {"lib.py": text, "test_a.py": tests}) as sandbox:
        session = sandbox.warm((), limits=LIMITS)
        assert isinstance(session, WarmServer)
        assert session.hindrance(function) == ""
        session.close()


def test_selection_that_was_not_collected(box: LocalSandbox) -> None:
    answer = box.warm((TestId("test_lib.py::test_nothing"),), limits=LIMITS)
    assert isinstance(answer, InvalidRun)


@pytest.mark.parametrize(
    ("source", "qualname", "old", "new"),
    [
        ("# -*- coding: latin-1 -*-\ndef f():\n    return 'é'\n".encode("latin-1"), "f", b"\xe9", b"\xe8"),
        (b"\xef\xbb\xbfdef f():\n    return 1\n", "f", b"1", b"2"),
        (b"import os\r\nclass C:\r\n\tdef m(self):\r\n\t\treturn 1\r\nf = C().m\r\n", "C.m", b"1", b"2"),
        (
            b"class A:\n class B:\n  def m(self):\n   return self.__x\n  __x = 1\nf = A.B().m\n",
            "A.B.m",
            b"__x",
            b"__x + 1",
        ),
        (b"try:\n    import nowhere\nexcept ImportError:\n    def f():\n        return 1\n", "f", b"1", b"2"),
        (b"def f():\n    return 1\ndef f():\n    return 2\n", "f", b"2", b"1"),
        (b"def f(x=[]):\n    x.append(1)\n    return x\n", "f", b"x=[]", b"x=[1]"),
        (b"\x0c\ndef f():\n\x0c\n    return 1\n", "f", b"1", b"2"),
    ],
)
def test_files_of_all_kinds(tmp_path: Path, source: bytes, qualname: str, old: bytes, new: bytes) -> None:
    (tmp_path / "lib.py").write_bytes(source)
    program: dict[str, Any] = {}
    exec(source, program)
    expected = ascii(program["f"]())
    (tmp_path / "test_a.py").write_text(f"import lib\ndef test_a(): assert ascii(lib.f()) == {expected!r}\n")
    if b"x=[]" in source:
        (tmp_path / "test_a.py").write_text("import lib\ndef test_a(): assert lib.f() == [1]\n")
    span = find_function(functions_of("lib.py", source), qualname)
    assert span is not None
    text = source[span.start : span.end]
    with LocalSandbox(bare_target(tmp_path)) as sandbox:
        session = sandbox.warm((), limits=LIMITS)
        assert isinstance(session, WarmServer), session
        trials = [Trial(digest(t), span.function, t, "") for t in (text, text.replace(old, new))]
        states = {o.digest: (o.state, o.detail) for o in session.trials(trials)}
        session.close()
    assert [states[t.digest][0] for t in trials] == [TrialState.PASSED, TrialState.FAILED], states


def test_what_a_test_did_before_it_ended_its_process_still_forbids_warm_trials(tmp_path: Path) -> None:
    source = "def f():\n    return 1\n"
    test = """
        import os, subprocess, sys
        from lib import f
        def test_f():
            subprocess.run([sys.executable, "-c", "pass"])
            if f() == 1:
                os._exit(3)
    """
    with project(tmp_path, {"lib.py": source, "test_lib.py": test}) as box:
        server = box.warm((), limits=LIMITS)
        assert isinstance(server, WarmServer), server
        try:
            assert server.hindrance(FunctionId("lib.py", "f", 1)) == "the tests start Python programs: needs a cold run"
        finally:
            server.close()
