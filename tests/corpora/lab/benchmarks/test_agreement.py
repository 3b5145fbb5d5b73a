"""Agreement of the pool with cold runs: every difference counts, and is named."""

from __future__ import annotations

import sys
import textwrap
from dataclasses import replace

import pytest

from analysis.facts import FunctionId, Outcome, Phase, TestId, TestResult, digest
from analysis.trials import Trial
from corpora.lab.benchmarks import agreement as module
from corpora.lab.benchmarks.agreement import Left, Pair, Told, agreement, agreement_figures, measure_agreement
from corpora.lab.benchmarks.cold import open_cold
from corpora.lab.benchmarks.kept import KeptVerdicts
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.subject import open_tree, plain_selection, spread_evenly
from corpora.lab.benchmarks.verdicts import Verdict, Word
from corpora.lab.benchmarks.work import WORKS
from sandbox.jail import choose
from sandbox.jail_protocol import NO_JAIL

FUNCTION = FunctionId("m.py", "f", 1)
PASSED, FAILED, CRASHED = Verdict(Word.PASSED), Verdict(Word.FAILED, "t::a"), Verdict(Word.CRASHED)


def pair(number, pool, cold, tier="warm"):
    return Pair("lib", Trial(digest(str(number)), FUNCTION, b"", f"mutant {number}"), Told(pool, tier), cold)


def test_every_pair_that_ends_otherwise_or_in_another_test_counts_and_is_named():
    pairs = [
        pair(0, PASSED, PASSED, "batch"),
        pair(1, FAILED, PASSED),
        pair(2, CRASHED, FAILED),
        pair(3, Verdict(Word.FAILED, "t::b"), FAILED),
        pair(4, FAILED, FAILED),
        replace(pair(6, PASSED, FAILED), steady=False),
    ]
    figures = agreement_figures(pairs, [Left("lib", "g", 7, "these tests do not notice when it raises")])
    assert figures.rows[0].median == pytest.approx(2 / 5)
    assert dict(figures.numbers) == {
        "verdict_candidates": 5,
        "verdict_agreed": 2,
        "verdict_agreed_on_passing": 4,
        "verdict_passed_cold": 2,
        "verdict_handed_on": 7,
        "verdict_unsteady": 1,
    }
    assert figures.notes == (
        "verdict_agreement over lib 5; in batch 1, warm 4.",
        "Cold passed: the pool says passed 1, failed 1.",
        "Cold failed: the pool says crashed 1, failed in another test 1, failed 1.",
        "Left to a cold run of its own: lib, g 7: these tests do not notice when it raises.",
        "Differs: lib, f, mutant 1: pool failed (t::a) (warm), cold passed",
        "Differs: lib, f, mutant 2: pool crashed (warm), cold failed (t::a)",
        "Differs: lib, f, mutant 3: pool failed (t::b) (warm), cold failed (t::a)",
        "Differs: lib, f, mutant 6: pool passed (warm), cold failed (t::a); a second cold run says something else",
    )


def test_nothing_compared_is_no_agreement():
    assert agreement_figures([]).rows == ()


@pytest.mark.parametrize(
    ("first", "second", "cold", "steady"),
    [
        (FAILED, FAILED, FAILED, True),
        (FAILED, PASSED, FAILED, False),
        (Verdict(Word.TIMEOUT), FAILED, FAILED, True),
        (Verdict(Word.TIMEOUT), Verdict(Word.TIMEOUT), Verdict(Word.TIMEOUT), True),
    ],
)
def test_a_second_cold_run_tells_unsteady_candidates_from_slow_ones(first, second, cold, steady):
    seen = module._judge_again(pair(0, PASSED, first), second)
    assert (seen.cold, seen.steady) == (cold, steady)


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED])
def test_a_plain_run_gets_the_passing_tests_alone_where_others_fail(outcome):
    ends = {"t.py::a": Outcome.PASSED, "t.py::b": outcome, "t.py::c": Outcome.PASSED}
    results = [TestResult(TestId(test), end, Phase.CALL, 0.1, (), "") for test, end in ends.items()]
    asked = ("t.py",) if outcome is Outcome.SKIPPED else ("t.py::a", "t.py::c")
    assert plain_selection(["t.py"], results) == asked


def test_evenly_spreads_over_all():
    some = [pair(number, PASSED, PASSED).trial for number in range(10)]
    assert [t.label for t in spread_evenly(some, 3)] == ["mutant 0", "mutant 3", "mutant 6"]
    assert spread_evenly(some, 20) == tuple(some)


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


def test_a_small_project_end_to_end(tree, tmp_path):
    with open_tree("signs", tree, sys.executable, "signs.py", ("sign",), ("test_signs.py",), choose("auto")) as opened:
        assert len(opened.tests) == 2
        few = spread_evenly(opened.trials, 3)
        kept = KeptVerdicts(tmp_path / "kept.jsonl")
        pairs, left = agreement(opened, few, kept, float("inf"), lambda words: None)
        assert [pair.trial for pair in pairs if pair.agrees] == list(few), [str(pair) for pair in pairs]
        # Where the time is over, what is kept stands, and no cold run is made for the rest.
        more = spread_evenly(opened.trials, 6)
        assert left == []
        later, _ = agreement(opened, more, kept, 0.0, lambda words: None)
        assert {pair.trial for pair in later} == set(few) & set(more)
        # The rival's copy and command find what the pool finds; its original passes (a positive control).
        with open_cold(opened) as cold:
            same = Trial(digest("same"), few[0].function, textwrap.dedent(MODULE).lstrip().encode(), "as it is")
            assert cold.run(same)[0] == "passed"
            wrong = Trial(digest("wrong"), few[0].function, b"def sign(number):\n    return 7\n", "wrong")
            assert cold.run(wrong)[0] == "failed"
            assert (cold.verdict(same), cold.verdict(wrong)) == (PASSED, Verdict(Word.FAILED, opened.tests[0]))
            endless = Trial(digest("endless"), few[0].function, b"def sign(number):\n    while True: pass\n", "endless")
            assert cold.verdict(endless, patience=0.1).word is Word.TIMEOUT


def test_no_library_is_opened_after_the_time_is_over(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_LEAST_SECONDS", 0.0)
    setup = Setup(tmp_path, tmp_path, NO_JAIL, 10, 1, 2, lambda words: None, until=0.0, works=WORKS[:2])
    assert measure_agreement(setup).notes == (
        "verdict_agreement: no candidate got a verdict from both sides.",
        *(f"{work.name} was not compared: the time was over." for work in WORKS[:2]),
    )
