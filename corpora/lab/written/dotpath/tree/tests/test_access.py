import pytest

from dotpath import PathError, delete, exists, flatten, get, unflatten, update


@pytest.fixture
def data():
    return {"users": [{"name": "kim", "tags": ["a", "b"]}], "count": 1, "note": None}


def test_get(data):
    assert get(data, "users[0].tags[1]") == "b"
    assert get(data, "users[1].name", "?") == "?"
    assert get(data, "note", "?") is None
    assert get(data, "") is data


def test_exists(data):
    assert exists(data, "note")
    assert not exists(data, "users[0].age")


def test_update_existing(data):
    assert update(data, "users[0].name", "lee") is data
    assert data["users"][0] == {"name": "lee", "tags": ["a", "b"]}


def test_update_makes_dictionaries():
    assert update({}, "a.b.c", 1) == {"a": {"b": {"c": 1}}}


def test_update_makes_list():
    assert update({}, "a[0]", 1) == {"a": [1]}


def test_update_makes_list_of_dictionaries():
    assert update({}, "users[1].name", "kim") == {"users": [None, {"name": "kim"}]}


def test_update_nested_lists():
    assert update({}, "grid[1][2]", 5) == {"grid": [None, [None, None, 5]]}


def test_update_replaces_none(data):
    update(data, "note.text", "hi")
    assert data["note"] == {"text": "hi"}


def test_update_fills_up(data):
    update(data, "users[0].tags[4]", "e")
    assert data["users"][0]["tags"] == ["a", "b", None, None, "e"]


def test_update_dictionary_below_list_below_dictionary():
    assert update({}, "a.b[0].c.d", 1) == {"a": {"b": [{"c": {"d": 1}}]}}


@pytest.mark.parametrize("path, text", [
    ("count.x", "count is not a dict"),
    ("users.x", "users is not a dict"),
    ("users[0].name[0]", "users[0].name is not a list"),
    ("[0]", "the root is not a list"),
])
def test_update_in_the_way(data, path, text):
    with pytest.raises(PathError) as info:
        update(data, path, 1)
    assert str(info.value) == text


def test_update_root():
    with pytest.raises(PathError):
        update({}, "", 1)


def test_delete(data):
    assert delete(data, "users[0].tags[0]") == "a"
    assert get(data, "users[0].tags") == ["b"]
    with pytest.raises(PathError):
        delete(data, "users[3]")


def test_flatten_and_unflatten(data):
    flat = flatten(data)
    assert flat == {
        "users[0].name": "kim",
        "users[0].tags[0]": "a",
        "users[0].tags[1]": "b",
        "count": 1,
        "note": None,
    }
    assert unflatten(flat) == data
