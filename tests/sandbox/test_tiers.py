"""Each hazard of a warm trial: the tier that answers for it, and the verdict of a cold run of the same text."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.bare import bare_target

from analysis.facts import Limits, TestId, TestRun, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.trials.cold import ColdSession
from repair.trials.trial_router import Selection, TrialRouter, TrialTier
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIMITS = Limits(wall_seconds=20, test_seconds=20)
WARM, ZYGOTE, COLD = TrialTier.WARM, TrialTier.ZYGOTE, TrialTier.COLD

LIB = '''\
"""What is computed while the module is imported."""
import functools
import inspect
import textwrap

def constant(): return 1
CONSTANT = constant()

TABLE = {}
def register(function):
    TABLE[function.__name__] = 1
    return function

@register
def registered(): return 1

def cases(): return [1, 2]

def _gone(): return 1
GONE = _gone()
del _gone

def stream():
    yield 1
    yield 2
STREAM = stream()

def recompiled(function):
    space = {}
    exec(textwrap.dedent(inspect.getsource(function)).partition("\\n")[2], space)
    return space[function.__name__]

@recompiled
def compiled(): return 1

def remembered(function):
    @functools.wraps(function)
    def wrapper(): return function(*DEFAULTS)
    DEFAULTS = [p.default for p in inspect.signature(function).parameters.values()]
    return wrapper

@remembered
def defaulted(a=1): return a

class Base:
    def name(self): return "base"
class Child(Base):
    def name(self): return "child"

def outer():
    def inner(a=1): return a
    return inner
INNER = outer()

def annotated(a: int): return a

def wrapped(a): return a

def plain(a): return a

def late():
    import lazy
    return lazy.value()

@functools.lru_cache(maxsize=None)
def cached(): return 1
CACHED = cached()

import threading
MADE = []
def threaded(): return 1
THREAD = threading.Thread(target=lambda: MADE.append(threaded()))
THREAD.start()
THREAD.join()
'''

TESTS = """\
import inspect, pytest
import lib

@pytest.mark.parametrize("case", lib.cases(), ids=str)
def test_cases(case): assert case in (1, 2)
def test_constant(): assert lib.CONSTANT == 1
def test_registered(): assert lib.TABLE["registered"] == 1
def test_gone(): assert lib.GONE == 1
def test_stream(): assert list(lib.STREAM) == [1, 2]
def test_compiled(): assert lib.compiled() == 1
def test_defaulted(): assert lib.defaulted() == 1
def test_child(): assert lib.Child().name() == "child"
def test_inner(): assert lib.INNER() == 1
def test_annotated(): assert lib.annotated(1) and inspect.signature(lib.annotated).parameters["a"].annotation is int
def test_wrapped(): assert lib.wrapped(1) == 1
def test_plain(): assert lib.plain(1) == 1
def test_late(): assert lib.late() == 1
def test_cached(): assert lib.CACHED == lib.cached() == 1
def test_threaded(): assert lib.threaded() == lib.MADE[0]
"""

LAZY = "def value(): return 1\n"

# Function, what its text is changed to, the tier that answers, and the test that fails (none: all pass).
CASES: dict[str, tuple[str, str, str, TrialTier, str | None]] = {
    "a constant": ("constant", "return 1", "return 2", ZYGOTE, "test_constant"),
    "a constant that stays": ("constant", "return 1", "return 2 - 1", ZYGOTE, None),
    "a decorator": ("register", "= 1", "= 2", ZYGOTE, "test_registered"),
    "what is gone after use": ("_gone", "return 1", "return 2", ZYGOTE, "test_gone"),
    "a generator made at import": ("stream", "yield 2", "yield 3", ZYGOTE, "test_stream"),
    "a copy of its source": ("compiled", "return 1", "return 2", ZYGOTE, "test_compiled"),
    "defaults that a decorator read": ("defaulted", "a=1", "a=2", ZYGOTE, "test_defaulted"),
    "a free variable more": ("Child.name", '"child"', "super().name()", ZYGOTE, "test_child"),
    "defaults of a nested function": ("outer", "a=1", "a=2", ZYGOTE, "test_inner"),
    "annotations": ("annotated", ": int", ": str", ZYGOTE, "test_annotated"),
    "a decorator more": ("wrapped", "def wrapped", "@functools.lru_cache()\ndef wrapped", ZYGOTE, None),
    "a function that becomes a coroutine": ("plain", "def plain", "async def plain", ZYGOTE, "test_plain"),
    "a module imported in the test": ("value", "return 1", "return 2", WARM, "test_late"),
    "a cache filled at import": ("cached", "return 1", "return 2", ZYGOTE, "test_cached"),
    "a constant made in a thread": ("threaded", "return 1", "return 2", ZYGOTE, None),
    "an import that fails": ("constant", "return 1", "return 1 / 0", ZYGOTE, None),
    "parameters": ("cases", "[1, 2]", "[3, 2]", ZYGOTE, None),
    "an ordinary function": ("plain", "return a", "return -a", WARM, "test_plain"),
    "an ordinary function that stays": ("plain", "return a", "return a + 0", WARM, None),
}  # fmt: skip
UNCOLLECTED = {"an import that fails", "parameters"}

Open = Callable[..., LocalSandbox]


def trial_in(source: bytes, path: str, qualname: str, old: str, new: str) -> Trial:
    span = find_function(functions_of(path, source), qualname)
    assert span is not None, qualname
    text = source[span.start : span.end]
    changed = text.replace(old.encode(), new.encode())
    assert changed != text
    return Trial(digest(path, qualname, changed), span.function, changed, "test")


def all_tests(sandbox: LocalSandbox) -> tuple[TestId, ...]:
    run = sandbox.run(())
    assert isinstance(run, TestRun), run
    return tuple(result.test for result in run.results)


def ladder_of(sandbox: LocalSandbox, tests: tuple[TestId, ...]) -> TrialRouter:
    return TrialRouter(sandbox, Selection(tests, sandbox.sources(), LIMITS, LIMITS, passes=True, jobs=2))


def cold_of(sandbox: LocalSandbox, tests: tuple[TestId, ...], *trials: Trial) -> dict[str, TrialOutcome]:
    session = ColdSession(sandbox, tests, sandbox.sources(), LIMITS, 2)
    return {outcome.digest: outcome for outcome in session.trials(trials)}


@pytest.fixture(scope="module")
def trials() -> dict[str, Trial]:
    sources = {"lib.py": LIB.encode(), "lazy.py": LAZY.encode()}
    return {
        name: trial_in(sources[path], path, qualname, old, new)
        for name, (qualname, old, new, _, _) in CASES.items()
        for path in ["lazy.py" if qualname == "value" else "lib.py"]
    }


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSandbox]:
    root = tmp_path_factory.mktemp("tiers")
    for name, text in {"lib.py": LIB, "lazy.py": LAZY, "test_lib.py": TESTS}.items():
        (root / name).write_text(text)
    with LocalSandbox(bare_target(root)) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def seen(project: LocalSandbox, trials: dict[str, Trial]) -> dict[str, TrialOutcome]:
    router = ladder_of(project, all_tests(project))
    outcomes = {outcome.digest: outcome for outcome in router.trials(trials.values())}
    router.close()
    return {name: outcomes[trial.digest] for name, trial in trials.items()}


@pytest.fixture(scope="module")
def cold(project: LocalSandbox, trials: dict[str, Trial]) -> dict[str, TrialOutcome]:
    outcomes = cold_of(project, all_tests(project), *trials.values())
    return {name: outcomes[trial.digest] for name, trial in trials.items()}


@pytest.mark.parametrize("case", CASES)
def test_the_tier_and_the_verdict(case: str, seen: dict[str, TrialOutcome]) -> None:
    *_, tier, failed = CASES[case]
    assert seen[case].tier == tier, seen[case]
    assert (seen[case].state is TrialState.PASSED) is (failed is None and case not in UNCOLLECTED)
    assert (seen[case].failed or "").rpartition("::")[2] == (failed or "")


def test_calls_of_a_function_that_runs_at_import_are_not_compared(
    project: LocalSandbox, trials: dict[str, Trial]
) -> None:
    """Its results are in constants, which no swap changes: the answer says so instead of comparing stale values."""
    session = project.warm((TestId("test_lib.py::test_constant"),), limits=LIMITS)
    assert isinstance(session, WarmServer), session
    mine, other = trials["a constant that stays"], trials["a constant"]
    found = session.questions.compare(mine, [other], (), other, (6,))
    session.close()
    assert (found.tried.inputs, found.rivals.differences) == (0, ())
    assert "runs while the tests are imported" in found.tried.failures[0]


@pytest.mark.parametrize("case", CASES)
def test_a_cold_run_says_the_same(case: str, seen: dict[str, TrialOutcome], cold: dict[str, TrialOutcome]) -> None:
    said = {TrialState.FAILED, TrialState.CRASHED, TrialState.INVALID} if case in UNCOLLECTED else {seen[case].state}
    assert cold[case].state in said
    assert case in UNCOLLECTED or cold[case].failed == seen[case].failed


RELOADS = """\
    import importlib, lib
    def test_it(): assert importlib.reload(lib).value() == 1
    """
READS = """\
    import inspect, lib
    def test_it(): assert "return 1" in inspect.getsource(lib.value) and lib.value()
    """
STARTS = """\
    import subprocess, sys, lib
    def test_it():
        done = subprocess.run([sys.executable, "-c", "import lib; print(lib.value())"], stdout=subprocess.PIPE)
        assert done.stdout.strip() == b"1" and lib.value()
    """
WRITES = """\
    import lib
    def test_it():
        with open("out.txt", "w") as stream: stream.write(str(lib.value()))
        assert open("out.txt").read() == "1"
    """
KEEPS = """\
    import sqlite3, lib
    def test_it():
        with sqlite3.connect("kept.db") as kept:
            kept.execute("create table if not exists seen (a)")
        assert lib.value() == 1
    """
MOVES = """\
    import os, tempfile, lib
    def test_it():
        file, path = tempfile.mkstemp()
        os.close(file)
        os.replace(path, "moved")
        assert lib.value() == 1
    """
TIDIES = """\
    import os, sqlite3, tempfile, lib
    def test_it():
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/lower")
            open(folder + "/lower/file", "w").close()
            os.symlink("lib.py", folder + "/link")
            sqlite3.connect(folder + "/db").close()
            sqlite3.connect(":memory:").close()
            assert lib.value() == 1
    """
LISTENS = """\
    import socket, lib
    def test_it():
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(("127.0.0.1", 45871))
            assert lib.value() == 1
    """
SPAWNS = """\
    import multiprocessing, lib
    def test_it():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.apply(lib.value) == 1 == lib.value()
    """
CATCHES = """\
    import lib
    def test_it():
        try:
            value = lib.value()
        except Exception:
            value = 1
        assert value == 1
    """
AWAITS = """\
    import warnings, pytest, lib
    def test_it():
        with pytest.warns(UserWarning):
            lib.value() != 2 or warnings.warn("it is two")
    """
SWALLOWS = """\
    import threading, lib
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    def test_it():
        try:
            value = lib.value()
        except Exception:
            value = 1
        assert value in (1, None)
    """
PUZZLES = """\
    import sys, lib
    def test_it():
        sys.audit("socket.bind", None)
        assert lib.value() == 1
    """
THREADS = """\
    import threading, lib
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    def test_it(): assert lib.value() == 1
    """
LOOPS = """\
    import asyncio, lib
    LOOP = asyncio.new_event_loop()
    async def go(): return lib.value()
    def test_it(): assert LOOP.run_until_complete(go()) == 1
    """
OPENS = """\
    import lib
    LOG = open("log.txt", "w")
    def test_it(): assert lib.value() == 1
    """


@pytest.mark.parametrize(
    ("test", "tier"),
    [
        pytest.param(RELOADS, ZYGOTE, id="reloads"),
        pytest.param(READS, ZYGOTE, id="reads"),
        pytest.param(STARTS, COLD, id="starts"),
        pytest.param(WRITES, COLD, id="writes"),
        pytest.param(KEEPS, COLD, id="keeps"),
        pytest.param(MOVES, COLD, id="moves"),
        pytest.param(TIDIES, WARM, id="tidies"),
        pytest.param(LISTENS, COLD, id="listens"),
        pytest.param(SPAWNS, COLD, id="spawns"),
        pytest.param(CATCHES, WARM, id="catches"),
        pytest.param(AWAITS, WARM, id="awaits"),
        pytest.param(SWALLOWS, ZYGOTE, id="swallows"),
        pytest.param(PUZZLES, COLD, id="puzzles"),
        pytest.param(THREADS, ZYGOTE, id="threads"),
        pytest.param(LOOPS, ZYGOTE, id="loops"),
        pytest.param(OPENS, ZYGOTE, id="opens"),
    ],
)
def test_what_the_tests_do_or_keep_alive(tmp_path: Path, open_sandbox: Open, test: str, tier: TrialTier) -> None:
    (tmp_path / "lib.py").write_text("def value():\n    return 1\n")
    (tmp_path / "test_lib.py").write_text(textwrap.dedent(test))
    sandbox = open_sandbox(tmp_path)
    tests = (TestId("test_lib.py::test_it"),)
    wrong, right = (
        trial_in(b"def value():\n    return 1\n", "lib.py", "value", "return 1", new)
        for new in ("return 2", "x = 0  # return 1\n    return 1")
    )
    router = ladder_of(sandbox, tests)
    outcomes = {outcome.digest: outcome for outcome in router.trials([wrong, right])}
    why = router.why(wrong.function)
    router.close()
    cold = cold_of(sandbox, tests, wrong, right)
    assert {outcome.tier for outcome in outcomes.values()} == {tier}, why
    assert {d: o.state for d, o in outcomes.items()} == {d: o.state for d, o in cold.items()}
    assert {o.state for o in outcomes.values()} == {TrialState.PASSED, TrialState.FAILED}


def test_the_tests_that_hinder_a_function_are_named(tmp_path: Path, open_sandbox: Open) -> None:
    (tmp_path / "lib.py").write_text("def value():\n    return 1\n")
    (tmp_path / "test_lib.py").write_text(
        textwrap.dedent(WRITES).replace("test_it", "test_writes")
        + textwrap.dedent(TIDIES).replace("test_it", "test_tidies")
        + textwrap.dedent(WRITES).replace("test_it", "test_writes_too")
    )
    sandbox = open_sandbox(tmp_path)
    tests = tuple(TestId(f"test_lib.py::{name}") for name in ("test_writes", "test_tidies", "test_writes_too"))
    function = trial_in(b"def value():\n    return 1\n", "lib.py", "value", "return 1", "return 2").function
    for asked, unfit in ((tests, [0, 2]), (tests[1:2], [])):
        session = sandbox.warm(asked)
        assert isinstance(session, WarmServer)
        assert bool(session.hindrance(function)) is bool(unfit)
        assert session.find_unfit_tests(function) == tuple(tests[place] for place in unfit)
        session.close()
