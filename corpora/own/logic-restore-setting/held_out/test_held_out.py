import pytest

from options import Options


def test_nested():
    options = Options()
    with options.using(precision=5):
        with options.using(precision=7, trim=False):
            assert options["precision"] == 7
        assert (options["precision"], options["trim"]) == (5, True)
    assert options.changed() == []


def test_unknown_names_leave_no_trace():
    options = Options()
    with pytest.raises(KeyError), options.using(precision=1, colour="red"):
        pass
    assert options.changed() == []
