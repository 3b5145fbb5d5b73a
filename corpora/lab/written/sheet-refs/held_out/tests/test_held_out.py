import pytest

from ranges import Range, parse_range
from refs import Cell, RefError
from sheet import Sheet


@pytest.mark.parametrize("text, want", [
    ("A1:B3", "A1:B3"), ("B3:A1", "A1:B3"), ("A3:B1", "A1:B3"), ("B1:A3", "A1:B3"),
    ("C10:A9", "A9:C10"), ("A10:C9", "A9:C10"), ("C9:A10", "A9:C10"),
    ("Z1:AA2", "Z1:AA2"), ("AA1:Z2", "Z1:AA2"), ("Z2:AA1", "Z1:AA2"), ("AA2:Z1", "Z1:AA2"),
    ("D4:D4", "D4"), ("D4", "D4"), ("D1:D9", "D1:D9"), ("D9:D1", "D1:D9"), ("F2:B2", "B2:F2"),
    ("$c$5:$a$2", "A2:C5"), ("a5:c2", "A2:C5"), ("$A5:C$2", "A2:C5"), ("A5 : C2", "A2:C5"),
    ("C7:B100", "B7:C100"), ("E2:B1", "B1:E2"), ("B20:E3", "B3:E20"),
])
def test_corners(text, want):
    assert str(parse_range(text)) == want


def test_type():
    r = parse_range("B1:A3")
    assert isinstance(r, Range) and isinstance(r.first, Cell) and isinstance(r.last, Cell)
    assert r.size() == (2, 3)


@pytest.mark.parametrize("text", ["", ":", "A1:", ":A1", "A1::B2", "A1:B2:C3", "A1:B2:", "A0:B1"])
def test_bad(text):
    with pytest.raises(RefError):
        parse_range(text)


@pytest.mark.parametrize("ref", ["A1:C2", "C2:A1", "A2:C1", "C1:A2"])
def test_sheet_values(ref):
    s = Sheet()
    s.fill("A1:C2")
    assert s.values(ref) == [1, 2, 3, 4, 5, 6]
