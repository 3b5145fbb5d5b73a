"""How much of pytest each test gets, and that less of it gives the same outcomes."""

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.usage import stats_of
from platformdirs import user_cache_path

from analysis.errors import RepairError
from analysis.facts import FunctionId, Limits, Outcome, TestRun, digest
from analysis.trials import Trial, TrialState
from corpora.environment import environment
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer

LIMITS = Limits(wall_seconds=20, test_seconds=20)
FUNCTION = FunctionId("lib.py", "f", 1)
LIB = "def f(x):\n    return x + 1\n"
BARE = """\
    import unittest
    import pytest
    from lib import f

    def test_plain():
        assert f(1) == 2

    @pytest.mark.parametrize(("given", "wanted"), [(2, 3), (3, 4)])
    @pytest.mark.skipif(False, reason="never")
    def test_cases(given, wanted):
        assert f(given) == wanted

    class TestGroup:
        def test_method(self):
            assert not hasattr(self, "seen")
            self.seen = f(4)
            assert self.seen == 5

    class Case(unittest.TestCase):
        def setUp(self):
            self.value = 5
            self.addCleanup(setattr, self, "value", None)

        def test_case(self):
            for n in range(3):
                with self.subTest(n=n):
                    self.assertEqual(f(self.value + 10 * n), 6 + 10 * n)
    """
SETUP = """\
    import unittest
    import pytest
    from lib import f

    @pytest.fixture(scope="module")
    def shared():
        yield 6

    def test_fixture(shared, monkeypatch, capsys):
        print(f(shared))
        assert capsys.readouterr().out == "7\\n"

    class Case(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            cls.value = 7

        def test_case(self):
            self.assertEqual(f(self.value), 8)

    class TestMethods:
        def setup_method(self):
            self.value = 8

        def test_method(self):
            assert f(self.value) == 9
    """
FULL = """\
    import logging
    import pytest
    from lib import f

    def test_files(tmp_path, caplog):
        logging.getLogger().warning("%d", f(9))
        assert caplog.messages == ["10"]

    @pytest.mark.filterwarnings("error")
    def test_strict():
        assert f(10) == 11
    """
WRONG = {f"x + 1 + (x == {n})": n for n in range(1, 11)}


def trial(expression: str) -> Trial:
    text = f"def f(x):\n    return {expression}\n"
    return Trial(digest(text), FUNCTION, text.encode(), "test")


def files(root: Path, more: dict[str, str] | None = None) -> Path:
    tests = {"lib.py": LIB, "test_a.py": BARE, "test_b.py": SETUP, "test_c.py": FULL}
    root.mkdir()
    for name, text in {**tests, **(more or {})}.items():
        (root / name).write_text(textwrap.dedent(text))
    return root


def opened(sandbox: LocalSandbox) -> WarmServer:
    server = sandbox.warm((), limits=LIMITS, jobs=1)
    assert isinstance(server, WarmServer), server
    return server


def fails(sandbox: LocalSandbox, expression: str) -> list[str]:
    """Tests that fail in a cold run."""
    run = sandbox.run((), (("lib.py", trial(expression).text),))
    assert isinstance(run, TestRun), run
    return [r.test for r in run.results if r.outcome is Outcome.FAILED]


def check_levels(sandbox: LocalSandbox) -> None:
    """Each kind of test at its level, and a wrong text noticed by the very test that it is wrong for."""
    server = opened(sandbox)
    given = {trial(expression).digest: expression for expression in [*WRONG, "1 + x"]}
    found = {given[o.digest]: o for o in server.trials([trial(expression) for expression in given.values()])}
    stats = stats_of(server)
    server.close()
    assert stats.levels == (5, 3, 2), stats
    assert found.pop("1 + x").state is TrialState.PASSED
    every = fails(sandbox, "-x")
    assert [found[expression].state for expression in WRONG] == [TrialState.FAILED] * len(WRONG)
    assert sorted({str(o.failed) for o in found.values()}) == sorted(every)


def test_each_test_gets_the_least_that_it_needs(open_sandbox: Callable[..., LocalSandbox], tmp_path: Path) -> None:
    check_levels(open_sandbox(files(tmp_path / "demo")))


def test_levels_on_other_interpreters(
    open_sandbox: Callable[..., LocalSandbox], tmp_path: Path, other_python: str
) -> None:
    check_levels(open_sandbox(files(tmp_path / "demo"), python=other_python))


def test_levels_with_pytest_7(open_sandbox: Callable[..., LocalSandbox], tmp_path: Path) -> None:
    pins = ("pytest==7.4.4", "pluggy==1.5.0", "iniconfig==2.1.0", "packaging==24.2")
    try:
        python = environment(pins, user_cache_path("repair-engine-tests"))
    except RepairError as problem:
        pytest.skip(f"no environment with pytest 7: {problem}")
    check_levels(open_sandbox(files(tmp_path / "demo"), python=python))


def test_a_conftest_with_a_hook_round_tests_gets_all_of_pytest(
    open_sandbox: Callable[..., LocalSandbox], tmp_path: Path
) -> None:
    hook = "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_call(item):\n    yield\n"
    server = opened(open_sandbox(files(tmp_path / "demo", {"conftest.py": hook})))
    assert stats_of(server).levels == (0, 0, 10)


def test_warnings_are_errors_where_the_project_says_so(
    open_sandbox: Callable[..., LocalSandbox], tmp_path: Path
) -> None:
    more = {"pytest.ini": "[pytest]\nfilterwarnings =\n    error\n", "test_b.py": "", "test_c.py": ""}
    sandbox = open_sandbox(files(tmp_path / "demo", more))
    server = opened(sandbox)
    warns = "__import__('warnings').warn('old') or x + 1"
    unraisable = "type('T', (), {'__del__': lambda s: 1 / 0})() and x + 1"
    found = {o.digest: o for o in server.trials([trial(warns), trial(unraisable), trial("1 + x")])}
    stats = stats_of(server)
    server.close()
    assert stats.levels == (5, 0, 0)
    assert found[trial("1 + x").digest].state is TrialState.PASSED
    for expression in (warns, unraisable):
        outcome = found[trial(expression).digest]
        assert (outcome.state, outcome.failed) == (TrialState.FAILED, fails(sandbox, expression)[0])
    assert stats.full == 1


def test_a_server_with_tests_of_one_level_serves_the_others(
    open_sandbox: Callable[..., LocalSandbox], tmp_path: Path
) -> None:
    more = {"test_a.py": "", "test_c.py": ""}
    server = opened(open_sandbox(files(tmp_path / "demo", more), env={"HOME": os.environ.get("HOME", "/")}))
    assert stats_of(server).levels == (0, 3, 0)
    assert not server.hindrance(FUNCTION)
    assert len(server.questions.record(FUNCTION, 5).seen) == 3
    server.close()
