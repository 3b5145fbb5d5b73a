import pytest

from steps import Journal, Skip


def test_a_step_that_ends_well():
    journal = Journal()
    with journal.step("build"):
        pass
    assert journal.lines == [("build", "begun"), ("build", "done")]


def test_a_skipped_step():
    journal = Journal()
    with journal.step("upload"):
        raise Skip
    assert journal.lines[-1] == ("upload", "skipped")


def test_an_error_goes_on():
    journal = Journal()
    with pytest.raises(ZeroDivisionError), journal.step("count"):
        1 / 0
    assert journal.failed() == ["count"]


def test_an_error_ends_the_outer_step_too():
    journal = Journal()
    with pytest.raises(KeyError), journal.step("outer"), journal.step("inner"):
        {}["x"]
    assert journal.failed() == ["inner", "outer"]


def test_a_skip_leaves_the_outer_step_alone():
    journal = Journal()
    with journal.step("outer"):
        with journal.step("inner"):
            raise Skip
    assert journal.lines[-1] == ("outer", "done")
