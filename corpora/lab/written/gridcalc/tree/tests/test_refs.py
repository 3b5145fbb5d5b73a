from gridcalc.formula import parse
from gridcalc.refs import cells_between, join, references, split


def test_split_and_join():
    assert split("B3") == (2, 3)
    assert split("AA10") == (27, 10)
    assert join(27, 10) == "AA10"
    assert join(26, 1) == "Z1"


def test_cells_between():
    assert cells_between("A1", "B2") == ["A1", "B1", "A2", "B2"]
    assert cells_between("B2", "A1") == ["A1", "B1", "A2", "B2"]


def test_references():
    assert references(parse("A1+2*-B2")) == {"A1", "B2"}
    assert references(parse("sum(A1:A3)/c9")) == {"A1", "A2", "A3", "C9"}
