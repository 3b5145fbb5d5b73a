import pytest

from buffer import Buffer
from edits import Edit


def typed(text, buf=None):
    buf = buf or Buffer()
    for ch in text:
        buf.type(ch)
    return buf


def test_edit_round_trip():
    e = Edit(1, "b", "xyz")
    assert e.apply("abc") == "axyzc"
    assert e.revert("axyzc") == "abc"


def test_typing_is_one_step():
    buf = typed("hello")
    assert buf.text == "hello"
    assert buf.history.steps == 1
    buf.undo()
    assert buf.text == ""


def test_line_break_closes_the_step():
    buf = typed("one\ntwo")
    buf.undo()
    assert buf.text == "one\n"
    assert buf.cursor == 4


def test_moving_closes_the_step():
    buf = typed("ab")
    buf.move(2)
    typed("cd", buf)
    buf.undo()
    assert buf.text == "ab"


def test_typing_elsewhere_is_another_step():
    buf = typed("ab")
    buf.move(0)
    typed("cd", buf)
    assert buf.text == "cdab"
    assert buf.history.steps == 2


def test_backspace():
    buf = typed("abc")
    buf.backspace(2)
    assert buf.text == "a"
    buf.undo()
    assert (buf.text, buf.cursor) == ("abc", 3)


def test_backspace_at_the_start():
    buf = Buffer()
    buf.backspace()
    assert buf.history.steps == 0


def test_replace():
    buf = Buffer("one two")
    buf.replace(4, 7, "three")
    assert buf.text == "one three"
    buf.undo()
    assert buf.text == "one two"
    with pytest.raises(IndexError):
        buf.replace(3, 99, "")


def test_redo():
    buf = typed("ab")
    buf.undo()
    assert buf.history.can_redo
    assert buf.redo()
    assert (buf.text, buf.cursor) == ("ab", 2)
    assert not buf.redo()


def test_typing_drops_the_redo():
    buf = typed("ab\ncd")
    buf.undo()
    typed("x", buf)
    assert not buf.history.can_redo


def test_undo_with_nothing():
    assert Buffer("abc").undo() is False


def test_typing_after_redo_is_a_new_step():
    buf = typed("ab")
    buf.undo()
    buf.redo()
    typed("cd", buf)
    buf.undo()
    assert buf.text == "ab"


def test_typing_after_undo_is_a_new_step():
    buf = typed("ab")
    buf.move(2)
    typed("cd", buf)
    buf.undo()
    typed("ef", buf)
    assert buf.text == "abef"
    buf.undo()
    assert buf.text == "ab"


def test_limit():
    buf = Buffer(limit=2)
    for word in ("a\n", "b\n", "c\n"):
        buf.type(word)
    while buf.undo():
        pass
    assert buf.text == "a\n"
