import pytest

from salesreport.reader import BadFile
from salesreport.report import report
from salesreport.summary import ranking, summarise


def one(*cells):
    return summarise([{"k": "g", "v": c} for c in cells], "k", "v")["g"]


@pytest.mark.parametrize("cells, total, average, best", [
    (["5"], 5, 5, 5),
    (["5", ""], 5, 5, 5),
    (["", "5"], 5, 5, 5),
    (["", "", "6", "", "8"], 14, 7, 8),
    (["0", ""], 0, 0, 0),
    (["0", "0"], 0, 0, 0),
    (["0", "10", ""], 10, 5, 10),
    (["-5", "-3"], -8, -4, -3),
    (["-5", ""], -5, -5, -5),
    (["-5", "", "-1"], -6, -3, -1),
    (["5", "-5", ""], 0, 0, 5),
    (["1,000", "3,000", ""], 4000, 2000, 3000),
    (["1.5", "2.5"], 4, 2, 2.5),
])
def test_figures(cells, total, average, best):
    assert one(*cells) == {"rows": len(cells), "total": total, "average": average, "best": best}


@pytest.mark.parametrize("cells", [[""], ["", ""], ["", "", ""]])
def test_no_sale_at_all(cells):
    assert one(*cells) == {"rows": len(cells), "total": 0, "average": None, "best": None}


def test_groups_do_not_mix():
    rows = [{"k": k, "v": v} for k, v in [("a", "4"), ("b", ""), ("a", ""), ("c", "0"), ("b", ""), ("", "3")]]
    got = summarise(rows, "k", "v")
    assert list(got) == ["a", "b", "c", "(none)"]
    assert [got[k]["average"] for k in got] == [4, None, 0, 3]
    assert [got[k]["rows"] for k in got] == [2, 2, 1, 1]


def test_bad_cell():
    with pytest.raises(BadFile):
        one("5", "x")


def test_ranking_by_average_puts_no_sale_last():
    rows = [{"k": k, "v": v} for k, v in [("a", ""), ("b", "-2"), ("c", "7"), ("c", "")]]
    assert ranking(summarise(rows, "k", "v"), "average") == ["c", "b", "a"]


def test_report_shows_a_dash():
    text = "region,amount\nnorth,10\neast,\nnorth,\n"
    assert report(text, "region", "amount").splitlines()[1:] == [
        "north     2      10.00      10.00",
        "east      1       0.00          -",
    ]


def test_rows_are_left_alone():
    rows = [{"k": "a", "v": ""}, {"k": "a", "v": "2"}]
    summarise(rows, "k", "v")
    assert rows == [{"k": "a", "v": ""}, {"k": "a", "v": "2"}]
