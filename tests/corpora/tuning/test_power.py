"""What a plan says that it can accept, beside what campaigns of the benchmark do."""

from corpora.lab.benchmarks.simulated_prompts import plan_of
from corpora.lab.benchmarks.tuned import planted_gains
from corpora.tuning.evidence import spent_error
from corpora.tuning.power import SEEN, chance_of_acceptance, chance_of_deletion, describe_power, tasks_wanted


def test_fewer_tasks_see_only_larger_gains():
    level = spent_error(1) / 4
    chances = [chance_of_acceptance(0.2, tasks, level, 4) for tasks in (2, 10, 30, 60, 1_200)]
    assert chances == sorted(chances)
    assert chances[0] == 0
    assert 0.9 <= chances[3] <= 1
    assert tasks_wanted(0.1, level, 4) < tasks_wanted(0.05, level, 4) < tasks_wanted(0.05, level / 10, 4)
    assert chance_of_acceptance(0.1, tasks_wanted(0.1, level, 4), level, 4) >= SEEN


def test_what_is_told_of_a_gain_is_what_the_simulation_shows():
    """The formula beside campaigns of the benchmark, whose acceptance it is to foretell."""
    shown = planted_gains(12).rows[0].median
    assert abs(shown - chance_of_acceptance(0.2, 60, spent_error(1) / 4, 4)) < 0.2


def test_a_tight_margin_wants_many_tasks():
    assert chance_of_deletion(0.10, 60, 2) > 0.7 > chance_of_deletion(0.02, 60, 2) > 0
    assert chance_of_deletion(0.02, 1_000, 2) > 0.7
    assert chance_of_deletion(0.10, 0, 2) == 0


def test_a_plan_says_what_it_can_accept():
    plan = plan_of(0, iterations=40, deletions=False)
    assert describe_power(plan).startswith("60 select tasks. Edits that are accepted")
    assert "30 points: any of the first 40; 20 points: any of the first" in describe_power(plan)
    assert "10 points: any of the first 1. 10 points in test 3 want 80 select tasks" in describe_power(plan)
    assert "30 points: none" in describe_power(plan_of(0, iterations=40, deletions=False, select=5))
