"""Agreement of the pool with cold runs: every difference counts, and is named."""

from __future__ import annotations

import sys
import textwrap

import pytest

from analysis.facts import FunctionId, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from corpora.benchmarks.agreement import agreement, agreement_figures, compared
from corpora.benchmarks.cold import opened_cold
from corpora.benchmarks.subject import evenly, opened_tree
from sandbox.jail import choose

FUNCTION = FunctionId("m.py", "f", 1)


def trials(count):
    return [Trial(digest(str(n)), FUNCTION, b"", f"mutant {n}") for n in range(count)]


def warm(listed, states):
    return {t.digest: TrialOutcome(t.digest, state) for t, state in zip(listed, states, strict=True)}


def test_counts_verdicts_and_names_differences():
    some = trials(4)
    states = [TrialState.PASSED, TrialState.FAILED, TrialState.TIMEOUT, TrialState.INVALID]
    cold = {t.digest: word for t, word in zip(some, ["passed", "passed", "failed"], strict=False)}
    found = compared("lib", some, warm(some, states), cold)
    assert (found.compared, found.agreed, found.passed, found.abstained) == (3, 2, 2, 1)
    assert found.differences == ("lib, f, mutant 1: pool failed, cold passed",)
    figures = agreement_figures([found])
    assert figures.rows[0].median == pytest.approx(2 / 3)
    assert dict(figures.numbers)["verdict_candidates"] == 3
    assert found.differences[0] in figures.notes


def test_evenly_spreads_over_all():
    some = trials(10)
    assert [t.label for t in evenly(some, 3)] == ["mutant 0", "mutant 3", "mutant 6"]
    assert evenly(some, 20) == tuple(some)


MODULE = """
    def sign(number):
        if number > 0:
            return 1
        if number < 0:
            return -1
        return 0
"""
TESTS = """
    from signs import sign

    def test_positive():
        assert sign(3) == 1

    def test_zero():
        assert sign(0) == 0
"""


@pytest.fixture
def tree(tmp_path):
    for name, text in {"signs.py": MODULE, "test_signs.py": TESTS}.items():
        (tmp_path / "signs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "signs" / name).write_text(textwrap.dedent(text).lstrip())
    return tmp_path / "signs"


@pytest.mark.slow
def test_a_small_project_end_to_end(tree):
    with opened_tree(
        "signs", tree, sys.executable, "signs.py", ("sign",), ("test_signs.py",), choose("auto")
    ) as opened:
        assert len(opened.tests) == 2
        few = evenly(opened.trials, 6)
        found = agreement(opened, few, lambda words: None)
        assert (found.compared, found.agreed) == (6, 6), found.differences
        # The rival's copy and command find what the pool finds; its original passes (a positive control).
        with opened_cold(opened) as cold:
            same = Trial(digest("same"), few[0].function, textwrap.dedent(MODULE).lstrip().encode(), "as it is")
            assert cold.run(same)[0] == "passed"
            wrong = Trial(digest("wrong"), few[0].function, b"def sign(number):\n    return 7\n", "wrong")
            assert cold.run(wrong)[0] == "failed"
