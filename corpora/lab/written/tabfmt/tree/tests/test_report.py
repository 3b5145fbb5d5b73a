import csv
import io

import pytest

from csvout import quote, render_csv
from summary import group_by, totals
from table import Table, column_widths, render_text


def stock():
    t = Table(["item", "qty", "price"])
    t.add("bolt", 1200, 0.25)
    t.add("nut", None, 0.1)
    t.add("big washer", 30, 1.5)
    return t


def test_text():
    assert render_text(stock()).splitlines() == [
        "item          qty  price",
        "----------  -----  -----",
        "bolt        1,200   0.25",
        "nut                 0.10",
        "big washer     30   1.50",
    ]


def test_widths_no_rows():
    assert column_widths(Table(["a", "bcd"])) == [1, 3]


def test_wrong_number_of_values():
    with pytest.raises(ValueError):
        Table(["a"]).add(1, 2)


def test_sort_puts_empty_last():
    t = stock()
    t.sort("qty", reverse=True)
    assert t.column("item") == ["bolt", "big washer", "nut"]


def test_totals():
    assert totals(stock(), ["qty"]) == {"qty": 1230}


def test_group_by():
    t = Table(["who", "n"])
    t.add("x", 1)
    t.add("y", 5)
    t.add("x", 2)
    assert group_by(t, "who", "n").rows == [["x", 3], ["y", 5]]


def test_csv():
    assert render_csv(stock(), header=False).splitlines()[0] == "bolt,1200,0.25"


def test_quote():
    assert quote("plain") == "plain"
    assert quote("a,b") == '"a,b"'
    assert quote('6" nail') == '"6"" nail"'


def test_csv_note_with_line_break_reads_back():
    t = Table(["id", "note"])
    t.add(1, "first line\nsecond line")
    back = list(csv.reader(io.StringIO(render_csv(t), newline="")))
    assert back == [["id", "note"], ["1", "first line\nsecond line"]]
