"""A narrowed server keeps the passing tests that run a file's functions, and runs each trial on its function's own."""

import pytest

from analysis.facts import FunctionId, InvalidRun, Limits, digest
from analysis.trials import Trial

LIB = """
    def f(x):
        return x


    def g(x):
        return f(x) + 1


    def unused(x):
        return x
"""
TESTS = """
    import pytest
    import lib, other


    def test_f():
        assert lib.f(1) == 1


    @pytest.fixture
    def made():
        return lib.g(1)


    def test_g(made):
        assert made == 2


    def test_that_fails():
        assert lib.unused(1) == 2


    def test_looks_at_f_without_a_call():
        assert lib.g.__code__.co_consts[-1] == 1
        assert lib.g.__name__ == "g"


    def test_elsewhere():
        assert other.h() == 1
"""
FILES = {"lib.py": LIB, "other.py": "def h():\n    return 1\n", "test_lib.py": TESTS}
F, G, UNUSED = FunctionId("lib.py", "f", 1), FunctionId("lib.py", "g", 5), FunctionId("lib.py", "unused", 9)


@pytest.fixture
def serve(project, open_sandbox):
    """Serves the project warm, narrowed to these files where there are any."""
    opened = []

    def serving(*narrow):
        session = open_sandbox(project(FILES)).warm((), limits=Limits(wall_seconds=20.0), jobs=1, narrow=narrow)
        opened.append(session)
        return session

    yield serving
    for session in opened:
        if not isinstance(session, InvalidRun):
            session.close()


def states(session, function, *texts):
    trials = [Trial(digest(text), function, text.encode(), "") for text in texts]
    found = {outcome.digest: outcome.state.value for outcome in session.trials(trials)}
    return [found[trial.digest] for trial in trials]


def test_only_passing_tests_that_run_the_files_functions_are_kept(serve):
    session = serve("lib.py")
    assert [str(test).partition("::")[2] for test in session.tests] == ["test_f", "test_g"]
    assert session.took > 0
    assert [session.hindrance(function) for function in (F, G)] == ["", ""]
    assert session.hindrance(UNUSED) == "no passing test runs it"
    assert states(session, UNUSED, "def unused(x):\n    return 0\n") == ["invalid"]


@pytest.mark.parametrize("mode", ["fork", "batch"])
def test_a_trial_is_run_by_its_own_tests_and_passes_when_all_of_them_do(serve, mode):
    session = serve("lib.py")
    session.mode = mode
    others = [f"def g(x):\n    return {n} - x\n" for n in range(4, 12)]
    assert states(session, G, "def g(x):\n    return 1 + f(x)\n", "def g(x):\n    return 3 - x\n", *others) == [
        *("passed", "passed"),
        *["failed"] * 8,
    ]
    assert states(session, F, "def f(x):\n    return 0 + x\n", "def f(x):\n    return 0\n") == ["passed", "failed"]


def test_what_a_function_is_not_called_for_does_not_kill_as_it_does_otherwise(serve):
    renamed = "def g(x):\n    return 2\n"
    assert states(serve("lib.py"), G, renamed) == ["passed"]
    wide = serve()
    assert states(wide, G, renamed) == ["failed"]
    assert len(wide.tests) == 5


def test_where_no_passing_test_runs_anything_of_the_files_there_is_no_server(serve):
    answer = serve("nothing.py")
    assert isinstance(answer, InvalidRun)
    assert "no passing test runs anything of these files" in answer.detail
