import pytest

from logs import failures, hosts, parse

GOOD = '10.0.0.1 [01/May/2024:10:00:00] "GET /index.html" 200'
BAD = '10.0.0.2 [01/May/2024:10:00:01] "POST /form" 503'


def test_fields():
    assert parse(GOOD) == {
        "host": "10.0.0.1", "time": "01/May/2024:10:00:00", "method": "GET", "path": "/index.html", "status": 200,
    }


@pytest.mark.parametrize("line", ["", "# a comment", "10.0.0.1 - GET /"])
def test_other_lines(line):
    assert parse(line) is None


def test_failures():
    assert failures([GOOD, BAD]) == [("/form", 503)]


def test_unknown_lines_are_left_out():
    assert failures([BAD, "", "rotated"]) == [("/form", 503)]


def test_hosts():
    assert hosts([BAD, GOOD, BAD]) == ["10.0.0.2", "10.0.0.1"]
