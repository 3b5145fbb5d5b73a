import pytest

from jobflow import JobGraph, Runner, Status
from jobflow.runner import summary


def boom():
    raise RuntimeError("boom")


@pytest.fixture
def chain():
    g = JobGraph()
    g.add("a")
    g.add("b", ["a"])
    g.add("c", ["b"])
    g.add("other")
    return g


def test_all_done(chain):
    ran = []
    runner = Runner(chain)
    for job in chain.jobs:
        runner.action(job, lambda job=job: ran.append(job))
    result = runner.run()
    assert set(result.values()) == {Status.DONE}
    assert ran == ["a", "other", "b", "c"]


def test_direct_dependant_is_skipped(chain):
    runner = Runner(chain)
    runner.action("b", boom)
    result = runner.run()
    assert result == {
        "a": Status.DONE,
        "other": Status.DONE,
        "b": Status.FAILED,
        "c": Status.SKIPPED,
    }


def test_skips_go_down_the_chain(chain):
    ran = []
    runner = Runner(chain)
    runner.action("a", boom)
    runner.action("c", lambda: ran.append("c"))
    result = runner.run()
    assert result["b"] is Status.SKIPPED
    assert result["c"] is Status.SKIPPED
    assert result["other"] is Status.DONE
    assert ran == []


def test_errors_are_kept(chain):
    runner = Runner(chain)
    runner.action("b", boom)
    runner.run()
    assert list(runner.errors) == ["b"]
    assert str(runner.errors["b"]) == "boom"


def test_errors_of_the_last_run_only(chain):
    runner = Runner(chain)
    runner.action("b", boom)
    runner.run()
    runner.action("b", lambda: None)
    assert runner.run()["c"] is Status.DONE
    assert runner.errors == {}


def test_retries(chain):
    calls = []

    def flaky():
        calls.append(1)
        if len(calls) < 3:
            raise OSError("busy")

    runner = Runner(chain, retries=2)
    runner.action("a", flaky)
    assert runner.run()["a"] is Status.DONE
    assert len(calls) == 3
    assert runner.errors == {}


def test_retries_run_out(chain):
    runner = Runner(chain, retries=1)
    runner.action("c", boom)
    assert runner.run()["c"] is Status.FAILED


def test_targets_only(chain):
    assert list(Runner(chain).run("b")) == ["a", "b"]


def test_summary(chain):
    runner = Runner(chain)
    runner.action("b", boom)
    assert summary(runner.run()) == "2 done, 1 failed, 1 skipped"


def test_one_bad_need_is_enough():
    g = JobGraph()
    g.add("good")
    g.add("bad")
    g.add("both", ["good", "bad"])
    runner = Runner(g)
    runner.action("bad", boom)
    assert runner.run()["both"] is Status.SKIPPED
