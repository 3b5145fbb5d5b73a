import pytest

from steps import Journal, Skip


class Later(Skip):
    pass


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, StopIteration])
def test_errors_go_on(error):
    journal = Journal()
    with pytest.raises(error), journal.step("s"):
        raise error
    assert journal.lines[-1] == ("s", "failed")


def test_kinds_of_skip_end_here():
    journal = Journal()
    with journal.step("s"):
        raise Later
    assert journal.lines[-1] == ("s", "skipped")
