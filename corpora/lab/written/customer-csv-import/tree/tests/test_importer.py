from datetime import date
from decimal import Decimal

import pytest

from csvimport import (
    Field, ImportAborted, Importer, parse_date, parse_decimal, parse_int,
)

FIELDS = [
    Field("number", parse_int, required=True, unique=True),
    Field("name", required=True),
    Field("since", parse_date),
    Field("limit", parse_decimal, default=Decimal(0),
          check=lambda v: "must not be negative" if v < 0 else None),
]


def rows(*lines):
    return "\n".join(["number,name,since,limit", *lines]) + "\n"


def test_good_file():
    report = Importer(FIELDS).run(rows("1,Ann,2024-01-31,100.00", "2,Bob,,"))
    assert report.ok
    assert report.records == [
        {"number": 1, "name": "Ann", "since": date(2024, 1, 31), "limit": Decimal("100.00")},
        {"number": 2, "name": "Bob", "since": None, "limit": Decimal(0)},
    ]


def test_errors_are_collected():
    report = Importer(FIELDS).run(rows("x,Ann,,", "2,,someday,", "3,Cid,,-1"))
    assert report.records == []
    assert [(e.line, e.column) for e in report.errors] == [
        (2, "number"), (3, "name"), (3, "since"), (4, "limit"),
    ]


def test_duplicate_number():
    report = Importer(FIELDS).run(rows("7,Ann,,", "7,Bob,,"))
    assert [r["name"] for r in report.records] == ["Ann"]
    assert str(report.errors[0]) == "line 3, number: 7 occurs twice"


def test_rejected_row_does_not_block_a_corrected_one():
    report = Importer(FIELDS).run(rows("7,Ann,someday,", "7,Ann,2024-01-31,"))
    assert report.rejected_lines() == [2]
    assert [r["number"] for r in report.records] == [7]


def test_blank_lines_are_skipped():
    report = Importer(FIELDS).run(rows("1,Ann,,", "", " , ,,", "2,Bob,,"))
    assert report.summary() == "2 imported, 0 rejected"


def test_missing_column():
    with pytest.raises(ImportAborted, match="limit"):
        Importer(FIELDS).run("number,name,since\n")


def test_too_many_rejected():
    with pytest.raises(ImportAborted) as info:
        Importer(FIELDS, max_rejected=1).run(rows("x,Ann,,", "y,Bob,,", "3,Cid,,"))
    assert info.value.report.rejected_lines() == [2, 3]


def test_known_values():
    report = Importer(FIELDS, known={"number": [5]}).run(rows("5,Ann,,"))
    assert report.errors_by_column() == {"number": 1}
