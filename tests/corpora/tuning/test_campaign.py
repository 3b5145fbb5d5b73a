"""The shares of the tasks: whole projects, always the same, and none that rests on one."""

import pytest

from analysis.errors import UsageError
from corpora.tuning.campaign import TuneTask, crowded_share, describe_share, split_tasks


def projects_of_sizes(*sizes):
    return {f"t{number}-{n}": f"p{number}" for number, size in enumerate(sizes) for n in range(size)}


def test_splits_keep_projects_whole_and_stay_the_same():
    projects = {f"t{n}": f"p{n % 13}" for n in range(120)}
    tasks = split_tasks(projects)
    assert tasks == split_tasks(dict(reversed(projects.items())))
    assert len({(task.project, task.share) for task in tasks}) == 13
    counts = [sum(task.share == share for task in tasks) for share in ("train", "select", "sealed")]
    assert 50 <= counts[0] <= 70
    assert 26 <= counts[1] <= 46
    assert all(counts)
    assert {task.share for task in split_tasks({"a": "1", "b": "2", "c": "3"})} == {"train", "select", "sealed"}
    with pytest.raises(UsageError, match="2 projects"):
        split_tasks({"a": "1", "b": "2"})


@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1, 1), (20,) * 5, (10,) * 6, (70, *[3] * 10), (40, 40, *[4] * 8), (5,) * 20]
)
def test_what_is_accepted_rests_on_no_single_project(sizes):
    tasks = split_tasks(projects_of_sizes(*sizes))
    assert crowded_share(tasks) == ""
    for share in ("select", "sealed"):
        assert len({task.project for task in tasks if task.share == share}) >= 2
        assert "of the largest" in describe_share(tasks, share)
    largest = max(sizes)
    if largest > sum(sizes) / 2:
        assert {task.project for task in tasks if task.share == "train"} == {f"p{sizes.index(largest)}"}


@pytest.mark.parametrize(
    ("sizes", "said"),
    [((9, 1, 1), "of one project"), ((50, 50, 50, 50), "of one project"), ((90, 60, 30, 1, 1, 1), "30 of")],
)
def test_tasks_that_rest_on_one_project_are_told(sizes, said):
    assert said in crowded_share(split_tasks(projects_of_sizes(*sizes)))


def test_a_share_of_which_most_is_one_project_is_told():
    tasks = [TuneTask(f"t{n}", "big" if n < 6 else f"p{n}", "select") for n in range(10)]
    assert crowded_share(tasks) == "6 of 10 select tasks are of one project, big"
    assert describe_share(tasks, "select") == "10 select of 5 projects, 60% of the largest"
    assert crowded_share([]).startswith("0 of 0")
