"""An example of a doctest that raises is what it raised, with its frames, and no fault of the environment."""

import pytest

from analysis.classify import classify
from analysis.facts import FailureClass, TestId, TestRun
from analysis.failure import failure_of
from analysis.frames import innermost_frame

LIBRARY = '''\
def pick(values):
    """The third one.

    >>> pick("abc")
    'c'
    >>> pick("ab")
    'b'
    """
    return values[2]


def double(value):
    """Twice as much.

    >>> double(2)
    4
    >>> double(3)
    6
    """
    return value + 2


def both(values):
    """Its examples fail in two ways.

    >>> both("")
    0
    >>> both("a")
    0
    """
    return 1 // len(values)
'''


@pytest.fixture
def run_doctest(project, open_sandbox):
    def run(name, *options):
        sandbox = open_sandbox(project({"lib.py": LIBRARY, "pytest.ini": "[pytest]\naddopts = " + " ".join(options)}))
        found = sandbox.run([TestId(f"lib.py::lib.{name}")])
        assert isinstance(found, TestRun), found
        (result,) = found.results
        return failure_of(result)

    return run


@pytest.mark.parametrize(
    ("name", "raised", "options", "kind"),
    [
        ("pick", "IndexError", (), FailureClass.RUNTIME_SAFETY),
        ("pick", "IndexError", ("--doctest-continue-on-failure",), FailureClass.RUNTIME_SAFETY),
        ("both", "ZeroDivisionError", ("--doctest-continue-on-failure",), FailureClass.RUNTIME_SAFETY),
        ("double", "doctest.DocTestFailure", (), FailureClass.LOGIC),
        ("double", "doctest.DocTestFailure", ("--doctest-continue-on-failure",), FailureClass.LOGIC),
    ],
)
def test_an_example_fails_with_what_it_raised(run_doctest, name, raised, options, kind):
    failure = run_doctest(name, "--doctest-modules", *options)
    assert [each.type_name for each in failure.exceptions] == [raised]
    assert classify(failure, lambda path: False)[0] is kind


def test_the_frames_are_those_of_what_was_raised(run_doctest):
    failure = run_doctest("pick", "--doctest-modules")
    frame = innermost_frame(failure.exceptions[0])
    assert frame is not None
    assert (frame.path, frame.qualname, frame.line) == ("lib.py", "pick", 9)
