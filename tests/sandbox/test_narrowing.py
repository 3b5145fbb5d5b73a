"""A narrowed server keeps the passing tests that run a file's functions, and runs each trial on its function's own."""

from contextlib import closing

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

    def serving(*paths, name=""):
        narrow = [(path, name) for path in paths]
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


def test_narrowed_to_one_function_only_its_tests_are_kept_and_no_other_function_is_tried(serve):
    session = serve("lib.py", name="g")
    assert [str(test).partition("::")[2] for test in session.tests] == ["test_g"]
    assert session.hindrance(G) == ""
    assert states(session, G, "def g(x):\n    return 3 - x\n", "def g(x):\n    return 9\n") == ["passed", "failed"]
    assert session.hindrance(F) == "only tests of other functions are kept here"
    assert states(session, F, "def f(x):\n    return 0\n") == ["invalid"]
    assert session.hindrance(UNUSED) == "no passing test runs it"


INNER = """
    class Kept:
        def __init__(self, n):
            self.n = n

        def add(self):
            def added(n):
                return n + self.n
            return added


    class Other:
        def add(self):
            return 0
"""
INNER_TESTS = """
    import functools
    import lib

    ADD = functools.lru_cache(lib.Kept(2).add)


    def test_calls():
        assert ADD()(1)


    def test_calls_only_what_lies_within():
        assert ADD()(1) == 3


    def test_calls_another():
        assert lib.Other().add() == 0
"""


def test_what_lies_within_a_function_counts_as_its_own(project, open_sandbox):
    files, add = {"lib.py": INNER, "test_lib.py": INNER_TESTS}, FunctionId("lib.py", "Kept.add", 5)
    mutant = "    def add(self):\n        def added(n):\n            return n + self.n + 1\n        return added\n"
    opened = open_sandbox(project(files)).warm((), limits=Limits(wall_seconds=20.0), narrow=(("lib.py", "Kept.add"),))
    with closing(opened) as session:
        assert states(session, add, mutant) == ["failed"]


def test_what_a_function_is_not_called_for_does_not_kill_as_it_does_otherwise(serve):
    renamed = "def g(x):\n    return 2\n"
    assert states(serve("lib.py"), G, renamed) == ["passed"]
    wide = serve()
    assert states(wide, G, renamed) == ["failed"]
    assert len(wide.tests) == 5


def test_where_no_passing_test_runs_anything_of_the_files_there_is_no_server(serve):
    answer = serve("nothing.py")
    assert isinstance(answer, InvalidRun)
    assert "no passing test runs what is asked for" in answer.detail


KEEPING = """
    import functools

    _table = []


    def table():
        if not _table:
            _table.extend(filled(3))
        return _table


    def filled(n):
        return list(range(n))


    @functools.lru_cache(maxsize=None)
    def power(n):
        return squared(n)


    def squared(n):
        return n * n


    def made(n):
        return n + 1


    def opened(n):
        return n + 2
"""
KEEPING_TESTS = """
    import pytest
    import lib


    @pytest.fixture(scope="module")
    def shared():
        return lib.made(1)


    class TestOfAClass:
        @classmethod
        def setup_class(cls):
            cls.found = lib.opened(1)

        def test_looks_away(self):
            assert self.found

        def test_looks(self):
            assert self.found == 3


    def test_that_uses_all_of_them(shared):
        assert lib.table() and lib.power(3) and shared


    def test_table():
        assert lib.table() == [0, 1, 2]


    def test_power():
        assert lib.power(3) == 9


    def test_shared(shared):
        assert shared == 2
"""


@pytest.mark.parametrize(
    ("name", "line", "mutant"),
    [
        ("filled", 12, "def filled(n):\n    return list(range(n + 1))\n"),
        ("squared", 21, "def squared(n):\n    return n * n + 1\n"),
        ("made", 25, "def made(n):\n    return n + 2\n"),
        ("opened", 29, "def opened(n):\n    return n + 1\n"),
    ],
)
def test_what_is_kept_for_later_tests_is_theirs_too(project, open_sandbox, name, line, mutant):
    files = {"lib.py": KEEPING, "test_lib.py": KEEPING_TESTS}
    function = FunctionId("lib.py", name, line)
    opened = open_sandbox(project(files)).warm((), limits=Limits(wall_seconds=20.0), narrow=(("lib.py", name),))
    with closing(opened) as session:
        assert session.hindrance(function) == ""
        assert states(session, function, mutant) == ["failed"]
