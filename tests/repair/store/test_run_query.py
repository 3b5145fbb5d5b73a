"""The language of ``repair runs --where``, and that nothing of it gets into SQL."""

import sqlite3

import pytest
from fakes.runs import run_at
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UsageError
from repair.records.result import AnalysisView, CauseView, FailureView, ModelAttempt, Result, Seconds, Status
from repair.store.run_query import NUMBERS, TEXTS, read_query
from repair.store.store import open_store


def failed(test, exception, status, message="", attempts=()):
    failure = FailureView(test, "logic", "", exception, message, "f", analysis=AnalysisView("a missing key", "lookup"))
    cause = CauseView(1, (test,), status, "a.py", "f", 3)
    seconds = Seconds(total=len(test) * 10.0)
    return Result(status, failures=(failure,), causes=(cause,), attempts=attempts, seconds=seconds)


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path)
    run_at(store, 1, result=failed("t.py::a", "KeyError", Status.UNREPAIRED, "'it''s'"))
    run_at(store, 2, result=failed("t.py::bb", "KeyError", Status.CERTIFIED))
    tried = ModelAttempt("a.py", "f", ("t.py::ccc",), explanation="The Key is missing", reasoning="by hand")
    run_at(store, 3, result=failed("t.py::ccc", "ValueError", Status.UNREPAIRED, "100 % of it", (tried,)))
    run_at(store, 4, result=None)
    return store


def found(store, text):
    return "".join(row.id[14] for row in reversed(store.list_runs(read_query(text)).runs))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ('exception = "KeyError" and status = "unrepaired"', "1"),
        ("exception = 'KeyError' or exception = ValueError", "123"),
        ("not exception = KeyError", "34"),
        ("exception != KeyError and not status = interrupted", "3"),
        ("status = unrepaired and (exception = ValueError or seconds < 71)", "13"),
        ("status = certified or status = unrepaired and exception = ValueError", "23"),
        ("seconds >= 80 and seconds <= 80", "2"),
        ("seconds > -1.5 and attempts = 1", "3"),
        ("explanation ~ 'the key'", "3"),
        ("message ~ '100 % o'", "3"),
        ("message ~ '1% o'", ""),
        (r"message ~ '\'s' or message = '\\'", "1"),
        ("root_cause ~ KEY and category = lookup", "123"),
        ("started > '2025-01-02 12:00:02' and run ~ '2025'", "34"),
        ("test = 't.py::bb' and function = f and file = 'a.py' and line = 3 and cause = 1", "2"),
        ("NOT NOT (Exception = KeyError AND status = certified)", "2"),
        ("outcome = certified or outcome = 'x'", "2"),
        ("exception = \"x' OR '1' = '1\"", ""),
        ("applied = 0 and class = logic and subclass = '' and reasoning = 'by hand'", "3"),
    ],
)
def test_a_query_finds_the_runs_that_it_means(store, text, runs):
    assert found(store, text) == runs


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "the end stands where a field"),
        ("exeption = 'x'", 1, "'exeption' stands where a field"),
        ("status == 'x'", 9, "'=' stands where a text in quotes"),
        ("status = ", 10, "the end stands where a text in quotes"),
        ("status = 5", 10, "'5' stands where a text in quotes"),
        ("status = 'x", 10, "stands where a text in quotes"),
        ("seconds = 'x'", 11, "stands where a number"),
        ("seconds ~ 5", 9, "'~' stands where one of = != < <= > >= is"),
        ("status 5", 8, "'5' stands where one of = != < <= > >= ~ is"),
        ("status = x status = y", 12, "'status' stands where `and`, `or` or the end"),
        ("(status = x", 12, "the end stands where `)`"),
        ("status = x)", 11, "')' stands where `and`"),
        ("status = x; drop table runs", 11, "';' stands where `and`"),
        ("status = x -- and", 12, "'-' stands where `and`"),
        ("status = and", 10, "'and' stands where a text"),
        ("seconds = 5x", 11, "'5' stands where a number"),
        ("runs.id = 'x'", 1, "'runs' stands where a field"),
        ("(" * 60 + "status = x" + ")" * 60, 52, "at most 50 brackets"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_column_and_the_fields(text, column, expected):
    with pytest.raises(UsageError) as refused:
        read_query(text)
    assert f"at column {column}: " in str(refused.value)
    assert expected in str(refused.value)
    assert all(field in refused.value.remedy for field in (*TEXTS, *NUMBERS))


@pytest.mark.parametrize("text", ["status = '" + "x" * 2000 + "'", "status = '\udcff'", "status = '\0'"])
def test_what_no_query_holds_is_refused(text):
    with pytest.raises(UsageError, match="The query h"):
        read_query(text)


@given(st.text(st.sampled_from("stau=<>!~()'\" \\1.-;and ornot"), max_size=60))
def test_whatever_is_typed_is_refused_or_is_sql_that_holds_none_of_it(text):
    try:
        query = read_query(text)
    except UsageError:
        return
    with sqlite3.connect(":memory:") as database:
        database.execute("create table runs (id, started, status, function, test, seconds, applied)")
        columns = "run, test, exception, message, class, subclass, file, function, line, root_cause, category"
        database.execute(f"create table errors ({columns}, explanation, reasoning, attempts, cause, outcome)")
        joined = "select * from runs left join errors on errors.run = runs.id"
        database.execute(f"{joined} where {query.condition}", query.values)
    assert query.condition.count("?") == len(query.values)
    assert "'" not in query.condition.replace("''", "")


def test_reports_are_found_with_what_models_said(store):
    reports = store.list_reports(read_query("exception = ValueError")).reports
    assert [(r.run[14], r.test, r.outcome, r.explanation, r.reasoning, r.attempts) for r in reports] == [
        ("3", "t.py::ccc", "unrepaired", "The Key is missing", "by hand", 1)
    ]
    every = store.list_reports(most=2)
    assert ([r.run[14] for r in every.reports], every.count) == (["3", "2"], 3)
