from hosts import parse, site_hosts


def test_parse():
    assert parse("10.0.0.1 db db.local # the database\n\n# nothing\n") == {"db": "10.0.0.1", "db.local": "10.0.0.1"}


def test_parse_nothing():
    assert parse("") == {}


def test_site_hosts():
    assert "gateway" in site_hosts()
