import pytest

from lookup import find, names

TABLE = {"db": {"host": "local", "port": 1}, "debug": False}


@pytest.mark.parametrize(("name", "expected"), [("db.port", 1), ("debug", False), ("db.user", None), ("debug.x", None)])
def test_find(name, expected):
    assert find(TABLE, name) == expected


def test_default():
    assert find(TABLE, "db.user", "nobody") == "nobody"


def test_default_by_name():
    assert find(TABLE, "log.level", default=3) == 3


def test_names():
    assert names(TABLE) == ["db.host", "db.port", "debug"]
