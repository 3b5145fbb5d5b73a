from salesreport.report import main, report
from salesreport.summary import group_rows, ranking, summarise

ROWS = [
    {"region": "north", "amount": "100"},
    {"region": "south", "amount": "40"},
    {"region": "north", "amount": "300"},
    {"region": "south", "amount": ""},
    {"region": "south", "amount": "60"},
]


def test_group_rows():
    groups = group_rows(ROWS + [{"region": "", "amount": "1"}], "region")
    assert [len(groups[g]) for g in ("north", "south", "(none)")] == [2, 3, 1]


def test_full_group():
    assert summarise(ROWS, "region", "amount")["north"] == {
        "rows": 2, "total": 400, "average": 200, "best": 300}


def test_empty_cells_do_not_count_for_the_average():
    south = summarise(ROWS, "region", "amount")["south"]
    assert south["rows"] == 3
    assert south["total"] == 100
    assert south["average"] == 50


def test_no_rows():
    assert summarise([], "region", "amount") == {}


def test_zero_is_a_sale():
    rows = [{"r": "x", "n": "0"}, {"r": "x", "n": "10"}]
    assert summarise(rows, "r", "n")["x"]["average"] == 5


def test_ranking():
    s = {"a": {"total": 1}, "b": {"total": 5}, "c": {"total": 5}, "d": {"total": None}}
    assert ranking(s) == ["b", "c", "a", "d"]
    assert ranking(s, top=1) == ["b"]


def test_report():
    text = "region,amount\nnorth,10\nsouth,2.5\nnorth,20\n"
    assert report(text, "region", "amount").splitlines() == [
        "group  rows      total    average",
        "north     2      30.00      15.00",
        "south     1       2.50       2.50",
    ]


def test_main(tmp_path, capsys):
    f = tmp_path / "x.csv"
    f.write_text("region,amount\nnorth,10\n")
    main([str(f)])
    assert "north" in capsys.readouterr().out
