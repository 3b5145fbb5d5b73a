import pytest

from analysis.facts import CollectionError, Frame, InvalidRun, Outcome, Phase, RunFault, SeenError, TestId, TestResult
from repair.records.grown import SaidBy
from repair.records.written import ReplyPart
from repair.survey.making.draft import (
    Draft,
    DraftTest,
    beside,
    heads_of,
    part_at_fault,
    with_outcomes,
    without_tests,
)
from repair.survey.making.standings import QuotedTest

TESTS = b"""\
import pytest


@pytest.mark.parametrize("n", [1])
def test_a(n):
    assert n


class TestMore:
    def test_b(self):
        assert 1


def test_c():
    assert 0
"""


def draft(*names):
    return Draft((), (), tuple(DraftTest(QuotedTest(name, SaidBy.PINNED)) for name in names))


def frame(path):
    return Frame(path, True, 1, None, None, None, "", "", 1)


def error(kind, message, *paths):
    seen = SeenError(kind, ("ImportError", "Exception"), message, tuple(map(frame, paths)))
    return CollectionError("tests/test_a.py", (seen,), message)


@pytest.mark.parametrize(
    ("problem", "part"),
    [
        (error("ImportError", "cannot import name 'total' from 'shop'", "tests/test_a.py"), ReplyPart.IMPLEMENTATION),
        (error("ModuleNotFoundError", "No module named 'shop'", "tests/test_a.py"), ReplyPart.IMPLEMENTATION),
        (error("ImportError", "cannot import name 'helper' from 'shop'", "tests/test_a.py"), ReplyPart.TESTS),
        (error("NameError", "name 'x' is not defined", "tests/test_a.py", "shop.py"), ReplyPart.IMPLEMENTATION),
        (error("NameError", "name 'x' is not defined", "tests/test_a.py"), ReplyPart.TESTS),
        (CollectionError("tests/test_a.py", (), "it ended"), ReplyPart.TESTS),
    ],
)
def test_the_part_at_fault_is_where_it_broke_or_what_lacks_a_name_of_the_task(problem, part):
    assert part_at_fault(problem, "Write `total` in shop.py.") is part


def test_a_test_passes_where_all_of_its_cases_do():
    results = tuple(
        TestResult(TestId(name), outcome, Phase.CALL, 0.1, message="said")
        for name, outcome in (
            ("t.py::a[1]", Outcome.PASSED),
            ("t.py::a[2]", Outcome.FAILED),
            ("t.py::b[1]", Outcome.PASSED),
            ("t.py::c", Outcome.SKIPPED),
        )
    )
    run = InvalidRun(RunFault.TIMEOUT, "60 s", partial=results)
    found = with_outcomes(draft("t.py::a", "t.py::b", "t.py::c", "t.py::d"), run)
    assert [test.outcome for test in found.tests] == ["failed", "passed", "skipped", "missing"]
    assert found.passing == {"t.py::b"}
    assert "60 s" in found.problem


def test_tests_are_cut_out_with_their_decorators_and_empty_files_go():
    files = (("tests/test_a.py", TESTS), ("tests/test_z.py", b"def test_z():\n    assert 0\n"))
    gone = frozenset(("tests/test_a.py::test_a", "tests/test_a.py::test_c", "tests/test_z.py::test_z"))
    ((path, text),) = without_tests(files, gone)
    assert path == "tests/test_a.py"
    assert b"test_b" in text
    assert b"test_a" not in text.replace(b"test_a.py", b"")
    assert b"parametrize" not in text
    assert without_tests(files, frozenset()) == files


def test_a_file_whose_last_test_of_a_class_goes_stays_as_it_is():
    only = b"class TestA:\n    def test_a(self):\n        assert 0\n\n\ndef test_b():\n    assert 1\n"
    files = (("tests/test_a.py", only),)
    assert without_tests(files, frozenset(("tests/test_a.py::TestA::test_a",))) == files


def test_files_of_one_path_lie_beside_each_other():
    found = beside((("tests/a.py", b"1"),), (("tests/a.py", b"2"), ("tests/b.py", b"3")))
    assert found == (("tests/a.py", b"1"), ("tests/a_2.py", b"2"), ("tests/b.py", b"3"))


def test_paths_that_differ_in_capitals_do_not_lie_beside_each_other():
    found = beside((("tests/Test_a.py", b"1"),), (("tests/test_a.py", b"2"), ("tests/TEST_A.py", b"3")))
    assert found == (("tests/TEST_A_3.py", b"3"), ("tests/Test_a.py", b"1"), ("tests/test_a_2.py", b"2"))


def test_heads_are_names_and_signatures_without_bodies_and_docstrings():
    source = b'''\
"""Secret one."""
LIMIT = 3


def total(prices, *, start: int = 0) -> int:
    """Secret two."""
    return 1


def _own():
    pass


class Cart(dict):
    """Secret three."""

    def __init__(self, size):
        self.size = size

    async def add(self, item):
        return item
'''
    assert heads_of((("shop.py", source),)) == (
        "shop.py: def total(prices, *, start: int=0) -> int",
        "shop.py: class Cart(dict)",
        "shop.py: def Cart.__init__(self, size)",
        "shop.py: async def Cart.add(self, item)",
    )
