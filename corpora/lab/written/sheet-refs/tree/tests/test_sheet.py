import pytest

from ranges import intersect, parse_range
from refs import Cell, RefError, cell_name, column_letters, column_number, parse_cell
from sheet import Sheet


@pytest.mark.parametrize("number, letters", [(1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (703, "AAA")])
def test_columns(number, letters):
    assert column_letters(number) == letters
    assert column_number(letters) == number


def test_parse_cell():
    assert parse_cell("$b$7") == Cell(2, 7)
    assert cell_name(Cell(2, 7)) == "B7"


@pytest.mark.parametrize("text", ["", "A0", "7B", "A", "A1B"])
def test_bad_cell(text):
    with pytest.raises(RefError):
        parse_cell(text)


def test_range():
    r = parse_range("A1:B3")
    assert r.size() == (2, 3)
    assert [cell_name(c) for c in r.cells()] == ["A1", "B1", "A2", "B2", "A3", "B3"]


def test_single_cell_range():
    assert str(parse_range("C4")) == "C4"


def test_range_from_bottom_right():
    assert str(parse_range("B3:A1")) == "A1:B3"


def test_range_from_bottom_left():
    assert str(parse_range("A3:B1")) == "A1:B3"


def test_range_from_top_right():
    assert parse_range("D2:B5") == (Cell(2, 2), Cell(4, 5))


def test_range_in_one_row_and_column():
    assert str(parse_range("C1:A1")) == "A1:C1"
    assert str(parse_range("A9:A2")) == "A2:A9"


@pytest.mark.parametrize("text", ["A1:B2:C3", "A1:", ":B2", "A1-B2"])
def test_bad_range(text):
    with pytest.raises(RefError):
        parse_range(text)


def test_intersect():
    assert str(intersect(parse_range("A1:C3"), parse_range("B2:D4"))) == "B2:C3"
    assert intersect(parse_range("A1:B2"), parse_range("C3:D4")) is None


def test_sheet():
    s = Sheet()
    s.fill("A1:B2")
    assert s.values("A1:B2") == [1, 2, 3, 4]
    assert s.total("A1:A2", "B2") == 8
    assert s.used() == ["A1", "A2", "B1", "B2"]
