import pytest

from logan.parser import parse, parse_line
from logan.report import report
from logan.sessions import longest, sessions
from logan.stats import by_status, error_rate, mean_seconds, top_paths

LOG = """\
2024-03-01T10:00:00 ann GET /index 200 0.10
2024-03-01T10:05:00 ann GET /cart 200 0.30

2024-03-01T10:20:00 bob GET /index 404 0.10
this is broken
2024-03-01T10:25:00 bob POST /cart 500 0.50
""".splitlines()


@pytest.fixture
def entries():
    return list(parse(LOG))


def test_parse_line():
    entry = parse_line(LOG[0])
    assert entry.user == "ann"
    assert entry.status == 200
    assert entry.time.minute == 0


def test_parse_line_broken():
    with pytest.raises(ValueError):
        parse_line("a b c")


def test_parse_leaves_out_broken(entries):
    assert len(entries) == 4


def test_by_status(entries):
    assert by_status(entries) == {"2xx": 2, "4xx": 1, "5xx": 1}


def test_top_paths(entries):
    assert top_paths(entries, 1) == [("/cart", 2)]


def test_mean_seconds(entries):
    assert mean_seconds(entries) == {"/index": pytest.approx(0.1), "/cart": pytest.approx(0.4)}


def test_error_rate(entries):
    assert error_rate(entries) == 0.25
    assert error_rate([]) == 0


def test_sessions(entries):
    found = sessions(entries)
    assert [(s.user, s.paths) for s in found] == [
        ("ann", ["/index", "/cart"]), ("bob", ["/index", "/cart"])]


def test_session_in_small_steps():
    lines = [f"2024-03-01T{h:02}:{m:02}:00 ann GET /p 200 0.1"
             for h, m in [(10, 0), (10, 20), (10, 40)]]
    assert len(sessions(parse(lines))) == 1


def test_longest_of_nothing():
    assert longest([]) is None


def test_report():
    assert report(LOG).splitlines()[-1] == "sessions: 2"
