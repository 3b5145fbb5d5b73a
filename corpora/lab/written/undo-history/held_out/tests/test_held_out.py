import pytest

from editor.buffer import Buffer
from editor.commands import Insert
from editor.history import History


def filled(text="abcd", limit=100):
    b = Buffer("", undo_limit=limit)
    for c in text:
        b.append(c)
    return b


@pytest.mark.parametrize("back", [1, 2, 3, 4])
def test_new_command_forgets(back):
    b = filled()
    b.undo(back)
    b.append("x")
    assert not b.history.can_redo
    assert b.redo(9) == 0
    assert b.text == "abcd"[:4 - back] + "x"


@pytest.mark.parametrize("kind", ["insert", "delete", "replace"])
def test_every_kind_of_command(kind):
    b = filled()
    b.undo(2)
    {"insert": lambda: b.insert(0, "x"), "delete": lambda: b.delete(0), "replace": lambda: b.replace("a", "q")}[kind]()
    assert not b.history.can_redo


def test_failed_command_leaves_redo():
    b = filled()
    b.undo(2)
    with pytest.raises(IndexError):
        b.insert(50, "x")
    assert b.history.can_redo
    assert b.redo(9) == 2
    assert b.text == "abcd"


def test_failed_command_leaves_undo_at_limit():
    b = filled(limit=2)
    with pytest.raises(IndexError):
        b.insert(50, "x")
    assert b.undo(9) == 2
    assert b.text == "ab"


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_limit(limit):
    b = filled(limit=limit)
    assert b.undo(9) == min(limit, 4)
    assert b.redo(9) == min(limit, 4)
    assert b.text == "abcd"


def test_limit_after_undo():
    b = filled(limit=3)
    b.undo(1)
    b.append("x")
    b.append("y")
    assert b.undo(9) == 3
    assert b.text == "ab"
    assert b.redo(9) == 3
    assert b.text == "abcxy"


def test_run_at_limit_still_forgets_redo():
    b = filled(limit=2)
    b.undo(1)
    b.append("x")
    b.append("y")
    assert b.redo(3) == 0
    assert b.undo(3) == 2
    assert b.redo(3) == 2


def test_equal_command_forgets_redo_too():
    b = filled("ab")
    b.undo(1)
    b.append("b")
    assert b.redo() == 0
    assert b.text == "ab"


def test_undo_after_branch_goes_through_the_new_branch():
    b = filled("abc")
    b.undo(2)
    b.append("x")
    b.append("y")
    b.undo(1)
    assert b.text == "ax"
    b.undo(2)
    assert b.text == ""
    assert b.redo(9) == 3
    assert b.text == "axy"


def test_no_change_command_forgets_redo():
    b = filled("ab")
    b.undo(1)
    b.replace("zzz", "q")
    assert not b.history.can_redo


def test_history_on_any_object():
    class Doc:
        text = ""
    doc = Doc()
    h = History(doc)
    h.run(Insert(0, "a"))
    h.undo()
    h.run(Insert(0, "b"))
    assert not h.redo()
    assert doc.text == "b"
