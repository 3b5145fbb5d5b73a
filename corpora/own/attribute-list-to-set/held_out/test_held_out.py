from tags import Note


def test_chained():
    note = Note("n").merge(Note("a", {"x", "y!"})).merge(Note("b", {"z", "x"}))
    assert note.tags == {"x", "z"}
    assert note.untag("z")
