import pytest

from csvimport import Field, ImportAborted, Importer, parse_date, parse_decimal, parse_int


def no_vip_zero(value):
    return "must be positive" if value <= 0 else None


FIELDS = [
    Field("number", parse_int, required=True, unique=True, check=no_vip_zero),
    Field("name", required=True),
    Field("email", unique=True),
    Field("since", parse_date),
    Field("limit", parse_decimal, check=lambda v: "too much" if v > 1000 else None),
]


def rows(*lines):
    return "\n".join(["number,name,email,since,limit", *lines]) + "\n"


def run(*lines, **kw):
    return Importer(FIELDS, **kw).run(rows(*lines))


def imported(report):
    return [(r["number"], r["name"]) for r in report.records]


def errors(report):
    return [(e.line, e.column, e.message) for e in report.errors]


def test_parse_error_in_later_column():
    report = run("7,Ann,a@x,never,", "7,Ann,a@x,,")
    assert imported(report) == [(7, "Ann")]
    assert len(report.errors) == 1


def test_missing_required_in_later_column():
    report = run("7,,a@x,,", "7,Ann,a@x,,")
    assert imported(report) == [(7, "Ann")]
    assert errors(report) == [(2, "name", "is required")]


def test_check_in_later_column():
    report = run("7,Ann,,,5000", "7,Ann,,,500")
    assert imported(report) == [(7, "Ann")]
    assert errors(report) == [(2, "limit", "too much")]


def test_check_of_the_unique_column_itself():
    report = run("0,Ann,,,", "0,Bob,,,")
    assert imported(report) == []
    assert errors(report) == [(2, "number", "must be positive"), (3, "number", "must be positive")]


def test_error_before_the_unique_column():
    report = run("7,,a@x,,", "8,Bob,a@x,,")
    assert imported(report) == [(8, "Bob")]


def test_duplicate_number_does_not_register_its_mail():
    report = run("1,Ann,a@x,,", "1,Bob,b@x,,", "2,Bob,b@x,,")
    assert imported(report) == [(1, "Ann"), (2, "Bob")]
    assert errors(report) == [(3, "number", "1 occurs twice")]


def test_duplicate_mail_does_not_register_its_number():
    report = run("1,Ann,a@x,,", "2,Bob,a@x,,", "2,Bob,b@x,,")
    assert imported(report) == [(1, "Ann"), (2, "Bob")]
    assert errors(report) == [(3, "email", "'a@x' occurs twice")]


def test_duplicate_of_an_accepted_row_after_rejected_ones():
    report = run("7,Ann,,never,", "7,Ann,,,", "7,Bob,,,")
    assert imported(report) == [(7, "Ann")]
    assert errors(report)[1:] == [(4, "number", "7 occurs twice")]


def test_rejected_duplicate_keeps_the_accepted_value_taken():
    report = run("7,Ann,,,", "7,Bob,,never,", "7,Cid,,,")
    assert imported(report) == [(7, "Ann")]
    assert errors(report) == [
        (3, "number", "7 occurs twice"),
        (3, "since", "'never' is not a date"),
        (4, "number", "7 occurs twice"),
    ]


def test_all_errors_of_a_row_are_reported_in_field_order():
    report = run("1,Ann,a@x,,", "1,,a@x,never,9999")
    assert [e[1] for e in errors(report)] == ["number", "name", "email", "since", "limit"]


def test_duplicate_triple():
    report = run("1,Ann,,,", "1,Bob,,,", "1,Cid,,,")
    assert imported(report) == [(1, "Ann")]
    assert report.rejected_lines() == [3, 4]


def test_empty_unique_cells_do_not_collide():
    report = run("1,Ann,,,", "2,Bob,,,", "3,Cid, ,,")
    assert report.ok
    assert [r["email"] for r in report.records] == [None, None, None]


def test_second_file_sees_first():
    importer = Importer(FIELDS)
    importer.run(rows("1,Ann,a@x,,"))
    report = importer.run(rows("1,Bob,b@x,,", "2,Cid,a@x,,", "3,Dee,d@x,,"))
    assert imported(report) == [(3, "Dee")]
    assert report.errors_by_column() == {"number": 1, "email": 1}


def test_second_file_may_bring_the_correction():
    importer = Importer(FIELDS)
    importer.run(rows("1,Ann,a@x,never,"))
    assert imported(importer.run(rows("1,Ann,a@x,,"))) == [(1, "Ann")]


def test_known_values_survive_rejected_rows():
    report = run("5,Ann,,never,", "5,Ann,,,", known={"number": [5]})
    assert imported(report) == []
    assert report.errors_by_column() == {"number": 2, "since": 1}


def test_known_list_of_the_caller_is_not_changed():
    known = {"number": {5}}
    run("6,Ann,,,", known=known)
    assert known == {"number": {5}}


def test_same_number_written_differently():
    report = run("1000,Ann,,,", "1 000,Bob,,,")
    assert imported(report) == [(1000, "Ann")]


def test_unique_values_are_per_column():
    fields = [Field("a", unique=True), Field("b", unique=True)]
    report = Importer(fields).run("a,b\nx,x\ny,z\nz,y\nq,x\n")
    assert [r["a"] for r in report.records] == ["x", "y", "z"]


def test_aborted_import_counts_rows_not_errors():
    with pytest.raises(ImportAborted) as info:
        run("0,,,never,", "7,Ann,,never,", "7,Ann,,,", "8,,,,", max_rejected=2)
    assert imported(info.value.report) == [(7, "Ann")]
    assert info.value.report.rejected_lines() == [2, 3, 5]


def test_unique_column_first_and_last():
    fields = [Field("a", parse_int), Field("k", unique=True, required=True)]
    report = Importer(fields).run("a,k\nx,1\n2,1\n3,1\n")
    assert [r["a"] for r in report.records] == [2]
    assert report.rejected_lines() == [2, 4]
