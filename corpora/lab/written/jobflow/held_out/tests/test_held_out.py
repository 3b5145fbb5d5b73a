import pytest

from jobflow import JobGraph, Runner, Status

D, F, S = Status.DONE, Status.FAILED, Status.SKIPPED


def boom():
    raise RuntimeError("boom")


GRAPHS = {
    "chain": {"a": [], "b": ["a"], "c": ["b"], "d": ["c"], "e": ["d"]},
    "diamond": {"top": [], "l": ["top"], "r": ["top"], "end": ["l", "r"], "after": ["end"]},
    "two": {"a1": [], "a2": ["a1"], "a3": ["a2"], "b1": [], "b2": ["b1"], "b3": ["b2"]},
    "join": {"x": [], "y": ["x"], "p": [], "q": ["p"], "z": ["y", "q"], "zz": ["z"]},
}

CASES = [
    ("chain", ["a"], "FSSSS"),
    ("chain", ["b"], "DFSSS"),
    ("chain", ["c"], "DDFSS"),
    ("chain", ["e"], "DDDDF"),
    ("chain", [], "DDDDD"),
    ("chain", ["a", "c"], "FSSSS"),
    ("diamond", ["top"], "FSSSS"),
    ("diamond", ["l"], "DFDSS"),
    ("diamond", ["r"], "DDFSS"),
    ("diamond", ["l", "r"], "DFFSS"),
    ("diamond", ["end"], "DDDFS"),
    ("two", ["a1"], "FSSDDD"),
    ("two", ["b1"], "DDDFSS"),
    ("two", ["a1", "b2"], "FSSDFS"),
    ("two", ["a3"], "DDFDDD"),
    ("join", ["x"], "FSDDSS"),
    ("join", ["q"], "DDDFSS"),
    ("join", ["x", "p"], "FSFSSS"),
]


@pytest.mark.parametrize("graph, failing, expected", CASES)
def test_statuses(graph, failing, expected):
    g = JobGraph()
    for job, needs in GRAPHS[graph].items():
        g.add(job, needs)
    ran = []
    runner = Runner(g)
    for job in g.jobs:
        if job in failing:
            runner.action(job, boom)
        else:
            runner.action(job, lambda job=job: ran.append(job))
    result = runner.run()
    want = dict(zip(GRAPHS[graph], ({"D": D, "F": F, "S": S}[c] for c in expected)))
    assert result == want
    assert sorted(ran) == sorted(j for j, s in want.items() if s is D)
    assert sorted(runner.errors) == sorted(j for j, s in want.items() if s is F)


def test_jobs_without_action_are_skipped_too():
    g = JobGraph()
    for job, needs in GRAPHS["chain"].items():
        g.add(job, needs)
    runner = Runner(g)
    runner.action("a", boom)
    assert list(runner.run().values()) == [F, S, S, S, S]


def test_second_run_starts_afresh():
    g = JobGraph()
    for job, needs in GRAPHS["chain"].items():
        g.add(job, needs)
    runner = Runner(g)
    runner.action("a", boom)
    runner.run()
    runner.action("a", lambda: None)
    assert set(runner.run().values()) == {D}


def test_targets():
    g = JobGraph()
    for job, needs in GRAPHS["chain"].items():
        g.add(job, needs)
    runner = Runner(g)
    runner.action("a", boom)
    assert runner.run("d") == {"a": F, "b": S, "c": S, "d": S}


def test_result_is_in_run_order():
    g = JobGraph()
    for job, needs in GRAPHS["two"].items():
        g.add(job, needs)
    runner = Runner(g)
    runner.action("a1", boom)
    assert list(runner.run()) == g.order()


def test_errors_of_a_job_that_is_now_skipped_are_gone():
    g = JobGraph()
    g.add("a")
    g.add("b", ["a"])
    runner = Runner(g)
    runner.action("b", boom)
    runner.run()
    runner.action("a", boom)
    runner.run()
    assert list(runner.errors) == ["a"]
