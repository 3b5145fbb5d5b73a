import pytest

from dotpath import PathError, join, split


@pytest.mark.parametrize("path, steps", [
    ("", ()),
    ("a", ("a",)),
    ("a.b", ("a", "b")),
    ("a[0].b", ("a", 0, "b")),
    ("a[0][12]", ("a", 0, 12)),
    ("[1].x", (1, "x")),
    ("a.7", ("a", "7")),
])
def test_split_and_join(path, steps):
    assert split(path) == steps
    assert join(steps) == path


@pytest.mark.parametrize("path", [".a", "a..b", "a[x]", "a[1", "a.", "a[0]b"])
def test_bad_paths(path):
    with pytest.raises(PathError):
        split(path)
