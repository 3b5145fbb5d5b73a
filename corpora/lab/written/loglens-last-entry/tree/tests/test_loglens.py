from datetime import datetime

from loglens.entries import Entry, at_least, group_entries, parse_header
from loglens.reader import read_lines, rotated
from loglens.report import count_levels, first_problem, summary

LINES = [
    "2024-05-01 10:00:00 [INFO] web.app: started\n",
    "2024-05-01 10:00:05 [ERROR] web.db: query failed\n",
    "Traceback (most recent call last):\n",
    "ValueError: bad id\n",
    "2024-05-01 10:00:09 [INFO] web.app: stopped\n",
]


def test_parse_header():
    entry = parse_header("2024-05-01 10:00:00 [INFO] web.app: started")
    assert entry.level == "INFO"
    assert entry.time == datetime(2024, 5, 1, 10)


def test_parse_header_other_line():
    assert parse_header("ValueError: bad id") is None


def test_group_entries():
    entries = list(group_entries(LINES))
    assert len(entries) == 3


def test_traceback_belongs_to_entry():
    entries = list(group_entries(LINES))
    assert entries[1].exception == "ValueError"


def test_first_problem():
    assert first_problem(LINES).source == "web.db"


def test_at_least():
    entries = [Entry(None, "INFO", "a", "x"), Entry(None, "ERROR", "a", "y")]
    assert [e.message for e in at_least(entries, "WARNING")] == ["y"]


def test_read_lines(tmp_path):
    (tmp_path / "a.log").write_text("1\n2\n")
    (tmp_path / "b.log").write_text("3\n")
    assert len(list(read_lines([tmp_path / "a.log", tmp_path / "b.log"]))) == 3


def test_rotated(tmp_path):
    for name in ("a.log", "a.log.1", "a.log.2"):
        (tmp_path / name).write_text("")
    assert len(rotated(tmp_path / "a.log")) == 3


def test_summary(tmp_path):
    path = tmp_path / "a.log"
    path.write_text("".join(LINES))
    assert summary([path]) == "3 entries, ERROR: 1, INFO: 2"


def test_count_levels():
    assert count_levels([Entry(None, "INFO", "a", "x")]) == {"INFO": 1}
