import pytest

from catalog.errors import BadMove, CatalogError, NameTaken, NotFound
from catalog.tree import Catalog


@pytest.fixture
def cat():
    cat = Catalog()
    cat.add("/", "Books")
    cat.add("/Books", "Crime")
    cat.add("/Books/Crime", "Nordic")
    cat.add("/Books", "Travel")
    cat.add("/", "Music")
    cat.add("/Music", "Travel")
    return cat


def test_paths(cat):
    assert cat.paths() == ["/Books", "/Books/Crime", "/Books/Crime/Nordic", "/Books/Travel", "/Music", "/Music/Travel"]


def test_not_found(cat):
    with pytest.raises(NotFound):
        cat.get("/Books/Poetry")


def test_add_taken(cat):
    with pytest.raises(NameTaken):
        cat.add("/Books", " Crime ")


def test_add_bad_name(cat):
    with pytest.raises(CatalogError):
        cat.add("/", "a/b")


def test_rename(cat):
    cat.rename("/Books/Crime", "Thriller")
    assert cat.get("/Books/Thriller/Nordic").path() == "/Books/Thriller/Nordic"


def test_rename_taken(cat):
    with pytest.raises(NameTaken):
        cat.rename("/Books/Crime", "Travel")


def test_move(cat):
    node = cat.move("/Books/Crime", "/Music")
    assert node.path() == "/Music/Crime"
    assert cat.paths() == ["/Books", "/Books/Travel", "/Music", "/Music/Travel", "/Music/Crime", "/Music/Crime/Nordic"]


def test_move_to_root(cat):
    cat.move("/Books/Crime", "/")
    assert cat.get("/Crime/Nordic")


def test_move_name_taken(cat):
    before = cat.paths()
    with pytest.raises(NameTaken):
        cat.move("/Books/Travel", "/Music")
    assert cat.paths() == before


def test_move_root(cat):
    with pytest.raises(BadMove):
        cat.move("/", "/Music")


def test_move_into_itself(cat):
    with pytest.raises(BadMove):
        cat.move("/Books", "/Books")


def test_move_below_itself(cat):
    before = cat.paths()
    with pytest.raises(BadMove):
        cat.move("/Books", "/Books/Crime")
    assert cat.paths() == before


def test_move_to_same_parent(cat):
    cat.move("/Books/Crime", "/Books")
    assert [c.name for c in cat.get("/Books").children] == ["Travel", "Crime"]


def test_count(cat):
    cat.get("/Books/Crime").items.append("a")
    cat.get("/Books/Crime/Nordic").items += ["b", "c"]
    assert cat.count("/Books") == 3
    cat.move("/Books/Crime/Nordic", "/Music")
    assert cat.count("/Books") == 1


def test_remove(cat):
    cat.remove("/Books")
    assert cat.paths() == ["/Music", "/Music/Travel"]
