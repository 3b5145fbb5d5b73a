import pytest

from gridcalc import CellError, Sheet
from gridcalc.formula import FormulaError


@pytest.fixture
def sheet():
    s = Sheet()
    s.set("A1", 2)
    s.set("A2", 3)
    s.set("B1", "=A1*A2")
    s.set("B2", "=SUM(A1:A2)")
    return s


def test_numbers_and_empty(sheet):
    assert sheet.value("A1") == 2.0
    assert sheet.value("Z99") == 0.0


def test_formulas(sheet):
    assert sheet.value("B1") == 6.0
    assert sheet.value("B2") == 5.0


def test_precedence(sheet):
    sheet.set("C1", "=1+2*3-(4-2)/2")
    assert sheet.value("C1") == 6.0


def test_functions_skip_empty_cells(sheet):
    sheet.set("C1", "=COUNT(A1:A9)")
    sheet.set("C2", "=MIN(A1:A9)")
    assert sheet.value("C1") == 2.0
    assert sheet.value("C2") == 2.0


def test_values_are_cached(sheet):
    sheet.value("B1")
    sheet.value("B1")
    assert sheet.evaluations == 1


def test_change_of_direct_input(sheet):
    assert sheet.value("B1") == 6.0
    sheet.set("A1", 5)
    assert sheet.value("B1") == 15.0
    assert sheet.value("B2") == 8.0


def test_change_goes_through_two_levels(sheet):
    sheet.set("C1", "=B1+1")
    assert sheet.value("C1") == 7.0
    sheet.set("A1", 10)
    assert sheet.value("C1") == 31.0


def test_unrelated_values_stay_cached(sheet):
    sheet.set("C1", "=A2")
    sheet.value("C1")
    before = sheet.evaluations
    sheet.set("A1", 7)
    sheet.value("C1")
    assert sheet.evaluations == before


def test_self_reference():
    s = Sheet()
    s.set("A1", "=A2")
    s.set("A2", "=A1")
    with pytest.raises(CellError):
        s.value("A1")


def test_division_by_zero(sheet):
    sheet.set("C1", "=A1/Q1")
    with pytest.raises(CellError):
        sheet.value("C1")
    sheet.set("Q1", 4)
    assert sheet.value("C1") == 0.5


def test_bad_formula(sheet):
    with pytest.raises(FormulaError):
        sheet.set("C1", "=NOPE(A1:A2)")
