import pytest

from gridcalc import CellError, Sheet


def chain(length):
    s = Sheet()
    s.set("A1", 1)
    for row in range(2, length + 1):
        s.set(f"A{row}", f"=A{row - 1}+1")
    return s


@pytest.mark.parametrize("length", [2, 3, 4, 6, 20])
def test_chain_follows_its_start(length):
    s = chain(length)
    assert s.value(f"A{length}") == length
    s.set("A1", 101)
    assert s.value(f"A{length}") == 100 + length


def test_every_cell_of_a_chain():
    s = chain(6)
    s.value("A6")
    s.set("A1", 11)
    assert [s.value(f"A{r}") for r in range(1, 7)] == [11, 12, 13, 14, 15, 16]


def test_change_in_the_middle_keeps_the_front():
    s = chain(6)
    s.value("A6")
    before = s.evaluations
    s.set("A3", 50)
    assert s.value("A2") == 2
    assert s.evaluations == before
    assert s.value("A6") == 53


def test_chain_through_zero_value():
    s = Sheet()
    s.set("A1", 0)
    s.set("B1", "=A1*5")
    s.set("C1", "=B1+1")
    assert s.value("C1") == 1
    s.set("A1", 2)
    assert s.value("B1") == 10
    assert s.value("C1") == 11


def test_diamond_with_tail():
    s = Sheet()
    s.set("A1", 1)
    s.set("B1", "=A1+1")
    s.set("B2", "=A1*2")
    s.set("C1", "=B1+B2")
    s.set("D1", "=C1*10")
    s.set("E1", "=D1+B1")
    assert s.value("E1") == 42
    s.set("A1", 2)
    assert s.value("E1") == 73
    assert s.value("D1") == 70


def test_short_and_long_way_to_the_same_cell():
    s = Sheet()
    s.set("A1", 1)
    s.set("B1", "=A1")
    s.set("C1", "=A1+B1")
    s.set("D1", "=C1+A1")
    s.set("E1", "=D1")
    assert s.value("E1") == 3
    s.set("A1", 5)
    assert [s.value(c) for c in ("B1", "C1", "D1", "E1")] == [5, 10, 15, 15]


def test_through_range_function():
    s = chain(4)
    s.set("B1", "=SUM(A1:A4)")
    s.set("B2", "=MAX(B1:B1)")
    assert s.value("B2") == 10
    s.set("A1", 2)
    assert s.value("B2") == 14


def test_new_cell_in_range_reaches_all_levels():
    s = Sheet()
    s.set("A1", 4)
    s.set("B1", "=COUNT(A1:A9)")
    s.set("C1", "=B1*10")
    s.set("D1", "=C1")
    assert s.value("D1") == 10
    s.set("A5", 1)
    assert s.value("D1") == 20


def test_emptying_a_cell():
    s = chain(5)
    s.value("A5")
    s.set("A1", None)
    assert s.value("A5") == 4


def test_circle_can_be_made_and_broken():
    s = Sheet()
    s.set("A1", "=B1")
    s.set("B1", "=C1")
    s.set("C1", "=A1")
    with pytest.raises(CellError):
        s.value("B1")
    s.set("C1", 9)
    assert s.value("A1") == 9
    assert s.value("B1") == 9


def test_cell_that_reads_itself():
    s = Sheet()
    s.set("A1", "=A1+1")
    with pytest.raises(CellError):
        s.value("A1")
    s.set("A1", 3)
    assert s.value("A1") == 3


def test_closing_a_circle_makes_old_values_stale():
    s = Sheet()
    s.set("A1", 1)
    s.set("B1", "=A1")
    s.set("C1", "=B1")
    assert s.value("C1") == 1
    s.set("A1", "=C1")
    with pytest.raises(CellError):
        s.value("C1")


def test_unrelated_branch_stays_cached():
    s = chain(5)
    s.set("Q1", 7)
    s.set("Q2", "=Q1")
    s.set("Q3", "=Q2")
    s.value("A5"), s.value("Q3")
    before = s.evaluations
    s.set("A1", 3)
    assert s.value("Q3") == 7
    assert s.evaluations == before
    s.value("A5")
    assert s.evaluations == before + 4


def test_old_inputs_no_longer_matter():
    s = chain(4)
    s.value("A4")
    s.set("A3", "=1+1")
    assert s.value("A4") == 3
    before = s.evaluations
    s.set("A1", 99)
    assert s.value("A4") == 3
    assert s.evaluations == before


def test_repeated_changes():
    s = chain(4)
    for start in (5, 6, 7):
        s.set("A1", start)
        assert s.value("A4") == start + 3


def test_uncached_middle_does_not_hide_reader():
    s = Sheet()
    s.set("A1", 1)
    s.set("B1", "=A1")
    s.set("C1", "=B1")
    s.value("C1")
    s.set("B1", "=A1+1")
    s.set("A1", 10)
    assert s.value("C1") == 11
