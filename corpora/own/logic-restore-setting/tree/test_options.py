import pytest

from options import Options, show


@pytest.fixture
def options():
    return Options()


def test_defaults(options):
    assert options["precision"] == 2
    assert options.changed() == []


def test_unknown_names(options):
    with pytest.raises(KeyError):
        options["colour"] = "red"


def test_within_the_block(options):
    with options.using(precision=0, trim=False):
        assert show(3.7, options) == "4"


def test_after_the_block(options):
    options["precision"] = 3
    with options.using(precision=0):
        pass
    assert options["precision"] == 3


def test_defaults_come_back(options):
    with options.using(separator="."):
        pass
    assert options.changed() == []


def test_after_an_error(options):
    with pytest.raises(ZeroDivisionError), options.using(trim=False):
        1 / 0
    assert show(1.5, options) == "1,5"


def test_show(options):
    assert show(2, options) == "2"
    assert show(2.345, options) == "2,35" or show(2.345, options) == "2,34"
