from tags import Note, tagged


def test_tag():
    note = Note("n")
    assert note.tag("Red", "blue") == ["blue", "red"]
    assert note.tag("RED", "green") == ["green"]


def test_untag():
    note = Note("n", {"a"})
    assert note.untag("A")
    assert not note.untag("a")


def test_merge():
    note = Note("n", {"a"}).merge(Note("m", {"b", "a"}))
    assert note.tags == {"a", "b"}


def test_merge_leaves_own_tags():
    note = Note("n", {"a"}).merge(Note("m", {"mine!"}))
    assert note.tags == {"a"}


def test_merge_does_not_touch_the_other():
    other = Note("m", {"b", "c!"})
    Note("n").merge(other)
    assert other.tags == {"b", "c!"}


def test_merge_of_nothing():
    assert Note("n", {"a"}).merge(Note("m")).tags == {"a"}


def test_tagged():
    assert tagged([Note("one", {"x"}), Note("two")], "X") == ["one"]
