"""The comparison with mutmut on a tiny project: the real mutmut, and our own side in its own process."""

from __future__ import annotations

import sys
from pathlib import Path

from corpora.lab.benchmarks.mutant_trees import match_mutants, missing_mutants
from corpora.lab.benchmarks.mutation import differences, run_ours
from corpora.lab.benchmarks.mutation_asked import Asked
from corpora.lab.benchmarks.mutmut_tree import Subject, read_mutants, run_mutmut, settle

SOURCE = """\
def unused(value):
    return value + 1


def clamp(value, low=0, high=10):
    if value < low:
        return low
    return min(value, high)


def again(function):
    return lambda *args: function(*args)


@again
def twice(value):
    return value * 2
"""
TESTS = """\
from shop import clamp, twice


def test_clamp():
    assert [clamp(value) for value in (-1, 5, 11)] == [0, 5, 10]


def test_twice():
    assert twice(3) == 6
"""
SUBJECT = Subject("shop.py", "clamp", ("tests/test_shop.py",))


def laid(root: Path) -> Path:
    (root / "tests").mkdir(parents=True)
    (root / "shop.py").write_text(SOURCE, encoding="utf-8")
    (root / "conftest.py").write_text("", encoding="utf-8")
    (root / "tests" / "test_shop.py").write_text(TESTS, encoding="utf-8")
    return root


def asked(root: Path, qualname: str) -> Asked:
    return Asked(str(root), sys.executable, SUBJECT.path, qualname, SUBJECT.tests, 1, "auto")


def test_both_sides_say_the_same_of_the_same_mutants(tmp_path: Path) -> None:
    theirs, own = laid(tmp_path / "theirs"), laid(tmp_path / "ours")
    settle(theirs, SUBJECT)
    every = run_mutmut(theirs, sys.executable, SUBJECT.names + "*", 1)
    assert every is not None
    mutants = read_mutants(theirs, SUBJECT)
    assert read_mutants(theirs, Subject("shop.py", "twice", ())) == (), "it is decorated"
    assert {each.state for each in mutants} == {"killed", "survived"}, "each answer is there to be compared"
    assert missing_mutants(SUBJECT, SOURCE.encode(), mutants) == ()
    own_run = run_ours(asked(own, "clamp"))
    states = match_mutants(mutants, own_run.answered.mutants)
    assert None not in states
    assert differences(mutants, states) == []
    assert own_run.answered.tests == 1, "the other one runs another function of the file"
    decorated = run_ours(asked(own, "twice")).answered.mutants
    assert "killed" in {state for _, _, state in decorated}
    every_own = run_ours(asked(own, "")).answered.mutants
    assert {state for _, _, state in every_own} >= {"killed", "survived", "no_coverage"}, "of all functions of the file"
    assert set(decorated) <= set(every_own)
    answered = own_run.answered
    assert (answered.first.mutants, answered.one.mutants) == (answered.every.mutants, 1)
    assert own_run.more == answered.every.mutants - 1 > 10
    assert own_run.wall > own_run.whole.wall > answered.suite.wall > 0
