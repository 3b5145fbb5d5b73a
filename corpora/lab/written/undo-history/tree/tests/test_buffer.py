import pytest

from editor.buffer import Buffer


@pytest.fixture
def buf():
    b = Buffer("one")
    b.append(" two")
    b.append(" three")
    return b


def test_append(buf):
    assert buf.text == "one two three"


def test_undo_redo(buf):
    assert buf.undo() == 1
    assert buf.text == "one two"
    assert buf.redo() == 1
    assert buf.text == "one two three"


def test_undo_more_than_there_is(buf):
    assert buf.undo(9) == 2
    assert buf.text == "one"
    assert not buf.history.can_undo


def test_redo_all(buf):
    buf.undo(2)
    assert buf.redo(5) == 2
    assert buf.text == "one two three"


def test_new_command_forgets_redo(buf):
    buf.undo()
    buf.append(" four")
    assert not buf.history.can_redo
    assert buf.redo() == 0
    assert buf.text == "one two four"


def test_new_command_forgets_all_redo(buf):
    buf.undo(2)
    buf.append("!")
    assert buf.redo(2) == 0
    assert buf.undo(5) == 1
    assert buf.text == "one"


def test_undo_then_redo_after_new_command(buf):
    buf.undo()
    buf.append("!")
    buf.undo()
    assert buf.redo() == 1
    assert buf.text == "one two!"


def test_delete_and_undo(buf):
    buf.delete(0, 4)
    assert buf.text == "two three"
    buf.undo()
    assert buf.text == "one two three"


def test_replace_and_undo(buf):
    buf.replace("t", "T")
    assert buf.text == "one Two Three"
    buf.undo()
    assert buf.text == "one two three"


def test_limit():
    b = Buffer("", undo_limit=2)
    for c in "abc":
        b.append(c)
    assert b.undo(5) == 2
    assert b.text == "a"


def test_bad_insert_raises(buf):
    with pytest.raises(IndexError):
        buf.insert(99, "x")
    assert buf.text == "one two three"
    assert buf.undo(5) == 2


def test_bad_limit():
    with pytest.raises(ValueError):
        Buffer(undo_limit=0)
