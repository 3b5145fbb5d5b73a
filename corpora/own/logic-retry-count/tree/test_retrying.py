import pytest

from retrying import GaveUp, retry


class Unsteady:
    """Fails so many times before it works."""

    def __init__(self, failures):
        self.failures = failures
        self.calls = 0

    def __call__(self, value):
        self.calls += 1
        if self.calls <= self.failures:
            raise OSError(f"failure {self.calls}")
        return value


def wrapped(unsteady, **given):
    @retry(3, **given)
    def work(value):
        return unsteady(value)

    return work


@pytest.mark.parametrize("failures", [0, 1])
def test_works_in_time(failures):
    assert wrapped(Unsteady(failures))(7) == 7


def test_the_last_attempt_counts():
    assert wrapped(Unsteady(2))("x") == "x"


def test_gives_up():
    unsteady = Unsteady(9)
    with pytest.raises(GaveUp, match="work failed 3 times") as caught:
        wrapped(unsteady)(1)
    assert unsteady.calls == 3
    assert str(caught.value.__cause__) == "failure 3"


def test_one_attempt():
    @retry(1)
    def once():
        return "done"

    assert once() == "done"


def test_other_errors_are_not_tried_again():
    unsteady = Unsteady(1)
    with pytest.raises(OSError, match="failure 1"):
        wrapped(unsteady, on=KeyError)(1)


def test_no_attempt_is_no_use():
    with pytest.raises(ValueError, match="at least one"):
        retry(0)


def test_name_is_kept():
    assert wrapped(Unsteady(0)).__name__ == "work"
