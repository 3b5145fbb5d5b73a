import pytest

from policy import Policy
from runner import GaveUp, Runner, describe


class Flaky:
    def __init__(self, failures, error=OSError("down")):
        self.failures = failures
        self.error = error

    def __call__(self, value):
        if self.failures:
            self.failures -= 1
            raise self.error
        return value


def make(policy, **more):
    slept = []
    return Runner(policy, sleep=slept.append, **more), slept


@pytest.mark.parametrize("options, waits", [
    ({}, [1, 2]),
    ({"attempts": 1}, []),
    ({"attempts": 5, "base": 0.5}, [0.5, 1, 2, 4]),
    ({"attempts": 4, "factor": 1}, [1, 1, 1]),
    ({"attempts": 6, "cap": 5}, [1, 2, 4, 5, 5]),
    ({"attempts": 3, "cap": 0.5}, [0.5, 0.5]),
    ({"attempts": 4, "base": 0}, [0, 0, 0]),
])
def test_delays(options, waits):
    assert Policy(**options).delays() == waits


@pytest.mark.parametrize("budget, waits", [
    (0.5, []),
    (1, [1]),
    (2, [1]),
    (3, [1, 2]),
    (6.9, [1, 2]),
    (7, [1, 2, 4]),
    (None, [1, 2, 4, 8, 16]),
])
def test_budget(budget, waits):
    assert Policy(attempts=6, budget=budget).delays() == waits


def test_bad_policy():
    with pytest.raises(ValueError):
        Policy(attempts=0)
    with pytest.raises(ValueError):
        Policy(factor=0.5)


def test_works_at_once():
    runner, slept = make(Policy())
    assert runner.run(Flaky(0), 7) == 7
    assert slept == []


def test_retries():
    runner, slept = make(Policy(attempts=4))
    assert runner.run(Flaky(2), 7) == 7
    assert slept == [1, 2]
    assert runner.log == ["try 1: down", "try 2: down"]


def test_gives_up():
    runner, slept = make(Policy(attempts=3))
    with pytest.raises(GaveUp) as caught:
        runner.run(Flaky(9), 7)
    assert caught.value.tries == 3
    assert slept == [1, 2]


def test_other_error():
    runner, slept = make(Policy())
    with pytest.raises(KeyError):
        runner.run(Flaky(1, KeyError("x")), 7)


def test_describe():
    assert describe(Policy(attempts=1)) == "no retries"
    assert describe(Policy(attempts=4)) == "3 retries, 7s at most"
