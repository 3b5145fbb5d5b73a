import pytest

from buffer import Buffer
from edits import Edit
from history import History


def typed(text, buf=None):
    buf = buf or Buffer()
    for ch in text:
        buf.type(ch)
    return buf


def two_steps():
    buf = typed("ab")
    buf.move(2)
    return typed("cd", buf)


def test_after_undo_a_new_step():
    buf = two_steps()
    buf.undo()
    typed("ef", buf)
    assert buf.history.steps == 2
    buf.undo()
    assert buf.text == "ab"
    buf.undo()
    assert buf.text == ""


def test_the_new_step_itself_is_joined():
    buf = two_steps()
    buf.undo()
    typed("efgh", buf)
    assert buf.history.steps == 2
    buf.undo()
    assert (buf.text, buf.cursor) == ("ab", 2)


def test_redo_of_the_new_step():
    buf = two_steps()
    buf.undo()
    typed("ef", buf)
    buf.undo()
    buf.redo()
    assert (buf.text, buf.cursor) == ("abef", 4)
    assert not buf.history.can_redo


def test_undo_undo_redo_keeps_both_steps():
    buf = two_steps()
    buf.undo()
    typed("ef", buf)
    buf.undo()
    buf.undo()
    buf.redo()
    assert buf.text == "ab"
    buf.redo()
    assert buf.text == "abef"


def test_after_undoing_an_insertion_following_a_deletion():
    buf = typed("abc")
    buf.backspace()
    typed("x", buf)
    buf.undo()
    assert buf.text == "ab"
    typed("y", buf)
    buf.undo()
    assert buf.text == "ab"
    buf.undo()
    assert buf.text == "abc"


def test_after_undoing_a_deletion():
    buf = typed("abc")
    buf.backspace()
    buf.undo()
    typed("d", buf)
    buf.undo()
    assert buf.text == "abc"


def test_after_undoing_a_replacement():
    buf = Buffer()
    typed("abc", buf)
    buf.replace(1, 3, "")
    buf.undo()
    typed("d", buf)
    assert buf.history.steps == 2


def test_three_steps_undo_two():
    buf = typed("a")
    buf.move(1)
    typed("b", buf)
    buf.move(2)
    typed("c", buf)
    buf.undo()
    buf.undo()
    typed("z", buf)
    buf.undo()
    assert buf.text == "a"


def test_undo_all_then_type():
    buf = typed("ab")
    buf.undo()
    typed("cd", buf)
    assert buf.history.steps == 1
    buf.undo()
    assert buf.text == ""


def test_undo_keeps_the_redo_list():
    buf = two_steps()
    buf.undo()
    buf.undo()
    assert buf.history.can_redo
    buf.redo()
    buf.redo()
    assert buf.text == "abcd"


def test_redo_after_undo_then_type():
    buf = two_steps()
    buf.undo()
    buf.redo()
    typed("e", buf)
    assert buf.history.steps == 3


def test_undo_with_nothing_returns_none():
    h = History()
    assert h.undo() is None
    assert not h.can_redo
    assert h.steps == 0


def test_undo_returns_the_edit():
    h = History()
    e = Edit(0, "", "a")
    h.record(e)
    assert h.undo() is e
    assert h.steps == 0
    assert h.redo() is e


def test_line_breaks_and_undo():
    buf = typed("one\ntwo")
    buf.undo()
    typed("x", buf)
    assert buf.text == "one\nx"
    buf.undo()
    assert buf.text == "one\n"
    buf.undo()
    assert buf.text == ""


def test_steps_are_not_lost():
    buf = two_steps()
    for word in ("ef", "gh", "ij"):
        buf.undo()
        typed(word, buf)
        assert buf.text == "ab" + word
        assert buf.history.steps == 2


def test_typing_still_joins_without_undo():
    buf = two_steps()
    assert buf.history.steps == 2
    typed("ef", buf)
    assert buf.history.steps == 2
    buf.undo()
    assert buf.text == "ab"
