import pytest

from rolling import Window, smooth


def test_average():
    window = Window(3)
    for number in (1, 2, 3, 4):
        window.add(number)
    assert window.average() == 3.0


def test_an_empty_window_has_average_nought():
    assert Window(3).average() == 0.0


def test_an_empty_window_has_no_spread():
    assert Window(3).spread() == 0.0


def test_spread():
    assert Window(2).add(1).add(3).spread() == 1.0


def test_full():
    window = Window(2).add(1)
    assert not window.full
    assert window.add(1).full


def test_size_is_checked():
    with pytest.raises(ValueError, match="at least one"):
        Window(0)


def test_smooth():
    assert smooth([2, 4, 6, 8], 2) == [2.0, 3.0, 5.0, 7.0]
    assert smooth([], 2) == []
