from logs import failures, hosts, parse


def test_nearly():
    assert parse('h [t] "get /x" 200') is None
    assert parse('h [t] "GET /x" 20') is None
    assert parse('h [t] "GET /x" 404 77')["status"] == 404


def test_mixed():
    lines = ["x", 'h [t] "GET /x" 404', ""]
    assert failures(lines) == [("/x", 404)]
    assert hosts(lines) == ["h"]
