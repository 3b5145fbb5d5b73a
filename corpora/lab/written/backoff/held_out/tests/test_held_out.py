import pytest

from policy import Policy
from runner import GaveUp, Runner, describe


@pytest.mark.parametrize("options, waits", [
    (dict(attempts=1, budget=100), []),
    (dict(attempts=1, budget=0), []),
    (dict(attempts=2, budget=0), []),
    (dict(attempts=4, base=0, budget=0), [0, 0, 0]),
    (dict(attempts=4, base=2, budget=5), [2]),
    (dict(attempts=4, base=2, budget=6), [2, 4]),
    (dict(attempts=4, base=2, budget=13), [2, 4]),
    (dict(attempts=4, base=2, budget=14), [2, 4, 8]),
    (dict(attempts=4, base=2, budget=1000), [2, 4, 8]),
    (dict(attempts=9, factor=1, budget=4), [1, 1, 1, 1]),
    (dict(attempts=9, factor=1, budget=3.5), [1, 1, 1]),
    (dict(attempts=5, factor=3, budget=13), [1, 3, 9]),
    (dict(attempts=5, factor=3, budget=12), [1, 3]),
    (dict(attempts=9, cap=3, budget=9), [1, 2, 3, 3]),
    (dict(attempts=9, cap=3, budget=8.5), [1, 2, 3]),
    (dict(attempts=9, base=5, cap=2, budget=7), [2, 2, 2]),
    (dict(attempts=9, base=5, cap=2, budget=2), [2]),
    (dict(attempts=9, base=5, cap=2, budget=1.5), []),
    (dict(attempts=7, cap=3), [1, 2, 3, 3, 3, 3]),
    (dict(attempts=3, base=0.25, budget=0.75), [0.25, 0.5]),
    (dict(attempts=3, base=0.25, budget=0.5), [0.25]),
])
def test_delays(options, waits):
    policy = Policy(**options)
    assert policy.delays() == waits
    assert policy.delays() == waits


def test_runner_with_budget():
    slept = []

    def down():
        raise OSError("down")

    runner = Runner(Policy(attempts=10, budget=5), sleep=slept.append)
    with pytest.raises(GaveUp) as caught:
        runner.run(down)
    assert slept == [1, 2]
    assert caught.value.tries == 3


def test_describe():
    assert describe(Policy(attempts=10, budget=20)) == "4 retries, 15s at most"
    assert describe(Policy(attempts=10, budget=0.5)) == "no retries"
