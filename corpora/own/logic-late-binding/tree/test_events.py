import pytest

from events import Panel, keypad, typed


@pytest.fixture
def pad():
    return keypad(Panel(), "123")


def test_buttons(pad):
    assert "2" in pad
    assert "4" not in pad
    assert "clear" in pad


def test_the_last_key(pad):
    pad.press("3", times=2)
    assert pad.pressed == [(2, "3"), (2, "3")]


def test_the_first_key(pad):
    pad.press("1")
    assert pad.pressed == [(0, "1")]


def test_typing(pad):
    for key in "2113":
        pad.press(key)
    assert typed(pad) == "2113"


def test_clear(pad):
    pad.press("3")
    pad.press("clear")
    assert typed(pad) == ""


def test_unknown_key(pad):
    with pytest.raises(KeyError):
        pad.press("9")
