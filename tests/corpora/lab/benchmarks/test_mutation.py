"""The figures beside mutmut: what they are made of, and how differences are said."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from analysis.errors import TargetError
from corpora.lab.benchmarks.cost import Cost
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.mutation import MADE, SAME, Ours, Rival, differences, figures, main, without_rival
from corpora.lab.benchmarks.mutation_asked import Answered, Spent
from corpora.lab.benchmarks.mutation_work import CASES, REQUIREMENTS
from corpora.lab.benchmarks.mutmut_tree import MutmutMutant, MutmutRun

ONE = MutmutRun(1, Cost(5.0, 4.0), 20.0)
EVERY = MutmutRun(5, Cost(5.8, 4.4), 21.0)
MUTANTS = tuple(
    MutmutMutant(f"m.x_f__mutmut_{n}", "f", f"def f(): return {n}", s)
    for n, s in enumerate(("killed", "survived") * 2, 1)
)
STATES = ("killed", "survived", "timeout", "killed")


def ours(cpu: float = 0.44) -> Ours:
    mutants = tuple(("f", mutant.text, state) for mutant, state in zip(MUTANTS, STATES, strict=True))
    suite, first, one, every = (
        Spent(0, 0.3, cpu - 0.05),
        Spent(4, 0.28, 0.05),
        Spent(1, 0.2, 0.025),
        Spent(4, 0.23, 0.04),
    )
    return Ours(Answered(mutants, 3, ("the time was over",), suite, first, one, every, later=0.43), wall=1.01)


def test_what_happens_once_cancels_out() -> None:
    rival = Rival(ONE, EVERY, MUTANTS, ("m.x_f__mutmut_2: return 1",))
    found = figures(CASES[0], 2, rival, ours(), ours(cpu=0.55))
    told = figures_of(found)
    assert told["mutants_per_second_vs_mutmut"] == pytest.approx(0.2 / 0.01)
    assert told["mutants_per_cpu_second_vs_mutmut"] == pytest.approx(0.1 / 0.005)
    assert told["end_to_end_vs_mutmut"] == pytest.approx(10.0)
    assert told["end_to_end_cpu_vs_mutmut"] == pytest.approx(8.0)
    assert told["same_survivors"] == told["mutmut_mutants_made"] == 0.75
    assert told["ours_ms_boltons_2"] == pytest.approx(10.0)
    assert "boltons: the time was over" in found.notes
    assert any("we do not make mutmut's m.x_f__mutmut_2" in note for note in found.notes)


def test_of_a_whole_module_each_mutant_has_its_share_of_the_whole() -> None:
    found = figures_of(figures(CASES[0], 1, Rival(None, EVERY, MUTANTS, ()), ours(), ours()))
    assert found["mutants_per_cpu_second_vs_mutmut"] == pytest.approx(4.4 / 5 / 0.005)


@pytest.mark.parametrize("every", [MutmutRun(1, Cost(5.8, 4.4), 1.0), MutmutRun(5, Cost(4.0, 4.4), 1.0)])
def test_runs_that_do_not_differ_say_nothing(every: MutmutRun) -> None:
    with pytest.raises(TargetError, match="do not differ"):
        figures(CASES[0], 1, Rival(ONE, every, MUTANTS, ()), ours(), ours())


def test_a_mutant_that_only_one_side_notices_is_a_difference() -> None:
    assert differences(MUTANTS, STATES) == ["m.x_f__mutmut_4 is survived to mutmut and killed to us"]


@pytest.mark.parametrize(
    ("theirs", "mine", "same"),
    [
        ("suspicious", "killed", True),
        ("segfault", "timeout", True),
        ("no tests", "survived", True),
        ("killed", "invalid", False),
        ("not checked", "survived", True),
        ("timeout", "survived", False),
    ],
)
def test_states_are_compared_by_whether_the_tests_notice(theirs: str, mine: str, same: bool) -> None:
    assert (differences([MutmutMutant("m", "f", "", theirs)], [mine]) == []) is same


def test_one_state_too_few_is_no_comparison() -> None:
    with pytest.raises(ValueError, match="zip"):
        differences(MUTANTS, STATES[:2])


def test_a_function_that_mutmut_leaves_alone_has_no_ratio() -> None:
    found = without_rival(next(c for c in CASES if c.name == "sqlparse"), 1, ours())
    assert found.rows == ()
    assert figures_of(found)["own_noticed_sqlparse_1"] == 3
    assert "mutmut" in found.notes[0]


def test_shares_have_to_be_whole() -> None:
    assert SAME.meets(1.0)
    assert not SAME.meets(0.99)
    assert not MADE.meets(0.99)


def test_everything_is_pinned_once() -> None:
    names = [each.partition("==")[0] for each in REQUIREMENTS]
    assert len(set(names)) == len(names)
    assert {"mutmut", "pytest", "libcst"} <= set(names)


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--only", "nothing"], "There is no function 'nothing'"), (["--workers", "0"], "takes numbers")],
)
def test_what_cannot_be_asked_for_is_said(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert said in result.output
