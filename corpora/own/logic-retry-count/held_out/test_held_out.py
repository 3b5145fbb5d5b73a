import pytest

from retrying import GaveUp, retry


@pytest.mark.parametrize("times", [1, 2, 5])
def test_calls_and_pauses(times):
    calls, pauses = [], []

    @retry(times, on=ValueError, between=pauses.append)
    def fail():
        calls.append(1)
        raise ValueError

    with pytest.raises(GaveUp, match=f"{times} times"):
        fail()
    assert len(calls) == times
    assert pauses == list(range(1, times))
