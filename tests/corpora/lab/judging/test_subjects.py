"""The fix that patches are held against, and bugs that no patch can be told right or wrong of."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.sizes import BUG, FIXED, PROGRAM, Sizes, changed

from analysis.errors import TargetError
from analysis.functions import find_function, functions_of
from corpora.bug import Oracle
from corpora.lab.judging.subjects import Terms, function_alone, open_subject
from repair.records.functions import edit_scope

OLD = b'"""Old words."""\nimport os\n\n\ndef size(rows):\n    return len(rows) - 1\n\n\nLIMIT = 3\n'
WHOLE = OLD.replace(b"Old", b"New").replace(b" - 1", b"").replace(b"LIMIT = 3\n", b"LIMIT = 4\nMORE = 5\n")
TERMS = Terms(isolation="none", suite_seconds=1e6)


def test_nothing_but_the_function_is_taken() -> None:
    span = find_function(functions_of("sizes.py", OLD), "size")
    assert span is not None
    old = edit_scope((("sizes.py", OLD),), span.function)
    alone = function_alone(old, (("sizes.py", WHOLE), ("other.py", b"")), span.function)
    assert alone == (("sizes.py", OLD.replace(b" - 1", b"")),)


def refused(corpus: Sizes, folder: Path, terms: Terms = TERMS) -> str:
    """What is said of a bug that cannot be opened."""
    with pytest.raises(TargetError) as problem, open_subject(BUG, corpus, folder / "tree", terms):
        raise AssertionError("it was opened")
    return str(problem.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Oracle(), "the corpus knows no fix of one function"),
        (Oracle(reference=changed(FIXED), expected=("flaky",)), "the corpus knows no fix of one function"),
        (Oracle(reference=changed(FIXED.replace(b"not rows", b"rows == []"))), "the fix changes 2 functions"),
        (Oracle(reference=changed(PROGRAM + b"\n\nLIMIT = 3\n")), "the fix changes 0 functions"),
    ],
)
def test_a_bug_needs_a_fix_of_one_function(answer: Oracle, said: str, tmp_path: Path) -> None:
    assert said in refused(Sizes(answer), tmp_path)


def test_a_suite_that_is_too_slow_is_refused(tmp_path: Path) -> None:
    said = refused(Sizes(), tmp_path, Terms(isolation="none", suite_seconds=0.0))
    assert said.startswith("the suite takes ")
    assert "more than 0" in said


def test_a_bug_that_no_visible_test_shows_is_refused(tmp_path: Path) -> None:
    other = Oracle(reference=changed(FIXED.replace(b"len(rows)", b"len(list(rows))")))
    assert "no visible test fails" in refused(Sizes(other, FIXED), tmp_path)


def test_a_reference_that_does_not_pass_is_refused(tmp_path: Path) -> None:
    wrong = Oracle(reference=changed(PROGRAM.replace(b" - 1", b" - 2")))
    assert "the reference does not pass test_sizes.py::test_size" in refused(Sizes(wrong), tmp_path)


def test_an_opened_bug_has_its_function_alone_for_its_fix(tmp_path: Path) -> None:
    whole = Oracle(reference=changed(FIXED + b"\n\nLIMIT = 3\n"))
    with open_subject(BUG, Sizes(whole), tmp_path / "tree", TERMS) as subject:
        assert subject.reference == changed(FIXED)
        assert subject.failing == BUG.failing
        assert subject.function.qualname == "size"
        assert sorted(subject.required) == ["test_sizes.py::test_empty", "test_sizes.py::test_size"]
