from datetime import datetime, timedelta

from analyse import at_least, bursts, count_by, quiet
from parse import Entry, parse_line, parse_lines

START = datetime(2024, 1, 1, 12)


def at(*seconds):
    return [Entry(START + timedelta(seconds=s), "ERROR", "db", str(s)) for s in seconds]


def messages(groups):
    return [[int(e.message) for e in group] for group in groups]


def test_parse_line():
    entry = parse_line("2024-01-01 12:00:00 WARN db: slow query\n")
    assert entry == Entry(START, "WARN", "db", "slow query")
    assert parse_line("nonsense") is None


def test_continuation():
    entries = parse_lines(["lost", "2024-01-01 12:00:00 ERROR app: boom", "  at line 3", ""])
    assert [e.message for e in entries] == ["boom\n  at line 3"]


def test_at_least():
    entries = [Entry(START, level, "a", "") for level in ("INFO", "ERROR", "DEBUG", "WARN")]
    assert [e.level for e in at_least(entries, "WARN")] == ["ERROR", "WARN"]


def test_count_by():
    entries = [Entry(START, "INFO", s, "") for s in "bacab"]
    assert count_by(entries, "source") == [("a", 2), ("b", 2), ("c", 1)]


def test_bursts_none():
    assert bursts([]) == []
    assert bursts(at(0, 100, 200)) == []


def test_bursts_two():
    assert messages(bursts(at(0, 10, 20, 500, 510, 520, 900))) == [[0, 10, 20], [500, 510, 520]]


def test_bursts_last():
    assert messages(bursts(at(0, 500, 510, 520, 530))) == [[500, 510, 520, 530]]


def test_bursts_small_ones_left_out():
    assert messages(bursts(at(0, 1, 200, 201, 202, 400, 401, 600), size=3)) == [[200, 201, 202]]


def test_bursts_long():
    assert messages(bursts(at(0, 40, 80, 120, 160, 500))) == [[0, 40, 80, 120, 160]]


def test_quiet():
    assert quiet(at(0, 10, 100, 110), 60) == [(START + timedelta(seconds=10), START + timedelta(seconds=100))]
