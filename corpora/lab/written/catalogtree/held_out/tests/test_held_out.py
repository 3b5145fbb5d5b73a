import pytest

from catalog.errors import BadMove, CatalogError, NameTaken, NotFound
from catalog.tree import Catalog


@pytest.fixture
def cat():
    cat = Catalog()
    for parent, name in [
        ("/", "A"), ("/A", "B"), ("/A/B", "C"), ("/A/B/C", "D"), ("/A", "X"),
        ("/", "E"), ("/E", "B"), ("/E", "X2"), ("/", "Z"),
    ]:
        cat.add(parent, name)
    return cat


@pytest.mark.parametrize("path, target", [
    ("/A", "/A/B"), ("/A", "/A/B/C"), ("/A", "/A/B/C/D"), ("/A/B", "/A/B/C"), ("/A/B", "/A/B/C/D"),
    ("/A/B/C", "/A/B/C/D"), ("/A", "/A/X"), ("/E", "/E/X2"),
])
def test_below_itself(cat, path, target):
    before = cat.paths()
    with pytest.raises(BadMove):
        cat.move(path, target)
    assert cat.paths() == before
    assert cat.get(target).path() == target


@pytest.mark.parametrize("path", ["/A", "/A/B", "/A/B/C/D"])
def test_into_itself(cat, path):
    before = cat.paths()
    with pytest.raises(BadMove):
        cat.move(path, path)
    assert cat.paths() == before


@pytest.mark.parametrize("target", ["/", "/A", "/A/B/C"])
def test_root(cat, target):
    with pytest.raises(BadMove):
        cat.move("/", target)


def test_same_parent_puts_last(cat):
    node = cat.move("/A/B", "/A")
    assert [c.name for c in cat.get("/A").children] == ["X", "B"]
    assert node.path() == "/A/B"


def test_same_parent_top_level(cat):
    cat.move("/A", "/")
    assert [c.name for c in cat.root.children] == ["E", "Z", "A"]


def test_same_parent_already_last(cat):
    before = cat.paths()
    cat.move("/A/X", "/A")
    assert cat.paths() == before


def test_only_child_to_same_parent(cat):
    cat.move("/A/B/C", "/A/B")
    assert cat.get("/A/B/C/D").path() == "/A/B/C/D"


@pytest.mark.parametrize("path, target", [("/A/B", "/E"), ("/E/B", "/A")])
def test_name_taken(cat, path, target):
    before = cat.paths()
    with pytest.raises(NameTaken):
        cat.move(path, target)
    assert cat.paths() == before


def test_to_grandparent(cat):
    cat.move("/A/B/C", "/A")
    assert cat.get("/A/C/D").path() == "/A/C/D"
    assert cat.get("/A/B").children == []


def test_to_root(cat):
    cat.move("/A/B/C", "/")
    assert cat.paths()[-2:] == ["/C", "/C/D"]


def test_to_sibling(cat):
    cat.move("/A/X", "/A/B")
    assert cat.get("/A/B/X").parent is cat.get("/A/B")


def test_to_leaf_of_sibling(cat):
    cat.move("/A/X", "/A/B/C/D")
    assert cat.get("/A/B/C/D/X")


def test_below_namesake(cat):
    cat.move("/E/B", "/A/B")
    assert cat.get("/A/B/B").path() == "/A/B/B"


def test_parent_whose_path_is_a_prefix(cat):
    cat.add("/", "AB")
    cat.move("/A", "/AB")
    assert cat.get("/AB/A/B/C/D")


def test_unknown(cat):
    with pytest.raises(NotFound):
        cat.move("/Q", "/A")
    with pytest.raises(NotFound):
        cat.move("/A", "/Q")
