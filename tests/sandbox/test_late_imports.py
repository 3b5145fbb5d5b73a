"""A program that loads its parts when they are asked for: the warm server has them before the first trial."""

import pytest

from analysis.facts import InvalidRun, Limits, TestId, digest
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState

LIMITS = Limits(wall_seconds=20, test_seconds=20)
PART = """\
def offset():
    return 1

BASE = offset()

def shifted(number):
    return number + BASE
"""
FILES = {
    "shop/__init__.py": "",
    "shop/part.py": PART,
    "shop/plain.py": """\
        import importlib

        def shift(number):
            return importlib.import_module("shop.part").shifted(number)
    """,
    "test_shop.py": """\
        from shop.plain import shift

        def test_shift():
            assert shift(1) == 2
    """,
}
TESTS = [TestId("test_shop.py::test_shift")]


def trial_of(qualname, *edit, source=PART):
    text = source.encode()
    span = find_function(functions_of("shop/part.py", text), qualname)
    assert span is not None
    text = text[span.start : span.end].replace(*(piece.encode() for piece in edit or (" ", " ")))
    return Trial(digest(qualname, text), span.function, text, "")


@pytest.fixture
def served(project, open_sandbox):
    """Opens a warm server for the tests of the project with these files changed."""
    opened = []

    def serve(**changed):
        named = {path.replace("__", "/") + ".py": text for path, text in changed.items()}
        session = open_sandbox(project({**FILES, **named})).warm(TESTS, (), limits=LIMITS)
        if not isinstance(session, InvalidRun):
            opened.append(session)
        return session

    yield serve
    for session in opened:
        session.close()


def test_functions_of_a_module_that_a_test_imports_are_swapped(served):
    session = served()
    wrong, right = trial_of("shifted", "+", "-"), trial_of("shifted", "number + BASE", "BASE + number")
    assert session.hindrance(wrong.function) == ""
    outcomes = {outcome.digest: outcome.state for outcome in session.trials([wrong, right])}
    assert outcomes == {wrong.digest: TrialState.FAILED, right.digest: TrialState.PASSED}


def test_what_such_a_module_calls_when_it_is_imported_needs_a_fresh_import(served):
    session = served()
    (outcome,) = session.trials([trial_of("offset", "1", "2")])
    assert outcome.state is TrialState.INVALID
    assert "needs a fresh import" in outcome.detail


def test_a_module_that_is_not_there_or_breaks_is_left_to_the_trials(served):
    session = served(
        shop__plain="""\
            def shift(number):
                try:
                    import absent_library
                except ImportError:
                    pass
                try:
                    import shop.broken
                except SystemExit:
                    pass
                from shop.part import shifted
                return shifted(number)
        """,
        shop__broken="raise SystemExit(3)",
    )
    assert [outcome.state for outcome in session.trials([trial_of("shifted")])] == [TrialState.PASSED]


LAZY = """\
    import sys

    def test_shift():
        assert "shop.part" not in sys.modules
        import shop.part
"""
THREAD = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n\n"


SETTING = """\
    def test_shift(monkeypatch):
        monkeypatch.setenv("SHIFT", "1")
        from shop.part import shifted
        assert shifted(1) == 2
"""
FROM_ENV = PART.replace("return 1", "import os; return int(os.environ['SHIFT'])")
SLOW = "import os, time\ntime.sleep(0 if 'SHIFT' in os.environ else 30)\n\n"
EXIT = "import os\n'SHIFT' in os.environ or os._exit(1)\n\n"
SOCKET = "import socket\nPAIR = socket.socketpair()\n\n"


@pytest.mark.parametrize(
    "changed",
    [
        {"test_shop": LAZY},
        {"shop__part": THREAD + PART},
        {"shop__part": SOCKET + PART},
        {"test_shop": SETTING, "shop__part": FROM_ENV},
        {"test_shop": SETTING, "shop__part": SLOW + PART},
        {"test_shop": SETTING, "shop__part": EXIT + PART},
    ],
)
def test_where_importing_it_before_is_not_the_same_all_stays_as_it_is(served, changed):
    session = served(**changed)
    assert not isinstance(session, InvalidRun)
    part = changed.get("shop__part", PART)
    outcomes = list(session.trials([trial_of("shifted", source=part), trial_of("shifted", "+", "-", source=part)]))
    for outcome in outcomes:
        assert outcome.state is TrialState.INVALID
        assert "no live function" in outcome.detail
